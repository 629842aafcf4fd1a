"""The order of battle to be proofread against the card: line by line, with its worth, and in all;
a line is changed or dropped here."""

from collections.abc import Awaitable, Callable, Iterator, Sequence

from textual.content import Content

from brt_cg.card import Card
from brt_cg.card.arriving import counters_of, words_of
from brt_cg.card.proof import ProofLine, proof
from brt_cg.exports.order_of_battle import lines_of_arrival, order_lines
from brt_cg.model.counters import Counter, Side
from brt_cg.model.numbered import natural
from brt_cg.purchases.breach import halves, squad_equivalents
from brt_cg.text import counted
from brt_cg.tui.dialogs.choice import ChoiceScreen, Reply
from brt_cg.tui.forms.order_lines import OrderLinesForm
from brt_cg.tui.rooms.campaign.page import PageRow, labelled
from brt_cg.tui.session.campaign_app import CampaignApp
from brt_cg.tui.session.session import Seen

CHANGES = "change or drop it"


def proofread(seen: Seen, side: Side) -> Iterator[PageRow]:
    """Yields a row for each line of a side's counters, and one for all of them."""
    counters: list[Counter] = []
    for number, line in enumerate(order_lines(seen.view, side)):
        counters += line.counters
        worth = proof(line.counters, seen.card)[-1]
        ids = [each.id for each in line.counters]
        yield PageRow(
            labelled(f"  {line.text.replace(' x ', ' × ', 1)}", (_worth(worth), "dim"), "", 34),
            f"line.{side}.{number}",
            line.text,
            Content(f"{_worth(worth)}\n" + "\n".join(each.label for each in line.counters)),
            enter=CHANGES,
            does=_changing(side, line.text, ids),
        )
    if counters:
        total = proof(counters, seen.card)[-1]
        yield PageRow(
            labelled("Total", (_in_short(total), "bold"), "bold"),
            f"total.{side}",
            f"{side.label}: total, to check against the card",
            by_kind(counters, seen.card),
        )


def arrivals(seen: Seen, side: Side) -> Iterator[PageRow]:
    """Yields a row for each arrival of a side that has not entered."""
    waiting = seen.view.arrivals
    for key in sorted(waiting, key=natural):
        arrival = waiting[key]
        if arrival.side is side and not arrival.entered:
            worth = proof(counters_of(arrival), seen.card)[-1]
            yield PageRow(
                labelled("To come", words_of(arrival)),
                f"arrival.{arrival.id}",
                words_of(arrival),
                Content(f"{_total(worth)}\nThey enter off map at 15.6121 of that date."),
                enter=CHANGES,
                does=_changing(side, "\n".join(lines_of_arrival(arrival)), [arrival.id]),
            )


def by_kind(counters: Sequence[Counter], card: Card) -> Content:
    """The counters by kind and type, with what each is worth, and all together."""
    *lines, total = proof(counters, card)
    rows = [f"{line.count:>3} × {line.what} · {_worth(line)}".rstrip(" ·") for line in lines]
    return Content("\n").join([*map(Content, rows), Content.styled(_total(total), "bold")])


def _worth(line: ProofLine) -> str:
    size = f"{halves(line.squad_equivalents)} sq-eq" if line.squad_equivalents else ""
    cvp = f"{line.cvp} CVP" if line.cvp else ""
    return ", ".join(filter(None, (size, cvp)))


def _in_short(total: ProofLine) -> str:
    return f"{counted(total.count, 'counter')}, {_worth(total)}".rstrip(", ")


def _total(line: ProofLine) -> str:
    size = squad_equivalents(line.squad_equivalents)
    return f"{counted(line.count, 'counter')}, {size}, {line.cvp} CVP"


def _changing(side: Side, text: str, ids: list[str]) -> Callable[[CampaignApp], Awaitable[object]]:
    """What Enter does: asks whether to change the line or to drop it."""

    async def ask(app: CampaignApp) -> None:
        replies = [
            Reply("change", "c", "change the line"),
            Reply("drop", "d", f"drop it: {app.key('everywhere.undo')} restores it"),
        ]
        chosen = await app.push_screen_wait(ChoiceScreen(text.partition("\n")[0], "", replies))
        if chosen is not None and chosen.value == "drop":
            app.perform(lambda desk: desk.command("drop", {"ids": ids}))
        elif chosen is not None:
            await app.fill_in(OrderLinesForm(app.session, side, text, ids))

    return ask
