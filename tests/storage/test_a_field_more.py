"""A field that a later brt-cg adds to a counter: declared once, with one revision by the ordinary
recipe, and no campaign made before notices. Tried with a field of every shape."""

import gzip
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from brt_cg.model.counters import COUNTERS, Side
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.storage.place import Address
from brt_cg.storage.reader import HEAD
from brt_cg.views.view_chain import view_hashes
from tests.settings import count
from tests.storage.test_kept_files import FILES, KEPT, state_of

CHECKOUT = Path(__file__).parents[2]
NEXT = f"{int(HEAD) + 1:04}"
TABLES = sorted((kind.TABLE for kind in COUNTERS), reverse=True)[: count(2, 5)]
FLAG = "sa.Integer, sa.CheckConstraint('{0} IN (0, 1)', name=op.f('ck_{1}_{0}'))"
WORD = "sa.String(7), sa.CheckConstraint(\"{0} IN ('full', 'reduced')\", name=op.f('ck_{1}_{0}'))"


class Shape(NamedTuple):
    """A field of a shape: its declaration; its column, `{0}` standing for its name and `{1}` for
    its table; what a player types, and what that is in JSON."""

    declaration: str
    column: str
    typed: str
    json: Any


SHAPES = {
    "camouflaged": Shape(
        "bool = False", FLAG + ", nullable=False, server_default='0'", "yes", True
    ),
    "sighted": Shape("bool | None = None", FLAG, "no", False),
    "rounds": Shape(
        "Annotated[int, Number(-9, 99), Label('rounds left')] = -3",
        "sa.Integer, nullable=False, server_default='-3'",
        "5",
        5,
    ),
    "reach": Shape("Annotated[int | None, Number(0, 99)] = None", "sa.Integer", "7", 7),
    "crest": Shape("str | None = None", "sa.Text", "a tiger's head", "a tiger's head"),
    "motto": Shape(
        'str = "it\'s ours"', 'sa.Text, nullable=False, server_default="it\'s ours"', "on", "on"
    ),
    "drill": Shape(
        "UnitStrength = UnitStrength.FULL",
        WORD + ", nullable=False, server_default='full'",
        "reduced",
        "reduced",
    ),
    "watch": Shape("UnitStrength | None = None", WORD, "full", "full"),
    "kit": Shape(
        "Annotated[tuple[str, ...], ListOf(('spade', 'wire'))] = ()",
        "sa.Text, nullable=False, server_default='[]'",
        "wire,spade",
        ["spade", "wire"],
    ),
    "tales": Shape(
        "tuple[str, ...] = ()", "sa.Text, nullable=False, server_default='[]'", "a,b", ["a", "b"]
    ),
    "lot": Shape("Annotated[str | None, Id()] = None", "sa.Text", "lot-1", "lot-1"),
    "helper": Shape("Annotated[str | None, Link(None, 'helped by')] = None", "sa.Text", "", None),
    "cache": Shape(
        "Annotated[str | None, Place(), FieldMark.SITE] = None", "sa.Text", "N21", "N21"
    ),
    "aim": Shape(
        "Annotated[tuple[str, ...], Arc(), FieldMark.SITE] = ()",
        "sa.Text, nullable=False, server_default='[]'",
        "N21,N22",
        ["N21", "N22"],
    ),
}
REVISION = f"""
import sqlalchemy as sa
from alembic import op

revision = "{NEXT}"
down_revision = "{HEAD}"


def upgrade() -> None:
"""
FORM = """
from brt_cg.model.counters import BY_TABLE
from brt_cg.model.fields import fields_entered_by_players, fields_of
print(*(name for kind in BY_TABLE.values() for name in fields_entered_by_players(fields_of(kind))))
"""


