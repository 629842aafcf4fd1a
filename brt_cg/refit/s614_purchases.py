"""15.614: purchases. Each beach's grants are credited; then each side buys until it is done."""

from brt_cg.model import SIDES, Side, secret_of
from brt_cg.purchases.ledger import priced_purchase, purchase_text
from brt_cg.purchases.pools import KINDS, allotment_amounts, due_grants, owner_text
from brt_cg.purchases.totals import drafts_of
from brt_cg.questions import ChoiceQuestion, Option
from brt_cg.refit.play import Play, paragraph

BUYING = "15.614"  # the number of a question about 15.6141–15.6143 as a whole


@paragraph("15.6141", nothing="no Gun Purchase Points are due")
async def credit_gun_points(play: Play) -> None:
    """The Gun Purchase Points that the card gives on this CG Date are credited. They buy Guns and
    machine guns, each with a 2-2-8 crew, for a beach; they are spent at 15.6143."""
    _say_due(play, "Gun Purchase Points")
    _credit(play, "gpp")


@paragraph("15.6142", nothing="no Covered Arc Points are due")
async def credit_covered_arc_points(play: Play) -> None:
    """The Covered Arc Purchase Points and the exponents that the card gives on this CG Date are
    credited. They buy pillboxes, and more capacity for them; they are spent at 15.6143."""
    _say_due(play, "Covered Arc Purchase Points")
    _credit(play, "capp", "exponent")


@paragraph("15.6143", nothing="no side may buy")
async def credit_fortification_points_and_buy(play: Play) -> None:
    """The Fortification Purchase Points that the card gives on this CG Date are credited. Then both
    sides buy, within their points and the limits of each item, until each is done.
    Points that are not spent are kept."""
    await credit_all_points_and_buy(play)


async def credit_all_points_and_buy(play: Play) -> None:
    """Credit all points that are due; then each side buys until it is done."""
    _credit(play)
    situation = play.campaign.situation
    situation.buying = tuple(side.value for side in SIDES)
    for side in SIDES:
        await _until_done(play, side)
        left = tuple(name for name in play.campaign.situation.buying if name != side.value)
        play.campaign.situation.buying = left


async def _until_done(play: Play, side: Side) -> None:
    await play.ask(
        ChoiceQuestion(
            rule=BUYING,
            subject=side.value,
            side=side,
            prompt=f"{side.label} purchases: buy, or say that you are done",
            options=(Option("done", "done: no more purchases in this Refit Phase", None),),
            default="done",
            buying=True,
            public=side is Side.MARINE,  # whether the Japanese still buy is their secret
        )
    )
    play.log(f"the {side.plural} are done with their purchases")
    log_unbought_drafts(play, side)


def log_unbought_drafts(play: Play, side: Side) -> None:
    """Log the drafts that a side has not bought by the end of a buying window."""
    open_drafts = drafts_of(play.campaign, side)
    if open_drafts:
        listed = "; ".join(
            f"{purchase_text(play.card, priced_purchase(play.campaign, play.card, draft))} "
            f"({draft.id})"
            for draft in open_drafts
        )
        play.log(f"the {side.plural} have not bought their drafts: {listed}", secret=side)


def _say_due(play: Play, title: str) -> None:
    """Log the grants, or the fact that none is due: a skipped paragraph would reveal that to the
    Marines."""
    play.log(f"both sides receive any {title} due on {play.campaign.situation.date}")


def _credit(play: Play, *kinds: str) -> None:
    """Credit the due grants with points of these kinds (default: any)."""
    for grant in due_grants(play.campaign, play.card):
        if any(allotment_amounts(grant).points_of(kind) for kind in kinds or KINDS):
            grant.credited = True
            words = f"{owner_text(grant)} receives {allotment_amounts(grant)}, due on {grant.date}"
            play.log(words, secret=secret_of(play.campaign, grant))
