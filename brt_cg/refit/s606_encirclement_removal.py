"""15.606: Encirclement ends."""

from brt_cg.refit.gathering import carrying
from brt_cg.refit.play import Play, paragraph


@paragraph("15.606", nothing="nothing is Encircled")
async def encirclement_removal(play: Play) -> None:
    """Every Encircled counter goes."""
    for piece in play.campaign.in_order(carrying(play.campaign, "encircled")):
        piece.lose("encircled")
        play.tell(piece, "Encirclement removed")
