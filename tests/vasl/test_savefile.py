"""The container of a VASL save: every way of hiding its text, and files that are none."""

import io
import lzma
import tracemalloc
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brt_cg.questions.answers import RefusedError
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.vasl import savefile
from brt_cg.vasl.matching import state_from_save
from brt_cg.vasl.pieces import VaslSave
from brt_cg.vasl.savefile import (
    HEX,
    PLAIN,
    XOR,
    XOR_XZ,
    XZ,
    SaveError,
    SaveFile,
    read_save,
    split_chain,
)
from brt_cg.views.view import create_view
from tests.strategies import CHARACTERS
from tests.vasl.writer import Save, Wrote, hide

WAYS = (HEX, XOR_XZ, XOR, b"!" + XOR, XZ, PLAIN)


@pytest.mark.parametrize("magic", WAYS)
def test_each_obfuscation_of_the_text_round_trips_exactly(magic: bytes, tmp_path: Path) -> None:
    save = Save().at("N21", Wrote("1", "9-1")).file(magic)
    path = tmp_path / "end.vsav"
    path.write_bytes(save.as_zip())
    read = read_save(path)
    assert (read.text, read.magic) == (save.text, magic)
    assert read.as_zip() == path.read_bytes()


@given(st.text(CHARACTERS, max_size=60), st.integers(0, 255))
def test_any_text_and_key_round_trip(text: str, key: int) -> None:
    text = "begin_save" + text.replace("\x00", "").encode("utf-8", "ignore").decode()
    for magic in WAYS:
        assert savefile.deobfuscate(savefile.obfuscate(text, magic, key))[0] == text


def _zip(path: Path, content: bytes, name: str = "savedGame") -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return path


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "begins with b''"),
        (b"GIF89a", "begins with b'GIF89a'"),
        (b"!VCSK", "two hex digits"),
        (b"!VCSKzz00", "two hex digits"),
        (b"!VCSK000", "incomplete or damaged"),
        (b"!VCSK00ff", "not UTF-8"),
        (b"!VOBS", "ends after !VOBS"),
        (b"!VOXZ", "ends after !VOXZ"),
        (b"!VOXZ\x00" + b"nonsense" * 9, "XZ data is damaged"),
        (lzma.compress(b"begin_save" * 50)[:40], "XZ data is incomplete"),
    ],
)
def test_an_unreadable_text_is_refused_by_file_name(
    content: bytes, says: str, tmp_path: Path
) -> None:
    with pytest.raises(RefusedError, match=r"end\.vsav: not a VASL save") as refusal:
        read_save(_zip(tmp_path / "end.vsav", content))
    assert says in str(refusal.value)


def test_a_zip_without_a_saved_game_is_refused_with_its_content(tmp_path: Path) -> None:
    with pytest.raises(RefusedError, match="no member savedGame, but buildFile"):
        read_save(_zip(tmp_path / "module.vmod", b"", "buildFile"))


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"not a zip at all"])
def test_a_file_that_is_not_a_zip_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "end.vsav"
    path.write_bytes(content)
    with pytest.raises(RefusedError, match="not a VASL save"):
        read_save(path)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RefusedError, match="there is no such file"):
        read_save(tmp_path / "none.vsav")


def test_every_truncated_file_is_refused(tmp_path: Path) -> None:
    whole = Save().at("N21", Wrote("1", "9-1")).file().as_zip()
    path = tmp_path / "end.vsav"
    for length in range(0, len(whole), 7):
        path.write_bytes(whole[:length])
        with pytest.raises(RefusedError):
            read_save(path)


@pytest.mark.parametrize("packed", [False, True])
def test_a_zip_bomb_is_refused_cheaply(
    packed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(savefile, "MOST_BYTES", 100_000)
    bomb = b"begin_save" * 4_000_000
    path = _zip(tmp_path / "bomb.vsav", lzma.compress(bomb) if packed else bomb)
    tracemalloc.start()
    with pytest.raises(RefusedError, match="unpacks to more than"):
        read_save(path)
    assert tracemalloc.get_traced_memory()[1] < 20_000_000
    tracemalloc.stop()


def test_a_written_save_is_a_standard_zip() -> None:
    save = SaveFile("begin_save", HEX, 1, (("moduledata", b"<x/>"),))
    with zipfile.ZipFile(io.BytesIO(save.as_zip())) as archive:
        assert archive.namelist() == ["savedGame", "moduledata"]
        assert archive.testzip() is None


@pytest.mark.parametrize("cut_off_at", ["6-6-8", "end_save", "/100/null"])
def test_a_truncated_save_or_log_in_an_intact_zip_is_refused(
    tmp_path: Path, cut_off_at: str
) -> None:
    desk = OpenCampaign.create(tmp_path / "new.brt", {"cg": "III"})
    save = Save().at("N21", Wrote("1", "9-1", "am/x"), Wrote("2", "6-6-8 Msq", "am/x"))
    text = save.text() + "\x1bLOG\tM/2/Main Map/100/100/null/Main Map/1/1/null/x"
    path = tmp_path / "end.vlog"
    path.write_bytes(SaveFile(text[: text.index(cut_off_at)], HEX, 7, ()).as_zip())
    with pytest.raises(RefusedError, match="its end is missing"):
        state_from_save(create_view(unrestricted_campaign(desk)), path, "both", None)
    path.write_bytes(SaveFile(text, HEX, 7, ()).as_zip())
    said = map(
        str, state_from_save(create_view(unrestricted_campaign(desk)), path, "both", None).guesses
    )
    assert "a log, read up to the last of its 1 step" in said


STEPS = [
    "M/2/Main Map/645/3579/null/Main Map/1038/3546/null/x",
    "-/2",
    "+/2/stack/Main Map;645;3579;1;2;@@1",
    "+/8/hide;x\tpiece;;;x;9-1/null\tMain Map;645;3579;0;1;UniqueID;8",
    "D/2/null\tMain Map;645;3579;0/null\tMain Map;1038;3546;0",
]


@pytest.mark.parametrize("step", STEPS, ids=("moved", "removed", "stacked", "added", "changed"))
def test_a_log_truncated_in_its_last_step_is_refused(step: str) -> None:
    made = VaslSave(Save().at("N21", Wrote("1", "9-1"), Wrote("2", "8-1", traits=[hide()])).text())
    for stack in made.stacks.values():
        stack.layer = ["@@1"]
        made.write_back(stack)
    whole = f"{made.text()}\x1bLOG\tCHAT x\x1bLOG\t{step}"
    start = whole.index(step)
    allowed = [what_it_shows(VaslSave(text)) for text in (whole[: start - 5], whole)]
    assert not VaslSave(whole).is_cut_off
    for end in range(start - 4, len(whole)):
        cut = VaslSave(whole[:end])
        assert cut.is_cut_off or what_it_shows(cut) in allowed, whole[start:end]


def what_it_shows(save: VaslSave) -> object:
    """The places of the pieces, and the states of their traits."""
    states = {id: [trait.state for trait in one.traits[:-1]] for id, one in save.pieces.items()}
    return save.places_and_pieces_above(), states


@pytest.mark.parametrize("quote", ["", "'x'"])
def test_a_chain_of_thousands_of_traits_is_refused_quickly(quote: str) -> None:
    """A save of 108 kB had 5,000, and one quote."""
    links = [f"trait{number}" for number in range(300)]
    text = "".join(link + "\\" * at + "\t" for at, link in enumerate(links)) + f"piece{quote}"
    with pytest.raises(SaveError, match="more than 200 traits"):
        split_chain(text)
