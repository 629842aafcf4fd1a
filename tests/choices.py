"""The lists of choices of a question: that a player can tell their lines apart, and name each."""

from collections import Counter as Counts
from collections.abc import Iterator
from typing import Any

from brt_cg.model import Campaign
from brt_cg.questions import Option, Question
from brt_cg.text import normalize_spaces_and_case


def unclear(ask: Question[Any], campaign: Campaign) -> list[str]:
    """Return the words in the lists of a question that a player could mistake."""
    return [
        *_equal(ask),
        *(why for each in ask.named_options for why in _wrong(ask, each, campaign)),
    ]


def _equal(ask: Question[Any]) -> Iterator[str]:
    several, form = ask.as_multi_question, ask.form
    lists = {
        "label": [each.label for each in ask.named_options],
        "typed": [each.typed for each in ask.named_options],
        "listed": [each.words for each in ask.candidates(None)],
        "item": [each.words for each in several.items] if several is not None else [],
        "candidate": [each.words for each in form.candidates_for(None)] if form is not None else [],
    }
    for name, words in lists.items():
        yield from (f"{name} twice: {each}" for each, n in Counts(words).items() if n > 1)


def _wrong(ask: Question[Any], option: Option[Any], campaign: Campaign) -> Iterator[str]:
    """Yield the faults of an option: it hides its counter's type, or its words mean another one."""
    words = [option.label, option.typed]
    counter = campaign.find(_id(option))
    if counter is not None:
        yield from (f"no type: {each}" for each in words if counter.type_text not in each)
        alike = [campaign.find(_id(each)) for each in ask.options]
        words += [counter.id, counter.display_name, counter.display_name]
        for part in ("name_or_number", "type_text", "full_type_text"):
            spelled = normalize_spaces_and_case(getattr(counter, part))
            if (
                sum(
                    one is not None and normalize_spaces_and_case(getattr(one, part)) == spelled
                    for one in alike
                )
                == 1
            ):
                words.append(getattr(counter, part))
    for each in words:
        if ask.parse(each) != option.raw:
            yield f"{each} is not {option.raw}"


def _id(option: Option[Any]) -> str:
    """The id of the counter in an option's answer, if it has one."""
    raw = option.raw
    return str(next(iter(raw.values())) if isinstance(raw, dict) and raw else raw)
