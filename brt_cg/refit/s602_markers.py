"""15.602: hidden counters are placed on map, and the scenario's markers are removed."""

from dataclasses import replace
from functools import partial

from brt_cg.board import OFF_MAP, locations
from brt_cg.card import reason_hex_is_required
from brt_cg.model import SIDES, Campaign, Fortification, Piece, Place, Side, Unit, Vehicle, Weapon
from brt_cg.questions import AnswerForm, Option, PointingForm, Raw, raise_problems
from brt_cg.refit.play import Play, paragraph
from brt_cg.refit.selection import pieces_with_any_of_statuses

HEX = "hex"  # the subject "hex:ID" is the hex of a counter on paper
GOING: dict[type[Piece], tuple[str, ...]] = {
    Unit: ("berserk", "concealed", "cx", "dm", "fanatic", "pinned", "ti", "wall_advantage"),
    Vehicle: ("crew_exposed", "motion"),
}
WORDS = {
    "berserk": "Berserk",
    "concealed": "concealment",
    "crew_exposed": "CE",
    "cx": "CX",
    "dm": "DM",
    "fanatic": "Fanatic",
    "motion": "Motion",
    "pinned": "pin",
    "ti": "TI",
    "wall_advantage": "Wall Advantage",
}


@paragraph(
    "15.602",
    nothing="no counter has a marker to remove",
    subjects=(f"{HEX}:COUNTER",),
)
async def place_hidden_and_remove_markers(play: Play) -> None:
    """Hidden and cloaked units and equipment are placed on map where they are; a Japanese one may
    stay hidden if it will set up in that same Location. Then concealment, pins, TI, CX, DM,
    Fanatic, Berserk, Wall Advantage, Motion, CE and the like are removed (R-MARKERS). Encirclement,
    Low Ammo, fires, bog, Stun, wounds and malfunctions stay. For counters hidden on a side record
    you are asked for the hex where a rule needs it."""
    campaign = play.campaign
    await ask_paper_hexes(play)
    forts = (fort for fort in campaign.fortifications.values() if fort.hidden)
    hidden = (*pieces_with_any_of_statuses(campaign, "hidden", "cloaked"), *forts)
    for counter in campaign.sort_counters_in_play(
        counter for counter in hidden if not counter.off_map
    ):
        await _reveal_or_stay(play, counter)
    for piece in campaign.sort_counters_in_play(pieces_with_any_of_statuses(campaign, *WORDS)):
        going = [state for state in piece.status if state in GOING.get(type(piece), ())]
        if going:
            piece.remove_status(*going)
            markers = "marker" if len(going) == 1 else "markers"
            words = f"loses its {' and '.join(WORDS[state] for state in going)} {markers}"
            play.log_event(piece, words, ruling="R-MARKERS")


async def _reveal_or_stay(play: Play, counter: Piece | Fortification) -> None:
    stays = isinstance(counter, Piece) and must_stay_on_paper(counter)
    if isinstance(counter, Piece) and is_on_paper(counter) and counter.side is Side.JAPANESE:
        counter.recorded_location = counter.location
        play.log_event(
            counter,
            "stays hidden on the side record and must set up where it is",
            readings=("stays_hidden",),
        )
        return
    if counter.side is Side.JAPANESE:
        stays = await play.ask_choice(
            counter,
            " is hidden: place it on map, or keep it hidden and set it up there?",
            Option("reveal", "place it on map", False),
            Option("stay_hidden", "stays hidden, bound to this Location", True),
            default="stay_hidden",
        )
    if stays:
        if isinstance(counter, Piece):
            counter.recorded_location = counter.location
        play.log_event(
            counter, "stays hidden and must set up in this Location", readings=("stays_hidden",)
        )
        return
    if isinstance(counter, Fortification):
        counter.hidden = False
    else:
        counter.remove_status("hidden", "cloaked")
    counter.unseen = False
    play.log_event(counter, "is placed on map")


# --- hidden on paper: hexes on a player's own sheet -----------------------------------------------

HINT = '{"hex:ID": Location, …}, for example {"hex:j-sq-1": "N21"}; {} for none'
PROMPT = (
    "has these hidden on its side record: enter the hex of any that is placed on map (15.602), or "
    "that is inside a Marine Perimeter, where it is Isolated (15.6072)"
)
NONE_TEXT = "all stay hidden"


def _place_typed(text: str) -> Raw:
    return locations.capitalize_hexes(text.strip())


A_LOCATION = AnswerForm(
    hint="a Location: N21, N21:1", typed=_place_typed, worded=str, pointed=PointingForm()
)


async def ask_paper_hexes(play: Play) -> None:
    """Ask each side for the hexes of the counters that it has hidden on paper, if the rules depend
    on them: units inside a Perimeter are Isolated. A counter that the player names is in that hex,
    with everything that it possesses, carries and guards; the others stay hidden."""
    campaign = play.campaign
    for side in SIDES:
        mine = (piece for piece in campaign.pieces() if piece.side is side and _leads(piece))
        kept = {f"{HEX}:{piece.id}": piece for piece in campaign.sort_counters_in_play(mine)}
        found = await play.ask_about_counters_together(
            side,
            PROMPT,
            kept,
            lambda piece: replace(
                play.question_item(piece, "", A_LOCATION), subject=f"{HEX}:{piece.id}"
            ),
            partial(_read_locations, kept),
            HINT,
            NONE_TEXT,
            secret=side,
        )
        named = {kept[key].id for key in found}
        for key, location in found.items():
            piece = kept[key]
            _put(campaign, piece, location, named)
            play.log_event(piece, f"is on paper in {campaign.location_text(location)}")


def is_on_paper(piece: Piece) -> bool:
    """Whether a counter is hidden in a hex that only its player knows."""
    return piece.in_play and piece.hidden and piece.is_on_map_without_hex


def must_stay_on_paper(piece: Piece) -> bool:
    """Whether a counter cannot be placed on map without its hex, as a Gun cannot."""
    if not is_on_paper(piece):
        return False
    shown = piece.clone()
    shown.remove_status("hidden")
    return reason_hex_is_required(shown) is not None


def _leads(piece: Piece) -> bool:
    """Whether a counter is asked about by itself, and not with the counter that possesses or
    carries it."""
    if isinstance(piece, Weapon) and (piece.possessor or piece.vehicle):
        return False
    return is_on_paper(piece) and not (isinstance(piece, Unit) and piece.aboard)


def _read_locations(kept: dict[str, Piece], raw: Raw) -> dict[str, str]:
    """Return the Locations given. Raises RefusedError."""
    problems, found = [], {}
    for key, value in raw.items():
        try:
            found[key] = Place().read(value)
        except ValueError as error:
            problems.append(f"{kept[key].id}: {error}")
            continue
        if found[key] == OFF_MAP:
            problems.append(f"{kept[key].id}: {OFF_MAP} is not a hex; enter a Location on the map")
    raise_problems(problems)
    return found


def _put(campaign: Campaign, piece: Piece, location: str, named: set[str]) -> None:
    """Put a counter and its companions into a Location, but not those that are `named`
    themselves."""
    was, piece.location = piece.location, location
    along: list[Piece] = []
    if isinstance(piece, Unit):
        along = [*campaign.weapons_possessed_by(piece), *campaign.prisoners_of(piece)]
    elif isinstance(piece, Vehicle):
        along = [*campaign.weapons_mounted_on(piece), *campaign.units_aboard(piece)]
    for other in along:
        if other.location == was and other.id not in named:
            _put(campaign, other, location, named)
