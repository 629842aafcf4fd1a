"""A paragraph in progress that the rules of this program play differently from the journal.

The journal stays as it is. It continues once undo has stepped back to the newest entry up to which
the rules give the recorded changes, or redo has restored the undone entries.
"""

from collections.abc import Sequence
from dataclasses import field
from enum import StrEnum

from brt_cg.card import Card
from brt_cg.immutable import immutable
from brt_cg.journal.changes import Change, apply_changes, compare_campaigns
from brt_cg.journal.entries import Entry, question_key_as_json
from brt_cg.model import Campaign
from brt_cg.questions import RefusedError
from brt_cg.refit.run import ParagraphRun, record_paragraph_begun
from brt_cg.refit.sequence import paragraph_of


class Cause(StrEnum):
    """A way in which the rules of this program differ from the journal at an entry."""

    RESULT = "another result"
    REFUSED = "not accepted"
    NOT_ASKED = "not asked"
    ENDS = "nothing more is asked"


class RulesChangedError(RefusedError):
    """The refusal of any action that needs the paragraph in progress while it does not fit the
    rules. Its message is the same for every seat."""

    def __init__(self) -> None:
        super().__init__(
            "The paragraph in progress was played under other rules, and this program gives "
            "a different result: undo goes back to the point where the rules agree, redo "
            "restores the undone entries; see status for details"
        )


@immutable
class Mismatch:
    """The difference between the paragraph in progress and its replay by the rules: the first
    `entry` that they play differently, the newest one before it up to which they `agree` (None: not
    even the beginning), the cause, the reason why the answer is not accepted, and the `differences`
    from the recorded campaign to the replayed one."""

    entry: int
    agree: int | None
    cause: Cause
    why: str = ""
    differences: Sequence[Change] = field(default=())


def replay_entry_on(
    run: ParagraphRun | None, entry: Entry, campaign: Campaign, card: Card
) -> ParagraphRun:
    """Replay one entry of a paragraph in progress on a campaign; `run` is the paragraph as played
    before it. Raises RulesChangedError if another question is asked, and whatever the rules raise
    about an answer that does not fit them."""
    if run is None:
        paragraph = paragraph_of(str(entry.rule))
        record_paragraph_begun(campaign, paragraph)
        return ParagraphRun(paragraph, campaign, card)
    if entry.kind != "answer":
        apply_changes(campaign, entry.changes)
    elif run.ask is None or question_key_as_json(run.ask) != entry.payload["ask"]:
        raise RulesChangedError
    else:
        run.send(run.ask.read(entry.payload["answer"]))
    return run


def find_mismatch(played: Sequence[Entry], before: Campaign, card: Card) -> Mismatch | None:
    """Return the mismatch of a paragraph in progress; None if all of it fits. `played` are the
    paragraph's entries that are not undone; `before` is the campaign before it, which is modified.
    Raises ValueError if the entries do not fit the campaign."""
    recorded, replayed = before, before.clone()
    run: ParagraphRun | None = None
    agree: int | None = None
    found: Mismatch | None = None
    for entry in played:
        apply_changes(recorded, entry.changes)
        try:
            run = replay_entry_on(run, entry, replayed, card)
        except Exception as problem:  # other rules may raise anything of an answer
            return found or _raised(entry, agree, problem)
        differences = compare_campaigns(recorded, replayed)
        if not differences and not run.has_ended:
            agree, found = entry.seq, None
        elif found is None:
            cause = Cause.RESULT if differences else Cause.ENDS
            found = Mismatch(entry.seq, agree, cause, differences=differences)
    return found


def _raised(entry: Entry, agree: int | None, problem: Exception) -> Mismatch:
    cause = Cause.NOT_ASKED if isinstance(problem, RulesChangedError) else Cause.REFUSED
    why = str(problem) if type(problem) is RefusedError else ""
    return Mismatch(entry.seq, agree, cause, why)
