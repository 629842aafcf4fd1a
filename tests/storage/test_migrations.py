"""Migrations: they make the tables, and bring every older file up to date without losing a row."""

import shutil
from pathlib import Path

import pytest
from sqlalchemy import CheckConstraint, Column, Integer

from brt_cg import resources
from brt_cg.journal.changes import apply_changes
from brt_cg.storage import campaign_file, postgres, reader, server_campaign, store
from brt_cg.storage.backups import backup_folder, list_backups
from brt_cg.storage.campaign_file import CampaignFile
from brt_cg.storage.errors import BackupError, DamagedError, NewerFileError, StorageError
from brt_cg.storage.place import Address
from brt_cg.storage.postgres import migration_transaction, schema_name
from brt_cg.storage.postgres_shapes import read_schema
from brt_cg.storage.projection import table_rows
from brt_cg.storage.reader import HEAD, REVISIONS, read_revision
from brt_cg.storage.server_campaign import list_campaigns
from brt_cg.storage.shapes import SchemaShape
from brt_cg.storage.tables import NAMING, metadata
from tests.postgres import Server
from tests.reading import raw_tables, read_entries
from tests.storage.pen import Pen, dump, heal, sql, write_a_campaign
from tests.tools import migrations as check

RELEASED = sorted((Path(__file__).parent / "files").glob("*.brt"))

# A later revision as one might be: it rebuilds tables, one of them with rows that depend on it.
NEXT = f"{int(HEAD) + 1:04}"
LATER = f"""
import sqlalchemy as sa
from alembic import op

revision = "{NEXT}"
down_revision = "{HEAD}"


def upgrade() -> None:
    with op.batch_alter_table("units") as batch:
        batch.add_column(sa.Column("rank", sa.Integer))
        batch.alter_column("name", new_column_name="called")
    with op.batch_alter_table("parents") as batch:
        batch.alter_column("name", type_=sa.Text, nullable=False)
    {{more}}
"""


