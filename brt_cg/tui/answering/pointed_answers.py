"""The list of answers to a question, including those given by pointing at the map."""

from collections.abc import Callable
from functools import partial

from textual import work

from brt_cg.model.campaign import Campaign
from brt_cg.questions.answers import Pointed, Raw
from brt_cg.questions.asks import Choose, Several
from brt_cg.tui.answering.answer_list import AnswerList
from brt_cg.tui.map.pointing import Pointing, start_of
from brt_cg.tui.point.screen import Judge, PointScreen
from brt_cg.tui.question.picking import Picking


class PointedAnswers(AnswerList):
    """Answers that may also come from the map. `view` is the campaign as the seat sees it."""

    view: Campaign | None = None

    def can_point(self) -> bool:
        ask = self.ask
        if isinstance(ask, Choose):
            return any(option.spot for option in ask.options)
        if self._picking is not None:
            return self._picking.form.pointed is not None
        subject = self.selected_item
        if subject is None or not isinstance(ask, Several):
            return False
        how = ask.item(subject).form.pointed
        return how is not None and how.made is not None

    @work(group="desk")
    async def point(self) -> None:
        """Opens the map to point at the answer."""
        ask, picking, answers = self.ask, self._picking, self.answers
        if isinstance(ask, Choose):
            placed = [candidate for candidate in ask.candidates if candidate.spots]
            self._go_and_point(Pointing(ask.prompt, Pointed(), placed), self._answer)
            return
        subject = self.selected_item
        if picking is None and isinstance(ask, Several) and answers is not None and subject:
            items = tuple(sorted({subject, *answers.marked.ids}))
            picking = Picking(ask.item(items[0]).form, (), items)
        if picking is None or ask is None or picking.form.pointed is None:
            return
        offered = picking.offered or await self._offered(picking.form, picking.items)
        if ask is not self.ask:
            return
        placed = [candidate for candidate in offered if candidate.spots]
        title = self._about(ask, picking.items) or ask.prompt
        start = start_of(self.view, picking.items[0] if picking.items else ask.counter)
        pointing = Pointing(title, picking.form.pointed, placed, start=start)
        if pointing.how.made is None and not placed:
            pointing.how = Pointed(pointing.how.parts, lambda at: at[0])
            self._go_and_point(pointing, self._write_location)
        else:
            judge = partial(self._judge_pointed, picking.items)
            self._go_and_point(pointing, partial(self._take_pointed, picking), judge)

    def _go_and_point(
        self, pointing: Pointing, then: Callable[[Raw], None], judge: Judge | None = None
    ) -> None:
        ask = self.ask

        def take(raw: Raw) -> None:
            if ask is self.ask:
                then(raw)

        _ = self.app.push_screen(PointScreen(pointing, take, judge))

    async def _judge_pointed(self, items: tuple[str, ...], raw: Raw) -> None:
        """Raises Refused for an answer that the question does not allow, given the earlier ones."""
        ask, answers = self.ask, self.answers
        if isinstance(ask, Several) and answers is not None:
            whole = answers.given | dict.fromkeys(items, raw)
            await self.app.session.consult(lambda _: ask.read(whole))

    def _take_pointed(self, picking: Picking, raw: Raw) -> None:
        """Takes an answer from the map: one more of several joined ones, or the whole answer."""
        if picking.joins:
            picking.toggle(next(known for known in picking.offered if known.raw == raw))
            self._show_candidates()
            self.entry.focus()
        else:
            self._take(picking, raw)

    def _write_location(self, raw: Raw) -> None:
        """Inserts a Location from the map at the cursor of the typed text."""
        self.entry.insert_text_at_cursor(str(raw))
        self.entry.focus()
