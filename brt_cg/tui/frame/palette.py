"""The command palette: finds the actions by name."""

from collections.abc import AsyncIterator
from functools import partial
from typing import cast

from textual.binding import ActiveBinding
from textual.command import DiscoveryHit, Hit, Hits, Provider

from brt_cg.tui.keys.actions import BY_ID, EVERYWHERE, PARTS, Action, reachable
from brt_cg.tui.session.campaign_app import CampaignApp


class ActionProvider(Provider):
    """Every action that is possible on the screen where the palette was opened."""

    async def discover(self) -> Hits:
        # Enter runs the first one at once, so it must not lose anything for the player.
        for action in sorted(
            [action async for action in self._possible() if not action.moves],
            key=lambda action: action.loses,
        ):
            yield DiscoveryHit(
                self._title(action), partial(self._do, action), text=action.label, help=action.help
            )

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        async for action in self._possible():
            title = self._title(action)
            beside = max(matcher.match(action.help), matcher.match(action.also))
            score = max(matcher.match(title), beside * 0.6)
            score *= 0.5 if action.loses or action.moves else 1
            if score > 0:
                yield Hit(
                    score,
                    matcher.highlight(title),
                    partial(self._do, action),
                    text=action.label,
                    help=action.help,
                )

    async def _possible(self) -> AsyncIterator[Action]:
        for action in reachable(getattr(self.screen, "PLACE", "")):
            if self.app.check_action(action.name, ()) and self.screen.check_action(action.name, ()):
                yield action
        for id in self._of_parts():
            yield BY_ID[id]

    def _of_parts(self) -> dict[str, ActiveBinding]:
        """What is possible in the list, map or field that has the focus."""
        found: dict[str, ActiveBinding] = {}
        for active in self.screen.active_bindings.values():
            id = active.binding.id or ""
            if active.enabled and id in BY_ID and BY_ID[id].place in PARTS:
                found.setdefault(id, active)
        return found

    async def _do(self, action: Action) -> None:
        active = self._of_parts().get(action.id)
        if active is not None:
            await self.app.run_action(active.binding.action, active.node)
        else:
            at = self.app if action.place == EVERYWHERE else self.screen
            await at.run_action(action.name)

    def _title(self, action: Action) -> str:
        key = cast(CampaignApp, self.app).key(action.id)
        return f"{action.label} ({key})" if key else action.label
