"""A guide to an evening: from the end of a scenario to the next one, with the questions, sentences
and figures of the demo campaign, which is played for it in memory; and the questions of newcomers.
It is the same for every campaign and every seat."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import chain
from pathlib import Path
from string import Template
from textwrap import wrap
from typing import Any

from brt_cg.exports import NAMES, USES
from brt_cg.exports.blocks import (
    Block,
    Bullets,
    Document,
    PageHeader,
    SectionBlock,
    Sheet,
    TextBlock,
)
from brt_cg.exports.default_keys import fill_in_default_keys
from brt_cg.exports.demo import CAMPAIGN_NAME, DemoCampaign
from brt_cg.exports.headers import json_document_start
from brt_cg.exports.purchases import account_lines, prices_text
from brt_cg.exports.refit_summary import last_refit_summary
from brt_cg.exports.wording import total_value
from brt_cg.immutable import immutable
from brt_cg.model import Side
from brt_cg.purchases.listing import beach_defense_pages
from brt_cg.questions import Question
from brt_cg.refit.victory import victory_requirement_lines
from brt_cg.resources import read_toml_cached
from brt_cg.views.view import View

GUIDE = Path(__file__).with_name("guide.toml")
FAQ = Path(__file__).with_name("faq.toml")
TITLE = "A guide to an evening of play"
FAQ_TITLE = "Questions and answers"
ITEM = "- "  # begins an item of a list
DOCUMENTS = "$documents"  # where the documents for the next scenario are listed
TO_PRINT = ("roster", "scenario-card", "hip-sheet", "scenario-sheet")
RECOVERY = {"wound": "15.6112", "repair": "15.6132"}  # the rule of each roll
FOXHOLES = {"item": "foxhole_1s", "side": "marine", "quantity": 2}
WIDTH = 79
COMMAND = re.compile("`([^`]*)`")  # in backquotes; in a document in quotes
KEPT = "\N{NO-BREAK SPACE}"
FillIn = Callable[[str], str]  # writes the keys of the actions in a text


@immutable
class GuideSection:
    """A titled part of the guide, or a question with its answer."""

    title: str
    lines: Sequence[str]


def guide_sections(fill_in_keys: FillIn = fill_in_default_keys) -> list[GuideSection]:
    """Return the guide to an evening."""
    figures = demo_figures()
    return [
        GuideSection(
            section["title"],
            [
                Template(fill_in_keys(line)).substitute(figures)
                for line in _with_documents(section["lines"])
            ],
        )
        for section in read_toml_cached(GUIDE)["section"]
    ]


def faq_sections(fill_in_keys: FillIn = fill_in_default_keys) -> list[GuideSection]:
    """Return the questions of newcomers, each with its answer."""
    asked = read_toml_cached(FAQ)["question"]
    return [GuideSection(one["title"], [*map(fill_in_keys, one["lines"])]) for one in asked]


def _with_documents(lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        if line == DOCUMENTS:
            yield from (f"{ITEM}{NAMES[name]}: {USES[name]}" for name in TO_PRINT)
        else:
            yield line


# --- the demo -------------------------------------------------------------------------------------


@cache
def demo_figures() -> dict[str, Any]:
    """Return the figures and sentences of the demo campaign, by their names in the guide."""
    demo = DemoCampaign()
    figures = {
        "counters": sum(counter.in_play for counter in demo.view().campaign.counters()),
        **_totals(demo, ""),
        **_first_questions(demo),
        **_areas_and_recovery(demo),
        **_purchases(demo),
        **_setup(demo),
    }
    demo.play_to_the_end()
    figures |= {"questions": demo.answers, "rolls": demo.rolls}
    return figures | _totals(demo, "next_") | _next_scenario(demo)


def _totals(demo: DemoCampaign, begins: str) -> dict[str, Any]:
    view = demo.view().campaign
    totals = {
        f"{begins}{side}_{name}": total_value(view, side, name)
        for side in Side
        for name in ("san", "cvp")
    }
    return {f"{begins}date": view.situation.date, **totals}


def _first_questions(demo: DemoCampaign) -> dict[str, Any]:
    first = demo.play_to(lambda ask: True)
    found = {"first": _question_text(first)}
    winner = demo.play_to(lambda ask: (ask.rule, ask.subject) == ("15.6032", "winner"))
    found["winner"] = _question_text(winner)
    check = demo.play_to(lambda ask: bool(ask.check_text))
    passes, _ = check.odds
    found |= {
        "check_rule": check.rule,
        "check": check.prompt,
        "check_needs": check.check_text,
        "check_chance": f"{round(passes[1] * 100)} in 100",
        "check_result": demo.answer()[0],
    }
    ruling = demo.play_to(lambda ask: ask.subject.startswith("R-"))
    return found | {
        "ruling": _question_text(ruling),
        "loss": _sentence_with("CVP +", demo.answer()),
    }


def _sentence_with(words: str, said: Sequence[str]) -> str:
    return next(sentence for sentence in said if words in sentence)


def _question_text(ask: Question[Any]) -> str:
    return f"{ask.rule} {ask.prompt}"


def _areas_and_recovery(demo: DemoCampaign) -> dict[str, Any]:
    made = demo.play_past(lambda ask: ask.rule == "15.607")
    results = {name: _result_of_roll(demo, rule) for name, rule in RECOVERY.items()}
    return results | {
        "perimeters": sum(line.startswith("Marine Perimeter") for line in made),
        "areas": ", ".join(sorted(demo.view().campaign.areas)),
    }


def _result_of_roll(demo: DemoCampaign, rule: str) -> str:
    return demo.play_past(lambda ask: ask.rule == rule and ask.dice is not None)[0]


def _purchases(demo: DemoCampaign) -> dict[str, Any]:
    ask = demo.play_to(lambda ask: ask.buying and ask.side is Side.MARINE)
    book = demo.view(Side.MARINE)
    prices = (" ".join(line.split()) for line in prices_text(book).splitlines())
    found = {"buying": ask.prompt, "points_before": _marine_points(book)}
    found["price"] = next(line for line in prices if line.startswith(str(FOXHOLES["item"])))
    found["bought"] = demo.enter("buy", FOXHOLES)[0]
    found["points_after"] = _marine_points(demo.view(Side.MARINE))
    return found | {"banzai": demo.play_to(lambda ask: ask.rule == "15.616").prompt}


def _marine_points(book: View) -> str:
    [record] = beach_defense_pages(book.campaign, book.card, Side.MARINE)
    return " · ".join(line.strip() for line in account_lines(record.account))


def _setup(demo: DemoCampaign) -> dict[str, Any]:
    isolated = demo.play_past(lambda ask: ask.rule == "15.6201" and ask.side is Side.MARINE)
    ask = demo.play_to(lambda ask: ask.rule == "15.6202" and ask.side is Side.MARINE)
    return {"isolated": len(isolated), "setup": _question_text(ask), "set_up": demo.answer()[0]}


def _next_scenario(demo: DemoCampaign) -> dict[str, Any]:
    """Return the Victory Points, and the codes of two counters that the scenario may change."""
    book = demo.view(Side.MARINE)
    codes = book.codes
    squads = (unit for unit in book.campaign.units.values() if unit.kind == "squad")
    lost, broken, *_ = [unit for unit in squads if unit.id in codes.own]
    summary = last_refit_summary(book)
    assert summary is not None, "the Refit Phase has been played"
    return {
        "next_victory": victory_requirement_lines(book.campaign, book.card)[0],
        "next_refit": summary.brief_text,
        "lost": lost.label,
        "broken": broken.label,
        "code_lost": f"x{codes.code_of(lost.id)}",
        "code_broken": f"b{codes.code_of(broken.id)}",
    }


# --- as a document, and as text ------------------------------------------------------------------


def build_guide(book: View) -> Document:
    """Return the guide, the same for every campaign."""
    sections = guide_sections()
    data = {
        **json_document_start("guide", book.side),
        "sections": [{"title": each.title, "lines": [*each.lines]} for each in sections],
    }
    header = PageHeader(CAMPAIGN_NAME, demo_figures()["date"], "the same for every seat", "")
    return Document(
        TITLE, lambda: header, data, partial(_sheets, sections), partial(_blocks, sections)
    )


def _sheets(sections: Sequence[GuideSection]) -> Iterator[Sheet]:
    rows = [{"section": each.title, "text": line} for each in sections for line in each.lines]
    yield Sheet("guide", ("section", "text"), rows)


def _blocks(sections: Sequence[GuideSection]) -> Iterator[Block]:
    for section in sections:
        yield SectionBlock(section.title, [*_paragraphs(section.lines)])


def _paragraphs(lines: Sequence[str]) -> Iterator[Block]:
    items: list[str] = []
    for line in lines:
        line = COMMAND.sub(r"“\1”", line)
        if line.startswith(ITEM):
            items.append(line.removeprefix(ITEM))
            continue
        if items:
            yield Bullets([*items])
            items.clear()
        yield TextBlock(line)
    if items:
        yield Bullets(items)


def plain_guide_text(title: str, sections: Sequence[GuideSection]) -> str:
    """Return the sections as plain text for a terminal or a pipe."""
    return "\n\n".join([title.upper(), *map(_section_text, sections)])


def _section_text(section: GuideSection) -> str:
    return "\n".join([section.title, *chain.from_iterable(map(_wrapped, section.lines))])


def _wrapped(line: str) -> list[str]:
    """Return a wrapped line; a command that fits on one line is not broken."""
    kept = COMMAND.sub(lambda found: found[0].replace(" ", KEPT), line)
    beside = "  " if line.startswith(ITEM) else ""
    lines = wrap(
        kept, WIDTH, subsequent_indent=beside, break_long_words=False, break_on_hyphens=False
    )
    return [found.replace(KEPT, " ") for found in lines]
