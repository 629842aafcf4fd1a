"""The command `import`: makes the situation at the end of a scenario the campaign's.

Counters are matched by id. `asked` holds `state` (the document as given), `source` (its file),
`missing` ("keep", "eliminated" or null), `side` (if only one side's counters are imported) and, for
a VASL save, `pieces`: the counter of each of its pieces, by which the next save is matched.
"""

from brt_cg.commands import Command, named_with_place
from brt_cg.commands.casualty_lines import say_casualties
from brt_cg.commands.counter_checks import warnings
from brt_cg.commands.plan import Plan, plan_import
from brt_cg.commands.state_document import odd_ammunition
from brt_cg.model.campaign import HOLDERS
from brt_cg.model.numbers import give_numbers


def adopt(command: Command) -> None:
    """Carries out `import`. Raises Refused, with everything that is wrong."""
    campaign = command.campaign
    tell(plan_import(campaign.clone(), campaign, command.card, command.asked), command)


def tell(plan: Plan, command: Command) -> None:
    """Logs what a plan has changed."""
    campaign = command.campaign
    give_numbers(campaign)
    for note in plan.notes:
        command.say(note)
    if plan.running:
        say_casualties(command, plan.before)
    for counter in filter(None, map(campaign.find, plan.added)):
        command.say(f"added: {named_with_place(campaign, counter)}", counter)
    command.say_own_figures(plan.asked.types, filter(None, map(campaign.find, plan.added)))
    for counter in filter(None, map(campaign.find, plan.missing)):
        words = f"missing from the state, {plan.fate}"
        command.say(f"{words}: {named_with_place(campaign, counter)}", counter)
    for captive in plan.captives:
        prisoner, guard = campaign.units[captive.id], campaign.units[captive.guard]
        words = f"captured by {guard.label}: {prisoner.label}"
        command.say(words, prisoner, guard)
    for counter in filter(None, (campaign.find(item.counter.id) for item in plan.waiting)):
        links = (getattr(counter, name) for name in HOLDERS.get(type(counter), ()))
        holders = map(campaign.find, filter(None, links))
        if any(holder is not None and holder.location is not None for holder in holders):
            continue  # it goes along
        stays = "taken to be where it waited" if counter.setup_area else "its area is settled later"
        command.say(f"no Location, {stays}: {named_with_place(campaign, counter)}", counter)
    warn_of_oddities(plan, command)


def warn_of_oddities(plan: Plan, command: Command) -> None:
    """Logs what is odd, but allowed, about the counters of a plan; so is ammunition that their
    types never had, since the campaign that recorded it may have had another catalogue."""
    campaign = command.campaign
    for item in plan.taken:
        odd = odd_ammunition(plan.view, plan.state, item, plan.asked.types)
        if odd and (counter := campaign.find(item.counter.id)) is not None:
            command.say(f"warning: {named_with_place(campaign, counter)}: {odd}", counter)
    taken = (campaign.find(item.counter.id) for item in plan.taken)
    for warning, about in warnings(campaign, command.card, filter(None, taken)):
        command.say(warning, *about)
