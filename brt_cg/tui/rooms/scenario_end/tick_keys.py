"""The keys of the form for the end of a scenario: one for each event."""


class TickKeys:
    """A screen with a key for each tick (ticks.py)."""

    def tick(self, name: str) -> None:
        """Sets a tick, or removes it if all have it."""
        raise NotImplementedError(self)

    def action_stays(self) -> None:
        self.tick("stays")

    def action_eliminated(self) -> None:
        self.tick("eliminated")

    def action_moved(self) -> None:
        self.tick("moved")

    def action_broken(self) -> None:
        self.tick("broken")

    def action_reduced(self) -> None:
        self.tick("reduced")

    def action_wounded(self) -> None:
        self.tick("wounded")

    def action_captured(self) -> None:
        self.tick("captured")

    def action_encircled(self) -> None:
        self.tick("encircled")

    def action_revealed(self) -> None:
        self.tick("revealed")

    def action_hardened(self) -> None:
        self.tick("hardened")

    def action_heroic(self) -> None:
        self.tick("heroic")

    def action_joined(self) -> None:
        self.tick("joined")

    def action_passed(self) -> None:
        self.tick("passed")

    def action_immobilized(self) -> None:
        self.tick("immobilized")

    def action_abandoned(self) -> None:
        self.tick("abandoned")

    def action_wreck(self) -> None:
        self.tick("wreck")

    def action_low_ammo(self) -> None:
        self.tick("low_ammo")
