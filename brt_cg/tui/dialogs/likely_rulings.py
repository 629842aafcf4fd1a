"""The rulings that a Refit Phase may ask about, on one page before it begins."""

from collections.abc import Sequence
from typing import ClassVar

from textual import getters
from textual.app import ComposeResult
from textual.content import Content
from textual.events import Key
from textual.widgets import OptionList

from brt_cg.card import Ruling
from brt_cg.refit.simulation import rulings_likely_to_be_asked
from brt_cg.service import shown_actions
from brt_cg.tui.dialogs.dialog import Dialog
from brt_cg.tui.keys.actions import DIALOGS, bindings_of_named
from brt_cg.tui.lists.panes import Pane
from brt_cg.tui.lists.row_lists import PickList
from brt_cg.tui.lists.search import next_cyclic
from brt_cg.tui.look.first_drawn import FirstDrawn
from brt_cg.tui.look.lines import HangingText
from brt_cg.tui.session.campaign_app import CampaignApp
from brt_cg.tui.session.session import CampaignSnapshot

WORDS = (
    "Press Enter to agree to all of them as shown. The counters on the table may raise these "
    "questions; you will not be asked later."
)
DEFAULT = " (default)"


class LikelyRulingsScreen(Dialog[dict[str, str]]):
    """A dialog that returns the value of each ruling that the players agree on, by id; no values if
    they want to be asked one by one; None after Escape, so that the phase does not begin."""

    KEYS: ClassVar[str] = (
        "{lists.select} agrees · {dialogs.back} {dialogs.lead_on} another value · "
        "{dialogs.one_by_one} one by one · {dialogs.close} not yet"
    )
    BINDINGS = bindings_of_named(
        DIALOGS, lead_on="turn(1)", back="turn(-1)", one_by_one="one_by_one"
    )

    listed = getters.query_one(PickList)
    detail = getters.query_one("#detail", HangingText)

    def __init__(self, rulings: Sequence[Ruling]) -> None:
        super().__init__("Rulings for this Refit Phase")
        self.rulings = {ruling.id: ruling for ruling in rulings}
        self.chosen = {ruling.id: ruling.default for ruling in rulings}
        self.drawn = FirstDrawn()

    def compose_box(self) -> ComposeResult:
        yield HangingText(WORDS, id="words")
        yield PickList(id="rulings")
        with Pane():
            yield HangingText(id="detail")

    def on_mount(self) -> None:
        self._fill(0)
        self.listed.focus()
        self.drawn.expect_redraw(self)

    def _fill(self, at: int) -> None:
        self.listed.show(
            [(id, self._ruling_row(ruling)) for id, ruling in self.rulings.items()], at
        )

    def _ruling_row(self, ruling: Ruling) -> Content:
        """Return a ruling: the question and the value."""
        value = self.chosen[ruling.id]
        usual = (DEFAULT, "dim") if value == ruling.default else ""
        return Content.assemble(
            ruling.question, " ", (ruling.short_value_text(value), "bold $accent"), usual
        )

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show the meaning of each value of the selected ruling."""
        ruling = self.rulings.get(str(event.option_id))
        if ruling is None:
            return
        lines = []
        for value in ruling.values[:8]:
            now = value == self.chosen[ruling.id]
            usual = DEFAULT if value == ruling.default else ""
            mark, style = ("◉", "bold") if now else ("○", "")
            lines.append(Content.assemble((f"{mark} {ruling.meaning(value)}", style), usual))
        why = f"The default is from: {ruling.provenance}. {ruling.rule}"
        self.detail.set_text(Content("\n").join([*lines, Content.styled(why, "dim")]))

    def is_premature(self, key: Key) -> bool:
        # Closing the box agrees on nothing.
        closes = self.app.has_key(key.key, f"{DIALOGS}.close")
        return not closes and not self.drawn.was_drawn_before(key.time)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        _ = self.dismiss(dict(self.chosen))

    def action_one_by_one(self) -> None:
        """Agree on none of them now: the players are asked about each when it matters."""
        _ = self.dismiss({})

    def action_turn(self, by: int) -> None:
        """Choose the next value of the selected ruling, or the previous one."""
        id = self.listed.id_at_cursor
        if id is not None:
            self.chosen[id] = next_cyclic(self.rulings[id].values, self.chosen[id], by)
            self._fill(self.listed.highlighted or 0)


async def ask_rulings_before_phase(app: CampaignApp, seen: CampaignSnapshot) -> bool:
    """Ask on one page about the rulings that the counters on the table may raise, and store the
    agreements as one command. Return whether the phase is to begin. Must run in a worker."""
    view, card = seen.view, seen.card
    found = await app.session.look_up(lambda _: rulings_likely_to_be_asked(view, card))
    open_ones = [ruling for ruling in found if not view.is_ruling_agreed(ruling.id)]
    if not open_ones:
        return True
    chosen = await app.push_screen_wait(LikelyRulingsScreen(open_ones))
    if chosen:
        asked = [("ruling", {"id": id, "value": value}) for id, value in chosen.items()]
        shown = seen.basis_of(*chosen)
        await app.session.perform(lambda desk: shown_actions.run_shown_commands(desk, shown, asked))
    return chosen is not None
