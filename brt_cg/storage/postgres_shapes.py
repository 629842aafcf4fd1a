"""The schema of a campaign as found on a server."""

import re
from collections.abc import Iterator
from typing import Any

from brt_cg.storage import postgres
from brt_cg.storage.errors import REFUSAL
from brt_cg.storage.postgres import HERE
from brt_cg.storage.shapes import (
    TEXT,
    ColumnShape,
    SchemaShape,
    TableShape,
    with_checks,
    with_default,
)

_REFUSE = f"RAISE EXCEPTION '{REFUSAL}' USING ERRCODE = 'integrity_constraint_violation';"
_FUNCTIONS = {
    "journal_refuses": f"BEGIN {_REFUSE} END",
    "journal_keeps_order": (
        "DECLARE due integer; BEGIN "
        "EXECUTE format('SELECT coalesce(max(seq), 0) + 1 FROM %I.journal', TG_TABLE_SCHEMA) "
        f"INTO due; IF NEW.seq IS DISTINCT FROM due THEN {_REFUSE} END IF; RETURN NEW; END"
    ),
    "journal_tells": "BEGIN PERFORM pg_notify(TG_TABLE_SCHEMA, ''); RETURN NULL; END",
}
# The bits of pg_trigger.tgtype.
_ROW, _BEFORE, _INSERT, _DELETE, _UPDATE, _TRUNCATE = 1, 2, 4, 8, 16, 32
_TRIGGERS = {
    "journal_refuses_update": (_BEFORE | _UPDATE, "journal_refuses"),
    "journal_refuses_delete": (_BEFORE | _DELETE, "journal_refuses"),
    "journal_refuses_truncate": (_BEFORE | _TRUNCATE, "journal_refuses"),
    "journal_refuses_disorder": (_ROW | _BEFORE | _INSERT, "journal_keeps_order"),
    "journal_tells_of_entries": (_INSERT, "journal_tells"),
}

_COLUMNS = f"""
SELECT relname, attname, format_type(atttypid, atttypmod), attnotnull,
  CASE WHEN attidentity <> '' OR attgenerated <> '' THEN 'made()'
  ELSE pg_get_expr(adbin, adrelid) END, attcollation <> typcollation
FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid JOIN pg_type ON pg_type.oid = atttypid
LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
WHERE relnamespace = {HERE} AND relkind = 'r' AND attnum > 0 AND NOT attisdropped
ORDER BY relname, attnum"""
_CONSTRAINTS = f"""
SELECT own.relname, contype::text, conname, pg_get_constraintdef(pg_constraint.oid),
  (SELECT array_agg(attname ORDER BY at) FROM unnest(conkey) WITH ORDINALITY AS key (num, at)
   JOIN pg_attribute ON attrelid = conrelid AND attnum = num),
  other.relname,
  (SELECT array_agg(attname ORDER BY at) FROM unnest(confkey) WITH ORDINALITY AS key (num, at)
   JOIN pg_attribute ON attrelid = confrelid AND attnum = num),
  confupdtype::text || confdeltype::text, condeferrable
FROM pg_constraint JOIN pg_class own ON own.oid = conrelid
LEFT JOIN pg_class other ON other.oid = confrelid
WHERE connamespace = {HERE} AND contype NOT IN ('n', 't') ORDER BY conname"""
_OBJECTS = f"""
SELECT 'trigger', tgname::text, concat_ws(' ', relname, tgtype, proname, tgenabled, tgnargs,
  tgattr::text, tgqual::text, CASE WHEN pronamespace <> {HERE} THEN 'elsewhere' END)
FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_proc ON pg_proc.oid = tgfoid
WHERE NOT tgisinternal AND relnamespace = {HERE}
UNION ALL
SELECT 'function', proname::text, concat_ws(' ', prokind, lanname, prorettype::regtype,
  prosecdef, provolatile, proconfig::text, pg_get_function_identity_arguments(pg_proc.oid), prosrc)
FROM pg_proc JOIN pg_language ON pg_language.oid = prolang WHERE pronamespace = {HERE}
UNION ALL
SELECT CASE relkind WHEN 'v' THEN 'view' WHEN 'S' THEN 'sequence' WHEN 'i' THEN 'index'
  ELSE 'relation' END, relname::text, ''
FROM pg_class WHERE relnamespace = {HERE} AND relkind NOT IN ('r', 't', 'c')
  AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = pg_class.oid AND contype <> 'f')
UNION ALL
SELECT 'rule', rulename, '' FROM pg_rules WHERE schemaname = current_schema()
UNION ALL
SELECT 'policy', policyname, '' FROM pg_policies WHERE schemaname = current_schema()"""


