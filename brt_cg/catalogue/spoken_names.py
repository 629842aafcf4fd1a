"""Weapons by the words that players use, if a catalog has no such name: a Gun or mortar by its
caliber and role ("37mm ATG", "70mm INF Gun", "8-inch gun"), the .50cal HMG ("HMG .50-cal")."""

import re
from collections.abc import Iterable, Iterator

from brt_cg.catalogue import Catalogue
from brt_cg.catalogue.types import CatalogueType
from brt_cg.immutable import immutable
from brt_cg.model import Side, Weapon, WeaponKind

ROLES = {
    **dict.fromkeys(("at", "atg", "atgs", "anti-tank", "antitank"), "AT"),
    **dict.fromkeys(("aa", "aag", "aags", "anti-aircraft", "antiaircraft", "flak"), "AA"),
    **dict.fromkeys(("inf", "infantry", "ig", "igs", "mountain", "mtn"), "INF"),
    **dict.fromkeys(("art", "arty", "artillery", "how", "howitzer", "howitzers"), "ART"),
    **dict.fromkeys(("field", "coastal", "coast"), "ART"),
    **dict.fromkeys(("mtr", "mtrs", "mortar", "mortars"), "MTR"),
}
GUN = ("gun", "guns", "cannon", "cannons")
FILLING = ("twin", "pack", "defense", "turret", "knee", "light", "heavy")
MODEL_WORDS = ("type", "year", "model")
_MODEL = re.compile(r"m\d{1,4}(a\d)?", re.IGNORECASE)
_CALIBER = re.compile(r"\*?(\d{1,3}(?:\.\d)?)(l{1,2}|\*)?(-?(?:mm|cm|in|inch)\.?|[\"\u2033])?")
_MACHINE_GUN = re.compile(
    r"(m2)?(hmg|mg)?s?(\.?50-?cal(iber|ibre)?\.?|13(\.2)?mm)(m2)?(aa)?(hmg|mg)?s?"
)
MILLIMETERS = {"mm": 1.0, "cm": 10.0}
INCH = 25.0  # mm, as calibers of Guns are rounded: 8 inches are 200, 3 inches 75 or 76


@immutable
class GunDescription:
    """A Gun in words: its caliber in mm, the marks of its barrel ("L", "*"), role and model."""

    caliber: float | None = None
    marks: str = ""
    role: str | None = None
    model: str | None = None
    is_gun: bool = False  # a word or unit that only a Gun has
    in_inches: bool = False

    def is_compatible_with(self, other: "GunDescription") -> bool:
        """Whether the description of a type agrees with this one."""
        near = INCH / 10 if self.in_inches else 0
        if self.caliber is not None and (
            other.caliber is None or abs(other.caliber - self.caliber) > near
        ):
            return False
        return self.role in (None, other.role) and self.marks in ("", other.marks)


def find_types_as_spoken(catalogue: Catalogue, text: str, side: Side) -> list[CatalogueType]:
    """Return the types of a side that the text may mean: a type with that name, else types with
    that caliber and role; a plural counts as its singular."""
    names = (text, re.sub(r"'?s$", "", text))
    found = next(filter(None, (catalogue.find_by_name(name, side) for name in names)), None)
    if found is not None:
        return [found]
    return weapons_as_spoken(
        text, (each for each in catalogue.all_types if each.nation in (None, side))
    )


def weapons_as_spoken(text: str, types: Iterable[CatalogueType]) -> list[CatalogueType]:
    """Return the types of one side that the text describes; none unless the whole text is a
    description."""
    weapons = [
        each for each in types if each.table == Weapon.TABLE and not each.is_vehicle_armament
    ]
    if _MACHINE_GUN.fullmatch("".join(text.casefold().split())):
        return [each for each in weapons if each.type == ".50cal HMG"][:1]
    asked = _describe(text)
    if asked is None or (asked.role is None and not (asked.caliber and asked.is_gun)):
        return []
    described = {
        each.type: (each, [*_descriptions(each)])
        for each in reversed(weapons)
        if _is_ordnance(each)
    }
    found = [
        each for each, known in described.values() if any(map(asked.is_compatible_with, known))
    ]
    of_model = [
        each
        for each, known in described.values()
        if asked.model and any(asked.model == one.model for one in known)
    ]
    both = [each for each in found if each in of_model]
    return both or [*of_model, *reversed(found)]


def _is_ordnance(each: CatalogueType) -> bool:
    return each.kind is WeaponKind.GUN or "MTR" in each.type


def _descriptions(each: CatalogueType) -> Iterator[GunDescription]:
    for name in (each.type, *each.called):
        found = _describe(name.partition("(")[0])
        if found is not None:
            yield found


def _describe(text: str) -> GunDescription | None:
    """Return the description in the text; None if any word does not belong to a description."""
    caliber, marks, role, model, is_gun, unit = None, "", None, None, False, ""
    words = text.casefold().replace("\N{DOUBLE PRIME}", '"').split()
    at = 0
    while at < len(words):
        word, after = words[at], words[at + 1] if at + 1 < len(words) else ""
        measured = _CALIBER.fullmatch(word)
        if word in MODEL_WORDS and after.isdigit():
            model, at = after, at + 1
        elif word in ROLES and role in (None, ROLES[word]):
            role = ROLES[word]
        elif word in GUN:
            is_gun = True
        elif measured is not None and caliber is None:
            unit = (measured[3] or "").strip("-.")
            if not unit and after.strip(".") in (*MILLIMETERS, "in", "inch", "inches"):
                unit, at = after.strip("."), at + 1
            caliber = float(measured[1]) * (MILLIMETERS.get(unit, INCH) if unit else 1)
            marks, is_gun = (measured[2] or "").upper(), is_gun or bool(unit)
        elif word not in FILLING and not _MODEL.fullmatch(word):
            return None
        at += 1
    in_inches = bool(unit) and unit not in MILLIMETERS
    return GunDescription(caliber, marks, role, model, is_gun, in_inches)
