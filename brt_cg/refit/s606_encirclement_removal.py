"""15.606: Encirclement ends."""

from brt_cg.refit.play import Play, paragraph
from brt_cg.refit.selection import pieces_with_any_of_statuses


@paragraph("15.606", nothing="nothing is Encircled")
async def remove_encirclement(play: Play) -> None:
    """All Encircled counters are removed."""
    for piece in play.campaign.sort_counters_in_play(
        pieces_with_any_of_statuses(play.campaign, "encircled")
    ):
        piece.remove_status("encircled")
        play.log_event(piece, "is no longer Encircled")
