"""What the audit expects of the tables is what the models declare, on each engine."""

from pathlib import Path

import pytest

from brt_cg.storage import postgres_shapes, sqlite_shapes
from brt_cg.storage.place import Address
from brt_cg.storage.postgres import migrating, schema_of
from brt_cg.storage.reader import HEAD, REVISIONS, VERSION
from brt_cg.storage.shapes import ADDED, Allowed, SchemaShape, differences, expected, read_check
from brt_cg.storage.sqlite import make_migrating_engine, reading
from brt_cg.storage.tables import metadata

DUE = {name: table for name, table in expected(HEAD).items() if name != VERSION}


def unlike(found: SchemaShape) -> dict[str, list[str]]:
    """What is expected otherwise, by table."""
    assert found.tables.keys() == DUE.keys()
    assert all(
        found.tables[name].columns.keys() == table.columns.keys() for name, table in DUE.items()
    )
    unlike = {name: [*differences(found.tables[name], table)] for name, table in DUE.items()}
    return {name: what for name, what in unlike.items() if what}


def test_the_models_make_in_a_file_what_the_audit_expects(path: Path) -> None:
    engine = make_migrating_engine(path, new=True)
    with engine.begin() as connection:
        metadata.create_all(connection)
    engine.dispose()
    with reading(path) as found:
        assert unlike(sqlite_shapes.found(found)) == {}


@pytest.mark.postgres
def test_the_models_make_on_a_server_what_the_audit_expects(address: Address) -> None:
    with migrating(address) as connection:
        connection.exec_driver_sql(f'CREATE SCHEMA "{schema_of(address)}"')
        metadata.create_all(connection)
        found = postgres_shapes.found(connection.connection.driver_connection)  # type: ignore[arg-type]
        connection.rollback()
    assert unlike(found) == {}


def test_what_a_revision_adds_is_not_expected_before_it() -> None:
    assert {*ADDED} <= {*REVISIONS[1:]}
    assert "fell" not in expected("0001")["fortifications"].columns
    assert "fell" in expected("0002")["fortifications"].columns


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
def test_a_check_is_read_by_what_it_means(check: str, found: tuple[str, Allowed] | None) -> None:
    assert read_check(check) == found
