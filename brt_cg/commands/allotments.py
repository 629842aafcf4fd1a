"""The points of a CG card: those of `new`, and the `allot` command (15.614).

`allot` has `side`, `beach` (Japanese), figures by kind of points (an omitted kind keeps its
figure), and `date` for a grant.
"""

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any

from brt_cg.card import Card
from brt_cg.commands import Command
from brt_cg.commands.problems import InputProblems, field_path
from brt_cg.model import SIDES, Allotment, Campaign, Number, Phase, Side, secret_of
from brt_cg.purchases import pools
from brt_cg.purchases.breach import raise_breaches
from brt_cg.purchases.totals import POINTS, Fund, fund_of
from brt_cg.text import list_text, short_json, unknown_name_error

Given = Mapping[str, Any]
WHOSE = ("date", "side", "beach")


def set_allotment_or_grant(command: Command) -> None:
    """Set an allotment or, with a date, a grant. Raises RefusedError, also if more than that has
    been spent."""
    command.require_campaign_not_over()
    campaign, card = command.campaign, command.card
    given = {name: value for name, value in command.asked.items() if value is not None}
    findings = InputProblems()
    findings.note_unknown_fields(given, (*WHOSE, *pools.KINDS))
    fund = _fund("", given, card, findings)
    if fund is not None and fund.beach is None and fund.side is Side.JAPANESE:
        findings.add("beach", f"missing; enter {list_text(card.beaches)}")
    points = _points("", given, fund, pools.KINDS, findings)
    date = given.get("date")
    dates = allowed_grant_dates(campaign, card)
    if date is not None and date not in dates:
        findings.add_bad_value("date", date, f"{list_text(dates)} (15.614)")
    findings.raise_problems()
    assert fund is not None, "the owner of the points has been read"
    record = _record(campaign, fund, date)
    for kind, amount in points.items():
        setattr(record, kind, amount)
    command.secret = secret_of(campaign, record)
    raise_breaches(pools.compute_account(campaign, fund.side, fund.beach).overdraft_breaches())
    gets, when = ("gets", f" on {date}") if date else ("has an allotment of", "")
    words = f"{pools.owner_text(record)} {gets} {pools.allotment_amounts(record)}{when}"
    command.log(words, record)
    warn_of_misprint(command, record)


def allowed_grant_dates(campaign: Campaign, card: Card) -> tuple[str, ...]:
    """Return the allowed dates of a grant: future dates, and the current one until its 15.614 has
    ended."""
    situation = campaign.situation
    in_refit = situation.phase is Phase.REFIT and situation.date != situation.ended
    return card.dates[card.date_index(situation.date) + (0 if in_refit else 1) :]


def _record(campaign: Campaign, fund: Fund, date: str | None) -> Allotment:
    """Return the record of an allotment or grant; create it if there is none."""
    for allotment in campaign.allotments.values():
        if fund_of(allotment.side, allotment.beach) == fund and allotment.date == date:
            return allotment
    grants = (f"grant-{number}" for number in count(1))
    id = next(id for id in grants if id not in campaign.allotments) if date else fund.id
    at_once = date is None or date == campaign.situation.date
    made = Allotment(id=id, side=fund.side, beach=fund.beach, date=date, credited=at_once)
    campaign.add(made)
    return made


def warn_of_misprint(command: Command, allotment: Allotment) -> None:
    """Warn if the points of a beach are those of a known misprint."""
    for misprint in command.card.misprints:
        printed = (misprint.beach, misprint.capp, misprint.exponent)
        if (allotment.beach, allotment.capp, allotment.exponent) == printed:
            command.log(misprint.text, allotment)


# --- the points of a whole card -------------------------------------------------------------------


def read_allotments(raw: object, card: Card, findings: InputProblems) -> Iterator[Allotment]:
    """Read the allotments of a card, in the form of the TOML file. Note any problem."""
    if raw is None:
        return
    known = (*SIDES, "grant")
    if not isinstance(raw, dict):
        findings.add_bad_value("", raw, f"tables {list_text(known)}")
        return
    findings.note_unknown_fields(raw, known)
    for key, given in raw.items():
        if key == Side.JAPANESE:
            yield from _beaches(given, card, findings)
        elif key == Side.MARINE:
            yield from _allotment("marine", given, Fund(Side.MARINE, None), findings)
        elif key == "grant":
            yield from _grants(given, card, findings)


