"""The form that corrects a counter or a side's totals: its current fields, and the reason for the
journal."""

from dataclasses import replace

from textual.content import Content

from brt_cg.commands.edit import editable_fields
from brt_cg.exports.wording import SIDE_TOTALS
from brt_cg.model import Campaign, Counter, Field, Link, Raw, Record, SideRecord
from brt_cg.questions import Candidate
from brt_cg.service import shown_actions
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.tui.question.form import (
    NONE,
    EntryForm,
    FormField,
    FormPage,
    Typed,
    Validation,
    counter_candidates,
    field_text,
    form_field,
)
from brt_cg.tui.session.session import Session

AS_ON_CARD = "as the CG card has it"


OFTEN = ("status", "location")  # shown even when they say nothing
FEW = 3  # fewer fields than these are not folded


class EditForm(EntryForm[None]):
    """Corrects the fields that the player changes. The cursor begins at the field `begins_at`, or
    at the first; `why` is the likely reason."""

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
            form_field(
                field, getattr(record, field.attribute), link_candidates(view, field, record)
            )
            for field in self.declared.values()
        )
        totals = SIDE_TOTALS if isinstance(record, SideRecord) else ()
        self.fields = tuple(
            replace(field, explains=f"{record.id}.{field.name}") if field.name in totals else field
            for field in fields
        )
        self.begins_at = begins_at or self.fields[0].name
        if isinstance(record, Counter):
            self.fields = self._folded(self.fields)

    def _folded(self, fields: tuple[FormField, ...]) -> tuple[FormField, ...]:
        """Folds the fields that say nothing, if they are many: those that are as on a new
        counter."""
        idle = {
            field.name
            for field in fields
            if field.value == field_text(self.declared[field.name].default)
            and field.name not in (*OFTEN, self.begins_at)
        }
        if len(idle) < FEW:
            return fields
        return tuple(replace(field, folded=field.name in idle) for field in fields)

    @property
    def draft_name(self) -> str:
        return f"edit {self.id}"

    def pages(self, typed: Typed) -> tuple[FormPage, ...]:
        return (FormPage(self.title, (*self.fields, self.why), "correct it"),)

    def _changed(self, typed: Typed) -> dict[str, Raw]:
        """The changed values by field, as JSON."""
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
        text = "\n".join(lines) or "Nothing has been changed yet."
        return Validation(Content(text), problems)

    async def submit(self, typed: Typed) -> None:
        reason = typed["reason"].strip()
        changed = self._changed(typed)
        asked = {"id": self.id, "set": changed, "reason": reason}
        by = self.session.seat or "players"
        shown = shown_actions.record_names(self.view, [self.id], changed)

        def edit(desk: OpenCampaign) -> None:
            shown_actions.check_records(
                shown_actions.record_names(desk.view().campaign, [self.id], changed), shown
            )
            desk.run_command("edit", asked, by)

        await self.session.perform(edit)


def link_candidates(
    view: Campaign, field: Field, of: Record | None = None
) -> tuple[Candidate, ...]:
    """The counters that a link may name, those in the Location and of the side of `of` first."""
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
