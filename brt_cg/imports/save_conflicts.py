"""Facts in a save that the campaign cannot accept: the counter stays as the campaign has it, and
everything else is imported. A state that players wrote is refused instead."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from brt_cg.card import Card
from brt_cg.commands.import_plan import try_import
from brt_cg.commands.state_document import FIELDS, build_state_document
from brt_cg.model import Campaign, Field, Link, Phase, Side
from brt_cg.questions import Problem, RefusedError
from brt_cg.refit.casualties import casualty_points_for_loss
from brt_cg.vasl.rows import Casualties, Guess

Asked = dict[str, Any]
Row = dict[str, Any]
PLACE = re.compile(r"(?P<table>\w+)\[(?P<row>\d+)\](\.(?P<field>\w+))?")


def drop_conflicting_facts(
    campaign: Campaign, card: Card, asked: Asked, names: Mapping[str, str]
) -> tuple[Asked, list[Guess], Campaign]:
    """Return the input of an import from a save without the facts that the campaign cannot accept;
    these facts in words; and the campaign after the import. `names` has the piece of each counter
    in words. Raises RefusedError for any problem that is not about a single counter."""
    state = build_state_document(campaign, Side.from_name(asked.get("side")))
    known = {row["id"]: row for rows in _lists(state).values() for row in rows}
    guesses: list[Guess] = []
    while True:
        try:
            after = try_import(campaign, card, asked).after
        except RefusedError as refusal:
            settling = _ConflictResolver(asked, known, names)
            guesses += settling.without_refused(refusal)
            asked = settling.import_input()
        else:
            return asked, guesses, after


def _lists(state: Mapping[str, Any]) -> dict[str, list[Row]]:
    return {table: [dict(row) for row in state.get(table, ())] for table in FIELDS}


def casualty_point_comparisons_with_vasl(
    card: Card, before: Campaign, after: Campaign, shown: Casualties, names: Mapping[str, str]
) -> Iterator[Guess]:
    """Yield the Casualty VP for an import's losses, next to VASL's count in its Casualties window;
    and each counter whose loss has a different value there."""
    if before.situation.phase is Phase.PURCHASE:
        return  # a new campaign has the same losses as VASL
    for side, counted in shown.counted.items():
        alive = (one for one in before.pieces() if one.side is side and one.in_play)
        pairs = ((one, after.find(one.id)) for one in alive)
        lost = {
            one.id: casualty_points_for_loss(card, one, now)
            for one, now in pairs
            if now is not None
        }
        known = before.cvp(side.enemy)
        gained = after.cvp(side.enemy) - known
        if gained or counted:
            reckoned = f"{known} + {gained} for losses in the save = {known + gained}"
            words = f"the Casualties window of VASL shows {counted}"
            yield Guess("", f"{side.enemy.label} CVP: {reckoned}; {words}")
        for id in sorted(lost.keys() & shown.worth.keys()):
            if lost[id] != shown.worth[id]:
                words = f"its loss is worth {lost[id]} CVP, {shown.worth[id]} in VASL"
                yield Guess(id, f"{names.get(id, id)}: {words}")


class _ConflictResolver:
    """One attempt to settle an import: its rows, changed where it was refused."""

    def __init__(self, asked: Asked, known: Mapping[str, Row], names: Mapping[str, str]) -> None:
        self.given, self.known, self.names = asked, known, names
        self.lists = _lists(asked["state"])
        self.gone: set[str] = set()
        self.reverted: set[str] = set()

    def import_input(self) -> Asked:
        """Return the input as it is now."""
        lists = {
            table: [row for row in rows if row["id"] not in self.gone]
            for table, rows in self.lists.items()
            if table in self.given["state"]
        }
        pieces = {p: id for p, id in self.given["pieces"].items() if id not in self.gone}
        return self.given | {"state": self.given["state"] | lists, "pieces": pieces}

    def without_refused(self, refusal: RefusedError) -> Iterator[Guess]:
        """Remove everything that was refused. Raises the refusal again if that is impossible."""
        for problem in refusal.problems:
            place = PLACE.match(problem.path) if isinstance(problem, Problem) else None
            if place is None or not isinstance(problem, Problem):
                raise refusal
            row = self.lists[place["table"]][int(place["row"])]
            if row["id"] in self.reverted:
                continue
            what = self._settle(row, FIELDS[place["table"]], place["field"] or "")
            if not what:
                raise refusal
            name = self.names.get(row["id"], row["id"])
            yield Guess(row["id"], f"{name}: {problem.message}; {what}")

    def _settle(self, row: Row, fields: Mapping[str, Field], name: str) -> str:
        """Settle a field of a row, and return the result in words; "" if nothing is left to try."""
        if name in fields and isinstance(fields[name].shape, Link) and row.get(name):
            row[name] = None
            return "entered as none"
        self.reverted.add(row["id"])
        known = self.known.get(row["id"])
        if known is None:
            self.gone.add(row["id"])
            return "left out"
        if row == known:
            return ""
        row.update(known)
        return "left unchanged"
