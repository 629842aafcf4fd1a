"""Victory: the Victory Points of a scenario and of the campaign (15.615), and the victory of CG I.

The status, the Dashboard and the records show these counts too.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from brt_cg.board import locations
from brt_cg.card import Card
from brt_cg.immutable import immutable
from brt_cg.model import MOST, SIDES, Campaign, Fortification, Side, UnitKind
from brt_cg.questions import ChoiceQuestion, Option
from brt_cg.refit.play import Play
from brt_cg.text import count_text, hyphens_to_minus_signs

# The paragraphs whose losses may cause the victory of CG I (R-CG1-WHEN).
AT_ONCE = ("15.601", "15.6031", "15.6041", "15.6043", "15.605", "15.609")


@immutable
class VictoryPoints:
    """The parts of a side's Victory Points: each line in words, with its points."""

    lines: tuple[tuple[str, int], ...]

    @property
    def total(self) -> int:
        return sum(points for _, points in self.lines)

    def __str__(self) -> str:
        parts = " and ".join(f"{points} {words}" for words, points in self.lines)
        return f"{self.total} ({parts})" if len(self.lines) > 1 else str(self.total)


def victory_points(campaign: Campaign, whole: bool) -> dict[Side, VictoryPoints]:
    """Return a side's Victory Points (15.615): Casualty VP; for the Marines, also the capacity of
    each pillbox that they eliminated or captured. They are for the whole campaign, or for its last
    scenario alone."""
    found = {}
    for side in SIDES:
        lines = [("CVP", campaign.cvp(side) if whole else campaign.cvp_of_last_scenario(side))]
        if side is Side.MARINE and whole:
            lines.append(("for pillboxes", total_pillbox_vp(campaign)))
        elif side is Side.MARINE:
            lines.append(("for pillboxes", campaign.situation.pillbox_vp))
        found[side] = VictoryPoints(tuple(lines))
    return found


def leading_side(points: dict[Side, VictoryPoints]) -> Side:
    """Return the leading side; the Marines lead only with more Victory Points than the Japanese."""
    more = points[Side.MARINE].total > points[Side.JAPANESE].total
    return Side.MARINE if more else Side.JAPANESE


def score_text(points: dict[Side, VictoryPoints]) -> str:
    """Return the score, the Marines' first: "8 to 4"."""
    return " to ".join(hyphens_to_minus_signs(points[side].total) for side in SIDES)


def victory_points_text(points: dict[Side, VictoryPoints]) -> str:
    """Return both sides' sums in one line."""
    return ", ".join(f"{side.label} {points[side]}" for side in SIDES)


def victory_requirement_lines(campaign: Campaign, card: Card) -> list[str]:
    """Return the state of each way to win this CG, and the remaining requirements: the immediate
    victory of CG I, and the Victory Points of the campaign (R-CG-VICTORY), in lines."""
    lines = []
    left = distance_to_immediate_victory(campaign, card)
    if left is not None:
        lines.append(f"Immediate victory in CG {card.cg}: {left}")
    points = victory_points(campaign, whole=True)
    marine, japanese = points[Side.MARINE].total, points[Side.JAPANESE].total
    needed = f"the Japanese need {marine - japanese} more to win"
    if marine <= japanese:
        needed = f"the Marines need {japanese - marine + 1} more to win"
    lines.append(f"Campaign VP: Marine {marine}, Japanese {japanese}; {needed}")
    return lines


def minimum_cvp(campaign: Campaign, side: Side) -> int:
    """Return the lowest possible CVP of a side: R-PRISONER-CVP may take the Japanese below 0."""
    below = campaign.ruling_value("R-PRISONER-CVP") == "subtract_below"
    return -MOST if below and side is Side.JAPANESE else 0


def cvp_problems(
    campaign: Campaign, side: Side, totals: Mapping[str, Any]
) -> Iterator[tuple[str, str]]:
    """Yield the problems of CVP given for a side: each field, and the reason."""
    least = minimum_cvp(campaign, side)
    for name in ("cvp", "cvp_before"):
        if (totals.get(name) or 0) < least:
            allowed = f"{least} or more (R-PRISONER-CVP)"
            yield name, f"{totals[name]} is not accepted; enter {allowed}"


async def ask_who_won(play: Play, subject: str, prompt: str, ahead: Side) -> Side:
    """Ask the players to confirm or enter the winner."""
    return await play.ask(
        ChoiceQuestion(
            subject=subject,
            side=Side.MARINE,
            prompt=prompt,
            public=True,
            about=subject,
            options=tuple(Option(str(side), f"the {side.plural}", side) for side in SIDES),
            default=str(ahead),
        )
    )


