"""Warnings about folders that a program syncs with other machines."""

from pathlib import Path

from brt_cg.storage.place import Place

# Names of synced folders in small letters, also with a suffix ("OneDrive - Club"), and programs.
FOLDERS = {
    "dropbox": "Dropbox",
    "onedrive": "OneDrive",
    "google drive": "Google Drive",
    "googledrive": "Google Drive",
    "icloud drive": "iCloud",
    "mobile documents": "iCloud",
    "com~apple~clouddocs": "iCloud",
    "nextcloud": "Nextcloud",
    "owncloud": "ownCloud",
    "pcloud": "pCloud",
    "megasync": "MEGA",
}
# Files that such programs put into a synced folder.
MARKS = {
    ".dropbox": "Dropbox",
    ".stfolder": "Syncthing",
    ".nextcloudsync.log": "Nextcloud",
    ".owncloudsync.log": "ownCloud",
}


def syncing_program(path: Path) -> str | None:
    """Return the program that is known to sync a file's folder, if any."""
    for folder in path.absolute().parents:
        name = folder.name.lower()
        for called, program in FOLDERS.items():
            if name == called or name.startswith((f"{called} ", f"{called}-")):
                return program
        for mark, program in MARKS.items():
            if (folder / mark).exists():
                return program
    return None


def sync_warning(path: Place) -> str | None:
    """Return the warning for a campaign in a synced folder."""
    if not isinstance(path, Path) or (program := syncing_program(path)) is None:
        return None
    return (
        f"{path.name} is in a folder that {program} syncs with other machines: open it on one "
        "machine at a time, and only once it is fully synced. Copies that have diverged cannot be "
        "merged: continue with one, and keep the other."
    )
