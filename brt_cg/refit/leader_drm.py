"""The DRM of leaders who help another unit's roll (15.6041, 15.605; R-LEADER-DRM)."""

from collections.abc import Iterable

from brt_cg.model.counters import Piece, Unit
from brt_cg.refit.play import Play
from brt_cg.text import signed


def drm_of(play: Play, leader: Unit) -> int:
    """A leader's present DRM."""
    return play.card.ladders.leader_drm(leader.side, leader.type, leader.has("wounded"))


def must_apply(play: Play) -> bool:
    """Whether a leader's DRM must be applied even if it hurts."""
    return play.ruling("R-LEADER-DRM") == "apply"


def who_help(play: Play, leaders: Iterable[Unit], helped: Iterable[Piece]) -> list[Unit]:
    """The leaders whose DRM may be applied to another's roll; those who would hurt are left out
    where allowed, and the log says so, unless the enemy may not know of the roll."""
    hidden = [play.secret_of(piece) for piece in helped]
    secret = None if None in hidden else next(iter(hidden), None)
    helping = []
    for leader in leaders:
        drm = drm_of(play, leader)
        if drm < 0 or must_apply(play):
            helping.append(leader)
        elif drm > 0:
            words = f"his DRM of {signed(drm)} would hurt and is not used"
            play.tell(leader, words, ruling="R-LEADER-DRM", secret=secret)
    return helping
