"""The result of the newest entries, in words, with their effect on the CVP."""

from collections import Counter

from brt_cg.exports.wording import total_text
from brt_cg.immutable import immutable
from brt_cg.model import Side
from brt_cg.text import count_text
from brt_cg.tui.lists.log import text_in_words
from brt_cg.tui.session.session import CampaignSnapshot

MOST_LINES = 3  # of the log shown as the result; if more, only the newest


@immutable
class LastResult:
    """The newest result in `words`, and `cvp`, its effect on the CVP: "Marine CVP 131→133"."""

    words: str = ""
    cvp: str = ""


NO_RESULT = LastResult()


def result_between(before: CampaignSnapshot | None, now: CampaignSnapshot) -> LastResult | None:
    """Return the result of the entries between two snapshots; None if their viewer knows of none.
    Another viewer begins without a result."""
    if before is None or (before.viewer_key, before.begun) != (now.viewer_key, now.begun):
        return NO_RESULT
    if (before.mark, before.asked) == (now.mark, now.asked):
        return None
    return LastResult(_words(before, now), _cvp(before, now))


def _words(before: CampaignSnapshot, now: CampaignSnapshot) -> str:
    """Return the newest roll with its effects, else the new lines of the log, else the question
    that was answered."""
    if now.rolled is not None and now.rolled != before.rolled:
        return ", ".join([now.rolled.brief, *map(text_in_words, now.rolled.effects)])
    known = Counter((line.title, line.text) for line in before.log)
    lines = []
    for line in now.log:
        known[line.title, line.text] -= 1
        if known[line.title, line.text] < 0 and not line.undone:
            lines.append(text_in_words(line.text))
    if len(lines) > MOST_LINES:
        return f"{count_text(len(lines), 'new line')} in the log; the last one: {lines[-1]}"
    asked = before.listed or before.ask
    if not lines and asked is not None and before.asked != now.asked:
        return f"Answered: {asked.prompt}"
    return "; ".join(lines)


def _cvp(before: CampaignSnapshot, now: CampaignSnapshot) -> str:
    """Return the change in each side's CVP."""
    totals = (
        (side, total_text(before.view, side, "cvp"), total_text(now.view, side, "cvp"))
        for side in Side
    )
    return ", ".join(f"{side.label} CVP {was}→{now}" for side, was, now in totals if was != now)
