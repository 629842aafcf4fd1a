"""A forecast in words, with bars, for the command line and the screen."""

from collections.abc import Iterator

from brt_cg.exports.wording import view_words
from brt_cg.forecast.outcomes import Chance, Difference, Forecast, Spread
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side
from brt_cg.text import minus

FIGURES = {"cvp": "CVP", "san": "SAN", "squad_equivalents": "squad-equivalents"}
BAR = 20  # cells of a full bar


def forecast_lines(found: Forecast, campaign: Campaign) -> Iterator[str]:
    """A forecast in words, a line for each figure and chance."""
    yield f"{found.date} · {found.runs} Refit Phases · seed {found.seed} · {view_words(found.seat)}"
    for side, spreads in found.sides.items():
        yield ""
        yield side.label
        for what, spread in spreads.items():
            yield f"  {FIGURES[what]:<18} {spread_text(spread)}"
    for id, chances in found.counters.items():
        yield ""
        yield counter_text(campaign, id)
        for chance in chances:
            yield f"  {bar(chance.chance)} {chance_text(chance)}"
    if not found.counters:
        yield ""
        yield "no counter depends on dice"


def counter_text(campaign: Campaign, id: str) -> str:
    """A counter as players call it, with its id."""
    counter = campaign.find(id)
    return id if counter is None else counter.named


def spread_text(spread: Spread) -> str:
    """A spread in words: "61.2 ± 0.3, 80 %: 55–67"."""
    if spread.p10 == spread.p90 == spread.mean:
        return figure(spread.mean)
    off = f" ± {figure(spread.off)}" if spread.off >= 0.05 else ""
    return f"{figure(spread.mean)}{off}, 80 %: {figure(spread.p10)}–{figure(spread.p90)}"


def chance_text(chance: Chance) -> str:
    """A chance in words: "50% still wounded", with the interval if it is not exact."""
    between = "" if chance.exact else f"  ({percent(chance.low)} to {percent(chance.high)})"
    return f"{percent(chance.chance):>6} {chance.outcome}{between}"


def difference_text(difference: Difference) -> str:
    """A difference in words: "Marine CVP: 61.2 → 64"."""
    what, first, second = difference.what, difference.first, difference.second
    if what in FIGURES:
        whose = Side(difference.about).label
        return f"{whose} {FIGURES[what]}: {figure(first)} → {figure(second)}"
    return f"{difference.about} {what}: {percent(first)} → {percent(second)}"


def bar(share: float, width: int = BAR) -> str:
    """A share as a bar."""
    full = round(share * width) or (1 if share else 0)
    return "█" * full + "·" * (width - full)


def percent(share: float) -> str:
    """A chance in per cent, with a decimal where it is small or nearly sure."""
    value = share * 100
    return f"{value:.1f}%" if value % 1 and (value < 10 or value > 90) else f"{value:.0f}%"


def figure(value: float) -> str:
    """A figure with a proper minus sign, and a decimal only where it has one."""
    return minus(f"{value:.1f}".removesuffix(".0"))