def _beaches(raw: object, card: Card, findings: InputProblems) -> Iterator[Allotment]:
    if not isinstance(raw, dict):
        findings.add_bad_value("japanese", raw, f"a table for each of {list_text(card.beaches)}")
        return
    for beach, points in raw.items():
        path = f"japanese.{beach}"
        if beach in card.beaches:
            yield from _allotment(path, points, Fund(Side.JAPANESE, beach), findings)
        else:
            findings.add(path, str(unknown_name_error(card.beaches, path, "not a beach")))


def _allotment(path: str, raw: object, fund: Fund, findings: InputProblems) -> Iterator[Allotment]:
    if not isinstance(raw, dict):
        findings.add_bad_value(path, raw, f"a table with {list_text(_here(POINTS, fund))}")
        return
    unknown = {key: raw[key] for key in raw if key not in POINTS}
    findings.note_unknown_fields(unknown, _here(POINTS, fund), path)
    points = _points(path, raw, fund, POINTS, findings)
    if points:
        yield Allotment(id=fund.id, side=fund.side, beach=fund.beach, **points)


def _grants(raw: object, card: Card, findings: InputProblems) -> Iterator[Allotment]:
    if not isinstance(raw, list):
        findings.add_bad_value("grant", raw, "a list of tables [[grant]]")
        return
    for index, entry in enumerate(raw):
        path = f"grant[{index}]"
        before = len(findings.problems)
        if not isinstance(entry, dict):
            findings.add_bad_value(path, entry, "a table with date, side, beach and points")
            continue
        if entry.get("date") not in card.dates[1:]:
            allowed = f"a later date: {list_text(card.dates[1:])}"
            findings.add_bad_value(f"{path}.date", entry.get("date"), allowed)
        fund = _fund(path, entry, card, findings)
        findings.note_unknown_fields(entry, (*POINTS, *WHOSE), path)
        if fund is not None:  # FPP of the Japanese without a beach are the island's
            fund = fund_of(fund.side, fund.beach)
        points = _points(path, entry, fund, POINTS, findings)
        if len(findings.problems) == before and fund is not None:
            points |= {"date": entry["date"], "credited": False}
            yield Allotment(id=f"grant-{index + 1}", side=fund.side, beach=fund.beach, **points)


# --- the owner and number of points ---------------------------------------------------------------


def _fund(path: str, given: Given, card: Card, findings: InputProblems) -> Fund | None:
    """Return the owner of the points, and the beach if one is named. Note any problem."""
    side, beach = given.get("side"), given.get("beach")
    if side not in list(Side):
        what = "missing" if side is None else f"there is no side {side!r}"
        findings.add(field_path(path, "side"), f"{what}; enter {list_text(Side)}")
        return None
    if side == Side.MARINE and beach is not None:
        findings.add_bad_value(
            field_path(path, "beach"), beach, "no beach, since the Marines have none (15.6143)"
        )
    elif beach is not None and beach not in card.beaches:
        wrong = unknown_name_error(card.beaches, str(beach), f"{short_json(beach)} is not a beach")
        findings.add(field_path(path, "beach"), str(wrong))
    return Fund(Side(side), None if side == Side.MARINE else beach)


def _here(kinds: tuple[str, ...], fund: Fund | None) -> tuple[str, ...]:
    """Return the kinds of points that a fund may hold; all of them for an unknown fund."""
    return kinds if fund is None else tuple(kind for kind in kinds if kind in fund.point_kinds)


def _points(
    path: str, given: Given, fund: Fund | None, kinds: tuple[str, ...], findings: InputProblems
) -> dict[str, Any]:
    """Read the points of an allotment; at least one kind, and only allowed kinds."""
    points: dict[str, Any] = {}
    if not any(kind in given for kind in kinds):
        findings.add(path, f"no points; enter {list_text(_here(kinds, fund))}")
    for kind in (kind for kind in kinds if kind in given):
        try:
            if kind == "capp":
                points["capp"], points["exponent"] = pools.parse_capp(given["capp"])
            else:
                points[kind] = points.get(kind) or Number().read(given[kind])
        except ValueError as error:
            findings.add(field_path(path, kind), str(error))
        if fund is not None and given[kind] and kind not in fund.point_kinds:
            words = (
                "GPP and CAPP are for Japanese beaches; allowed here: "
                f"{list_text(fund.point_kinds)}"
            )
            findings.add(field_path(path, kind), f"{words} (15.614)")
    return points
