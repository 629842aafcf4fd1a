"""Map: Betio in hexes, its counters, and Perimeters painted on it."""

from collections.abc import Iterable
from contextlib import suppress

from textual import work

from brt_cg.service import shown_actions
from brt_cg.service.drafts import ItemDraft
from brt_cg.tui.keys.actions import MAP
from brt_cg.tui.map.map_room import IslandScreen
from brt_cg.tui.map.painting import Painting
from brt_cg.tui.session.session import CampaignSnapshot
from brt_cg.views.question_name import QuestionName


class MapScreen(IslandScreen):
    """The Map room. While a question asks for areas of hexes, its answer is painted here."""

    PLACE = MAP
    _asked: QuestionName | None = None
    _begun: Painting | None = None  # kept for its question while another seat looks
    _draft: ItemDraft | None = None  # the painted hexes in words, by question

    def show_snapshot(self, seen: CampaignSnapshot) -> None:
        super().show_snapshot(seen)
        ask, self.painting = seen.ask, None
        form = ask.form if ask is not None and seen.may_know(ask.side) else None
        if ask is not None and form is not None and form.painted:
            if self._begun is None or self._asked != seen.asked:
                self._asked, self._begun = seen.asked, Painting(ask.prompt, form, ask.default)
                self._take_draft(seen, self._begun)
                self.note_question_changed()
            self._begun.form = form
            self.painting = self._begun
        self.show_painting()

    def _take_draft(self, seen: CampaignSnapshot, painting: Painting) -> None:
        """Restore the hexes painted for the question before the program ended, or before an
        undo."""
        date = {"date": seen.view.situation.date}
        self._draft = ItemDraft(self.app.drafts().saved_notes("painted", date))
        kept = self._draft.items.get(str(self._asked))
        if isinstance(kept, str):
            with suppress(ValueError):
                painting.replace_by_typed(kept)

    def show_painting(self) -> None:
        super().show_painting()
        painting, name = self.painting, str(self._asked)
        if painting is None or self._draft is None:
            return
        others = {each: words for each, words in self._draft.items.items() if each != name}
        kept = others | ({name: painting.painted_text()} if painting.is_changed else {})
        if kept != self._draft.items:
            self._draft.save(kept)

    def on_screen_suspend(self) -> None:
        """Warn the player who leaves the map that the painted hexes are not answered yet."""
        if self.painting is not None and self.painting.is_changed and self.app.current_mode != MAP:
            back, answer = self.app.key_text("everywhere.map"), self.app.key_text("map.answer")
            self.app.show_warning(
                f"{back} goes back to your painted hexes; {answer} there answers with them.",
                "Not answered yet",
            )

    async def effect_text(self, painting: Painting) -> str:
        shown, raw = self._asked, painting.raw
        if shown is not None:
            with suppress(shown_actions.NotAsShownError):
                await self.app.session.look_up(
                    lambda desk: shown_actions.question_as_shown(desk, shown).read(raw)
                )
        return await super().effect_text(painting)

    def action_answer(self) -> None:
        shown, painting = self._asked, self.painting
        if painting is not None:
            raw = painting.raw
            self.app.perform(
                lambda desk: shown_actions.answer_shown(desk, shown, raw),
                lambda _: self.run_worker(self.app.run_action("refit")),
            )

    def is_typing(self) -> bool:
        return False

    def has_draft(self) -> bool:
        return self.painting is not None and self.painting.is_changed

    def undo_last_unentered(self) -> str:
        painting = self.painting
        hexes = painting.undo_stroke() if painting is not None else ""
        if hexes:
            self.show_painting()
        return f"painting {hexes}" if hexes else ""

    def counters_for_service_record(self) -> Iterable[str]:
        here = self.island.drawing.sheet.here.get(self.island.cursor, ())
        return [self.selected_counter] if self.selected_counter else [held.id for held in here]

    def why_subjects(self) -> tuple[str, ...]:
        return (self.selected_counter or f"hex {self.island.cursor}",)

    @work(group="chronicle", exclusive=True, description="write the chronicle")
    async def action_chronicle(self) -> None:
        from brt_cg.tui.forms.export import write_chronicle

        await write_chronicle(self.app, self.seen)