@pytest.fixture
def later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program that is one revision further: the folder of its migrations."""
    folder = tmp_path / "migrations 100%"
    shutil.copytree(resources.migrations_folder(), folder)
    (folder / "versions" / f"{NEXT}_later.py").write_text(LATER.format(more=""))
    monkeypatch.setattr(resources, "migrations_folder", lambda: folder)
    monkeypatch.setattr(reader, "REVISIONS", (*REVISIONS, NEXT))
    monkeypatch.setattr(reader, "HEAD", NEXT)
    monkeypatch.setattr(campaign_file, "HEAD", NEXT)
    monkeypatch.setattr(server_campaign, "HEAD", NEXT)
    return folder


@pytest.fixture
def older(file_pen: Pen) -> Path:
    """A file of the newest revision, with rows that go when their parents go."""
    file_pen.kept.close()
    sql(
        file_pen.place,
        "CREATE TABLE parents (id INTEGER PRIMARY KEY, name VARCHAR)",
        "CREATE TABLE children (parent INTEGER REFERENCES parents ON DELETE CASCADE)",
        "INSERT INTO parents VALUES (1, 'Betio')",
        "INSERT INTO children VALUES (1), (1)",
    )
    return file_pen.place


# --- what the migrations make -----------------------------------------------------------------


def test_the_migrations_create_the_declared_tables(capsys: pytest.CaptureFixture[str]) -> None:
    assert check.main() == 0
    assert capsys.readouterr() == ("", "")


def test_a_column_without_a_migration_is_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    grown = _grown()
    monkeypatch.setattr(check, "metadata", grown)
    assert check.main() == 1
    assert "rank" in capsys.readouterr().err


def _grown() -> object:
    copied = type(metadata)(naming_convention=NAMING)
    for table in metadata.sorted_tables:
        table.to_metadata(copied)
    copied.tables["units"].append_column(Column("rank", Integer))
    return copied


def test_a_constraint_without_a_migration_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    copied = type(metadata)(naming_convention=NAMING)
    for table in metadata.sorted_tables:
        table.to_metadata(copied)
    copied.tables["sides"].append_constraint(CheckConstraint("san < 8", name="san"))
    monkeypatch.setattr(check, "metadata", copied)
    assert any("ck_sides_san" in found for found in check.differences())


def test_an_unknown_revision_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(check, "REVISIONS", (*REVISIONS, NEXT))
    assert any(found.startswith("revisions:") for found in check.differences())


@pytest.mark.postgres
def test_the_migrations_create_the_declared_tables_on_a_server(server: Server) -> None:
    places = [server.new_address(), server.new_address()]
    with migration_transaction(places[0]) as left, migration_transaction(places[1]) as right:
        for connection, place in zip((left, right), places, strict=True):
            connection.exec_driver_sql(f'CREATE SCHEMA "{schema_name(place)}"')
        assert check.compared(left, right) == []
        left.rollback()
        right.rollback()


# --- every released file ----------------------------------------------------------------------


def test_there_is_a_file_of_every_released_revision() -> None:
    """The newest may not be released yet."""
    assert tuple(path.stem for path in RELEASED) in (REVISIONS, REVISIONS[:-1])


@pytest.mark.parametrize("released", RELEASED, ids=lambda path: path.stem)
def test_a_released_file_is_upgraded_and_continued(released: Path, path: Path) -> None:
    shutil.copy(released, path)
    file = CampaignFile.open_upgraded(path)
    assert read_revision(path) == HEAD
    assert bool(list_backups(path)) == (released.stem != HEAD)
    file_pen = Pen(path, file)
    file_pen.entries = read_entries(path)
    for entry in file_pen.entries:
        apply_changes(file_pen.campaign, entry.changes)
    file_pen.enter("edit", heal)
    file.close()
    assert [entry.kind for entry in read_entries(path)][-2:] == ["undo", "edit"]
    projected = {name: len(rows.values) for name, rows in table_rows(file_pen.campaign).items()}
    held = {name: len(table.rows) for name, table in raw_tables(path).items()}
    assert held == projected | {"die_rolls": 1}


# --- upgrading --------------------------------------------------------------------------------


def test_an_older_file_is_upgraded_after_a_backup(file_pen: Pen, older: Path, later: Path) -> None:
    before = dump(older)
    CampaignFile.open_upgraded(older)
    assert read_revision(older) == NEXT
    [made] = list_backups(older)
    assert made.path.name == "50% Betio #1!-0001-before-upgrade.brt"
    assert dump(made.path) == before
    assert read_entries(older) == file_pen.entries
    assert {"rank", "called"} <= set(raw_tables(older)["units"].columns)


def test_rows_that_depend_on_a_rebuilt_table_stay(older: Path, later: Path) -> None:
    CampaignFile.open_upgraded(older)
    assert sql(older, "SELECT * FROM children") == [(1,), (1,)]


def test_an_upgrade_whose_backup_cannot_be_made_is_refused(older: Path, later: Path) -> None:
    backup_folder(older).write_text("in the way")
    with pytest.raises(BackupError, match="before the upgrade"):
        CampaignFile.open_upgraded(older)
    assert read_revision(older) == HEAD
    CampaignFile.open_upgraded(older, backs_up=False)
    assert read_revision(older) == NEXT


def test_a_retried_upgrade_makes_no_second_backup(older: Path, later: Path) -> None:
    working = later / "versions" / f"{NEXT}_later.py"
    working.write_text(LATER.format(more="raise RuntimeError('half-way')"))
    with pytest.raises(RuntimeError):
        CampaignFile.open_upgraded(older)
    working.write_text(LATER.format(more=""))
    CampaignFile.open_upgraded(older)
    assert len(list_backups(older)) == 1


@pytest.mark.parametrize(
    ("more", "error"),
    [
        ("raise RuntimeError('half-way')", RuntimeError),
        ("op.execute('INSERT INTO children VALUES (7)')", DamagedError),
        ("op.execute('INSERT INTO parents VALUES (1, NULL)')", Exception),
    ],
    ids=["it fails", "it breaks a reference", "a wall refuses it"],
)
def test_a_failed_upgrade_leaves_the_file_unchanged(
    older: Path, later: Path, more: str, error: type[Exception]
) -> None:
    (later / "versions" / f"{NEXT}_later.py").write_text(LATER.format(more=more))
    before = dump(older)
    with pytest.raises(error):
        CampaignFile.open_upgraded(older)
    assert dump(older) == before
    assert read_revision(older) == HEAD


def test_an_older_file_with_a_table_that_the_upgrade_makes_is_refused_in_one_sentence(
    tmp_path: Path,
) -> None:
    path = tmp_path / "0001.brt"
    shutil.copy(Path(__file__).parent / "files" / "0001.brt", path)
    sql(path, "CREATE TABLE arrivals (day TEXT)")
    before = path.read_bytes()
    with pytest.raises(DamagedError, match="table arrivals already exists") as refused:
        CampaignFile.open_upgraded(path)
    assert str(refused.value).endswith(
        "and was not changed. To save its contents in a new file, run brt-cg repair"
    )
    assert "\n" not in str(refused.value)
    assert path.read_bytes() == before


def test_a_newer_file_is_refused_and_left_alone(file_pen: Pen) -> None:
    sql(file_pen.place, f"UPDATE alembic_version SET version_num = '{NEXT}'")
    before = dump(file_pen.place)
    with pytest.raises(NewerFileError, match="install the newer version"):
        CampaignFile.open_upgraded(file_pen.place)
    assert dump(file_pen.place) == before
    assert list(file_pen.place.parent.iterdir()) == [file_pen.place]


def test_a_file_of_this_revision_needs_no_backup(file_pen: Pen) -> None:
    CampaignFile.open_upgraded(file_pen.place)
    assert list(file_pen.place.parent.iterdir()) == [file_pen.place]


def test_the_journal_is_append_only_after_an_upgrade(older: Path, later: Path) -> None:
    CampaignFile.open_upgraded(older)
    with pytest.raises(Exception, match="only ever added"):
        sql(older, "DELETE FROM journal")


# --- on a server ------------------------------------------------------------------------------


@pytest.fixture
def older_there(address: Address) -> Pen:
    """A campaign of the newest revision on a server, and what a later one wants to find."""
    pen = write_a_campaign(address)
    pen.kept.close()
    sql(address, "CREATE TABLE parents (id INTEGER PRIMARY KEY, name VARCHAR)")
    return pen


@pytest.mark.postgres
def test_an_older_campaign_is_upgraded_on_a_server(
    older_there: Pen, request: pytest.FixtureRequest
) -> None:
    request.getfixturevalue("later")
    address = older_there.place
    store.open_upgraded_store(address).close()
    assert read_revision(address) == NEXT
    assert read_entries(address) == older_there.entries
    assert {"rank", "called"} <= set(raw_tables(address)["units"].columns)
    with pytest.raises(Exception, match="only ever added"):
        sql(address, "DELETE FROM journal")


@pytest.mark.postgres
def test_an_upgrade_on_a_server_keeps_a_copy_of_the_older_campaign(
    older_there: Pen, request: pytest.FixtureRequest
) -> None:
    address = older_there.place
    assert isinstance(address, Address)
    before, walls = dump(address), shape_there(address)
    request.getfixturevalue("later")
    store.open_upgraded_store(address).close()
    copy = address.of_campaign(f"{address.campaign}-before-{NEXT}")
    assert dump(copy) == before
    assert shape_there(copy) == walls
    with pytest.raises(Exception, match="only ever added"):
        sql(copy, "DELETE FROM journal")
    store.open_upgraded_store(copy).close()
    assert read_revision(copy) == NEXT
    assert read_entries(copy) == older_there.entries
    assert [one.problem for one in list_campaigns(address) if one.address == copy] == [None]


def shape_there(address: Address) -> SchemaShape:
    with postgres.reading_connection(address) as connection:
        return read_schema(connection)


@pytest.mark.postgres
def test_a_failed_upgrade_on_a_server_leaves_the_campaign_unchanged(
    older_there: Pen, later: Path
) -> None:
    more = "op.execute('INSERT INTO parents VALUES (1, NULL)')"
    (later / "versions" / f"{NEXT}_later.py").write_text(LATER.format(more=more))
    before = dump(older_there.place)
    with pytest.raises(Exception, match="null value"):
        store.open_upgraded_store(older_there.place)
    assert dump(older_there.place) == before
    assert read_revision(older_there.place) == HEAD
    named = [str(one.address.campaign) for one in list_campaigns(older_there.place)]
    assert not [name for name in named if name.startswith(f"{older_there.place.campaign}-before")]


@pytest.mark.postgres
def test_a_session_on_the_older_campaign_cannot_write_to_the_newer(
    older_there: Pen,
) -> None:
    pen = older_there
    pen.kept = store.open_upgraded_store(pen.place)
    sql(pen.place, f"UPDATE alembic_version SET version_num = '{NEXT}'")
    before = dump(pen.place)
    with pytest.raises(StorageError, match=r"upgraded by a newer brt-cg.*install the newer"):
        pen.enter("edit", heal)
    assert dump(pen.place) == before
    pen.kept.close()
