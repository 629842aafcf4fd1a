"""The command `new`: a campaign, with the points of its CG card if they are known.

`asked` holds `cg`, `name`, `players` (a name per side) and `allotments` (as the TOML file gives
them), each but `cg` or null.
"""

from collections.abc import Iterator
from typing import Any

from brt_cg.asks import Refused
from brt_cg.board import beach_name
from brt_cg.card import Card
from brt_cg.commands import Command
from brt_cg.commands.problems import Findings, listed
from brt_cg.counters import Side
from brt_cg.purchases import pools
from brt_cg.purchases.totals import ISLAND
from brt_cg.records import SIDES, Allotment, Phase, RulingInForce, SideRecord, Situation
from brt_cg.shapes import Number, Text

ASKED = ("cg", "name", "players", "allotments")
POINTS = ("gpp", "capp", "fpp")


def create(command: Command) -> None:
    """Carries out `new`. Raises Refused, with everything that is wrong."""
    campaign, card, asked = command.campaign, command.card, command.asked
    if campaign.tables[Situation.TABLE]:
        raise Refused("new is not possible: this is a campaign already")
    findings = Findings()
    name = _read_head(asked, findings)
    players = _read_players(asked.get("players"), findings)
    points = Findings("allotments")
    allotments = list(read_allotments(asked.get("allotments"), card, points))
    findings.lines += points.lines
    findings.finish()
    campaign.add(Situation(id="campaign", cg=card.cg, name=name, date=card.first_date))
    for side in SIDES:
        campaign.add(SideRecord(id=side.value, player=players.get(side)))
    for ruling in card.rulings.values():
        if not ruling.is_asked:
            campaign.add(RulingInForce(id=ruling.id, value=ruling.default))
    for allotment in allotments:
        campaign.add(allotment)
    _say(command, allotments)


def _read_head(asked: dict[str, Any], findings: Findings) -> str | None:
    for key in asked:
        if key not in ASKED:
            findings.add(key, f"unknown; allowed: {listed(ASKED)}")
    return _read_name(asked.get("name"), "name", findings)


def _read_name(raw: object, path: str, findings: Findings) -> str | None:
    try:
        return None if raw is None else Text().read(raw)
    except ValueError as error:
        findings.add(path, str(error))
        return None


def _read_players(raw: object, findings: Findings) -> dict[Side, str | None]:
    if raw is None:
        return {}
    if not isinstance(raw, dict) or not set(raw) <= set(Side):
        findings.bad("players", raw, f"a name for each of {listed(Side)}")
        return {}
    return {Side(side): _read_name(name, f"players.{side}", findings) for side, name in raw.items()}


def _say(command: Command, allotments: list[Allotment]) -> None:
    situation = command.campaign.situation
    named = f" “{situation.name}”" if situation.name else ""
    command.say(
        f"{command.card.title}{named} begins on {situation.date}, in phase {Phase.PURCHASE}"
    )
    for allotment in allotments:
        given = "grant" if allotment.date else "allotment"
        command.say(f"{given} for {pools.whose(allotment)}: {points_told(allotment)}", allotment)
        warn_of_misprint(command, allotment)


def warn_of_misprint(command: Command, allotment: Allotment) -> None:
    """Says so where the points of a beach are those of a known misprint."""
    for misprint in command.card.misprints:
        printed = (misprint.beach, misprint.capp, misprint.exponent)
        if (allotment.beach, allotment.capp, allotment.exponent) == printed:
            command.say(
                f"{beach_name(misprint.beach)}: {misprint.capp}^{misprint.exponent} CAPP is what "
                f"is printed; the official answer says {misprint.official} ({misprint.rule})",
                allotment,
            )


def points_told(allotment: Allotment) -> str:
    """The points of an allotment: "24 GPP, 26^2 CAPP, 60 FPP"."""
    capp = f"{allotment.capp}^{allotment.exponent}" if allotment.exponent else str(allotment.capp)
    shares = (
        (allotment.gpp, f"{allotment.gpp} GPP"),
        (allotment.capp or allotment.exponent, f"{capp} CAPP"),
        (allotment.fpp, f"{allotment.fpp} FPP"),
    )
    told = ", ".join(words for points, words in shares if points) or "none"
    when = f" at the Refit Phase of {allotment.date}" if allotment.date else ""
    return f"{told}{when}"


# --- allotments -----------------------------------------------------------------------------------


