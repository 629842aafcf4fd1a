"""Counters that are added by hand: so many of a sort at once."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import count, islice
from typing import Any

from textual.content import Content

from brt_cg.commands.difference import Line, reinforcement
from brt_cg.commands.state_document import FORMAT, VERSION
from brt_cg.counters import BY_TABLE, Side
from brt_cg.fields import Field, fields_of, given
from brt_cg.shapes import Mark, Raw
from brt_cg.tui.forms.edit import linked
from brt_cg.tui.forms.form import NONE, Form, FormField, Judged, Page, Typed, field_for
from brt_cg.tui.session import Seen, Session

SORTS = (
    ("units", "units"),
    ("weapons", "SW and Guns"),
    ("vehicles", "vehicles"),
    ("fortifications", "Fortifications"),
)
SOURCE = "the order of battle, by hand"
FOLLOW = ("side", "fate")  # are not asked
JAPANESE = ("class", "strength")  # which no Marine unit has
MOST = 99


class ReinforceForm(Form[None]):
    """Adds counters of one sort to a side."""

    def __init__(self, session: Session, seen: Seen, side: Side) -> None:
        self.session, self.seen, self.side = session, seen, side

    def pages(self, typed: Typed) -> tuple[Page, ...]:
        sort = typed.get("sort", SORTS[0][0])
        first = (
            FormField("sort", "What", SORTS[0][0], SORTS),
            FormField("many", "How many alike", "1"),
        )
        title = f"{self.side.label} order of battle"
        words = "All alike are added at once; the next sort after that."
        fields = tuple(self._field(sort, field) for field in self._declared(sort).values())
        named = dict(SORTS)[sort]
        return (
            Page(f"{title} · 1 of 2", first, "go on", words),
            Page(f"{title} · 2 of 2 · {named}", fields, "add them"),
        )

    def _field(self, sort: str, declared: Field) -> FormField:
        """A field with what it is when nothing is said; of a choice without that, the first."""
        field = field_for(declared, declared.default, linked(self.seen.view, declared))
        choices = field.choices
        if choices and Mark.FOLLOWS in declared.marks:
            choices = (("", NONE), *choices)
        value = field.value or (choices[0][0] if choices else "")
        return replace(field, name=f"{sort}.{field.name}", value=value, choices=choices)

    def _declared(self, sort: str) -> Mapping[str, Field]:
        """The fields of a sort of counters that players give."""
        fields = given(fields_of(BY_TABLE[sort]))
        left_out = FOLLOW if self.side is Side.JAPANESE else (*FOLLOW, *JAPANESE)
        return {name: field for name, field in fields.items() if name not in left_out}

    def _asked(self, typed: Typed) -> dict[str, Any]:
        """What `reinforce` is asked. Raises ValueError."""
        sort = typed["sort"]
        declared = self._declared(sort)
        values: dict[str, Raw] = {"side": self.side.value}
        for name, field in declared.items():
            text = typed.get(f"{sort}.{name}", "").strip()
            if text:
                values[name] = field.parse(text)
        what = values.get("kind") or values.get("type") or sort
        ids = islice(self._free_ids(str(what)), self._many(typed))
        listed = [{"id": id, **values} for id in ids]
        return {"state": {"format": FORMAT, "version": VERSION, sort: listed}}

    def _many(self, typed: Typed) -> int:
        text = typed["many"].strip()
        if not text.isdecimal() or not 1 <= int(text) <= MOST:
            raise ValueError(f"many: {text!r}; allowed: a whole number from 1 to {MOST}")
        return int(text)

    def _free_ids(self, what: str) -> Iterator[str]:
        """Ids that nothing has: "m-squad-1", "m-squad-2"."""
        plain = "".join(letter if letter.isalnum() else "-" for letter in what.lower()).strip("-")
        ids = (f"{self.side[0]}-{plain}-{number}" for number in count(1))
        return (id for id in ids if self.seen.view.find(id) is None)

    async def judge(self, typed: Typed, page: int) -> Judged:
        if page == 0:
            self._many(typed)
            return Judged()
        # What is wrong with one is wrong with all that are alike.
        await self._tried({**typed, "many": "1"})
        lines = await self._tried(typed)
        return Judged(Content("\n".join(map(str, lines))))

    async def _tried(self, typed: Typed) -> list[Line]:
        """What it would add. Raises Refused."""
        asked, seat, sort = self._asked(typed), self.seen.seat, typed["sort"]
        try:
            return await self.session.consult(
                lambda desk: reinforcement(desk.campaign, asked, desk.card, seat)
            )
        except ValueError as problem:
            # Of counters all alike the first stands for all, and its fields are those of the form.
            raise ValueError(str(problem).replace(f"{sort}[0].", f"{sort}.")) from None

    async def carry_out(self, typed: Typed) -> None:
        asked = self._asked(typed) | {"source": SOURCE}
        await self.session.perform(lambda desk: desk.command("reinforce", asked))
