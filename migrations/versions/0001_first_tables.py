"""The first tables: the journal, which only grows, and one table per kind of record.

A landed revision is never edited.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

SIDES = ("marine", "japanese")
FATES = ("in_play", "eliminated", "captured", "recombined", "crewed")
KINDS = ("squad", "half_squad", "crew", "vehicle_crew", "leader", "hero", "pathfinder")
CLASSES = ("elite", "first_line", "second_line", "green", "conscript")
PHASES = ("purchase", "scenario", "refit", "setup", "over")
TERRAIN = ("building", "wooden_rubble", "stone_rubble", "collapsed_tower", "obstacle")

REFUSAL = "entries are only ever added to the journal"
REFUSALS = {
    "journal_refuses_update": "BEFORE UPDATE ON journal",
    "journal_refuses_delete": "BEFORE DELETE ON journal",
    # INSERT OR REPLACE would delete without asking the trigger above.
    "journal_refuses_disorder": (
        "BEFORE INSERT ON journal "
        "WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM journal)"
    ),
}

# The same on PostgreSQL. A schema may be renamed, so the functions ask which one calls them.
_REFUSE = f"RAISE EXCEPTION '{REFUSAL}' USING ERRCODE = 'integrity_constraint_violation';"
FUNCTIONS = {
    "journal_refuses": f"BEGIN {_REFUSE} END",
    "journal_keeps_order": (
        "DECLARE due integer; BEGIN "
        "EXECUTE format('SELECT coalesce(max(seq), 0) + 1 FROM %I.journal', TG_TABLE_SCHEMA) "
        f"INTO due; IF NEW.seq IS DISTINCT FROM due THEN {_REFUSE} END IF; RETURN NEW; END"
    ),
    "journal_tells": "BEGIN PERFORM pg_notify(TG_TABLE_SCHEMA, ''); RETURN NULL; END",
}
TRIGGERS = {
    "journal_refuses_update": (
        "BEFORE UPDATE ON journal FOR EACH STATEMENT EXECUTE FUNCTION journal_refuses"
    ),
    "journal_refuses_delete": (
        "BEFORE DELETE ON journal FOR EACH STATEMENT EXECUTE FUNCTION journal_refuses"
    ),
    "journal_refuses_truncate": (
        "BEFORE TRUNCATE ON journal FOR EACH STATEMENT EXECUTE FUNCTION journal_refuses"
    ),
    "journal_refuses_disorder": (
        "BEFORE INSERT ON journal FOR EACH ROW EXECUTE FUNCTION journal_keeps_order"
    ),
    "journal_tells_of_entries": (
        "AFTER INSERT ON journal FOR EACH STATEMENT EXECUTE FUNCTION journal_tells"
    ),
}


def upgrade() -> None:
    _journal()
    _campaign()
    _counters()
    _purchases()
    if op.get_bind().dialect.name == "postgresql":
        _refuse_on_a_server()
        return
    for name, when in REFUSALS.items():
        op.execute(f"CREATE TRIGGER {name} {when} BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END")


def _refuse_on_a_server() -> None:
    """The same refusals, and word to every open screen that an entry has come."""
    for name, body in FUNCTIONS.items():
        op.execute(f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ {body} $$")
    for name, when in TRIGGERS.items():
        op.execute(f"CREATE TRIGGER {name} {when}()")


def downgrade() -> None:
    raise NotImplementedError("there is nothing before the first tables")


def _journal() -> None:
    _table(
        "journal",
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        *(_text("payload"), _text("hash"), _text("said")),
    )
    _table(
        "die_rolls",
        sa.Column(
            "seq",
            sa.Integer,
            sa.ForeignKey("journal.seq", name=op.f("fk_die_rolls_seq_journal")),
            primary_key=True,
            autoincrement=False,
        ),
        *(_text("date"), _text("rule"), _text("subject"), _number("position"), _text("dice")),
        *(_text("modifiers"), _number("original"), _number("final"), _text("row")),
    )


def _campaign() -> None:
    table = "campaign"
    _table(
        table,
        *(_key(), _text("cg"), _maybe_text("name"), _one_of(table, "phase", PHASES)),
        *(_text("date"), _maybe_text("ended"), _flag(table, "initial")),
        *(_maybe_text("paragraph"), _maybe_text("done"), _maybe_one_of(table, "winner", SIDES)),
        _maybe_one_of(table, "moved_first", SIDES),
        _maybe_one_of(table, "first_setup", SIDES),
        _maybe_one_of(table, "first_move", SIDES),
        *(_maybe_text("turns"), _flag(table, "massacre"), _number("nights_without_scenario")),
        *(_number("pillbox_vp"), _maybe_flag(table, "banzai"), _text("perimeters")),
        *(_text("buying"), _maybe_one_of(table, "victor", SIDES)),
    )
    _table(
        "sides",
        *(_key(), _maybe_text("player"), _number("san"), _number("announced_san")),
        *(_number("elr"), _number("cvp"), _number("cvp_before")),
    )
    _table("setup_areas", _key(), _one_of("setup_areas", "side", SIDES), _text("hexes"))


def _counters() -> None:
    _table(
        "units",
        *_of_piece("units"),
        *(_one_of("units", "kind", KINDS), _text("type"), _maybe_one_of("units", "class", CLASSES)),
        *(_one_of("units", "strength", ("full", "reduced")), _text("traits")),
        *(_maybe_text("aboard"), _maybe_text("guard")),
    )
    _table(
        "weapons",
        *_of_piece("weapons"),
        *(_one_of("weapons", "kind", ("sw", "gun", "vehicular")), _text("type")),
        *(_one_of("weapons", "nation", SIDES), _maybe_text("possessor"), _maybe_text("vehicle")),
        *(_flag("weapons", "main_armament"), _number("repair_number"), _maybe_number("pp")),
        *(_text("depleted"), _flag("weapons", "non_qualified_use_only")),
    )
    _table(
        "vehicles",
        *_of_piece("vehicles"),
        *(_text("type"), _one_of("vehicles", "nation", SIDES), _flag("vehicles", "armored")),
        *(_number("best_af"), _maybe_text("armor_leader")),
        _one_of("vehicles", "pathfinder", ("good_order", "wounded", "none")),
        *(_flag("vehicles", "amphibious"), _flag("vehicles", "inherent_crew")),
        *(_maybe_number("crew_survival"), _flag("vehicles", "bulldozer")),
        *(_flag("vehicles", "non_qualified_use_only"), _number("cvp")),
    )
    _table(
        "fortifications",
        *_of_counter("fortifications"),
        *(_one_of("fortifications", "side", SIDES), _text("type"), _maybe_text("exit")),
        *(_text("covered_arc"), _flag("fortifications", "hidden"), _maybe_number("capacity")),
        *(_maybe_number("ca_tem"), _maybe_number("nca_tem")),
        _maybe_one_of("fortifications", "controller", SIDES),
    )
    _table(
        "terrain",
        *_of_counter("terrain"),
        _one_of("terrain", "kind", TERRAIN),
        _maybe_one_of("terrain", "material", ("wood", "stone")),
        *(_maybe_text("building"), _maybe_one_of("terrain", "fire", ("flame", "blaze"))),
    )


def _purchases() -> None:
    table = "purchases"
    _table(
        table,
        *(_key(), _text("date"), _one_of(table, "side", SIDES), _maybe_text("beach")),
        *(_text("points"), _text("item"), _number("quantity"), _number("unit_cost")),
        *(_number("total"), _number("exponent"), _maybe_text("location"), _maybe_text("exit")),
        *(_text("covered_arc"), _number("capacity"), _maybe_text("entered_by")),
        *(_maybe_text("entered_at"), _flag(table, "initial"), _flag(table, "draft")),
        *(_maybe_text("voids"), _maybe_text("reason"), _text("created")),
    )
    _table(
        "allotments",
        *(_key(), _one_of("allotments", "side", SIDES), _maybe_text("beach"), _maybe_text("date")),
        *(_number("gpp"), _number("capp"), _number("exponent"), _number("fpp")),
        _flag("allotments", "credited"),
    )
    _table("rulings", _key(), _text("value"))


# --- columns ----------------------------------------------------------------------------------


def _table(name: str, *columns: "sa.Column[Any]") -> None:
    key = next(column.name for column in columns if column.primary_key)
    op.create_table(name, *columns, sa.PrimaryKeyConstraint(key, name=op.f(f"pk_{name}")))


def _of_counter(table: str) -> tuple["sa.Column[Any]", ...]:
    return (
        *(_key(), _maybe_text("location"), _one_of(table, "fate", FATES), _maybe_text("became")),
        *(_maybe_text("name"), _maybe_text("purchase"), _flag(table, "unseen")),
    )


def _of_piece(table: str) -> tuple["sa.Column[Any]", ...]:
    return (
        *(*_of_counter(table), _one_of(table, "side", SIDES), _text("status")),
        *(_maybe_text("setup_area"), _flag(table, "isolated"), _maybe_text("recorded_location")),
    )


def _key() -> "sa.Column[Any]":
    return sa.Column("id", sa.Text, primary_key=True)


def _text(name: str) -> "sa.Column[Any]":
    return sa.Column(name, sa.Text, nullable=False)


def _maybe_text(name: str) -> "sa.Column[Any]":
    return sa.Column(name, sa.Text)


def _number(name: str) -> "sa.Column[Any]":
    return sa.Column(name, sa.Integer, nullable=False)


def _maybe_number(name: str) -> "sa.Column[Any]":
    return sa.Column(name, sa.Integer)


def _flag(table: str, name: str) -> "sa.Column[Any]":
    return sa.Column(name, sa.Integer, _zero_or_one(table, name), nullable=False)


def _maybe_flag(table: str, name: str) -> "sa.Column[Any]":
    return sa.Column(name, sa.Integer, _zero_or_one(table, name))


def _zero_or_one(table: str, name: str) -> sa.CheckConstraint:
    return sa.CheckConstraint(f"{name} IN (0, 1)", name=op.f(f"ck_{table}_{name}"))


def _one_of(table: str, name: str, words: tuple[str, ...]) -> "sa.Column[Any]":
    return sa.Column(name, _words(table, name, words), nullable=False)


def _maybe_one_of(table: str, name: str, words: tuple[str, ...]) -> "sa.Column[Any]":
    return sa.Column(name, _words(table, name, words))


def _words(table: str, name: str, words: tuple[str, ...]) -> sa.Enum:
    constraint = op.f(f"ck_{table}_{name}")
    return sa.Enum(*words, name=constraint, native_enum=False, create_constraint=True)
