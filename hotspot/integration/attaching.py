"""Speaks HotSpot's attach protocol with a running JVM, as jcmd does, which is a JVM itself and takes
its start each time."""

from __future__ import annotations

import os
import signal
import socket
import time
from pathlib import Path

_POLL_SECONDS = 0.02
_ASK_AGAIN_SECONDS = 10.0


class Refused(Exception):
    """The JVM did not answer, or the agent refused."""


def _handles_quit(pid: int) -> bool:
    """Before the VM has its handler, the signal that asks for the socket would end it."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    except OSError as error:
        raise Refused(f"no process {pid}") from error
    caught = next((line.split()[1] for line in status.splitlines() if line.startswith("SigCgt")),
                  "0")
    return bool(int(caught, 16) >> (signal.SIGQUIT - 1) & 1)


def _listen(pid: int, timeout_seconds: float) -> Path:
    """Makes the VM open its socket, if it has not."""
    address = Path(f"/tmp/.java_pid{pid}")
    deadline = time.monotonic() + timeout_seconds
    # A JVM that is just starting may have opened the socket and then removed its file, which it
    # takes for an earlier process's: it opens another one when it is asked again, as the JDK's own
    # tools do. One whose socket is there answers the signal with a thread dump.
    ask_again = time.monotonic() + min(timeout_seconds / 2, _ASK_AGAIN_SECONDS)
    request = None
    try:
        while not address.exists():
            if time.monotonic() > deadline:
                raise Refused(f"JVM {pid} does not open {address}")
            if request is None and _handles_quit(pid):
                request = Path(f"/proc/{pid}/cwd/.attach_pid{pid}")
                request.touch()
                os.kill(pid, signal.SIGQUIT)
            elif request is not None and time.monotonic() > ask_again:
                ask_again = deadline
                os.kill(pid, signal.SIGQUIT)
            time.sleep(_POLL_SECONDS)
    except OSError as error:
        raise Refused(f"JVM {pid} has ended") from error
    finally:
        if request is not None:
            request.unlink(missing_ok=True)
    return address


def _ask(pid: int, timeout_seconds: float, *words: str) -> str:
    """The answer to an operation and its three arguments: a number, 0 if all is well, and lines."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(timeout_seconds)
        try:
            connection.connect(str(_listen(pid, timeout_seconds)))
            connection.sendall("\0".join(("1", *words, "")).encode())
            answer = b""
            while received := connection.recv(4096):
                answer += received
        except OSError as error:
            raise Refused(f"JVM {pid}: {error}") from error
    return answer.decode("utf-8", "replace")


def load_agent(pid: int, agent: Path, options: str, timeout_seconds: float = 60.0) -> None:
    """Raises Refused unless the agent says that all is well."""
    lines = _ask(pid, timeout_seconds, "load", str(agent), "true", options).split()
    # "0", the protocol's, and "return code: 0", the agent's.
    if lines[:1] != ["0"] or lines[-1:] != ["0"]:
        raise Refused(f"JVM {pid} answers: {' '.join(lines)}")


def jcmd(pid: int, *command: str, timeout_seconds: float = 60.0) -> str:
    """What jcmd prints of a diagnostic command, without the process id. Raises Refused if it fails."""
    status, _, answer = _ask(pid, timeout_seconds, "jcmd", " ".join(command), "", "").partition("\n")
    if status != "0":
        raise Refused(f"JVM {pid} answers {status}: {answer}")
    return answer
