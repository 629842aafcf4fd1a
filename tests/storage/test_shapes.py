"""What the audit expects of the tables is what the models declare, on each engine."""

from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Connection

from brt_cg.model.fields import declared_fields
from brt_cg.model.record import Record
from brt_cg.model.records import TABLES
from brt_cg.storage import postgres_shapes, shapes
from brt_cg.storage.migrations import migrate
from brt_cg.storage.place import Address
from brt_cg.storage.postgres import migration_transaction, schema_name
from brt_cg.storage.projection import cell_value
from brt_cg.storage.reader import HEAD, VERSION
from brt_cg.storage.shapes import (
    Allowed,
    SchemaShape,
    differences_besides_missing_columns,
    expected_tables,
    parse_check,
)
from brt_cg.storage.sqlite import make_migrating_engine, reading_connection
from brt_cg.storage.tables import metadata

DUE = {name: table for name, table in expected_tables(HEAD).items() if name != VERSION}


def unlike(found: SchemaShape) -> dict[str, list[str]]:
    """What is expected otherwise, by table."""
    assert found.tables.keys() - {VERSION} == DUE.keys()
    assert all(
        found.tables[name].columns.keys() == table.columns.keys() for name, table in DUE.items()
    )
    unlike = {
        name: [*differences_besides_missing_columns(found.tables[name], table)]
        for name, table in DUE.items()
    }
    return {name: what for name, what in unlike.items() if what}


def test_the_models_create_the_file_schema_the_audit_expects(path: Path) -> None:
    make(metadata.create_all, path)
    with reading_connection(path) as found:
        assert unlike(shapes.read_schema(found)) == {}


def test_the_revisions_create_the_file_schema_the_audit_expects(made: SchemaShape) -> None:
    assert unlike(made) == {}


@pytest.mark.postgres
@pytest.mark.parametrize("make", [metadata.create_all, migrate])
def test_models_and_revisions_create_the_server_schema_the_audit_expects(
    make: Callable[[Connection], None], address: Address
) -> None:
    with migration_transaction(address) as connection:
        connection.exec_driver_sql(f'CREATE SCHEMA "{schema_name(address)}"')
        make(connection)
        found = postgres_shapes.read_schema(connection.connection.driver_connection)  # type: ignore[arg-type]
        connection.rollback()
    assert unlike(found) == {}


def test_a_revisions_additions_are_not_expected_before_it() -> None:
    assert "fell" not in expected_tables("0001")["fortifications"].columns
    assert "fell" in expected_tables("0002")["fortifications"].columns
    assert "arrivals" not in expected_tables("0003")
    assert expected_tables("0003")["weapons"].columns["repair_number"].required


# Entries leave out a field at its default, so the default that a field landed with stays: another
# one would be read into every entry made before. The fields of the first revisions landed with
# these (the rest with nothing), a later one with what its revision fills its column with.
_PIECE = "fate=in_play unseen=0 status=[] isolated=0"
LANDED = {
    "campaign": "phase=purchase initial=1 massacre=0 nights_without_scenario=0 pillbox_vp=0 "
    "perimeters=[] buying=[]",
    "sides": "san=0 announced_san=0 elr=0 cvp=0 cvp_before=0",
    "units": f"{_PIECE} strength=full traits=[]",
    "weapons": f"{_PIECE} main_armament=0 depleted=[] non_qualified_use_only=0",
    "vehicles": f"{_PIECE} armored=1 pathfinder=none inherent_crew=1 bulldozer=0 "
    "non_qualified_use_only=0 cvp=0",
    "fortifications": "fate=in_play unseen=0 covered_arc=[] hidden=0",
    "terrain": "fate=in_play unseen=0",
    "purchases": "exponent=0 covered_arc=[] capacity=0 initial=0 draft=0 created=[]",
    "allotments": "gpp=0 capp=0 exponent=0 fpp=0 credited=1",
    "arrivals": "entered=0",
    "casualties": "open=0",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> SchemaShape:
    """What all revisions together make."""
    path = tmp_path_factory.mktemp("made") / "made.brt"
    make(migrate, path)
    with reading_connection(path) as connection:
        return shapes.read_schema(connection)


def make(tables: Callable[[Connection], None], path: Path) -> None:
    path.touch()
    engine = make_migrating_engine(path)
    with engine.begin() as connection:
        tables(connection)
    engine.dispose()


@pytest.mark.parametrize("kind", TABLES, ids=lambda kind: kind.TABLE)
def test_a_field_keeps_its_original_default(kind: type[Record], made: SchemaShape) -> None:
    columns = made.tables[kind.TABLE].columns
    landed = dict(told.split("=") for told in LANDED.get(kind.TABLE, "").split())
    for field in declared_fields(kind):
        default, filled = cell_value(field.default), columns[field.name].default
        held = landed.get(field.name, None if filled is None else str(filled))
        assert held == (None if default is None else str(default)), (
            f"{kind.TABLE}.{field.name} landed with {held}: a field of another default needs "
            "another name, or a form of entries that writes this one out"
        )


@pytest.mark.parametrize(
    ("check", "found"),
    [
        ("side IN ('marine', 'japanese')", ("side", {"marine", "japanese"})),
        ("\"class\" in ('elite')", ("class", {"elite"})),
        ("( isolated IN (0,1) )", ("isolated", {0, 1})),
        ("(isolated = ANY (ARRAY[0, 1]))", ("isolated", {0, 1})),
        (
            "((side)::text = ANY ((ARRAY['a'::character varying, 'b'::text])::text[]))",
            ("side", {"a", "b"}),
        ),
        (
            "((side)::text = ANY (ARRAY[('a'::character varying)::text, ('it''s (b)'::text)]))",
            ("side", {"a", "it's (b)"}),
        ),
        ("side NOT IN ('marine')", None),
        ("side IN ('marine') OR 1", None),
        ("lower(side) IN ('marine')", None),
        ("side IN ('marine', x)", None),
        ("side <> ALL (ARRAY['marine'])", None),
        ("((side)::character varying(1) = ANY (ARRAY['m']))", None),
        ("san < 8", None),
        ("", None),
    ],
)
def test_a_check_constraint_is_compared_by_meaning(
    check: str, found: tuple[str, Allowed] | None
) -> None:
    assert parse_check(check) == found
