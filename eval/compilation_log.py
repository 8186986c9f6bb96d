"""Which calls the compilers inlined, by HotSpot's own account (-XX:+LogCompilation).

The log has a <task> for each compilation. In it, <parse method=> opens a method, <bc bci=> a call
site of it, and the last <call method=> is what <inline_success> and <intrinsic> are about; an
inlined method's own <parse> lies within its caller's. C1 names the method that the call site names,
and only the <parse> within tells which one it inlined for it. What C2 inlines after parsing
(<late_inline>) begins with its call sites, the innermost first. Numbers stand for methods and types
of the same task (hotspot/share/compiler/compileLog.cpp).

A call counts as inlined when any installed compilation inlined it. Frames of hidden glue (lambda
forms, lambdas' proxies) are passed over, as profiles do: hotspot/walk/jvmti_methods.cc.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Iterable, Mapping

from eval.measure import Failed

OPTIONS = ("-XX:+UnlockDiagnosticVMOptions", "-XX:+LogCompilation")

# Caller, bytecode index and callee, named as in profiles. Callers may be unknown there.
Edge = tuple[str | None, int | None, str]

_NAME = re.compile(r"<(/?[a-z_0-9]+)")
_ELEMENT = re.compile(r"<(/?[a-z_][a-z_0-9]*)((?: +[a-z_0-9]+='[^']*')*) */?>")
_ATTRIBUTE = re.compile(r"([a-z_0-9]+)='([^']*)'")
_PRIMITIVES = {"boolean": "Z", "byte": "B", "char": "C", "short": "S", "int": "I", "long": "J",
               "float": "F", "double": "D", "void": "V"}
_KINDS = ("", "osr")  # Of compilations: others are wrappers, which no compiler makes.
# Of a task, and without a say in what is inlined: 17's and 25's.
_OTHERS = frozenset("""
    assert_null branch cast_up code_cache comment dependency dependency_failed direct_call
    eliminate_allocation eliminate_boxing eliminate_boxing_method eliminate_lock hot_throw
    inline_fail inline_id inline_level_discount intrinsic_fail lock loop loop_tree
    method_not_compilable nmethod observe optimize_castpp parse_done phase phase_done predicted_call
    profile_predicate regalloc replace_string_concat resolve_indy
    retry_compile_with_bad_type_profile string_concat trap_dependency uncommon_trap
    unstable_fused_if unstable_if virtual_call
    """.split())


@dataclass(frozen=True)
class CompilationLog:
    inlined: frozenset[Edge]
    inlined_by_c2: frozenset[Edge]
    # Inlined into glue that was compiled by itself: from which call sites it is called is unknown,
    # but for those that the compilers saw to call it without glue.
    inlined_into_glue: frozenset[str]
    direct: frozenset[Edge]
    compiled: frozenset[str]  # Methods with compiled code of their own.
    tasks: int  # Installed ones.
    unknown: Mapping[str, int] = field(default_factory=dict)  # elements of tasks, by name

    def is_inlined(self, edge: Edge) -> bool:
        return edge in self.inlined or (edge[2] in self.inlined_into_glue and
                                        edge not in self.direct)


def reported_class_name(external_name: str) -> str:
    """A class as profiles name it, from "app.Main$$Lambda$14/0x000000080100" and the like."""
    name = re.sub(r"[/.+]0x.*", "", external_name)
    lambda_ = name.find("$$Lambda$")
    if lambda_ != -1:
        name = name[:lambda_ + len("$$Lambda")]
    if name.startswith("jdk.internal.reflect.Generated"):
        name = name.rstrip("0123456789")
    return name


def is_glue(class_name: str) -> bool:
    return "$$Lambda" in class_name or class_name.startswith(tuple(
        f"java.lang.invoke.{name}" for name in (
            "LambdaForm", "DirectMethodHandle", "DelegatingMethodHandle", "Invokers",
            "MethodHandle", "VarHandle")))


def _descriptor(external_name: str) -> str:
    if external_name.startswith("["):
        return external_name.replace(".", "/")
    return _PRIMITIVES.get(external_name) or f"L{external_name.replace('.', '/')};"


@dataclass(frozen=True)
class _Method:
    class_name: str
    name: str  # as in profiles

    @property
    def is_glue(self) -> bool:
        return is_glue(self.class_name)


def _task_method(text: str) -> _Method:
    """From "java.lang.Object <init> ()V"."""
    holder, name, descriptor = text.split(" ")
    return _Method(reported_class_name(holder),
                   f"{reported_class_name(holder)}.{name}{descriptor}")


@dataclass
class _Frame:
    method: _Method
    bci: int | None = None
    call: _Method | None = None  # the last one at this site


class _Task:
    """A compilation. Its state is the stack of methods that are being parsed, the root first."""

    def __init__(self, attributes: Mapping[str, str]):
        self.compilation = _compilation(attributes)
        self.is_c2 = attributes.get("level", "4") == "4"
        self.root = _task_method(attributes["method"])
        self.is_installed = False
        self.inlined: set[Edge] = set()
        self.inlined_into_glue: set[str] = set()
        self.direct: set[Edge] = set()
        self._types: dict[str, str] = {}
        self._methods: dict[str, _Method] = {}
        self._stack: list[_Frame] = []
        self._open_parses = 0
        self._late: list[_Frame] | None = None  # innermost first, while its sites are listed
        self._late_callee: _Method | None = None

    def take(self, name: str, attributes: Mapping[str, str]) -> bool:
        """Whether the element is known."""
        handler = getattr(self, f"_take_{name.replace('/', 'end_')}", None)
        if handler:
            handler(attributes)
        return handler is not None or name.startswith("/") or name in _OTHERS

    def _take_type(self, attributes: Mapping[str, str]) -> None:
        self._types[attributes["id"]] = attributes["name"]

    _take_klass = _take_type

    def _take_method(self, attributes: Mapping[str, str]) -> None:
        arguments = "".join(_descriptor(self._types[argument])
                            for argument in attributes.get("arguments", "").split())
        holder = reported_class_name(self._types[attributes["holder"]])
        self._methods[attributes["id"]] = _Method(
            holder, f"{holder}.{attributes['name']}({arguments})"
                    f"{_descriptor(self._types[attributes['return']])}")

    def _take_parse(self, attributes: Mapping[str, str]) -> None:
        method = self._methods[attributes["method"]]
        if self._stack:
            self._inline(method)
        elif method != self.root:
            raise ValueError(f"<parse> of {method.name} in the task of {self.root.name}")
        self._stack.append(_Frame(method))
        self._open_parses += 1

    def _take_end_parse(self, _: Mapping[str, str]) -> None:
        if self._open_parses:  # else given up before
            self._stack.pop()
            self._open_parses -= 1

    def _take_bc(self, attributes: Mapping[str, str]) -> None:
        if self._stack:
            self._stack[-1].bci = int(attributes["bci"])
            self._stack[-1].call = None

    def _take_call(self, attributes: Mapping[str, str]) -> None:
        if not self._stack:
            raise ValueError("<call> outside of a method")
        frame = self._stack[-1]
        frame.call = self._methods[attributes["method"]]
        if not frame.method.is_glue:
            self.direct.add((frame.method.name, frame.bci, frame.call.name))

    def _take_inline_success(self, _: Mapping[str, str]) -> None:
        if not self._stack or self._stack[-1].call is None:
            raise ValueError("<inline_success> without a <call>")
        self._inline(self._stack[-1].call)

    def _take_intrinsic(self, _: Mapping[str, str]) -> None:
        # A task of an intrinsic method itself begins with one.
        if self._stack and self._stack[-1].call is not None:
            self._inline(self._stack[-1].call)

    def _take_late_inline(self, attributes: Mapping[str, str]) -> None:
        if self._open_parses:
            raise ValueError("<late_inline> within a <parse>")
        self._late = []
        self._late_callee = self._methods[attributes["method"]]

    def _take_jvms(self, attributes: Mapping[str, str]) -> None:
        if self._late is not None:
            self._late.append(_Frame(self._methods[attributes["method"]], int(attributes["bci"])))

    def _take_end_late_inline(self, _: Mapping[str, str]) -> None:
        if not self._late:
            raise ValueError("<late_inline> without a call site")
        self._stack = self._late[::-1]
        self._stack[-1].call = self._late_callee
        self._late = None

    def _take_failure(self, _: Mapping[str, str]) -> None:
        """C2 may begin anew, with other options, in the same task."""
        self._stack = []
        self._open_parses = 0

    def _take_end_task(self, _: Mapping[str, str]) -> None:
        if self._open_parses:
            raise ValueError("</task> within a <parse>")

    def _take_task_done(self, attributes: Mapping[str, str]) -> None:
        self.is_installed = attributes["success"] == "1"

    def _inline(self, callee: _Method) -> None:
        if callee.is_glue:
            return
        for frame in reversed(self._stack):
            if not frame.method.is_glue:
                if frame.bci is None:
                    raise ValueError(f"{callee.name} is inlined into no <bc>")
                self.inlined.add((frame.method.name, frame.bci, callee.name))
                return
        self.inlined_into_glue.add(callee.name)


def parse(lines: Iterable[str]) -> CompilationLog:
    """Raises Failed when the log is cut off, lacks a compilation, or is not of the known form."""
    reader = _Reader()
    for number, line in enumerate(lines, 1):
        try:
            reader.take(line)
        except (KeyError, ValueError) as error:
            raise Failed(f"compilation log, line {number}: {line.strip()[:200]}: "
                         f"{type(error).__name__} {error}") from error
    if not reader.is_ended:
        raise Failed("the compilation log is cut off: it has no <hotspot_log_done>")
    return _summary(reader.tasks, reader.installed, reader.unknown)


class _Reader:
    def __init__(self) -> None:
        self.tasks: list[_Task] = []
        self.installed: set[str] = set()
        self.unknown: Counter[str] = Counter()
        self.is_ended = False
        self._task: _Task | None = None

    def take(self, line: str) -> None:
        start = _NAME.match(line)
        if start is None:
            return
        name = start[1]
        if self._task is not None and name in _OTHERS:
            return
        is_of_interest = self._task is not None or name in ("task", "nmethod")
        element = _ELEMENT.match(line) if is_of_interest else None
        if is_of_interest and element is None:
            if line.endswith("]]>\n"):
                return  # Where a <fragment> was cut off.
            raise ValueError("not understood")
        attributes = {key: html.unescape(value)
                      for key, value in _ATTRIBUTE.findall(element[2])} if element else {}
        if name == "task":
            if self._task is not None:
                raise ValueError("<task> within a <task>")
            self._task = _Task(attributes)
            self.tasks.append(self._task)
        elif name in ("fragment", "/fragment"):
            pass  # The end of the log of a thread, as far as it was written.
        elif name == "/compilation_log":
            self._task = None  # What was not ready at the JVM's end is cut off within its task.
        elif name == "hotspot_log_done":
            self.is_ended = True
        elif self._task is not None:
            if not self._task.take(name, attributes):
                self.unknown[name] += 1
            if name == "/task":
                self._task = None
        elif name == "nmethod" and attributes.get("compile_kind", "") in _KINDS:
            self.installed.add(_compilation(attributes))


def _compilation(attributes: Mapping[str, str]) -> str:
    return f"{attributes['compile_id']} {attributes.get('compile_kind', '')}".strip()


def _summary(tasks: list[_Task], installed: set[str], unknown: Counter[str]) -> CompilationLog:
    lost = installed - {task.compilation for task in tasks}
    if lost:
        raise Failed(f"the compilation log lacks {len(lost)} of {len(installed)} compilations that "
                     f"were installed, such as {min(lost)}")
    counted = [task for task in tasks if task.is_installed or task.compilation in installed]
    if not counted:
        raise Failed("the compilation log has no compilation")
    return CompilationLog(
        frozenset().union(*(task.inlined for task in counted)),
        frozenset().union(*(task.inlined for task in counted if task.is_c2)),
        frozenset().union(*(task.inlined_into_glue for task in counted)),
        frozenset().union(*(task.direct for task in counted)),
        frozenset(task.root.name for task in counted), len(counted), dict(unknown))


def read(path: Path) -> CompilationLog:
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return parse(file)
    except FileNotFoundError as error:
        raise Failed(f"the JVM wrote no compilation log to {path}") from error
