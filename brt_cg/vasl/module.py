"""The palette of a player's VASL module: every counter that VASL offers.

A module is a ZIP with a build file in XML: a piece slot holds a counter as a command that adds it,
with prototypes for traits that many counters share.
"""

import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from brt_cg.files import (
    MOST_BYTES,
    is_sqlite_file,
    read_state_file,
    state_file_path,
    translate_errors,
    write_state_file,
)
from brt_cg.immutable import immutable
from brt_cg.questions import RefusedError
from brt_cg.vasl.pieces import ADD, PARAMETER, Trait, VaslPiece
from brt_cg.vasl.savefile import SaveError, split_chain, split_tokens

BUILD_FILES = ("buildFile.xml", "buildFile")
SLOT, PROTOTYPE = "PieceSlot", "PrototypeDefinition"
USES = "prototype"  # the kind of a trait that refers to those of a prototype
MOST_SLOTS = 50_000
MOST_TRAITS = 400  # of one counter, and definitions read for it; VASL's have up to 60
DEEPEST = 40  # levels of nested elements, and of nested prototypes


@immutable
class Slot:
    """A place in the palette: its name, its number, its contents, and the titles of the tabs and
    lists that lead to it."""

    name: str
    number: str
    text: str
    where: tuple[str, ...]


@dataclass(slots=True)
class VaslModule:
    """A module: its name and version, its slots in order, its prototypes by name, and the path by
    which a player gave it."""

    name: str = ""
    version: str = ""
    slots: list[Slot] = field(default_factory=list)
    prototypes: dict[str, str] = field(default_factory=dict)
    path: str = ""

    def piece(self, slot: Slot) -> VaslPiece | None:
        """Return the counter of a slot, without an id and a place; None if it cannot be made."""
        traits = self._expanded(slot.text, 0, iter(range(MOST_TRAITS)))
        if not traits or traits[-1].kind != "piece":
            return None
        return VaslPiece("", traits)

    def _expanded(self, text: str, depth: int, budget: Iterator[int]) -> list[Trait]:
        """Return the traits of a definition, with prototypes replaced by their traits. Return none
        if a prototype is missing, if prototypes refer to each other, or if more definitions must be
        read than allowed."""
        if next(budget, None) is None:
            return []
        given = split_tokens(text.strip().removeprefix(ADD), PARAMETER)
        if len(given) < 3 or depth > DEEPEST:
            return []
        types, states = split_chain(given[1]), split_chain(given[2])
        states += [""] * (len(types) - len(states))
        found: list[Trait] = []
        for type, state in zip(types, states, strict=False):
            trait = Trait(type, state)
            if trait.kind != USES:
                found.append(trait)
                continue
            shared = self.prototypes.get(trait.fields()[1], "") if ";" in type else ""
            inner = self._expanded(shared, depth + 1, budget)
            if not inner:
                return []
            found += inner[:-1]  # without the prototype's own basic piece
            if len(found) > MOST_TRAITS:
                return []
        return found


def read_module(path: Path) -> VaslModule:
    """Return a module's palette. Raises RefusedError if the file is not a module of VASL, is
    damaged, or is too large."""
    with translate_errors(path, "a VASL module that can be read"):
        if is_sqlite_file(path):
            raise SaveError("it is a campaign file")
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            name = next((one for one in BUILD_FILES if one in names), None)
            if name is None:
                raise SaveError(f"its ZIP has no member {' or '.join(BUILD_FILES)}")
            with archive.open(name) as stream:
                content = stream.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise SaveError(f"its {name} unpacks to more than {MOST_BYTES // 1024**2} MB")
        return _Reading().module(content)


NO_MODULE = "none"


def load_given_or_remembered_module(given: str | None) -> VaslModule | None:
    """Return the module at the path that a player gives; None means the remembered one, if it still
    exists. "none" means no module, and forgets the remembered one. Raises RefusedError if the given
    one cannot be read."""
    kept = state_file_path("vasl", "module")
    if given == NO_MODULE:
        write_state_file(kept, {})
        return None
    if given is not None:
        path = Path(given).expanduser().absolute()
        module = read_module(path)
        module.path = str(path)
        return module
    try:
        known = remembered_module_path()
        return read_module(Path(known)) if known else None
    except RefusedError:
        return None


def remember_module(module: VaslModule) -> None:
    """Remember on this machine the module that a player gave, once it was useful."""
    if module.path:
        write_state_file(state_file_path("vasl", "module"), {"path": module.path})


def remembered_module_path() -> str:
    """Return the path of the module that this machine remembers, "" if none."""
    path = read_state_file(state_file_path("vasl", "module")).get("path")
    return path if isinstance(path, str) else ""


class _Reading:
    """One build file being read. It may declare no document type, and so no entity."""

    def __init__(self) -> None:
        self.found = VaslModule()
        self.titles: list[str] = []
        self.slot: dict[str, str] | None = None
        self.text: list[str] = []

    def module(self, content: bytes) -> VaslModule:
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._refuse_type
        parser.EntityDeclHandler = self._refuse_type
        parser.StartElementHandler = self._begin
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._take
        parser.Parse(content, True)
        if self.found.name != "VASL":
            raise SaveError(f"it is the module {self.found.name!r}; use your VASL module")
        if not self.found.slots:
            raise SaveError("it has no counters")
        return self.found

    def _refuse_type(self, *_: object) -> None:
        raise SaveError("it declares a document type or entities, which a module never does")

    def _begin(self, tag: str, about: dict[str, str]) -> None:
        if not self.titles:
            self.found.name, self.found.version = about.get("name", ""), about.get("version", "")
        kind = tag.rpartition(".")[2]
        self.titles.append(about.get("entryName", ""))
        if len(self.titles) > DEEPEST:
            raise SaveError(f"its elements are nested more than {DEEPEST} levels deep")
        if kind in (SLOT, PROTOTYPE):
            self.slot, self.text = {**about, "": kind}, []

    def _take(self, text: str) -> None:
        if self.slot is not None:
            self.text.append(text)

    def _end(self, tag: str) -> None:
        self.titles.pop()
        about, self.slot = self.slot, None
        if about is None:
            return
        text = "".join(self.text)
        if about[""] == PROTOTYPE:
            self.found.prototypes[about.get("name", "")] = text
            return
        where = tuple(title for title in self.titles if title)
        slot = Slot(about.get("entryName", ""), about.get("gpid", ""), text, where)
        self.found.slots.append(slot)
        if len(self.found.slots) > MOST_SLOTS:
            raise SaveError(f"it has more than {MOST_SLOTS} counters")
