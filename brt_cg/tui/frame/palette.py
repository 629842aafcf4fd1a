"""The command palette: finds the actions by name."""

from collections.abc import AsyncIterator
from functools import partial
from typing import cast

from textual.command import DiscoveryHit, Hit, Hits, Provider

from brt_cg.tui.keys.actions import Action, reachable
from brt_cg.tui.session.campaign_app import CampaignApp


class ActionProvider(Provider):
    """Every action that is possible on the screen where the palette was opened."""

    async def discover(self) -> Hits:
        # Enter runs the first one at once, so it must not lose anything for the player.
        for action in sorted(
            [action async for action in self._possible()], key=lambda action: action.loses
        ):
            yield DiscoveryHit(
                self._title(action), partial(self._do, action), text=action.label, help=action.help
            )

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        async for action in self._possible():
            title = self._title(action)
            beside = max(matcher.match(action.help), matcher.match(action.also))
            score = max(matcher.match(title), beside * 0.6) * (0.5 if action.loses else 1)
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

    async def _do(self, action: Action) -> None:
        await (self.app if action.place == "everywhere" else self.screen).run_action(action.name)

    def _title(self, action: Action) -> str:
        key = cast(CampaignApp, self.app).key(action.id)
        return f"{action.label} ({key})" if key else action.label