def read_schema(connection: postgres.Connection) -> SchemaShape:
    """Return the contents of a campaign's schema."""
    columns: dict[str, dict[str, ColumnShape]] = {}
    others: dict[str, list[str]] = {}
    for table, column, kind, required, filled, collated in connection.execute(_COLUMNS):
        plain = _column(kind, required)
        constant = with_default(plain, filled)
        columns.setdefault(table, {})[column] = constant or plain
        if constant is None or collated:
            what = "is sorted otherwise" if constant else "is filled by the database"
            others.setdefault(table, []).append(f"{column} {what}")
    constraints: dict[str, list[tuple[Any, ...]]] = {}
    for table, *constraint in connection.execute(_CONSTRAINTS):
        constraints.setdefault(table, []).append(tuple(constraint))
    tables = {
        table: _table(held, constraints.get(table, []), others.get(table, []))
        for table, held in columns.items()
    }
    objects = connection.execute(_OBJECTS).fetchall()
    return SchemaShape(tables, {(kind, name): text for kind, name, text in objects})


def expected_non_table_objects() -> dict[tuple[str, str], str]:
    """Return the objects in a campaign's schema other than tables."""
    triggers = {
        ("trigger", name): f"journal {when} {function} O 0 "
        for name, (when, function) in _TRIGGERS.items()
    }
    functions = {
        ("function", name): f"f plpgsql trigger f v   {body} " for name, body in _FUNCTIONS.items()
    }
    return triggers | functions


def _column(kind: str, required: bool) -> ColumnShape:
    limited = re.fullmatch(r"character varying(?:\((\d+)\))?", kind)
    if limited is None:
        return ColumnShape(kind, required)
    return ColumnShape(TEXT, required, room=int(limited[1]) if limited[1] else None)


def _table(
    columns: dict[str, ColumnShape], constraints: list[tuple[Any, ...]], others: list[str]
) -> TableShape:
    key, checks, references = (), list[str](), set()
    for kind, name, text, own, parent, theirs, actions, deferrable in constraints:
        check = re.fullmatch(r"CHECK \((.*)\)", text, re.DOTALL) if kind == "c" else None
        if check is not None:
            checks.append(check[1])
        elif kind == "p" and not deferrable:
            key = tuple(own)
        elif kind == "f" and actions == "aa" and not deferrable and len(own) == 1:
            references.add((own[0], parent, theirs[0]))
        else:
            others.append(f"it has the constraint {name}: {text}")
    read, odd = with_checks(columns, checks)
    return TableShape(read, key, frozenset(references), (*odd, *others))


def journal_change_grants(connection: postgres.Connection) -> Iterator[tuple[str, str]]:
    """Yield the grants to roles other than the owner to change or delete entries of the journal:
    role and privilege."""
    yield from connection.execute(
        "SELECT CASE grantee WHEN 0 THEN 'everybody' ELSE pg_get_userbyid(grantee) END, "
        "privilege_type FROM pg_class, aclexplode(relacl) WHERE relname = 'journal' "
        f"AND relnamespace = {HERE} AND grantee <> relowner "
        "AND privilege_type IN ('UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER') ORDER BY 1, 2"
    )
