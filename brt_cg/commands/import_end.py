"""The `import` command, which copies the situation at the end of a scenario into the campaign.

Counters are matched by id. `asked` holds `state` (the document as given), `source` (its file),
`missing` ("keep", "eliminated" or null), `side` (if only one side's counters are imported) and, for
a VASL save, `pieces`: the counter of each of its pieces, by which the next save is matched, and
`others`: its pieces that are not counters.
"""

from brt_cg.commands import Command, name_and_place_text
from brt_cg.commands.casualty_lines import log_cvp_changes
from brt_cg.commands.counter_checks import odd_counter_warnings
from brt_cg.commands.import_plan import ImportPlan, apply_import
from brt_cg.commands.state_document import ammunition_warning
from brt_cg.model import HOLDERS, assign_numbers


def import_scenario_end(command: Command) -> None:
    """Carry out `import`. Raises RefusedError, with everything that is wrong."""
    campaign = command.campaign
    log_plan(apply_import(campaign.clone(), campaign, command.card, command.asked), command)


def log_plan(plan: ImportPlan, command: Command) -> None:
    """Log the changes of a plan."""
    campaign = command.campaign
    assign_numbers(campaign)
    for note in plan.notes:
        command.log(note)
    if plan.is_campaign_running:
        log_cvp_changes(command, plan.before)
    for counter in filter(None, map(campaign.find, plan.added)):
        command.log(f"added: {name_and_place_text(campaign, counter)}", counter)
    command.log_figures_from_own_catalog(
        plan.asked.types, filter(None, map(campaign.find, plan.added))
    )
    for counter in filter(None, map(campaign.find, plan.missing)):
        fate = f"is missing from the file and is {plan.missing_fate_text}"
        command.log(f"{campaign.name_with_place(counter)} {fate}", counter)
    for captive in plan.captives:
        prisoner, guard = campaign.units[captive.id], campaign.units[captive.guard]
        words = f"{prisoner.label} is captured by {guard.label}"
        command.log(words, prisoner, guard)
    for counter in filter(None, (campaign.find(item.counter.id) for item in plan.waiting)):
        links = (getattr(counter, name) for name in HOLDERS.get(type(counter), ()))
        holders = map(campaign.find, filter(None, links))
        if any(holder is not None and holder.location is not None for holder in holders):
            continue  # it moves with its holder
        stays = (
            "assumed to be in its Setup Area"
            if counter.setup_area
            else ("its Setup Area is decided later")
        )
        command.log(f"no Location, {stays}: {name_and_place_text(campaign, counter)}", counter)
    warn_of_oddities(plan, command)


def warn_of_oddities(plan: ImportPlan, command: Command) -> None:
    """Log everything odd, but allowed, about the counters of a plan; this includes ammunition that
    their types never have, because the campaign that recorded it may have used another catalog."""
    campaign = command.campaign
    for item in plan.taken:
        odd = ammunition_warning(plan.view, plan.state, item, plan.asked.types)
        if odd and (counter := campaign.find(item.counter.id)) is not None:
            command.log(f"warning: {name_and_place_text(campaign, counter)}: {odd}", counter)
    taken = (campaign.find(item.counter.id) for item in plan.taken)
    for warning, about in odd_counter_warnings(campaign, command.card, filter(None, taken)):
        command.log(warning, *about)
