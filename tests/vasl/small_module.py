"""A VASL module in miniature, of counters that the tests themselves draw up."""

import zipfile
from io import BytesIO
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Piece, Unit
from brt_cg.vasl.names import load_names
from tests.vasl.demo_save import FOLDERS, ON_TOP, piece_of
from tests.vasl.writer import Save, Wrote, conceal, hide, layer

SHARED = "Shared"  # the prototype that all slots have
VERSION = "6.5"


class SmallModule:
    """A module: slots by number, each with the traits that it adds to those of the prototype."""

    def __init__(self, version: str = VERSION, name: str = "VASL") -> None:
        self.version, self.name = version, name
        self.slots: list[Wrote] = []
        self.head = ""
        self.shared = [hide(), conceal()]

    def add(self, name: str, picture: str, *traits: tuple[str, str]) -> "SmallModule":
        label = ("label;76,130;Label;10;255,255,255;0,0,0;t;0;c;0;b;c;$pieceName$", "")
        own = [(f"prototype;{SHARED}", ""), label, *traits]
        self.slots.append(Wrote(str(len(self.slots) + 500), name, picture, own))
        return self

    def xml(self) -> str:
        slots = "".join(
            f'<VASSAL.build.widget.PieceSlot entryName={quoteattr(one.name)} gpid="{one.id}">'
            f"{escape(self.text(one))}</VASSAL.build.widget.PieceSlot>"
            for one in self.slots
        )
        shared = escape(self.text(Wrote("", "", "", self.shared)))
        return (
            f'{self.head}<VASSAL.launch.BasicModule name="{self.name}" version="{self.version}">'
            f'<VASSAL.build.widget.TabWidget entryName="Units">{slots}'
            "</VASSAL.build.widget.TabWidget>"
            f'<VASSAL.build.module.PrototypeDefinition name="{SHARED}">{shared}'
            "</VASSAL.build.module.PrototypeDefinition></VASSAL.launch.BasicModule>"
        )

    def text(self, wrote: Wrote) -> str:
        slot = Save().piece(wrote, "null", 0, 0).removesuffix("0") + wrote.id
        return slot.replace(f"+/{wrote.id}/", "+/null/", 1)

    def write(self, path: Path, member: str = "buildFile") -> Path:
        buffer = BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(member, self.xml())
        path.write_bytes(buffer.getvalue())
        return path


def module_for(campaign: Campaign) -> SmallModule:
    """A module with a slot for each type of counter of a campaign, and for each status."""
    module, names = SmallModule(), load_names()
    seen = set()
    for counter in campaign.counters():
        is_piece = isinstance(counter, Piece) and not getattr(counter, "vehicle", None)
        if not is_piece or (isinstance(counter, Unit) and counter.kind == "hero"):
            continue
        wrote = piece_of(counter, names)
        words = [(type, "-1") for type, _ in wrote.traits if type.startswith("emb2")]
        folder = FOLDERS[getattr(counter, "nation", counter.side)]
        if (wrote.name, folder) not in seen:
            seen.add((wrote.name, folder))
            module.add(wrote.name, folder, *words)
    module.add("2-2-8 Icr", "ja/x", layer("striped +", 1))
    for sizes in ("3+5", "4+6", "5+7"):
        module.add(f"{sizes} PTObox", "ML/x", layer(r"1\++,2\++,3\++", 2))
    module.add("Foxhole BRT", "ML/x", layer("Soft Sand +", 1), layer("1S +,2S +,3S +", 3))
    for fort in ("Trench BRT", "Tetrahedron", "Wire & Tetrahedron", "Wire", "Bombproof"):
        module.add(fort, "ML/x")
    for name in ON_TOP.values():
        module.add(name, "MS/x")
    return module
