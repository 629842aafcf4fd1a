"""Rewrites FIGURES.md from what was measured: `python -m tests.benchmarks --write` its costs, its
house and the goals that are missed, `python -m tests.faults --full --write` the rows that it
tried."""

import ast
import platform
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final

from brt_cg import __version__
from tests.benchmarks.figures import CHECKOUT, Figure, shown
from tests.faults.table import Harm, Row

FIGURES: Final = Path(__file__).with_name("FIGURES.md")
HOUSE: Final = {"`brt_cg/`": "brt_cg", "… of it `tui/`": "brt_cg/tui", "`tests/`": "tests"}
COSTS, FAULTS, SIZES = "What things cost", "What faults and forgers do", "The house"
MISSED, HEAD = "Goals of this version that are missed", "| | measured | | goal | beside |"


def with_costs(text: str, figures: Sequence[Figure], today: date) -> str:
    """Return FIGURES.md with these figures in place of the old ones, and their version and date."""
    python = ".".join(platform.python_version_tuple()[:2])
    text = re.sub(r"\A# .*", f"# The figures of {__version__}", text)
    when = f"Measured on {today.day} {today:%B %Y}, with Python {python} "
    text = re.sub(r"^Measured on .*?, with Python \S+ ", when, text, flags=re.MULTILINE)
    text = _with_section(text, COSTS, [HEAD, "|---|---|---|---|---|", *map(_cost, figures)])
    missed = [_missed(each) for each in figures if not each.met]
    return _with_section(text, MISSED, missed or ["None."])


def with_house(text: str, sizes: Iterable[tuple[str, int, int, int]]) -> str:
    """Return FIGURES.md with the sizes of the house: statements, lines and modules of each part."""
    rows = [f"| {name} | {made:,} | {lines:,} | {many:,} |" for name, made, lines, many in sizes]
    return _with_section(
        text, SIZES, ["| | statements | lines | modules |", "|---|---|---|---|", *rows]
    )


def with_faults(text: str, rows: Iterable[Row]) -> str:
    """Return FIGURES.md with these rows in place of the old ones of their names; a new one comes
    last. A row with a problem says so."""
    for row in rows:
        told = [row.tried, row.tried - len(row.found), *map(row.harmed, Harm)]
        line = f"| {row.name} | {' | '.join(f'{number:,}' for number in told)} |"
        old = re.compile(rf"^\| {re.escape(row.name)} \|.*$", re.MULTILINE)
        if old.search(text):
            text = old.sub(line, text)
        else:
            last = [*re.finditer(r"^\|.*$", _section(text, FAULTS)[0], re.MULTILINE)][-1][0]
            text = text.replace(last, f"{last}\n{line}")
    return text


def measured_house(checkout: Path = CHECKOUT) -> Iterable[tuple[str, int, int, int]]:
    """Yield each part of the house with its statements, lines and modules."""
    for name, folder in HOUSE.items():
        texts = [path.read_text("utf-8") for path in sorted((checkout / folder).rglob("*.py"))]
        statements = sum(
            isinstance(node, ast.stmt) for text in texts for node in ast.walk(ast.parse(text))
        )
        yield name, statements, sum(text.count("\n") for text in texts), len(texts)


def today() -> date:
    return datetime.now(UTC).date()


def _cost(figure: Figure) -> str:
    goal = _goal(figure) + ("" if figure.met else " **missed**")
    value = f"{shown(figure.value)} {figure.unit}"
    return f"| {figure.what} | {value} | {figure.clock} | {goal} | {figure.yardstick} |"


def _missed(figure: Figure) -> str:
    return f"- {figure.what}: {shown(figure.value)} {figure.unit} ({_goal(figure)})"


def _goal(figure: Figure) -> str:
    sign = "≥" if figure.at_least else "≤"
    return "" if figure.limit is None else f"{sign} {shown(figure.limit)}"


def _section(text: str, title: str) -> tuple[str, int, int]:
    """Return the body of a section, and where it begins and ends."""
    begins = text.index(f"## {title}\n") + len(f"## {title}\n")
    ends = text.find("\n## ", begins)
    ends = len(text) if ends == -1 else ends
    return text[begins:ends], begins, ends


def _with_section(text: str, title: str, lines: Iterable[str]) -> str:
    """Return the text with these lines in place of a section's table or list; its words stay."""
    body, begins, ends = _section(text, title)
    words = [
        part for part in body.strip("\n").split("\n\n") if not part.startswith(("|", "- ", "None."))
    ]
    made = "\n\n".join(["\n".join(lines), *words])
    return f"{text[:begins]}\n{made}\n{text[ends:]}"
