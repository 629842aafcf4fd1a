"""A shop to buy in: a campaign with points to spend, and the commands in the players' verbs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from brt_cg.card import Card, load_card
from brt_cg.commands import Command
from brt_cg.commands.registry import COMMANDS
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Counter
from brt_cg.model.records import SIDES, Allotment, Phase, id_series
from brt_cg.purchases import pools
from brt_cg.questions.answers import RefusedError
from tests.refit import table
from tests.refit.table import JAPANESE, MARINE

BEACHES = ("green", "red_one", "red_two", "red_three", "black_one", "black_two")


@dataclass
class Shop:
    """A campaign, and the number that the next purchase has in its id."""

    campaign: Campaign
    number: int = 17

    @property
    def card(self) -> Card:
        return load_card(self.campaign.situation.cg)

    def do(self, kind: str, **asked: Any) -> Command:
        """Carries out a command, as the journal does: a refused one changes nothing."""
        after = self.campaign.clone()
        numbers = {id_series(id, side): self.number - 1 for side in SIDES for id in ("p", "d")}
        command = Command(kind, asked, after, self.card, numbers, "Ann", "1943-11-20T09:00:00")
        COMMANDS[kind](command)
        self.campaign, self.number = after, self.number + 1
        return command

    def buy(self, item: str, beach: str | None = "red_one", **asked: Any) -> str:
        """Buys for the Japanese; the id of the purchase, or of the draft."""
        self.do("buy", item=item, side="japanese", beach=beach, **asked)
        return f"{'d' if asked.get('draft') else 'p'}j{self.number - 1}"

    def marine_buys(self, item: str, **asked: Any) -> str:
        self.do("buy", item=item, side="marine", **asked)
        return f"pm{self.number - 1}"

    def refusal(self, kind: str, **asked: Any) -> str:
        """The message of a command that must be refused, and that must change nothing."""
        before = self.campaign.clone()
        try:
            self.do(kind, **asked)
        except RefusedError as refused:
            assert self.campaign == before
            return str(refused)
        raise AssertionError(f"{kind} {asked} was not refused")

    def no(self, item: str, beach: str | None = "red_one", **asked: Any) -> str:
        """The message that refuses the Japanese a purchase."""
        return self.refusal("buy", item=item, side="japanese", beach=beach, **asked)

    def no_marine(self, item: str, **asked: Any) -> str:
        return self.refusal("buy", item=item, side="marine", **asked)

    def void(self, purchase: str, reason: str = "a slip of the pen") -> None:
        self.do("void", purchase=purchase, reason=reason)

    def left(self, beach: str | None = "red_one") -> pools.Amounts:
        """What is left of a beach's points; None: the Marines'."""
        side = MARINE if beach is None else JAPANESE
        return pools.compute_account(self.campaign, side, beach).left


def shop(
    *counters: Counter,
    cg: str = "III",
    each: Mapping[str, Any] | None = None,
    **facts: Any,
) -> Shop:
    """A shop before the initial scenario, with `each` (400 of every kind) for every beach, for the
    island and for the Marines (FPP only)."""
    points = each or {"gpp": 400, "capp": 400, "exponent": 40, "fpp": 400}
    before = {"phase": Phase.PURCHASE, "initial": True, **facts}
    campaign = table.campaign(*counters, cg=cg, **before, japanese={"san": 4}, marine={"san": 4})
    for beach in BEACHES:
        campaign.add(Allotment(id=f"japanese/{beach}", side=JAPANESE, beach=beach, **points))
    fpp = points.get("fpp", 0)
    campaign.add(Allotment(id="japanese/island", side=JAPANESE, beach="island", fpp=fpp))
    campaign.add(Allotment(id="marine", side=MARINE, fpp=fpp))
    return Shop(campaign)


def refit_shop(*counters: Counter, date: str = "20 PM", **facts: Any) -> Shop:
    """A shop at 15.614 of a Refit Phase."""
    now: dict[str, Any] = {
        "phase": Phase.REFIT,
        "initial": False,
        "paragraph": "15.6143",
        "date": date,
    }
    return shop(*counters, **now, buying=("marine", "japanese"), **facts)
