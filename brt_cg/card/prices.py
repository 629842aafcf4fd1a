"""The purchases of 15.614: their prices and limits."""

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import Annotated

from brt_cg.card.rulings import Ruling
from brt_cg.card.toml_reader import CardReading, Minimum, TomlSection
from brt_cg.immutable import immutable
from brt_cg.model import PointsKind, Side, WeaponKind

PARTS_OF_DAY = ("AM", "PM", "NT")


class PlacementCondition(StrEnum):
    """A condition on the Location of a purchase."""

    OCEAN = "ocean"
    BEACH_ADJACENT = "beach_adjacent"
    NOT_BEACH_ADJACENT = "not_beach_adjacent"
    NOT_BEACH = "not_beach"
    HEXSIDE = "hexside"
    TWO_LOCATIONS = "two_locations"
    ADJACENT_LOCATIONS = "adjacent_locations"
    WITH_TETRAHEDRON = "with_tetrahedron"
    COVERED_ARC = "covered_arc"
    NOT_INSIDE = "not_inside"


class CreatedKind(StrEnum):
    """The kinds of counters that a purchase creates."""

    FORTIFICATION = "fortification"
    WEAPON = "weapon"
    NONE = "none"


@immutable
class CreatedCounter:
    """The counter that one purchased item becomes; `crew` means that an Infantry crew comes with
    it.

    `capacity` is in squad-equivalents; one more squad-equivalent costs `extra_capacity_cost` points
    (0 for CAPP: it uses the beach's exponent; None: it cannot be bought). The TEM are those inside
    and outside the CA. A `hidden` item is hidden by its nature until it is found or revealed
    (15.6082).
    """

    kind: CreatedKind
    weapon_kind: WeaponKind | None = None
    crew: bool = False
    capacity: Annotated[int | None, Minimum(1)] = None
    ca_tem: int | None = None
    nca_tem: int | None = None
    extra_capacity_cost: Annotated[int | None, Minimum(0)] = None
    hidden: bool = False


@immutable
class HipOffer:
    """The purchase of HIP: the squad-equivalents that one purchase covers, and the limit in percent
    of the squad-equivalents on map, by day and by night (15.6143 m)."""

    half_squads: Annotated[int, Minimum(0)]
    day_percent: Annotated[int, Minimum(0)]
    night_percent: Annotated[int, Minimum(0)]

    @property
    def squad_equivalents(self) -> float:
        return self.half_squads / 2


@immutable(kw_only=True)
class Price:
    """A row of the purchase tables (15.6141–15.6143).

    `side` None: both sides. `max_per_beach` is shared by all items of one `beach_group`.
    `max_campaign` is by CG; if `campaign_rulings` names a ruling for a CG, that decides instead.
    `initial_only`: only before the initial scenario. `per_refit`: the limit per side in each Refit
    Phase, and before the initial scenario. `marine_dates`: the Marines may buy it only in the Refit
    Phase before a date at one of these times of day.
    """

    key: str
    name: str
    points: PointsKind
    rule: str
    cost: Annotated[int, Minimum(1)]
    cost_after_initial: Annotated[int | None, Minimum(1)] = None
    side: Side | None = None
    max_per_beach: Annotated[int | None, Minimum(1)] = None
    beach_group: str | None = None
    max_campaign: Mapping[str, int] | None = None
    campaign_rulings: Mapping[str, str] = field(default_factory=dict)
    not_beaches: tuple[str, ...] = ()
    initial_only: bool = False
    isolated_ok: bool = False
    front_line_ok: bool = False
    per_refit: Annotated[int | None, Minimum(1)] = None
    marine_dates: tuple[str, ...] = ()
    placement: tuple[PlacementCondition, ...] = ()
    hip: HipOffer | None = None
    creates: CreatedCounter

    @property
    def marines_buy_before_text(self) -> str:
        """The dates before which the Marines may buy the item: "an AM or Night date"."""
        parts = ("Night" if part == "NT" else part for part in self.marine_dates)
        return f"an {' or '.join(parts)} date"

    def can_be_bought_by(self, side: Side) -> bool:
        """Whether a side may ever buy the item."""
        return self.side in (None, side)

    @property
    def later_cost(self) -> int:
        """The price of one after the initial scenario (15.6143 h)."""
        return self.cost if self.cost_after_initial is None else self.cost_after_initial

    def campaign_maximum(self, cg: str, ruled: Mapping[str, str]) -> int | None:
        """Return the limit for a whole campaign under the current rulings; None: no limit."""
        if self.max_campaign is None:
            return None
        by_ruling = ruled.get(self.campaign_rulings.get(cg, ""))
        return self.max_campaign[cg] if by_ruling is None else int(by_ruling)


def read_prices(reading: CardReading, rulings: Mapping[str, Ruling]) -> Mapping[str, Price]:
    """Read the items of `prices.toml` by key; they may name these rulings. Raises CardError with
    everything that is wrong."""
    cgs, beaches = reading.root.texts("cgs"), reading.root.texts("beaches")
    items = {
        key: section.read_fields(
            Price,
            key=key,
            max_campaign=_limits(section, cgs),
            campaign_rulings=_campaign_rulings(section, cgs, rulings),
            not_beaches=section.optional_texts("not_beaches", beaches),
            marine_dates=section.optional_texts("marine_dates", PARTS_OF_DAY),
            creates=_creates(section.section("creates")),
        )
        for key, section in reading.root.section("prices").remaining_sections()
    }
    reading.raise_problems()
    return items


def _limits(section: TomlSection, cgs: tuple[str, ...]) -> Mapping[str, int] | None:
    """Read the campaign maximum for each of these CG; None if the row has none."""
    limits = section.optional_section("max_campaign")
    if limits is None:
        return None
    return {cg: limits.integer(cg, low=1) for cg in cgs}


def _campaign_rulings(
    section: TomlSection, cgs: tuple[str, ...], known: Mapping[str, Ruling]
) -> Mapping[str, str]:
    """Return the rulings that set a campaign maximum, by CG; each must be in `rulings.toml`."""
    named = section.optional_section("campaign_rulings")
    if named is None:
        return {}
    rulings = {cg: named.text(cg) for cg in cgs if named.has_key(cg)}
    for cg, ruling in rulings.items():
        if ruling not in known:
            named.note_bad_value(cg, ruling, "the id of a ruling")
    return rulings


def _creates(section: TomlSection) -> CreatedCounter:
    kind = section.enum_member("kind", CreatedKind)
    weapon_kind = (
        section.enum_member("weapon_kind", WeaponKind) if kind is CreatedKind.WEAPON else None
    )
    return section.read_fields(CreatedCounter, kind=kind, weapon_kind=weapon_kind)
