"""The form that corrects a counter or a side's totals: its current fields, and the reason for the
journal."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from textual.content import Content

from brt_cg.commands.edit import editable_fields, preview_edit
from brt_cg.exports.wording import SIDE_TOTALS
from brt_cg.model import Campaign, Counter, Fate, Field, Link, Raw, Record, Side, SideRecord
from brt_cg.questions import Candidate, Problem, RefusedError
from brt_cg.service import shown_actions
from brt_cg.service.campaign_reader import CampaignReader
from brt_cg.tui.question.form import (
    NONE,
    EntryForm,
    FormField,
    FormPage,
    Typed,
    Validation,
    counter_candidates,
    make_form_field,
    value_as_field_text,
)
from brt_cg.tui.session.session import Session
from brt_cg.views.restored import corrections_restoring_links
from brt_cg.views.view import View

AS_ON_CARD = "as the CG card has it"


OFTEN = ("fate", "status", "location")  # the first fields, shown even when empty
CVP = tuple(f"{side.label} CVP" for side in Side)  # the beginnings of the lines about CVP
CONSEQUENCES = Content.styled("Consequences", "bold")
ALSO = "also"  # the field that says whether to restore what it had
FEW = 3  # fewer fields are not folded


class EditForm(EntryForm[None]):
    """The form that corrects the fields that the player changes. The cursor begins at the field
    `begins_at`, or at the first; `why` is the likely reason."""

    def __init__(
        self,
        session: Session,
        view: Campaign,
        record: Record,
        named: str,
        begins_at: str = "",
        why: str = "",
    ) -> None:
        self.session, self.view, self.id = session, view, record.id
        self.explains = record.id if isinstance(record, Counter) else ""
        self.why = FormField("reason", "Why", why, hint="kept in the journal", required=True)
        self.title = f"Correct {named}"
        self.declared = editable_fields(record)
        fields = (
            make_form_field(
                field, getattr(record, field.attribute), link_candidates(view, field, record)
            )
            for field in self.declared.values()
        )
        totals = SIDE_TOTALS if isinstance(record, SideRecord) else ()
        self.fields = tuple(
            replace(field, explains=f"{record.id}.{field.name}") if field.name in totals else field
            for field in fields
        )
        self.back: Sequence[str] = ()  # what the counter had when it was lost
        if isinstance(record, Counter):
            self.fields = tuple(sorted(self.fields, key=_rank))
        self.begins_at = begins_at or self.fields[0].name
        if isinstance(record, Counter):
            self.fields = self._folded(self.fields)

    def _folded(self, fields: tuple[FormField, ...]) -> tuple[FormField, ...]:
        """Fold the fields that have the values of a new counter, if there are many."""
        idle = {
            field.name
            for field in fields
            if field.value == value_as_field_text(self.declared[field.name].default)
            and field.name not in (*OFTEN, self.begins_at)
        }
        if len(idle) < FEW:
            return fields
        return tuple(replace(field, folded=field.name in idle) for field in fields)

    @property
    def draft_name(self) -> str:
        return f"edit {self.id}"

    def pages(self, typed: Typed) -> tuple[FormPage, ...]:
        page = FormPage(self.title, (*self.fields, self.why), "correct it")
        if not self.back or typed.get("fate") != Fate.IN_PLAY:
            return (page,)
        words = "It had these when it was lost: " + ", ".join(self.back)
        field = FormField(ALSO, "Restore them too", "yes", (("yes", "yes"), ("no", "no")))
        return (page, FormPage(f"{self.title}: what it had", (field,), "correct it", words))

    def _changed(self, typed: Typed) -> dict[str, Raw]:
        """Return the changed values by field, as JSON."""
        return {
            field.name: self.declared[field.name].parse(typed[field.name])
            for field in self.fields
            if typed[field.name].strip() != field.value
        }

    async def validate(self, typed: Typed, page: int) -> Validation:
        problems, lines = {}, []
        was = {field.name: field.value for field in self.fields}
        for name, raw in self._changed(typed).items():
            field = self.declared[name]
            lines.append(f"{field.label} {was[name] or NONE} → {typed[name].strip() or NONE}")
            try:
                field.read(raw)
            except ValueError as error:
                problems[name] = str(error)
        if not lines:
            return Validation(Content("Nothing has been changed yet."), problems)
        if problems:
            return Validation(Content("\n".join(lines)), problems)
        found = await self.session.look_up(lambda desk: self._lines(desk, typed))
        cvp = [Content.styled(line, "bold") for line in found if line.startswith(CVP)]
        others = [Content(line) for line in found if not line.startswith(CVP)]
        return Validation(Content("\n").join([CONSEQUENCES, *cvp, *others]))

    def _lines(self, desk: CampaignReader, typed: Typed) -> list[str]:
        """Return the lines that the correction would log, with its consequences. Raises
        RefusedError."""
        book = desk.view()
        asked = self._asked(book, typed) | {"reason": typed["reason"].strip() or "…"}
        return preview_edit(book.campaign, book.card, asked, self._by)

    @property
    def _by(self) -> str:
        return self.session.seat or "players"

    def _asked(self, book: View, typed: Typed) -> dict[str, Any]:
        """Return the input of the `edit` command."""
        asked = {"id": self.id, "set": self._changed(typed), "reason": typed["reason"].strip()}
        also = corrections_restoring_links(book, asked, self._by)
        counters = (book.campaign.find(each["id"]) for each in also)
        self.back = tuple(counter.label for counter in counters if counter is not None)
        return asked | ({ALSO: also} if also and typed.get(ALSO) != "no" else {})

    async def submit(self, typed: Typed) -> None:
        changed = self._changed(typed)
        shown = shown_actions.basis_of(self.session.campaign_id, self.view, [self.id], changed)

        def edit(desk: CampaignReader) -> None:
            asked = self._asked(desk.view(), typed)
            if self.back and ALSO not in typed:
                raise RefusedError(Problem(ALSO, "Restore its previous values?"))
            shown_actions.run_shown_command(desk, shown, "edit", asked, self._by)

        await self.session.perform(edit)


def _rank(field: FormField) -> int:
    """Return the sorting key of a counter's field: the fields that are corrected most often come
    first."""
    return OFTEN.index(field.name) if field.name in OFTEN else len(OFTEN)


def link_candidates(
    view: Campaign, field: Field, of: Record | None = None
) -> tuple[Candidate, ...]:
    """Return the counters that a link may name, first those in the same Location and of the same
    side as `of`."""
    if not isinstance(field.shape, Link):
        return ()
    wanted = field.shape.to
    found = [
        counter
        for counter in view.counters()
        if counter.in_play and wanted in (None, counter.TABLE) and counter is not of
    ]

    def far(counter: Counter) -> tuple[bool, ...]:
        names = ("location", "side")
        return tuple(getattr(counter, name, None) != getattr(of, name, None) for name in names)

    return counter_candidates(view, sorted(found, key=far))