# --- pillboxes ------------------------------------------------------------------------------------


def pillbox_points(pillbox: Fortification) -> int:
    """Return a pillbox's VP: its stacking capacity; none if its own side removed it (15.6139)."""
    return 1 if pillbox.capacity is None else pillbox.capacity


def total_pillbox_vp(campaign: Campaign) -> int:
    """Return the Marines' VP for pillboxes in the whole campaign: the sum of those settled for each
    scenario (15.6032) and of the pillboxes that fell in the Refit Phases (15.6082)."""
    situation = campaign.situation
    if situation.pillbox_vp_so_far is not None:
        return situation.pillbox_vp_so_far
    return max(situation.pillbox_vp, vp_of_fallen_pillboxes(campaign))


def pillbox_vp_before_last_scenario(campaign: Campaign) -> int:
    """Return the pillbox VP before those of the last scenario are settled."""
    so_far = campaign.situation.pillbox_vp_so_far
    return vp_of_fallen_pillboxes(campaign) if so_far is None else so_far


def pillbox_vp_of_earlier_dates(campaign: Campaign) -> int:
    """Return the VP of the pillboxes that are recorded to have fallen on earlier dates: those of an
    adopted campaign."""
    dated = (box for box in japanese_pillboxes(campaign) if box.fell is not None)
    return sum(pillbox_points(box) for box in dated if box.fell != campaign.situation.date)


def vp_of_fallen_pillboxes(campaign: Campaign) -> int:
    """Return the VP of the pillboxes that the Marines have ever eliminated or captured, each
    counted once."""
    return sum(map(pillbox_points, fallen_pillboxes(campaign)))


def fallen_pillboxes(campaign: Campaign) -> list[Fortification]:
    """Return the pillboxes that the Marines have ever eliminated or captured."""
    return [box for box in japanese_pillboxes(campaign) if has_fallen(campaign, box)]


def has_fallen(campaign: Campaign, box: Fortification) -> bool:
    """Whether the VP of a pillbox have been counted. In a campaign begun under rules that did not
    record this, those of every pillbox that the Marines Control have been."""
    recorded = campaign.situation.pillbox_vp_so_far is not None
    return box.fell is not None or (box.controller is Side.MARINE and not recorded)


def newly_fallen_pillboxes(campaign: Campaign) -> list[Fortification]:
    """Return the pillboxes that have been eliminated, or that the Marines Control at the end of the
    scenario, and that have not been counted yet, except those that their own side removed."""
    standing = (box for box in japanese_pillboxes(campaign) if not has_fallen(campaign, box))
    fallen = (box for box in standing if _is_lost(box) or _is_marine(campaign, box))
    return sorted(fallen, key=campaign.asking_order_key)


def _is_lost(box: Fortification) -> bool:
    return not box.in_play and pillbox_points(box) > 0


def record_fallen_pillbox(campaign: Campaign, box: Fortification) -> int:
    """Record that the Marines have captured or eliminated a pillbox. Return its VP."""
    box.controller, box.fell = Side.MARINE, campaign.situation.date
    return pillbox_points(box)


def score_controlled_pillbox(play: Play, box: Fortification, ruling: str | None) -> None:
    """Count a pillbox that the Marines Control from now on, for the campaign (R-EMPTY-PILLBOX)."""
    campaign, situation = play.campaign, play.campaign.situation
    if has_fallen(campaign, box) or box not in japanese_pillboxes(campaign):
        return
    worth = record_fallen_pillbox(campaign, box)
    if situation.pillbox_vp_so_far is not None:
        situation.pillbox_vp_so_far += worth
    words = f"is captured by the Marines, worth {worth} VP for its capacity (15.615)"
    play.log_event(box, words, ruling=ruling)


def pillboxes_taken_with_hex(campaign: Campaign) -> list[Fortification]:
    """Return the empty pillboxes outside the Marine Perimeters that have only Marines in their hex
    (R-EMPTY-PILLBOX)."""
    boxes = (box for box in japanese_pillboxes(campaign) if not has_fallen(campaign, box))
    empty = (box for box in boxes if not (box.hidden or box.unseen))
    by_hex = (box for box in empty if is_empty_outside_perimeters(campaign, box))
    only_marines = {Side.MARINE}
    return campaign.sort_counters_in_play(
        box for box in by_hex if _seen_at(campaign, box.location or "") == only_marines
    )


