"""A forecast in words, with bars, for the command line and the screen."""

from collections.abc import Iterator, Sequence
from math import ceil, floor

from brt_cg.card import Card
from brt_cg.exports.wording import view_words
from brt_cg.forecast.outcomes import (
    Chance,
    CounterRisk,
    Difference,
    Forecast,
    Spread,
    counters_by_risk,
)
from brt_cg.model import Campaign, Side
from brt_cg.text import hyphens_to_minus_signs

FIGURES = {"cvp": "CVP", "san": "SAN", "squad_equivalents": "squad-equivalents"}
BAR = 20  # cells of a full bar
STACKED = {"lost": "█", "unsure": "▒", "kept": "░"}  # the parts of a bar


def forecast_lines(found: Forecast, campaign: Campaign, card: Card) -> Iterator[str]:
    """Yield a forecast in words: a line for each figure; for each counter (first those with the
    most Casualty VP at risk), a bar and a line for each chance."""
    yield f"{found.date} · {found.runs} Refit Phases · seed {found.seed} · {view_words(found.seat)}"
    for side, spreads in found.sides.items():
        yield ""
        yield side.label
        for what, spread in spreads.items():
            yield f"  {FIGURES[what]:<18} {spread_text(spread)}"
    if found.counters:
        yield ""
        yield ", ".join(f"{sign} {word}" for word, sign in STACKED.items())
    for row in counters_by_risk(found, campaign, card):
        yield ""
        yield counter_text(campaign, row.id)
        points = f", {row.worth} CVP" if row.worth else ""
        yield f"  {''.join(stacked_bar(row.risk))} {risk_text(row):>6} lost{points}"
        for chance in found.counters[row.id]:
            yield f"  {chance_text(chance)}"
    if not found.counters:
        yield ""
        yield "no counter depends on dice"


def stacked_bar(risk: Chance, width: int = BAR) -> tuple[str, str, str]:
    """Return a bar of the chances that a counter is lost, uncertain or kept. The lost part may end
    anywhere in the uncertain cells; there are none if the risk is exact; a chance that is neither 0
    nor certain gets at least one cell."""
    if risk.is_exact:
        sure = round(risk.chance * width)
        sure = min(max(sure, risk.chance > 0), width - (risk.chance < 1))
        ends = sure, sure
    else:
        ends = floor(risk.low * width), ceil(risk.high * width)
    cells = (ends[0], ends[1] - ends[0], width - ends[1])
    lost, unsure, kept = (sign * many for sign, many in zip(STACKED.values(), cells, strict=True))
    return lost, unsure, kept


def risk_text(row: CounterRisk) -> str:
    """Return the chance that a counter is lost: "83%", or its range: "64–68%"."""
    risk = row.risk
    return (
        percent_text(risk.low) if risk.is_exact else f"{risk.low * 100:.0f}–{risk.high * 100:.0f}%"
    )


def interval_bar(now: float, spread: Spread, ends: Sequence[float], width: int) -> str:
    """Return a figure on a line between two values: "○" now, "━" the range of 80% of the runs, "┃"
    its mean."""
    low, high = ends

    def at(figure: float) -> int:
        return round((figure - low) / (high - low) * (width - 1)) if high > low else 0

    line = ["─"] * width
    line[at(spread.p10) : at(spread.p90) + 1] = "━" * (at(spread.p90) + 1 - at(spread.p10))
    line[at(now)] = "○"
    line[at(spread.mean)] = "┃"
    return "".join(line)


def counter_text(campaign: Campaign, id: str) -> str:
    """Return a counter's name for players."""
    counter = campaign.find(id)
    return id if counter is None else counter.label


def spread_text(spread: Spread) -> str:
    """Return a spread in words: "61.2 ± 0.3, 80%: 55–67"."""
    if spread.p10 == spread.p90 == spread.mean:
        return figure_text(spread.mean)
    off = f" ± {figure_text(spread.off)}" if spread.off >= 0.05 else ""
    return (
        f"{figure_text(spread.mean)}{off}, 80%: {figure_text(spread.p10)}–{figure_text(spread.p90)}"
    )


def short_spread(spread: Spread) -> str:
    """Return a spread in short form: "61.2 (55–67)", with the range of 80% of the runs."""
    ends = f"{figure_text(spread.p10)}–{figure_text(spread.p90)}"
    return figure_text(spread.mean) + (f" ({ends})" if spread.p10 < spread.p90 else "")


def chance_text(chance: Chance) -> str:
    """Return a chance in words: "50% still wounded", with the interval if it is not exact."""
    between = (
        "" if chance.is_exact else f"  ({percent_text(chance.low)} to {percent_text(chance.high)})"
    )
    return f"{percent_text(chance.chance):>6} {chance.outcome}{between}"


def difference_text(difference: Difference) -> str:
    """Return a difference in words: "Marine CVP: 61.2 → 64"."""
    what, first, second = difference.what, difference.first, difference.second
    if what in FIGURES:
        whose = Side(difference.about).label
        return f"{whose} {FIGURES[what]}: {figure_text(first)} → {figure_text(second)}"
    return f"{difference.about} {what}: {percent_text(first)} → {percent_text(second)}"


def percent_text(share: float) -> str:
    """Return a chance in percent, with a decimal if it is small or nearly certain."""
    value = share * 100
    return f"{value:.1f}%" if value % 1 and (value < 10 or value > 90) else f"{value:.0f}%"


def figure_text(value: float) -> str:
    """Return a figure with a proper minus sign, and with a decimal only if it is not whole."""
    return hyphens_to_minus_signs(f"{value:.1f}".removesuffix(".0"))
