"""Printed values that are not known yet: the first rule that needs one asks for it, once for each
type."""

from typing import Any

from brt_cg.card import counters_of_same_type
from brt_cg.model import Field, Vehicle, Weapon, fields_of
from brt_cg.questions import FigureQuestion, PrintedFigure, Raw, reader_of_shape
from brt_cg.refit.play import Play

Asked = set[tuple[str, str, str, str]]  # the figures that a paragraph has asked for without success


async def ask_printed_figure_if_unknown(
    play: Play, counter: Weapon | Vehicle, name: str, asked: Asked, *, subject: str | None = None
) -> Any:
    """Return the printed value in the field `name` of a counter. If it is not known, ask the
    counter's side to read it off, for all counters of the type. While it stays unknown, it counts
    as 0 or no, with a warning.

    An answer about a hidden counter's type is a secret, and applies only to hidden ones.
    """
    figure = fields_of(type(counter))[name]
    known = getattr(counter, figure.attribute)
    nothing = figure.holds()
    key = (counter.TABLE, counter.nation, counter.type, name)
    if known is not None or key in asked:
        return nothing if known is None else known
    read = reader_of_shape(figure.shape)

    def reader(raw: Raw) -> Any:
        return None if raw is None else read(raw)

    value = await play.ask(
        FigureQuestion(
            subject=subject or counter.id,
            side=counter.side,
            prompt=f"{play.name_with_place(counter)}: {_question(figure)}",
            counter=counter.id,
            about=figure.label,
            optional=True,
            reader=reader,
            hint=f"{_hint(figure.holds)}, as on the counter; none: not known",
            figure=PrintedFigure(counter.TABLE, counter.nation, counter.type, name),
        )
    )
    if value is None:
        asked.add(key)
        play.log(
            f"warning: {figure.label} is not known for {play.name_with_place(counter)} and counts "
            f"as {figure.value_text(nothing)}",
            counter,
        )
        return nothing
    fill_in_figure_for_type(play, counter, name, value)
    words = f"has {figure.label} {figure.value_text(value)}, like every {counter.type}"
    play.log_event(counter, words)
    return value


def fill_in_figure_for_type(play: Play, counter: Weapon | Vehicle, name: str, value: Any) -> None:
    """Give every counter of a type a value that was read off one of them; if that one is hidden,
    only the hidden counters get it."""
    whose = play.secret_of(counter)
    for each in counters_of_same_type(counter, play.campaign):
        known_to_both = whose is None or play.secret_of(each) is whose
        if getattr(each, name) is None and known_to_both:
            setattr(each, name, value)


def _question(figure: Field) -> str:
    return (
        f"is it {figure.label}, by its counter?"
        if figure.holds is bool
        else f"read {figure.label} off its counter"
    )


def _hint(holds: type) -> str:
    return "yes or no" if holds is bool else "a number"