def japanese_pillboxes(campaign: Campaign) -> Iterable[Fortification]:
    """Return the Japanese pillboxes, except those removed when their purchase was voided."""
    voided = {purchase.voids for purchase in campaign.purchases.values() if purchase.voids}
    return (
        fort
        for fort in campaign.fortifications.values()
        if fort.side is Side.JAPANESE and fort.is_pillbox
        if fort.purchase is None or fort.purchase not in voided or fort.fell is not None
    )


def _is_marine(campaign: Campaign, box: Fortification) -> bool:
    """Whether the Marines Control a pillbox at the end of the scenario, as both sides know it: with
    a unit inside, or with it in one of their Perimeters and no Japanese seen inside;
    R-EMPTY-PILLBOX decides about any other empty one."""
    known = box.in_play and not (box.hidden or box.unseen)
    if box.location is None or box.off_map or not known:
        return False
    if is_empty_outside_perimeters(campaign, box):
        at_once = campaign.ruling_value("R-EMPTY-PILLBOX") == "scenario"
        return at_once and _seen_at(campaign, box.location) == {Side.MARINE}
    return _seen_at(campaign, locations.location_inside_fortification(box.location, box.id)) <= {
        Side.MARINE
    }


def is_empty_outside_perimeters(campaign: Campaign, box: Fortification) -> bool:
    """Whether R-EMPTY-PILLBOX decides about a pillbox: it is not in a Marine Perimeter, and nobody
    has been seen inside."""
    if box.location is None or box.off_map or not box.in_play:
        return False
    hexes = {hex for perimeter in campaign.situation.perimeters for hex in perimeter}
    inside = _seen_at(campaign, locations.location_inside_fortification(box.location, box.id))
    return not inside and locations.ground_hex(box.location) not in hexes


def _seen_at(campaign: Campaign, location: str) -> set[Side]:
    """Return the sides with a unit in a Location that both know of."""
    there = (piece for piece in campaign.pieces_at(location) if piece.is_opposing)
    return {piece.side for piece in there if campaign.side_hiding(piece) is None}


# --- the victory of CG I --------------------------------------------------------------------------


@immutable
class VictoryDistance:
    """The distance to the immediate victory of CG I: the known unbroken Japanese and Korean squads
    on map, Japanese CVP, and the CVP allowed."""

    squads: int
    cvp: int
    limit: int

    @property
    def is_reached(self) -> bool:
        return self.squads == 0 and self.cvp <= self.limit

    def __str__(self) -> str:
        squads = count_text(self.squads, "unbroken Japanese squad")
        if self.cvp > self.limit:
            return f"not while the Japanese CVP are {self.cvp}, above {self.limit}"
        return f"{squads} on map; Japanese CVP {self.cvp} of at most {self.limit}"


def distance_to_immediate_victory(campaign: Campaign, card: Card) -> VictoryDistance | None:
    """Return the distance to the immediate victory; None if the card has none."""
    if card.victory is None:
        return None
    squads = sum(
        unit.kind is UnitKind.SQUAD
        and not unit.off_map
        and not unit.has_status("broken", "disrupted")
        for unit in campaign.free_units_in_play_of(Side.JAPANESE)
    )
    cvp = campaign.cvp(Side.JAPANESE)
    return VictoryDistance(squads, cvp, card.victory.japanese_cvp_limit)


def check_immediate_victory(play: Play) -> None:
    """Check whether CG I is won at the end of the scenario, or by a loss up to 15.609 (R-CG1-WHEN
    `always`)."""
    if play.rule in AT_ONCE and play.ruling_value("R-CG1-WHEN") == "always":
        record_immediate_victory_if_reached(play, "R-CG1-WHEN")


def record_immediate_victory_if_reached(play: Play, ruling: str | None = None) -> None:
    """Record the immediate victory in CG I if it is reached: the Marines win when no unbroken
    Japanese or Korean squad is on map while the Japanese CVP are within the card's limit."""
    situation, victory = play.campaign.situation, play.card.victory
    found = distance_to_immediate_victory(play.campaign, play.card)
    if victory is None or found is None or situation.victor is not None or not found.is_reached:
        return
    situation.victor = victory.winner
    play.log(
        "no unbroken Japanese or Korean squad is on map and the Japanese CVP are "
        f"{found.cvp} (limit {found.limit}), so the Marines have won the campaign",
        ruling=ruling,
    )
