"""Writes a Java program of very many methods, each of which is called from two places."""

from __future__ import annotations

from pathlib import Path

CHAIN = 10  # methods, each of which calls the next
METHODS_OF_A_CLASS = 100
PASSES = 4
MAIN = "Many"


def write(folder: Path, methods: int) -> list[str]:
    """The names of the files. `methods` is a multiple of METHODS_OF_A_CLASS."""
    classes = methods // METHODS_OF_A_CLASS
    files = {f"{MAIN}.java": _main(classes),
             **{f"C{number}.java": _class(number) for number in range(classes)}}
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return list(files)


def checksum(methods: int, rounds: int) -> int:
    """What the program prints when it calls each method so often in each of its passes: a Java
    int."""
    of_class = 0
    for method in range(METHODS_OF_A_CLASS):
        end = method - method % CHAIN + CHAIN
        calls = end - method
        of_class += sum(range(method, end)) * rounds + calls * rounds * (rounds - 1) // 2
    total = PASSES * (methods // METHODS_OF_A_CLASS) * of_class
    return (total + 2**31) % 2**32 - 2**31


def _class(number: int) -> str:
    lines = [f"final class C{number} {{"]
    for method in range(METHODS_OF_A_CLASS):
        is_last = method % CHAIN == CHAIN - 1
        more = "" if is_last else f" + m{method + 1}(x)"
        lines.append(f"  static int m{method}(int x) {{ return x + {method}{more}; }}")
    calls = "\n".join(f"      sum += m{method}(i);" for method in range(METHODS_OF_A_CLASS))
    lines += ["  static int run(int rounds) {",
              "    int sum = 0;",
              "    for (int i = 0; i < rounds; i++) {",
              calls,
              "    }",
              "    return sum;",
              "  }",
              "}"]
    return "\n".join(lines) + "\n"


def _main(classes: int) -> str:
    calls = "\n".join(f"      sum += C{number}.run(rounds);" for number in range(classes))
    return f"""final class {MAIN} {{
  public static void main(String[] args) {{
    int rounds = Integer.parseInt(args[0]);
    int sum = 0;
    for (int pass = 0; pass < {PASSES}; pass++) {{
{calls}
    }}
    System.out.println("SUM " + sum);
  }}
}}
"""