@pytest.fixture(scope="module")
def later(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program with a few lines and one revision more."""
    folder = tmp_path_factory.mktemp("later")
    for part in ("brt_cg", "campaigns", "migrations"):
        shutil.copytree(CHECKOUT / part, folder / part)  # with what is compiled already
    counters = folder / "brt_cg" / "model" / "counters.py"
    text, revision = counters.read_text("utf-8"), REVISION
    for table in TABLES:
        first = f'    TABLE = "{table}"\n'
        assert text.count(first) == 1
        fields = (f"    {name}: {shape.declaration}\n" for name, shape in SHAPES.items())
        text = text.replace(first, first + "".join(fields))
        for name, shape in SHAPES.items():
            column = f"sa.Column('{name}', {shape.column.format(name, table)})"
            revision += f"    op.add_column('{table}', {column})\n"
    counters.write_text(text, "utf-8")
    (folder / "migrations" / "versions" / f"{NEXT}_more.py").write_text(revision, "utf-8")
    return folder


def run(later: Path, *words: object, code: int = 0) -> str:
    """What the later program prints for a command line."""
    return _python(later, "-m", "brt_cg", *words, code=code)


EACH = """
import json, sys
from brt_cg.cli import main
for words in json.loads(sys.argv[1]):
    assert main(words) == 0, words
"""


def run_each(later: Path, *lines: list[object]) -> None:
    """The later program carries out several command lines, in one process."""
    _python(later, "-c", EACH, json.dumps(lines, default=str))


def _python(later: Path, *words: object, code: int = 0) -> str:
    environment = os.environ | {"PYTHONPATH": str(later)}
    done = subprocess.run(
        [sys.executable, *map(str, words)],
        cwd=later,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


def unpack(kept: str, folder: Path) -> Path:
    path = folder / f"{kept}.brt"
    path.write_bytes(gzip.decompress((FILES / f"{kept}.brt.gz").read_bytes()))
    return path


@pytest.mark.parametrize("kept", KEPT[:: count(ci=4, full=1)])
def test_a_new_field_changes_nothing_in_an_existing_campaign(
    kept: str, later: Path, tmp_path: Path
) -> None:
    path = unpack(kept, tmp_path)
    journal = unrestricted_campaign(OpenCampaign.open_read_only(path))
    seats: list[Side | None] = [None, *Side]
    heads = {
        side: journal.head if side is None else view_hashes(journal, side)[-1] for side in seats
    }
    typed = [f"{name}={shape.typed}" for name, shape in SHAPES.items()]
    first = [next(iter(sorted(journal.campaign.tables[table])), None) for table in TABLES]
    changed = [counter for counter in first if counter is not None]
    run_each(
        later,
        ["audit", path, "--head", heads[None]],  # as it was made
        *(["edit", path, counter, *typed, "--reason", "nobody saw it"] for counter in changed),
        ["export", path, "state", "-o", tmp_path / "later.json"],
    )
    state = json.loads((tmp_path / "later.json").read_text("utf-8"))
    entered = {name: shape.json for name, shape in SHAPES.items()}
    for table in TABLES:
        told = [{name: one[name] for name in SHAPES} for one in state[table]]
        assert told.count(entered) == bool(told)
    views = {side: ["--side", side] if side else [] for side in seats}
    run_each(
        later,
        *(["undo", path] for _ in changed),
        *(["audit", path, "--head", head, *views[side]] for side, head in heads.items()),
    )


def test_a_new_field_is_exported_imported_and_editable(later: Path, tmp_path: Path) -> None:
    """And a state of before, which does not have it, is taken in as well."""
    path = unpack("0002-demo", tmp_path)
    before = state_of(path)
    assert all(weapon.keys().isdisjoint(SHAPES) for weapon in before["weapons"])
    form = _python(later, "-c", FORM).split()
    assert all(form.count(name) == len(TABLES) for name in SHAPES)
    before["sides"]["marine"]["cvp"] += 3
    before["weapons"][0]["camouflaged"] = True
    state = tmp_path / "next.json"
    state.write_text(json.dumps(before), "utf-8")
    run(later, "import", path, state, "--yes", "--missing", "keep")
    run(later, "export", path, "state", "-o", tmp_path / "after.json")
    after = json.loads((tmp_path / "after.json").read_text("utf-8"))
    found = {one["id"] for one in after["weapons"] if one["camouflaged"]}
    assert found == {before["weapons"][0]["id"]}
    run(later, "refit", path, "--auto", "--seed", "3")
    for view in ([], ["--side", "marine"], ["--side", "japanese"]):
        run(later, "audit", path, *view)


@pytest.mark.postgres
def test_a_new_field_reaches_a_server_with_the_same_revision(
    later: Path, tmp_path: Path, address: Address
) -> None:
    path = unpack("0002-demo", tmp_path)
    run(later, "copy", path, address)
    run(later, "audit", address)
