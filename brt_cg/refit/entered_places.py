"""The place of a Retained counter whose Location was entered by hand (15.6133, 15.6135)."""

from collections.abc import Iterable

from brt_cg.card.consistency import broken_links
from brt_cg.model.counters import Piece, Unit, Vehicle, Weapon, WeaponKind
from brt_cg.model.leaving import keep_secret
from brt_cg.model.records import Area
from brt_cg.questions.answers import Refused
from brt_cg.refit.play import Play
from brt_cg.refit.s607_perimeters import cut_off, isolate
from brt_cg.refit.s608_retained import deserted, retain


def retained_there(play: Play, piece: Piece, was: Piece) -> None:
    """Retains a counter with an entered Location in the area of that hex, if that is one of its
    side's; off map; or, if it is Isolated there, in that recorded Location. Its belongings go with
    it. `was` is the counter before. Raises Refused if it cannot be Retained so, and for a counter
    whose place depends on its guard, possessor or vehicle."""
    for field, problem in broken_links(piece, play.campaign.find):
        if field == "location":
            raise Refused(f"{piece.id}: {field}: {problem}")
    carrier = _carrier(piece)
    if carrier is not None:
        raise _refusal(piece, f"it is where {carrier} is; allowed: a Location for {carrier}")
    if _lay_in_no_area(was) and not _retained_in(play, piece):
        return
    if not (piece.off_map or _retained_in(play, piece) or _is_isolated_there(play, piece, was)):
        own = (area.named for area in play.campaign.areas.values() if area.side is piece.side)
        areas = ", ".join(sorted(own)) or "no area"
        raise _refusal(piece, f"allowed: off_map, or a hex of {areas}, where its side is Retained")
    area = _retained_in(play, piece)
    for moved in [piece, *_taken_along(play, piece, was)]:
        _place(play, moved, piece.location, area)
    if area is not None:
        play.say(f"{piece.label}: Retained in {area.named}", piece)
    if was.isolated:
        deserted(play, was.location)


def _refusal(piece: Piece, words: str) -> Refused:
    return Refused(f"{piece.id}: location: found {piece.location}; {words}")


def _carrier(piece: Piece) -> str | None:
    """The link that decides where a counter is; a Gun stands by itself."""
    if isinstance(piece, Unit):
        return piece.guard
    if isinstance(piece, Weapon):
        return piece.vehicle or (piece.possessor if piece.kind is WeaponKind.SW else None)
    return None


def _lay_in_no_area(was: Piece) -> bool:
    """Whether it was a vehicle or Weapon left where nobody Retains it, which may be moved there."""
    on_map = was.in_play and was.location is not None and not was.off_map
    return on_map and not was.retained and not isinstance(was, Unit)


def _retained_in(play: Play, piece: Piece) -> Area | None:
    area = play.campaign.area_at(piece.location)
    return area if area is not None and area.side is piece.side else None


def _is_isolated_there(play: Play, piece: Piece, was: Piece) -> bool:
    """Whether an Isolated counter would be Isolated in its new Location too."""
    if not was.isolated:
        return False
    if isinstance(piece, Unit | Vehicle) and cut_off(play, piece):
        return True
    return play.campaign.isolated_side(piece.location, play.secret_of(piece)) is piece.side


def _taken_along(play: Play, piece: Piece, was: Piece) -> Iterable[Piece]:
    """A counter's SW, prisoners and armament. A Gun stays where it is, and is nobody's if that is
    another area or another Isolated Location."""
    if isinstance(piece, Vehicle):
        return [*play.campaign.mounted_on(piece), *play.campaign.aboard(piece)]
    if not isinstance(piece, Unit):
        return []
    possessed = play.campaign.possessed_by(piece)
    area = _retained_in(play, piece)
    stays = area is not None and area.id == was.setup_area
    for gun in (weapon for weapon in possessed if weapon.kind is WeaponKind.GUN and not stays):
        keep_secret(play.campaign, gun)
        gun.possessor = None
        play.tell(gun, "left behind: nobody possesses it")
    sw = (weapon for weapon in possessed if weapon.kind is WeaponKind.SW)
    return [*sw, *play.campaign.prisoners_of(piece)]


def _place(play: Play, piece: Piece, location: str | None, area: Area | None) -> None:
    piece.be_at(location)
    if area is not None:
        retain(play, piece, area)
    elif not piece.off_map and not piece.has("prisoner"):
        isolate(piece)
