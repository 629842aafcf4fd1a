"""A question about several counters on the plain page: each is answered separately, and the answers
are kept until all are entered together."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from brt_cg.questions import MultiQuestion, RefusedError
from brt_cg.questions.partial_answers import PartialAnswers
from brt_cg.service import shown_actions
from brt_cg.service.campaign_reader import CampaignReader
from brt_cg.service.drafts import Drafts
from brt_cg.service.saved_notes import ignore_error
from brt_cg.service.setup_answers import SetupAnswers, answers_still_allowed, as_setup_question
from brt_cg.text import count_text, first_few_text
from brt_cg.views.question_name import QuestionName
from brt_cg.web.plain_html import button_form, form_start, select_field, text_field

Save = Callable[[PartialAnswers], None]


def multi_question_part(
    desk: CampaignReader, ask: MultiQuestion[Any], name: QuestionName, typed: Mapping[str, str]
) -> Iterator[str]:
    """Yield the answers kept so far, the form for the next, and the button that enters them."""
    noted, _ = _kept(desk, ask, name)
    left = _without_place(desk, ask, noted)
    if typed.get("do") == "finish" and left:
        words = f"Yes: enter it without these {len(left)}"
        yield button_form("finish", words, asked=name, confirmed="yes")
    yield f"<p>{len(noted.given)} of {count_text(len(ask.items), 'counter')} answered.</p>"
    yield form_start("item", asked=name)
    items = {
        item.subject: f"{item.words}: {noted.worded.get(item.subject, 'open')}"
        for item in ask.items
    }
    given = typed if typed.get("do") == "item" else {"counter": next(iter(left), "")}
    yield from select_field("counter", "Counter", items, given)
    hint = f"Its answer ({ask.items[0].form.hint}); empty for none"
    yield text_field("answer", hint, typed.get("answer", "") if typed.get("do") == "item" else "")
    yield "<button>Keep this answer</button></form>"
    yield button_form("finish", ask.continue_text(len(noted.given)), asked=name)
    for word in ask.wholes:
        yield button_form("answer", f"All: {word}", asked=name, answer=word)


def keep_answer(desk: CampaignReader, shown: QuestionName | None, asked: Mapping[str, str]) -> None:
    """Keep the answer for one counter; an empty one removes it. Raises RefusedError."""
    ask, name = _several(desk, shown)
    noted, save = _kept(desk, ask, name)
    id = asked.get("counter", "")
    if id not in ask.subjects:
        raise RefusedError("choose a counter from the list")
    save(noted.with_answer((id,), asked.get("answer", "").strip() or None))


def enter_kept_answers(
    desk: CampaignReader, shown: QuestionName | None, asked: Mapping[str, str]
) -> None:
    """Enter the answers kept, after a confirmation if counters would have no Location. Raises
    RefusedError."""
    ask, name = _several(desk, shown)
    noted, _ = _kept(desk, ask, name)
    left = _without_place(desk, ask, noted)
    if left and asked.get("confirmed") != "yes":
        names = first_few_text([ask.item(id).words for id in left])
        raise RefusedError(
            f"{count_text(len(left), 'counter')} without a Location: {names}. Press “Yes” to "
            f"leave them: {ask.none_text}"
        )
    shown_actions.answer_shown(desk, shown, dict(noted.given))


def _several(
    desk: CampaignReader, shown: QuestionName | None
) -> tuple[MultiQuestion[Any], QuestionName]:
    ask = shown_actions.question_as_shown(desk, shown).as_multi_question
    if ask is None or shown is None:
        raise RefusedError("this question is about one thing; answer it separately")
    return ask, shown


def _without_place(
    desk: CampaignReader, ask: MultiQuestion[Any], noted: PartialAnswers
) -> list[str]:
    """Return the counters of a setup that have no Location yet."""
    if as_setup_question(ask) is None:
        return []
    campaign, left = desk.view().campaign, []
    for item in ask.items:
        counter = campaign.find(item.counter or "")
        if item.subject not in noted.given and (counter is None or counter.location is None):
            left.append(item.subject)
    return left


def _kept(
    desk: CampaignReader, ask: MultiQuestion[Any], name: QuestionName
) -> tuple[PartialAnswers, Save]:
    """Return the answers kept for the open question, and a function that keeps others. Those of a
    setup are shared with the seat's screen."""
    if as_setup_question(ask) is not None:
        answers = SetupAnswers(desk)
        answers.carry_over_to_reopened_question(desk)
        noted = answers.answers_to(name)
        assert noted is not None, "it is the open question"
        return noted, lambda now: answers.store(now, name)
    draft = Drafts(desk.campaign_id, str(ask.side), ignore_error).item_draft(f"page {name}")
    return answers_still_allowed(ask, draft.items), lambda now: draft.save(now.given)
