"""The notices for keys that have moved since 1.0."""

from typing import Any

from textual.screen import Screen

from brt_cg.text import key_text
from brt_cg.tui.keys.actions import BY_ID, EVERYWHERE
from brt_cg.tui.keys.moved_keys import MOVED
from brt_cg.tui.session.campaign_app import CampaignApp

NOW = "{} is {} now ({} in 1.0)."
REASSIGNED = "{} is {} since 1.1; {} is {}."
PALETTE_ONLY = "{} has no key now ({} in 1.0): {} finds it."


class MovedKeyNotices:
    """Notices that name an action's new key when its old key is pressed: each time if the old key
    does nothing now, else only the first time. `types` says that the keys that do something there
    type text."""

    def __init__(self, *, types: bool = False) -> None:
        self._shown = set[tuple[str, str]]()
        self._types = types

    def new_key_text(self, app: CampaignApp, screen: Screen[Any], key: str, *, works: bool) -> str:
        """Return the new key, in words, of the action that an old key had on a screen; "" if the
        action is not possible there, or if the notice has been shown and the key does something
        else now."""
        places = [getattr(screen, "PLACE", ""), *([] if screen.is_modal else [EVERYWHERE])]
        place = next((place for place in places if (place, key) in MOVED), "")
        if not place or (works and (place, key) in self._shown):
            return ""
        id, label = MOVED[place, key]
        if not any(active.binding.id == id for active in screen.active_bindings.values()):
            return ""
        self._shown.add((place, key))
        now = app.key_text(id)
        palette = app.key_text(f"{EVERYWHERE}.command_palette")
        was = key_text(key)
        if not now:
            return PALETTE_ONLY.format(label, was, palette)
        active = screen.active_bindings.get(key) if works and not self._types else None
        here = BY_ID.get(str(active.binding.id)) if active is not None else None
        if here is not None:
            return REASSIGNED.format(was, here.label, label, now)
        return NOW.format(label, now, was)