def read_allotments(raw: object, card: Card, findings: Findings) -> Iterator[Allotment]:
    """The allotments of a card, in the form of the TOML file. Notes what is wrong."""
    if raw is None:
        return
    known = (*SIDES, "grant")
    if not isinstance(raw, dict):
        findings.bad("", raw, f"tables {listed(known)}")
        return
    for key, given in raw.items():
        if key == Side.JAPANESE:
            yield from _beaches(given, card, findings)
        elif key == Side.MARINE:
            yield from _allotment("marine", given, Side.MARINE, None, findings)
        elif key == "grant":
            yield from _grants(given, card, findings)
        else:
            findings.add(str(key), f"unknown; allowed: {listed(known)}")


def _beaches(raw: object, card: Card, findings: Findings) -> Iterator[Allotment]:
    if not isinstance(raw, dict):
        findings.bad("japanese", raw, f"a table for each of {listed(card.beaches)}")
        return
    for beach, points in raw.items():
        path = f"japanese.{beach}"
        if beach in card.beaches:
            yield from _allotment(path, points, Side.JAPANESE, beach, findings)
        else:
            findings.add(path, f"not a beach; allowed: {listed(card.beaches)}")


def _allotment(
    path: str, raw: object, side: Side, beach: str | None, findings: Findings
) -> Iterator[Allotment]:
    points = _points(path, raw, side, beach, POINTS, findings)
    if points:
        id = side.value if beach is None else f"{side}/{beach}"
        yield _with_points(Allotment(id=id, side=side, beach=beach), points)


def _grants(raw: object, card: Card, findings: Findings) -> Iterator[Allotment]:
    if not isinstance(raw, list):
        findings.bad("grant", raw, "a list of tables [[grant]]")
        return
    for index, entry in enumerate(raw):
        path = f"grant[{index}]"
        before = len(findings.lines)
        if not isinstance(entry, dict):
            findings.bad(path, entry, "a table with date, side, beach and points")
            continue
        side, beach = _grant_for(path, entry, card, findings)
        points = _points(path, entry, side, beach, (*POINTS, "date", "side", "beach"), findings)
        if len(findings.lines) == before:
            grant = Allotment(id=f"grant-{index + 1}", side=side, beach=beach, date=entry["date"])
            grant.credited = False
            yield _with_points(grant, points)


def _grant_for(
    path: str, grant: dict[str, Any], card: Card, findings: Findings
) -> tuple[Side, str | None]:
    """Whose grant it is, and for which beach; FPP of the Japanese without one are the island's."""
    date, side, beach = grant.get("date"), grant.get("side"), grant.get("beach")
    if date not in card.dates[1:]:
        findings.bad(f"{path}.date", date, f"a later date: {listed(card.dates[1:])}")
    if side not in list(Side):
        findings.bad(f"{path}.side", side, listed(Side))
        return Side.JAPANESE, None
    if side == Side.MARINE:
        if beach is not None:
            findings.bad(f"{path}.beach", beach, "none: the Marines have no beaches")
        return Side.MARINE, None
    if beach is not None and beach not in card.beaches:
        findings.bad(f"{path}.beach", beach, listed(card.beaches))
    return Side.JAPANESE, ISLAND if beach is None else str(beach)


def _points(
    path: str,
    raw: object,
    side: Side,
    beach: str | None,
    known: tuple[str, ...],
    findings: Findings,
) -> dict[str, int]:
    """The points of an allotment; at least one kind, and only kinds that may be there."""
    if not isinstance(raw, dict):
        findings.bad(path, raw, f"a table with {listed(POINTS)}")
        return {}
    for key in raw:
        if key not in known:
            findings.add(f"{path}.{key}", f"unknown; allowed: {listed(known)}")
    given = [kind for kind in POINTS if kind in raw]
    if not given:
        findings.add(path, f"no points; allowed: {listed(POINTS)}")
    points: dict[str, int] = {}
    for kind in given:
        here = f"{path}.{kind}"
        if kind != "fpp" and (side is Side.MARINE or beach == ISLAND):
            findings.add(here, "GPP and CAPP are for Japanese beaches; allowed here: fpp")
        elif kind == "capp":
            points |= read_capp(here, raw[kind], findings)
        else:
            points[kind] = _number(here, raw[kind], findings)
    return points


def _with_points(allotment: Allotment, points: dict[str, int]) -> Allotment:
    for kind, amount in points.items():
        setattr(allotment, kind, amount)
    return allotment


def _number(path: str, raw: object, findings: Findings) -> int:
    try:
        return Number().read(raw)
    except ValueError as error:
        findings.add(path, str(error))
        return 0


def read_capp(path: str, raw: object, findings: Findings) -> dict[str, int]:
    """CAPP as the card prints them: "26^2" is 26 with Exponent 2; 26 has none."""
    try:
        capp, exponent = pools.read_capp(raw)
    except ValueError:
        findings.bad(path, raw, 'CAPP as "26^2" (26, Exponent 2) or 26')
        return {}
    return {"capp": capp, "exponent": exponent}
