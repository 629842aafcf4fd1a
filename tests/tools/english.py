"""Count what is not plain English in the program's texts: every string, docstring and comment.

`python -m tests.tools.english` lists what is over its ceiling. `--lower` lowers the ceilings in
`tests/english.toml` to today's counts; `--show PATTERN PACKAGE` lists the places.
"""

import ast
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

TOP = Path(__file__).parents[2]
FILE = TOP / "tests" / "english.toml"
HOLE = "\N{OBJECT REPLACEMENT CHARACTER}"  # a value in an f-string
# The packages whose strings players read.
SHOWN: tuple[str, ...] = ("aids", "cli", "commands", "exports", "forecast", "imports", "purchases")
SHOWN += ("questions",)
SHOWN += ("refit", "service", "tui", "views", "vasl", "web")


class Text(NamedTuple):
    """A text of the program: where it is, and its kind: string, docstring or comment."""

    package: str
    place: str
    kind: str
    text: str


def package_of(path: Path) -> str:
    """The package that a file is counted in: of the screen the folder inside."""
    first, *rest = path.relative_to(TOP).parts
    if first != "brt_cg":
        return first
    if len(rest) == 1:
        return "brt_cg"
    return "/".join(rest[:2]) if rest[0] == "tui" and len(rest) > 2 else rest[0]


def texts() -> Iterator[Text]:
    """Every text of the program and of its data."""
    for path in sorted((TOP / "brt_cg").rglob("*.py")):
        yield from _of_module(path)
    for top in ("brt_cg", "campaigns"):
        for path in sorted((TOP / top).rglob("*.toml")):
            for text in _values(tomllib.loads(path.read_text("utf-8"))):
                yield Text(package_of(path), path.name, "string", text)
    for path in sorted((TOP / "brt_cg/cli/guide").glob("*.txt")):
        yield Text(package_of(path), path.name, "string", path.read_text("utf-8"))


def _of_module(path: Path) -> Iterator[Text]:
    package, source = package_of(path), path.read_text("utf-8")
    tree = ast.parse(source)
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    skipped: set[ast.AST] = set()
    for node in ast.walk(tree):
        place = f"{path.relative_to(TOP)}:{getattr(node, 'lineno', 1)}"
        if isinstance(node, documented) and (text := ast.get_docstring(node)):
            skipped.add(node.body[0].value)  # type: ignore[attr-defined]
            yield Text(package, place, "docstring", text)
        elif isinstance(node, ast.JoinedStr):
            skipped.update(node.values)
            parts = (getattr(part, "value", HOLE) for part in node.values)
            yield Text(package, place, "string", "".join(_text(part) for part in parts))
        elif node not in skipped and isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield Text(package, place, "string", node.value)
    lines = source.splitlines()
    for number, text in _comments(lines, tree):
        yield Text(package, f"{path.relative_to(TOP)}:{number}", "comment", text)


def _comments(lines: Sequence[str], tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The comments of a module, by line: what follows a `#` outside its strings. (To tokenize the
    whole program takes ten times as long.)"""
    ends: dict[int, int] = {}  # of the last string on a line; a whole line is one without end
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr | ast.Constant) and node.end_lineno is not None:
            for inside in range(node.lineno, node.end_lineno):
                ends[inside] = sys.maxsize
            column = len(lines[node.end_lineno - 1].encode()[: node.end_col_offset].decode())
            ends[node.end_lineno] = max(column, ends.get(node.end_lineno, 0))
    for number, line in enumerate(lines, 1):
        _, sign, text = line[ends.get(number, 0) :].partition("# ")
        if sign:
            yield number, text


def _text(part: object) -> str:
    return part if isinstance(part, str) else HOLE


def _values(data: Any) -> Iterator[str]:
    """The texts in data, without its keys."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict | list):
        for value in data.values() if isinstance(data, dict) else data:
            yield from _values(value)


class Pattern(NamedTuple):
    """A pattern to avoid: what it looks like, in which kinds of texts, with what to write."""

    regex: re.Pattern[str]
    kinds: tuple[str, ...]
    instead: str

    def finds(self, text: Text) -> int:
        """How often the pattern is in a text."""
        if text.kind not in self.kinds:
            return 0
        return len(self.regex.findall(text.text))


@cache
def data() -> dict[str, Any]:
    """The file of patterns, exceptions and ceilings."""
    return tomllib.loads(FILE.read_text("utf-8"))


@cache
def rules() -> tuple[dict[str, Pattern], re.Pattern[str], dict[str, dict[str, int]], bool]:
    """The patterns by name; the exceptions; the ceilings by pattern and package; and whether the
    ceilings are exact, so that one that is too high is an error."""
    patterns = {
        name: Pattern(re.compile(each["regex"], re.M), tuple(each["kinds"]), each["instead"])
        for name, each in data()["patterns"].items()
    }
    exceptions = re.compile("|".join(f"(?:{each['regex']})" for each in data()["exceptions"]), re.M)
    return patterns, exceptions, data().get("ceilings", {}), data()["exact"]


def counts(found: list[Text] | None = None) -> dict[str, Counter[str]]:
    """How often each pattern is in the texts of each package."""
    patterns, exceptions, _, _ = rules()
    counted: dict[str, Counter[str]] = {name: Counter() for name in patterns}
    for text in texts() if found is None else found:
        plain = text._replace(text=exceptions.sub("", text.text))
        for name, pattern in patterns.items():
            if name in ("ids", "field names") and text.package.split("/")[0] not in SHOWN:
                continue
            if many := pattern.finds(plain):
                counted[name][text.package] += many
    return counted


def places(name: str, package: str) -> Iterator[str]:
    """The texts of a package with a pattern."""
    patterns, exceptions, _, _ = rules()
    for text in texts():
        if text.package == package:
            plain = text._replace(text=exceptions.sub("", text.text))
            if patterns[name].finds(plain):
                yield f"{text.place}: {' '.join(text.text.split())[:160]}"


def lower() -> None:
    """Write today's counts as ceilings, unless a ceiling is lower already."""
    _, _, ceilings, _ = rules()
    lines = []
    for name, packages in counts().items():
        known = ceilings.get(name)
        lines.append(f"\n[ceilings.{name!r}]".replace("'", '"'))
        for package, many in sorted(packages.items()):
            most = many if known is None else min(many, known.get(package, 0))
            if most:
                lines.append(f'"{package}" = {most}')
    head, _, _ = FILE.read_text("utf-8").partition("\n[ceilings.")
    FILE.write_text(head.rstrip() + "\n" + "\n".join(lines) + "\n", "utf-8")


def main(words: list[str]) -> None:
    if words[:1] == ["--lower"]:
        lower()
    elif words[:1] == ["--show"]:
        print("\n".join(places(words[1], words[2])))
    else:
        _, _, ceilings, _ = rules()
        for name, packages in counts().items():
            for package, many in sorted(packages.items()):
                if many > (most := ceilings.get(name, {}).get(package, 0)):
                    print(f"{name} in {package}: {many}, at most {most}")


if __name__ == "__main__":
    main(sys.argv[1:])
