"""A form is judged while it is typed in; what comes too late is for nobody."""

from pathlib import Path

from brt_cg.tui.forms.screen import FormScreen
from brt_cg.tui.question.form import EntryForm, FormField, FormPage, Typed, Validation
from tests.tui.helpers import until
from tests.tui.moments import opened


class LeftMeanwhile(EntryForm[None]):
    """A form whose fields are taken away while it is judged, as by Escape or another page."""

    screen: FormScreen
    draft_name = ""

    def pages(self, typed: Typed) -> tuple[FormPage, ...]:
        return (FormPage("A form", (FormField("what", "What"),), "do it"),)

    async def validate(self, typed: Typed, page: int) -> Validation:
        await self.screen.query(".row, .wrong").remove()
        return Validation(problems={"what": "too late"})

    async def submit(self, typed: Typed) -> None:
        """Does nothing."""


async def test_leaving_a_form_during_validation_does_not_crash(
    demo_file: Path,
) -> None:
    async with opened(demo_file) as (app, pilot):
        form = LeftMeanwhile()
        form.screen = FormScreen(form)
        await app.push_screen(form.screen)
        await pilot.pause()
        assert app.screen is form.screen
        await pilot.press("escape")
        await until(pilot, lambda: len(app.screen_stack) == 1)


def test_a_list_is_tall_if_its_fields_have_additional_information() -> None:
    def page(*abouts: str) -> FormPage:
        fields = (FormField(f"f{at}", "What", about=about) for at, about in enumerate(abouts))
        return FormPage("A form", tuple(fields), "do it")

    assert page("one", "another").explains_each_field
    assert not page("the same", "the same").explains_each_field, "the preview keeps its place"
    assert not page("one", "").explains_each_field


class TwoFields(EntryForm[None]):
    """A form of two fields."""

    draft_name = ""

    def pages(self, typed: Typed) -> tuple[FormPage, ...]:
        return (FormPage("A form", (FormField("one", "One"), FormField("two", "Two")), "do it"),)

    async def submit(self, typed: Typed) -> None:
        """Does nothing."""


async def test_up_and_down_stop_at_the_first_and_the_last_field(demo_file: Path) -> None:
    async with opened(demo_file) as (app, pilot):
        await app.push_screen(FormScreen(TwoFields()))
        await pilot.pause()
        at = []
        for key in ("up", "down", "down"):
            await pilot.press(key)
            at.append(app.focused.name if app.focused is not None else None)
        assert at == ["one", "two", "two"]
