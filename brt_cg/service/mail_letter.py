"""The plain text that accompanies a mail: the events, the question for the opponent, and
instructions for opening the mail."""

import re
from collections.abc import Iterator
from textwrap import fill, shorten

from brt_cg.exports.wording import next_step_text
from brt_cg.model import BETWEEN, SIDES, Side
from brt_cg.refit.casualties import LOSSES, row_reason_text
from brt_cg.refit.sequence import TITLES
from brt_cg.text import hyphens_to_minus_signs
from brt_cg.views.view import SharedView

MOST_HAPPENED, LONGEST = 5, 120  # lines, and letters of one
MOST_NAMED = 3  # counters of each side
# The number of a purchase: at the end of a line, within it, and as older logs begin with it.
NUMBER_AFTER = re.compile(r" \(purchase p[mj]\d+\)")
NUMBER_WITHIN = re.compile(r"\bpurchase p[mj]\d+\b")
NUMBER = re.compile(r"\bp([mj])\d+(:| )")
WIDTH = 66  # fits a box on a small screen, and a quoted mail


def cover_letter(
    book: SharedView, receiver: Side | None, mail: str, before: SharedView | None
) -> str:
    """Return the text for the player of a side (None: for anybody). It contains only facts that
    both players may know, because the sender reads it too. `before` is the shared knowledge at the
    beginning of the mail, None if it contains the whole campaign."""
    lines = [*_situation_lines(book), "", *_happened(book, before), "", *_turn(book), ""]
    if before is None:
        lines += ["This mail contains the whole campaign. If you do not have it yet:"]
        lines += [f"Save {mail}, open brt-cg, and press M on Home."]
        lines += ["Otherwise:"]
    lines += [f"Save {mail}, open brt-cg, press M, then r."]
    seat = f" --side {receiver}" if receiver else ""
    lines += [f"(Or run the command brt-cg receive YOUR-FILE.brt {mail}{seat})"]
    if receiver is not None and book.campaign.situation.phase not in BETWEEN:
        lines += [*_saves_mails(receiver)]
    return "\n".join(_folded(line) for line in lines)


def _saves_mails(receiver: Side) -> Iterator[str]:
    """Yield the early answers that make the rest of the Refit Phase take fewer mails."""
    yield "Answer early, and it takes fewer mails: press E."
    yield f"(Or: brt-cg ahead YOUR-FILE.brt --side {receiver} --defaults)"


def _folded(line: str) -> str:
    return fill(line, WIDTH, subsequent_indent="    ", break_long_words=False) if line else ""


def _situation_lines(book: SharedView) -> Iterator[str]:
    situation = book.campaign.situation
    name = f", {situation.name}" if situation.name else ""
    yield f"Blood Reef: Tarawa, CG {situation.cg}{name}"
    step = situation.paragraph or situation.done
    where = f", at {step} {TITLES[step]}" if step is not None and not book.waiting else ""
    yield f"{situation.date}, {situation.phase.when_text}{where}"


def _happened(book: SharedView, before: SharedView | None) -> list[str]:
    """Return the later events that both players know about, in a few lines: losses, and the newest
    lines of the log."""
    since = before.mark.lines if before is not None else 0
    new = [line for line in book.lines[since:] if not line.undone]
    if not new:
        return ["Nothing has happened that both players may see."]
    lost = list(_lost(book, before)) if before is not None else []
    rules = [line.rule for line in new if line.rule is not None]
    much = len(new) + len(lost) > MOST_HAPPENED and bool(rules)
    played = " to ".join(dict.fromkeys((rules[0], rules[-1]))) if much else ""
    found = [f"Played: {played}, {len(new)} lines in the log"] if much else []
    found += lost
    newest = new[len(found) - MOST_HAPPENED :] if much else new[-MOST_HAPPENED:]
    return [
        "What happened:",
        *found,
        *(shorten(_in_words(book, line.text), LONGEST, placeholder=" …") for line in newest),
    ]


def _in_words(book: SharedView, text: str) -> str:
    """Return a line of the log with the side in place of a purchase's number, and names in place of
    ids."""

    def whose(number: re.Match[str]) -> str:
        side = Side.MARINE if number[1] == "m" else Side.JAPANESE
        return f"{side.label} purchase{number[2]}"

    text = NUMBER_WITHIN.sub("a purchase", NUMBER_AFTER.sub("", text))
    return book.campaign.replace_ids_with_names(NUMBER.sub(whose, text))


def _lost(book: SharedView, before: SharedView) -> Iterator[str]:
    """Yield the later casualties of each side in the casualty ledger that both players know of."""
    now, then = book.campaign, before.campaign
    for side in SIDES:
        new = [
            row for row in now.casualty_rows_scored_by(side.enemy) if row.id not in then.casualties
        ]
        lost = [row_reason_text(now, row) for row in new if row.how in LOSSES]
        if lost:
            more = f" and {len(lost) - MOST_NAMED} more" if len(lost) > MOST_NAMED else ""
            cvp = (
                f"{hyphens_to_minus_signs(then.cvp(side.enemy))} → "
                f"{hyphens_to_minus_signs(now.cvp(side.enemy))}"
            )
            named = ", ".join(lost[:MOST_NAMED])
            yield f"{side.label} casualties: {named}{more} ({side.enemy.label} CVP {cvp})"


def _turn(book: SharedView) -> Iterator[str]:
    ask, side = book.ask, book.side_to_answer
    whose = f"It is the {side.label} player's turn" if side is not None else ""
    if ask is not None:
        yield f"{whose}{'; anyone may roll' if ask.dice else ''}."
        yield f"{ask.rule}: {ask.prompt}"
        if 0 < len(options := ask.named_options) <= MOST_HAPPENED:
            yield f"Answers: {'; '.join(option.label for option in options)}"
    elif book.mismatch is not None:
        yield from book.mismatch.sentences
        yield from book.mismatch.ways_out("u in brt-cg", "U in brt-cg")
    elif whose:
        yield f"{whose} to make a secret decision."
    else:
        words = f"{book.next} {TITLES[book.next]}" if book.next else ""
        yield f"No question is open. {next_step_text(book.campaign.situation, book.half, words)}."
