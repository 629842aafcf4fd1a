"""The totals of both sides (SAN, ELR, CVP), and the facts that the rules use."""

from collections.abc import Sequence

from textual.content import Content

from brt_cg.commands.edit import editable_fields
from brt_cg.exports.wording import SIDE_TOTALS, missing_totals, total_text
from brt_cg.model import Field, Phase, Side
from brt_cg.tui.forms.edit import AS_ON_CARD, EditForm
from brt_cg.tui.look.columns import Column, columns
from brt_cg.tui.question.form import value_as_field_text
from brt_cg.tui.rooms.campaign.page import (
    PageRow,
    heading_row,
    journal_rows_explaining,
    side_heading,
)
from brt_cg.tui.session.session import CampaignSnapshot

MEANING = {
    "san": "Sniper Activation Number (A14): the enemy DR that may bring on a Sniper.",
    "elr": "Experience Level Rating (A19): a unit that fails a MC by more than this is Replaced.",
    "cvp": "Casualty Victory Points (A26.2) that this side has scored so far.",
}
ABOUT = {
    "massacre": "Massacre (A20.4). Once in effect, it remains in effect in every scenario.",
    "nights_without_scenario": "Night dates in a row on which no scenario was fought (15.6121).",
    "pillbox_vp": "The Marines' VP for pillboxes in the last scenario (15.615).",
}


def total_rows(seen: CampaignSnapshot) -> Sequence[PageRow]:
    found = []
    for side in Side:
        found += [side_heading(side), *(_total_row(seen, side, name) for name in SIDE_TOTALS)]
    facts = seen.view.situation
    fields = editable_fields(facts).values()
    return [*found, heading_row("The campaign"), *(_fact_row(seen, field) for field in fields)]


def _total_row(seen: CampaignSnapshot, side: Side, name: str) -> PageRow:
    """Return the row of a side's SAN, ELR or CVP."""
    record, known = seen.view.sides[side], seen.may_know(side)
    figure, lacks = total_text(seen.view, side, name), missing_totals(seen.view, side)
    missing = known and name in lacks
    announced = "" if known or name != "san" else ", as announced"
    stands = "Not entered yet: copy it from the CG card." if missing else f"{figure}{announced}."
    may = known and seen.view.situation.phase is not Phase.OVER
    named, why = f"the {side.label} totals", AS_ON_CARD if lacks else ""
    return PageRow(
        _labelled_value(SIDE_TOTALS[name], figure),
        f"{side}.{name}",
        f"{side.label} {SIDE_TOTALS[name]}",
        Content(f"{stands} {MEANING[name]}"),
        enter="" if not may else "enter it" if missing else "correct it",
        does=lambda app: app.show_form(EditForm(app.session, seen.view, record, named, name, why)),
        leads=journal_rows_explaining,
        lacks=missing,
    )


def _fact_row(seen: CampaignSnapshot, field: Field) -> PageRow:
    """Return the row of a fact that the rules use."""
    facts, named = seen.view.situation, "the facts of the campaign"
    return PageRow(
        _labelled_value(field.label, value_as_field_text(getattr(facts, field.attribute))),
        f"campaign.{field.name}",
        field.label,
        Content(ABOUT.get(field.name, "")),
        enter="" if facts.phase is Phase.OVER else "correct it",
        does=lambda app: app.show_form(EditForm(app.session, seen.view, facts, named, field.name)),
    )


def _labelled_value(label: str, value: str) -> Content:
    return columns(20, Column(4, right=True)).row(f"  {label}", (value, "bold"))
