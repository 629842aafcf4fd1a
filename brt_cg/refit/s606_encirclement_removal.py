"""15.606: Encirclement ends."""

from brt_cg.counters import Unit, Vehicle
from brt_cg.refit.play import Play, paragraph


@paragraph("15.606", "Encirclement marker removal", nothing="nothing is Encircled")
async def encirclement_removal(play: Play) -> None:
    """Every Encircled counter goes."""
    for piece in play.campaign.in_order(play.campaign.pieces()):
        if isinstance(piece, Unit | Vehicle) and piece.has("encircled"):
            piece.lose("encircled")
            play.tell(piece, "no longer Encircled")
