"""The dialog in which a player agrees to, declines or withdraws one side's request to the other."""

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

from textual import getters, work
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from brt_cg.service.agreements import request_problem
from brt_cg.service.campaign_reader import CampaignReader
from brt_cg.service.shown_actions import agree_shown, decline_shown, withdraw_shown
from brt_cg.tui.dialogs.dialog import Dialog
from brt_cg.tui.keys.actions import DIALOGS, bindings_of_named
from brt_cg.tui.lists.panes import Pane
from brt_cg.tui.lists.row_lists import SteadyList
from brt_cg.tui.look.columns import columns
from brt_cg.tui.look.lines import HangingText
from brt_cg.tui.question.form import EntryForm, FormField, FormPage, Typed
from brt_cg.tui.session.session import CampaignSnapshot, Session
from brt_cg.views.requests import Request

NONE = (
    "There are no requests now.\n\n"
    "A change that a side may not make alone becomes a request here: a correction of something "
    "that both sides know, a ruling, or undoing an opponent's entry. It is made once the opponent "
    "or the umpire agrees."
)


class RequestsScreen(Dialog[None]):
    """A dialog that lists the open requests, oldest first, and the changes that the selected one
    would make. It is updated when other windows make entries."""

    KEYS: ClassVar[str] = (
        "{dialogs.agree} agrees · {dialogs.withdraw} declines, or withdraws your own · "
        "{dialogs.close} closes"
    )
    BINDINGS = bindings_of_named(DIALOGS, agree="agree", withdraw="withdraw", leave="dismiss(None)")

    FOLLOWS: ClassVar[bool] = True
    listed = getters.query_one(SteadyList)
    detail = getters.query_one("#detail", HangingText)

    def __init__(self) -> None:
        super().__init__("Requests")
        self._requests: dict[str, Request] = {}  # by number
        self._refused: tuple[Request, str] | None = None  # the last refusal, and its reason

    def compose_box(self) -> ComposeResult:
        yield SteadyList(id="requests")
        with Pane():
            yield HangingText(id="detail")

    def on_mount(self) -> None:
        self._show(self.app.session.current_snapshot)
        self.listed.focus()

    def catch_up(self) -> None:
        if self.app.session.seen is not None:
            self._show(self.app.session.seen)

    def _show(self, seen: CampaignSnapshot) -> None:
        """List the requests again, with the same one selected."""
        self._requests = {str(request.number): request for request in seen.requests}
        self.listed.display = bool(self._requests)
        self.listed.show(
            lambda _: [Option(_request_row(seen, each), id) for id, each in self._requests.items()]
        )
        self._look_at(self._selected)

    @property
    def _selected(self) -> Request | None:
        return self._requests.get(self.listed.id_at_cursor or "")

    def on_option_list_option_highlighted(self, _: OptionList.OptionHighlighted) -> None:
        self._look_at(self._selected)

    def on_option_list_option_selected(self, _: OptionList.OptionSelected) -> None:
        self.action_agree()

    @work(group="request", exclusive=True, description="look")
    async def _look_at(self, request: Request | None) -> None:
        """Show the changes that a request would make, any obstacle to it, and the last refusal."""
        if request is None:
            self.detail.set_text(NONE)
            return
        problem = await self.app.session.look_up(lambda desk: request_problem(desk, request))
        if not problem and self._refused is not None and self._refused[0] == request:
            problem = self._refused[1]
        would = "\n".join(request.tells) or request.words
        parts = [
            Content.styled("It would change:", "dim"),
            Content(self.app.words_for_viewer(would)),
        ]
        if problem:
            parts += [Content(), Content.styled(self.app.words_for_viewer(problem), "$error")]
        self.detail.set_text(Content("\n").join(parts))

    def _show_problem(self, problem: str) -> None:
        """Show a refusal with the selected request."""
        request = self._selected
        self._refused = (request, problem) if request is not None else None
        self._look_at(request)

    # --- answering --------------------------------------------------------------------------------

    def action_agree(self) -> None:
        self._end(agree_shown)

    @work(group="decline", exclusive=True)
    async def action_withdraw(self) -> None:
        """Withdraw the selected request; if it is the opponent's, decline it, with a reason if the
        player writes one."""
        request = self._selected
        if request is None:
            return
        if request.can_be_answered_from(self.app.session.seat):
            await self.app.show_form(DeclineForm(self.app.session, request))
        else:
            self._end(withdraw_shown)

    def _end(self, how: Callable[[CampaignReader, Request], Any]) -> None:
        """Close the selected request in the given way, and show any refusal here."""
        request = self._selected
        if request is not None:
            self.app.perform(lambda desk: how(desk, request), refused=self._show_problem)


class DeclineForm(EntryForm[None]):
    """A form that declines a request, with a message for the opponent."""

    def __init__(self, session: Session, request: Request) -> None:
        self.session, self.request = session, request

    @property
    def draft_name(self) -> str:
        return f"decline {self.request.number}"

    def pages(self, typed: Typed) -> tuple[FormPage, ...]:
        field = FormField("reason", "Why", hint="message to your opponent (optional)")
        title = f"Decline request {self.request.number}"
        return (FormPage(title, (field,), "decline it", self.request.words),)

    async def submit(self, typed: Typed) -> None:
        reason = typed["reason"].strip() or None
        await self.session.perform(partial(decline_shown, shown=self.request, reason=reason))


def _request_row(seen: CampaignSnapshot, request: Request) -> Content:
    """Return a request in a line: its number, its side, and its subject."""
    whose = "you ask" if seen.seat is request.side else f"{request.side.label} asks"
    color = f"bold ${request.side}"
    return columns(4).row((str(request.number), "bold"), _words(whose, color, request.words))


def _words(whose: str, color: str, words: str) -> Content:
    return Content.assemble((whose, color), f": {words}")
