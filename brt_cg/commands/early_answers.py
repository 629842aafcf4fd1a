"""The `ahead` command, with which a side enters early answers to its own questions. It changes
nothing, and is that side's secret. Each answer is entered only when exactly its question is asked;
a setup is entered if the question allows it, whichever counters the question names.

`asked` holds `side`, `date` (the CG Date in force) and `answers`: each with the question's `rule`,
`subject`, `kind` and `mark` (journal/early_answers.py), and the raw `answer`. They replace all
earlier early answers of the side; an empty list withdraws them. If there are any, `buy` holds
orders (purchases/orders.py) in order of priority, which are bought at that side's 15.614 while its
points last, and end its purchases; and `always` holds the kinds of questions that the side always
answers by default ("15.605", "15.6131 re-manning", and "15.6" for every kind).
"""

from typing import Any

from brt_cg.commands import EVERY_KIND, STANDING, WISHES, Command
from brt_cg.commands.problems import InputProblems
from brt_cg.model import Side
from brt_cg.purchases.orders import read_order
from brt_cg.questions import RefusedError
from brt_cg.refit.sequence import NUMBERS
from brt_cg.text import count_text, list_text, short_json

ASKED = ("side", "date", "answers", WISHES, STANDING)
KEY = ("rule", "subject", "kind", "mark")
MOST = 2000  # answers
MOST_WISHES = 100
NO_WISH = ("draft", "instead")


def store_early_answers(command: Command) -> None:
    """Carry out `ahead`. Raises RefusedError, with everything that is wrong."""
    command.require_campaign_not_over()
    asked, findings = command.asked, InputProblems()
    findings.note_unknown_fields(asked, ASKED)
    side, answers, today = Side.from_name(asked.get("side")), asked.get("answers"), _today(command)
    if side is None:
        findings.add_bad_value("side", asked.get("side"), list_text(Side))
    if asked.get("date") != today:
        findings.add_bad_value("date", asked.get("date"), today)
    if not isinstance(answers, list) or not all(map(_is_answer, answers)):
        findings.add_bad_value(
            "answers", answers, f"a list of objects with {list_text(KEY)} and answer"
        )
    elif len(answers) > MOST:
        findings.add_bad_value("answers", count_text(len(answers), "answer"), f"at most {MOST}")
    wishes, kinds = asked.get(WISHES, []), asked.get(STANDING, [])
    if not isinstance(kinds, list) or not all(map(_is_kind, kinds)) or len(kinds) > MOST:
        findings.add_bad_value(
            STANDING, kinds, 'a paragraph of the Refit Phase (15.605), or "15.605 SUBJECT"'
        )
    if not isinstance(wishes, list) or len(wishes) > MOST_WISHES:
        findings.add_bad_value(WISHES, wishes, f"a list of at most {MOST_WISHES} orders")
    findings.raise_problems()
    assert side is not None, "the side has been checked"
    _check_orders(command, side, wishes)
    command.secret = side
    entered = [f"enters {count_text(len(answers or ()), 'early answer')}"] if answers else []
    entered += [f"always answers {', '.join(kinds)} by default"] if kinds else []
    entered += [f"has {count_text(len(wishes), 'item')} on its shopping list"] if wishes else []
    words = "; ".join(entered) or "withdraws all early answers"
    command.log(f"the {side.label} player {words}")


def _check_orders(command: Command, side: Side, wishes: list[Any]) -> None:
    """Raise RefusedError for an order that could never be bought."""
    for number, order in enumerate(wishes, 1):
        if not isinstance(order, dict) or order.get("side") != side or order.keys() & NO_WISH:
            allowed = f"an order of the {side.label} player, without {list_text(NO_WISH)}"
            raise RefusedError(
                f"{WISHES}: order {number}: {short_json(order)} is not accepted; enter {allowed}"
            )
        read_order(command.card, order)


def _is_kind(kind: Any) -> bool:
    return isinstance(kind, str) and kind.partition(" ")[0] in (EVERY_KIND, *NUMBERS)


def _today(command: Command) -> str:
    return command.campaign.situation.date


def _is_answer(row: Any) -> bool:
    return (
        isinstance(row, dict)
        and {*row} == {*KEY, "answer"}
        and all(isinstance(row[name], str) for name in KEY)
    )
