"""A campaign in a folder that is kept in step with other machines is named, with what to do."""

from pathlib import Path

import pytest

from brt_cg.storage.sync_folders import sync_warning, syncing_program


@pytest.mark.parametrize(
    ("folder", "program"),
    [
        ("Dropbox/games", "Dropbox"),
        ("OneDrive - The Club", "OneDrive"),
        ("Library/Mobile Documents/com~apple~CloudDocs", "iCloud"),
        ("Google Drive/My Drive", "Google Drive"),
        ("Nextcloud", "Nextcloud"),
        ("games/dropboxes", None),
        ("games", None),
    ],
)
def test_a_synced_folder_is_recognized_by_name(
    tmp_path: Path, folder: str, program: str | None
) -> None:
    path = tmp_path / folder / "tarawa.brt"
    assert syncing_program(path) == program


def test_a_synced_folder_is_recognized_by_its_sync_files(tmp_path: Path) -> None:
    (tmp_path / ".stfolder").mkdir()
    assert syncing_program(tmp_path / "games" / "tarawa.brt") == "Syncthing"


def test_a_synced_folder_warning_gives_advice(tmp_path: Path) -> None:
    told = sync_warning(tmp_path / "Dropbox" / "tarawa.brt")
    assert told is not None
    assert "tarawa.brt is in a folder that Dropbox syncs with other machines" in told
    assert "open it on one machine at a time" in told
    assert sync_warning(tmp_path / "tarawa.brt") is None
