"""Pointing at the map: at one Location after another, until they make an answer."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from brt_cg.board import OFF_MAP, TerrainType, grid, ground_hex, locations
from brt_cg.immutable import immutable
from brt_cg.model import Campaign
from brt_cg.questions.answers import Candidate, PointingForm, Raw

LEVELS = ("1", "2")  # levels offered in every hex; others only if a counter is on them


@immutable
class MapPick:
    """A target in a hex to point at: a Location or hex, its words, and the candidate that it
    selects, if any."""

    spot: str
    words: str
    candidate: Candidate | None = None


@dataclass(slots=True)
class MapPointing:
    """A question, and the places pointed at so far (`spots`).

    `how` describes the pointing, and `offered` are the candidates. If a field asks only for a
    Covered Arc, `near` is the Location that all parts must be next to; `start` is where the cursor
    begins.
    """

    title: str
    how: PointingForm
    offered: Sequence[Candidate] = ()
    near: str | None = None
    start: str | None = None
    spots: list[str] = field(default_factory=list)

    @property
    def current_part(self) -> str:
        """The part to point at now."""
        return self.how.parts[min(len(self.spots), len(self.how.parts) - 1)]

    @property
    def is_location_expected(self) -> bool:
        """Whether the player must now point at a Location rather than a hex."""
        return not self.spots and not self.how.bare

    def remaining_candidates(self) -> Iterator[Candidate]:
        """Yield the candidates that fit the places pointed at so far."""
        for candidate in self.offered:
            first, *more = candidate.spots
            if not self.spots or (
                self.spots[0] == first and all(spot in more for spot in self.spots[1:])
            ):
                yield candidate

    def allowed_hexes_if_listed(self) -> frozenset[str]:
        """Return the hexes that may be pointed at now, if they can be listed."""
        spots = {
            spot for candidate in self.remaining_candidates() for spot in self._next(candidate)
        }
        if not spots and self._around is not None:
            return frozenset(self._around)
        return frozenset(locations.hex_of_location(spot) for spot in spots if spot != OFF_MAP)

    def _next(self, candidate: Candidate) -> Sequence[str]:
        """Return the places of a candidate that may be pointed at next."""
        if not self.spots:
            return candidate.spots[:1]
        return [spot for spot in candidate.spots[1:] if spot not in self.spots[1:]]

    @property
    def _around(self) -> Iterable[str] | None:
        """The hexes next to the place pointed at: those of its Covered Arc, or of a hexside."""
        base = self.near or (self.spots[0] if len(self.how.parts) > 1 and self.spots else None)
        if base in (None, OFF_MAP):
            return None
        arc = self.spots[0 if self.near else 1 :]
        around = grid.neighbors(ground_hex(str(base)))
        return [hex for hex in around if all(grid.are_adjacent(hex, other) for other in arc)]

    def marked_hexes(self, cursor: str) -> frozenset[str]:
        """Return the hexes pointed at, and those within the Covered Arc that they make, or would
        make with the hex under the cursor."""
        hexes = [ground_hex(spot) for spot in self.spots if spot != OFF_MAP]
        if hexes and cursor in self.allowed_hexes_if_listed():
            hexes.append(cursor)
        base, *arc = [ground_hex(self.near), *hexes] if self.near else hexes or [""]
        if len(arc) == 2:
            a, b = sorted(arc, key=locations.hex_sort_key)
            if (a, b) in grid.possible_covered_arcs(base):
                return frozenset(hexes) | grid.hexes_in_arc(base, (a, b))
        return frozenset(hexes)

    # --- in a hex -------------------------------------------------------------------------------

    def picks_in_hex(self, hex: str, view: Campaign) -> list[MapPick]:
        """Return the picks in a hex: candidates first, then other places."""
        by_spot: dict[str, list[Candidate]] = {}
        for candidate in self.remaining_candidates():
            for spot in self._next(candidate):
                if spot != OFF_MAP and locations.hex_of_location(spot) == hex:
                    by_spot.setdefault(spot, []).append(candidate)
        found = [
            pick for spot, some in by_spot.items() for pick in self._picks_of(view, spot, some)
        ]
        if self.how.made is not None:
            places = known_locations_in_hex(view, hex) if self.is_location_expected else [hex]
            found += [MapPick(at, location_words(view, at)) for at in places if at not in by_spot]
        return found

    def _picks_of(
        self, view: Campaign, spot: str, candidates: Sequence[Candidate]
    ) -> Iterator[MapPick]:
        last = all(len(known.spots) == len(self.spots) + 1 for known in candidates)
        if last and len(candidates) > 1:
            yield from (MapPick(spot, known.words, known) for known in candidates)
        else:
            yield MapPick(spot, location_words(view, spot), candidates[0] if last else None)

    def only_pick(self, hex: str, view: Campaign) -> MapPick | None:
        """Return the pick that pointing at a hex means, if that is clear: its only candidate, or
        the hex itself if nothing else in it can be meant."""
        picks = self.picks_in_hex(hex, view)
        offered = {
            spot for candidate in self.remaining_candidates() for spot in self._next(candidate)
        }
        wanted = [pick for pick in picks if pick.spot in offered] or [
            pick
            for pick in picks
            if pick.spot == hex or not self.is_location_expected or _is_known(view, pick)
        ]
        return wanted[0] if len(wanted) == 1 else None

    def off_map_pick(self) -> MapPick | None:
        """Return the pick for "off map", if that is an answer."""
        candidate = next(
            (known for known in self.remaining_candidates() if known.spots == (OFF_MAP,)), None
        )
        free = self.how.made is not None and self.is_location_expected
        return MapPick(OFF_MAP, "off map", candidate) if candidate or free else None

    # --- pointing -------------------------------------------------------------------------------

    def point_at(self, pick: MapPick) -> tuple[Raw] | None:
        """Point at something. Return the answer, once it is complete."""
        self.spots.append(pick.spot)
        if pick.candidate is not None:
            return (pick.candidate.raw,)
        if len(self.spots) < len(self.how.parts) and pick.spot != OFF_MAP:
            return None
        whole = next(
            (known for known in self.remaining_candidates() if len(known.spots) == len(self.spots)),
            None,
        )
        if whole is not None:
            return (whole.raw,)
        return (self.how.made(self.spots),) if self.how.made is not None else None

    def remove_last(self) -> bool:
        """Remove the newest place. Return whether there was one."""
        if self.spots:
            self.spots.pop()
            return True
        return False


def hex_to_start_at(view: Campaign | None, id: str | None) -> str | None:
    """Return the hex where the cursor starts: the one that a counter is, or was, in."""
    counter = view.find(id) if view and id else None
    places = (counter and counter.location, getattr(counter, "recorded_location", None))
    known = (place for place in places if place and place != OFF_MAP)
    return next((ground_hex(place) for place in known), None)


# --- places in a hex ------------------------------------------------------------------------------


def known_locations_in_hex(view: Campaign, hex: str) -> list[str]:
    """Return the Locations of a hex that a seat knows: the ground, the insides of Fortifications,
    places with counters, and levels."""
    inside = [
        f"{hex}:{fort.id}"
        for fort in view.sort_counters_in_play(view.fortifications.values())
        if fort.capacity and hex in {ground_hex(end) for end in (fort.location, fort.exit) if end}
    ]
    held = {
        piece.location
        for piece in view.pieces()
        if piece.in_play and piece.location and not piece.off_map
        if ground_hex(piece.location) == hex
    }
    pier = [f"{hex}:pier"] if locations.terrain_of(hex) is TerrainType.PIER else []
    levels = [f"{hex}:{level}" for level in LEVELS]
    return list(dict.fromkeys([hex, *inside, *sorted(held), *pier, *levels]))


def _is_known(view: Campaign, pick: MapPick) -> bool:
    """Whether a place is known to exist, and not only a level that the hex might have."""
    place = locations.split_location(pick.spot)[1]
    return not (place in LEVELS and not any(piece.location == pick.spot for piece in view.pieces()))


def location_words(view: Campaign, spot: str) -> str:
    """Return a Location in words: "N21", "N21, level 1", "N21, inside pillbox 2+3+5"."""
    if spot == OFF_MAP:
        return "off map"
    hex, place = locations.split_location(spot)
    if place is None:
        return hex
    if place.isdigit():
        return f"{hex}, level {place}"
    return view.location_text(spot) if place in view.fortifications else f"{hex}, {place}"
