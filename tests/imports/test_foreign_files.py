"""Files that somebody else made: damaged, endless or huge ones get one message."""

import tracemalloc
import zipfile
from contextlib import suppress
from io import BytesIO
from pathlib import Path

import pytest

from brt_cg import files
from brt_cg.files import read_bytes, translate_errors
from brt_cg.imports.scenario_end import read_scenario_end
from brt_cg.questions.answers import RefusedError
from brt_cg.vasl.savefile import read_save
from brt_cg.views.view import create_view
from tests.exports.journals import begun, squad
from tests.vasl.demo_save import save_of


@pytest.fixture
def save(tmp_path: Path) -> Path:
    path = tmp_path / "end.vsav"
    path.write_bytes(save_of(begun(squad("m-sq-1", "N19")).campaign).file().as_zip())
    return path


def test_any_error_of_a_reader_is_one_message_with_the_file(tmp_path: Path) -> None:
    for error in (
        KeyError("x"),
        RecursionError(),
        MemoryError(),
        ValueError("1" * 5000),
        EOFError(),
    ):
        with pytest.raises(RefusedError) as raised, translate_errors(tmp_path / "a.vsav", "a save"):
            raise error
        words = str(raised.value)
        assert words.startswith(f"{tmp_path / 'a.vsav'}: not a save")
        assert len(words) < 400


def test_a_save_whose_compressed_bytes_are_damaged_is_refused(save: Path) -> None:
    """The library under ZIP raises zlib.error for some of them, and LZMAError."""
    whole = save.read_bytes()
    for at in range(30, min(len(whole), 400)):
        save.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        with suppress(RefusedError):  # any other error fails the test
            read_save(save)


@pytest.mark.posix
def test_an_endless_stream_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MOST_BYTES", 1000)
    with pytest.raises(RefusedError, match="larger than"):
        read_bytes(Path("/dev/zero"))


@pytest.mark.parametrize("name", ["state.json", "end.vsav", "units.xlsx"])
def test_an_empty_file_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).touch()
    with pytest.raises(RefusedError, match=name):
        read_scenario_end(create_view(begun(squad("m-sq-1", "N19"))), tmp_path / name, "both")


def test_zip_members_that_are_not_needed_are_not_read(save: Path) -> None:
    with zipfile.ZipFile(save, "a", zipfile.ZIP_DEFLATED) as archive:
        for number in range(20):
            archive.writestr(f"bomb{number}", bytes(20 * 1024**2))
    assert save.stat().st_size < 1024**2
    tracemalloc.start()
    read_save(save, whole=False)
    used = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert used < 20 * 1024**2
    with pytest.raises(RefusedError, match="unpacks to more than 128 MB"):
        read_save(save)


def test_a_zip_within_its_limit_is_read_completely(save: Path) -> None:
    made = BytesIO(save.read_bytes())
    with zipfile.ZipFile(made, "a") as archive:
        archive.writestr("extra", "kept")
    save.write_bytes(made.getvalue())
    assert dict(read_save(save).others)["extra"] == b"kept"
    assert "extra" not in dict(read_save(save, whole=False).others)
