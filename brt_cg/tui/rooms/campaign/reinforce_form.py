"""The form that adds counters by hand, several of one type at once."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import count, islice
from typing import Any

from textual.content import Content

from brt_cg.card.called import mmc_of
from brt_cg.catalogue import TABLES
from brt_cg.commands.difference import DifferenceLine, reinforcement
from brt_cg.commands.state_document import FORMAT, VERSION
from brt_cg.model.counters import BY_TABLE, Side, Weapon
from brt_cg.model.fields import Field, fields_of, given
from brt_cg.model.shapes import Mark, Raw
from brt_cg.questions.answers import Candidate, Problem, Refused
from brt_cg.service.desk import Desk
from brt_cg.service.figures import PrintedFigures
from brt_cg.tui.forms.edit import linked
from brt_cg.tui.question.form import NONE, EntryForm, FormField, FormPage, Judged, Typed, field_for
from brt_cg.tui.session.session import Session

SORTS = (
    ("units", "units"),
    ("weapons", "SW and Guns"),
    ("vehicles", "vehicles"),
    ("fortifications", "Fortifications"),
)
SOURCE = "the order of battle, by hand"
FOLLOW = ("side", "fate")  # not asked for
JAPANESE = ("class", "strength")  # not asked for Marines, whose units have none
CVP, OF_ITS_TYPE = "cvp", "that of its type"
MOST = 99
ABOUT_TYPES = 'A type as it is printed: 768 is 7-6-8. One that is not known yet: "its name".'


class ReinforceForm(EntryForm[None]):
    """Adds counters of one type to a side."""

    def __init__(self, session: Session, side: Side) -> None:
        self.session, self.side = session, side
        self.catalogue = PrintedFigures(lambda _: None).catalogue

    def pages(self, typed: Typed) -> tuple[FormPage, ...]:
        sort = typed.get("sort", SORTS[0][0])
        first = (
            FormField("sort", "What", SORTS[0][0], SORTS),
            FormField("many", "How many", "1"),
        )
        title = f"{self.side.label} order of battle"
        words = "These counters will be identical; add those of other types afterwards."
        fields = tuple(self._field(sort, field) for field in self._declared(sort).values())
        named = dict(SORTS)[sort]
        return (
            FormPage(f"{title} · 1 of 2", first, "go on", words),
            FormPage(f"{title} · 2 of 2 · {named}", fields, "add them"),
        )

    def _field(self, sort: str, declared: Field) -> FormField:
        """A field with its default; a choice without a default starts with its first value."""
        field = field_for(declared, declared.default, linked(self.session.now.view, declared))
        choices = field.choices
        if choices and Mark.FOLLOWS in declared.marks:
            choices = (("", NONE), *choices)
        value = field.value or (choices[0][0] if choices else "")
        field = replace(field, name=f"{sort}.{field.name}", value=value, choices=choices)
        if declared.name == "type":
            return replace(field, offered=self._types(sort), about=ABOUT_TYPES)
        if declared.name == "location" and not self.session.now.view.areas:
            return replace(field, hint=f"{field.hint}; or leave it open until setup")
        return replace(field, value="", hint=OF_ITS_TYPE) if declared.name == CVP else field

    def _types(self, sort: str) -> tuple[Candidate, ...]:
        """The types to pick from, or to be completed."""
        card = self.session.now.card
        if sort in TABLES:
            names = self.catalogue.names(sort, self.side)
        else:
            ladder = card.ladders.figures.leaders[self.side].ladder
            names = [*dict.fromkeys(each.type for each in mmc_of(card, self.side)), *ladder]
        return tuple(Candidate(name, name, name) for name in names)

    def _known_type(self, sort: str, text: str) -> str:
        """The type that was typed, as the catalogue spells it; one in quotation marks is new.
        Raises Refused for any other, with the nearest."""
        quoted = text.strip('"“”')
        if sort not in TABLES or (quoted != text and quoted.strip()):
            return quoted.strip() or text
        found = self.catalogue.called(text, self.side)
        if found is not None and found.table == sort:
            return found.type
        near = self.catalogue.nearest(text, self.side)
        meant = f"did you mean {near}? " if near else "no such type. "
        raise Refused(
            Problem(f"{sort}.type", f'{text}: {meant}A new type goes in quotes: "{text}"')
        )

    def _declared(self, sort: str) -> Mapping[str, Field]:
        """The fields that players give for counters of this table."""
        fields = given(fields_of(BY_TABLE[sort]))
        left_out = FOLLOW if self.side is Side.JAPANESE else (*FOLLOW, *JAPANESE)
        return {name: field for name, field in fields.items() if name not in left_out}

    def _asked(self, typed: Typed) -> dict[str, Any]:
        """The arguments of the command `reinforce`. Raises ValueError."""
        sort = typed["sort"]
        declared = self._declared(sort)
        values: dict[str, Raw] = {"side": self.side.value}
        for name, field in declared.items():
            text = typed.get(f"{sort}.{name}", "").strip()
            if text and name == "type":
                values[name] = self._known_type(sort, text)
            elif text:
                values[name] = field.parse(text)
        printed = self.catalogue.called(str(values.get("type")), self.side)
        if sort == Weapon.TABLE and printed is not None and printed.kind is not None:
            values["kind"] = printed.kind.value  # a Gun is one, whatever was chosen
        if CVP in declared:
            known = self.session.now.card.ladders.vehicle_cvp(str(values.get("type")))
            values.setdefault(CVP, known or 0)
        what = values.get("kind") or values.get("type") or sort
        ids = islice(self._free_ids(str(what)), self._how_many(typed))
        listed = [{"id": id, **values} for id in ids]
        return {"state": {"format": FORMAT, "version": VERSION, sort: listed}}

    def _how_many(self, typed: Typed) -> int:
        text = typed["many"].strip()
        if text not in map(str, range(1, MOST + 1)):
            allowed = f"a whole number from 1 to {MOST}"
            raise Refused(Problem("many", f'found "{text}"; allowed: {allowed}'))
        return int(text)

    def _free_ids(self, what: str) -> Iterator[str]:
        """Yields ids that are not used yet: "m-squad-1", "m-squad-2"."""
        plain = "".join(letter if letter.isalnum() else "-" for letter in what.lower()).strip("-")
        ids = (f"{self.side[0]}-{plain}-{number}" for number in count(1))
        return (id for id in ids if self.session.now.view.find(id) is None)

    async def judge(self, typed: Typed, page: int) -> Judged:
        if page == 0:
            self._how_many(typed)
            return Judged()
        # All have the same problems, so one is tried first, to show each problem once.
        await self._preview({**typed, "many": "1"})
        lines = await self._preview(typed)
        return Judged(Content("\n".join(map(str, lines))))

    async def _preview(self, typed: Typed) -> list[DifferenceLine]:
        """The lines of what the command would add. Raises ValueError."""
        asked = self._asked(typed)

        def added(desk: Desk) -> list[DifferenceLine]:
            book = desk.book()
            return reinforcement(book.campaign, asked, book.card, book.side)

        return await self.session.consult(added)

    async def carry_out(self, typed: Typed) -> None:
        asked = self._asked(typed) | {"source": SOURCE}
        await self.session.perform(lambda desk: desk.command("reinforce", asked))
