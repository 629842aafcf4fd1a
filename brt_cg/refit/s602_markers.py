"""15.602: what is hidden goes on map, and the markers of the scenario go."""

from brt_cg.model.counters import Fortification, Piece, Side, Unit, Vehicle
from brt_cg.questions.asks import Option
from brt_cg.refit.gathering import carrying
from brt_cg.refit.on_paper import HEX, hexes_on_paper, is_on_paper, stays_on_paper
from brt_cg.refit.play import Play, paragraph

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
    nothing="no counter carries a marker that goes",
    subjects=(f"{HEX}:COUNTER",),
)
async def marker_removal(play: Play) -> None:
    """Hidden and cloaked units and equipment go on map where they are; a Japanese one may stay
    hidden if it will set up in that same Location. Then concealment, pins, TI, CX, DM, Fanatic,
    Berserk, Wall Advantage, Motion, CE and the like go (R-MARKERS). Encirclement, Low Ammo, fires,
    bog, Stun, wounds and malfunctions stay. What is hidden on paper gives its hex where a rule must
    know it."""
    campaign = play.campaign
    await hexes_on_paper(play)
    forts = (fort for fort in campaign.fortifications.values() if fort.hidden)
    hidden = (*carrying(campaign, "hidden", "cloaked"), *forts)
    for counter in campaign.in_order(counter for counter in hidden if not counter.off_map):
        await _reveal_or_stay(play, counter)
    for piece in campaign.in_order(carrying(campaign, *WORDS)):
        going = [state for state in piece.status if state in GOING.get(type(piece), ())]
        if going:
            piece.lose(*going)
            words = ", ".join(WORDS[state] for state in going)
            play.tell(piece, f"{words} removed", ruling="R-MARKERS")


async def _reveal_or_stay(play: Play, counter: Piece | Fortification) -> None:
    stays = isinstance(counter, Piece) and stays_on_paper(counter)
    if isinstance(counter, Piece) and is_on_paper(counter) and counter.side is Side.JAPANESE:
        counter.recorded_location = counter.location
        play.tell(counter, "stays hidden on paper, and must set up where it is")
        return
    if counter.side is Side.JAPANESE:
        stays = await play.choose(
            counter,
            " is hidden: place it on map, or keep it hidden and set it up there?",
            Option("reveal", "place it on map", False),
            Option("stay_hidden", "stays hidden, bound to this Location", True),
            default="stay_hidden",
        )
    if stays:
        if isinstance(counter, Piece):
            counter.recorded_location = counter.location
        play.tell(counter, "stays hidden and must set up in this Location")
        return
    if isinstance(counter, Fortification):
        counter.hidden = False
    else:
        counter.lose("hidden", "cloaked")
    counter.unseen = False
    play.tell(counter, "placed on map")
