"""The memory about two players at one screen: that they share it, and their PINs.

It is a small file in the player's state folder, never in the campaign. A PIN keeps the opponent
from seeing the screen, as an envelope would; anybody who has the campaign's file can read
everything. Only a salted hash of a PIN is kept.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import scrypt
from hmac import compare_digest

from brt_cg.files import state_file_path
from brt_cg.model import Side
from brt_cg.service.saved_notes import SavedNotes, saved_value_or_empty

SALT = 16  # bytes
WORK = 2**14  # of scrypt: about 50 ms


@dataclass(slots=True)
class SharedScreenSettings:
    """Whether a campaign, known by its identity on this machine, was last opened by two players,
    and the hashes of their PINs."""

    begun: str
    shared: bool = False
    _pins: dict[str, str] = field(default_factory=dict)

    @classmethod
    def load(cls, begun: str, before: str = "") -> "SharedScreenSettings":
        """Read the data remembered for a campaign. Version 1.0 stored it under another name, with
        the path as typed."""
        found = _file(begun).read()
        if before and not found and (found := _file(before).read()):
            _file(begun).save(**found)
            _file(before).save()
        pins = saved_value_or_empty(found, "pins", dict)
        known = {str(side): pin for side, pin in pins.items() if isinstance(pin, str)}
        return cls(begun, saved_value_or_empty(found, "shared", bool), known)

    def has_pin(self, side: Side) -> bool:
        """Whether a side has a PIN."""
        return side.value in self._pins

    def is_pin_correct(self, side: Side, pin: str) -> bool:
        """Whether a PIN is the PIN of a side."""
        salt, _, digest = self._pins.get(side.value, "").partition(":")
        try:
            found = _hashed(pin, bytes.fromhex(salt))
        except ValueError:
            return False
        return compare_digest(found, digest)

    def set_pin(self, side: Side, pin: str) -> None:
        """Give a side a PIN; "" removes it."""
        self._pins.pop(side.value, None)
        if pin:
            salt = secrets.token_bytes(SALT)
            self._pins[side.value] = f"{salt.hex()}:{_hashed(pin, salt)}"
        self._keep()

    def set_shared(self, shared: bool) -> None:
        """Note whether two players share the screen."""
        if shared is not self.shared:
            self.shared = shared
            self._keep()

    def _keep(self) -> None:
        pins: Mapping[str, str] = self._pins
        _file(self.begun).save(shared=self.shared, pins=pins)


def _file(begun: str) -> SavedNotes:
    return SavedNotes(state_file_path("shared-screens", begun))


def _hashed(pin: str, salt: bytes) -> str:
    return scrypt(pin.encode(), salt=salt, n=WORK, r=8, p=1).hex()
