"""A field that a later brt-cg adds to a counter: declared once, with one revision, and no campaign
made before notices."""

import gzip
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from brt_cg.model.counters import Side
from brt_cg.service.desk import Desk
from brt_cg.service.whole import whole
from brt_cg.storage.reader import HEAD
from brt_cg.views.view_chain import view_hashes
from tests.storage.test_kept_files import FILES, KEPT, state_of

CHECKOUT = Path(__file__).parents[2]
BEFORE = "    possessor: Annotated["  # amid the fields of a weapon
FIELD = "    camouflaged: bool = False\n"
NEXT = f"{int(HEAD) + 1:04}"
REVISION = f'''
import sqlalchemy as sa
from alembic import op

revision = "{NEXT}"
down_revision = "{HEAD}"
NEW = "camouflaged INTEGER NOT NULL CONSTRAINT ck_weapons_camouflaged CHECK (camouflaged IN (0, 1))"


def upgrade() -> None:
    found = sa.text("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = 'weapons'")
    made = str(op.get_bind().execute(found).scalar_one())
    op.execute("CREATE TABLE rebuilt (" + NEW + ", " + made.split("(", 1)[1])
    op.execute("INSERT INTO rebuilt SELECT 0, * FROM weapons")
    op.execute("DROP TABLE weapons")
    op.execute("ALTER TABLE rebuilt RENAME TO weapons")
'''
FORM = """
from brt_cg.model.counters import Weapon
from brt_cg.model.fields import fields_of, given
print("camouflaged" in given(fields_of(Weapon)))
"""


@pytest.fixture(scope="module")
def later(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program with one line and one revision more."""
    folder = tmp_path_factory.mktemp("later")
    for part in ("brt_cg", "campaigns", "migrations"):
        shutil.copytree(CHECKOUT / part, folder / part)  # with what is compiled already
    counters = folder / "brt_cg" / "model" / "counters.py"
    text = counters.read_text("utf-8")
    assert text.count(BEFORE) == 1
    counters.write_text(text.replace(BEFORE, FIELD + BEFORE), "utf-8")
    (folder / "migrations" / "versions" / f"{NEXT}_camouflaged.py").write_text(REVISION, "utf-8")
    return folder


def run(later: Path, *words: object, code: int = 0) -> str:
    """What the later program prints for a command line."""
    return _python(later, "-m", "brt_cg", *words, code=code)


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


@pytest.mark.parametrize("kept", KEPT)
def test_a_field_more_changes_nothing_in_a_campaign_made_before(
    kept: str, later: Path, tmp_path: Path
) -> None:
    path = tmp_path / f"{kept}.brt"
    path.write_bytes(gzip.decompress((FILES / f"{kept}.brt.gz").read_bytes()))
    journal = whole(Desk.look_at(path))
    seats: list[Side | None] = [None, *Side]
    heads = {
        side: journal.head if side is None else view_hashes(journal, side)[-1] for side in seats
    }
    run(later, "audit", path, "--head", heads[None])  # as it was made
    weapon = min(journal.campaign.weapons, default=None)
    if weapon is None:
        run(later, "note", path, "no weapon to hide")
    else:
        run(later, "edit", path, weapon, "camouflaged=yes", "--reason", "nobody saw it")
    run(later, "export", path, "state", "-o", tmp_path / "later.json")
    state = json.loads((tmp_path / "later.json").read_text("utf-8"))
    assert {one["id"] for one in state["weapons"] if one["camouflaged"]} == {weapon} - {None}
    run(later, "undo", path)
    for side, head in heads.items():
        run(later, "audit", path, "--head", head, *(["--side", side] if side else []))


def test_what_has_the_new_field_is_exported_imported_and_entered_in_a_form(
    later: Path, tmp_path: Path
) -> None:
    """And a state of before, which does not have it, is taken in as well."""
    path = tmp_path / "0002-demo.brt"
    path.write_bytes(gzip.decompress((FILES / "0002-demo.brt.gz").read_bytes()))
    before = state_of(path)
    assert all("camouflaged" not in weapon for weapon in before["weapons"])
    assert _python(later, "-c", FORM).strip() == "True"
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
