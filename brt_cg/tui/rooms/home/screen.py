"""Home: recent campaigns, and the ways to open or create another one."""

import asyncio
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from textual import events, getters, work
from textual.app import ComposeResult
from textual.content import Content
from textual.geometry import Size
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from brt_cg.files import CAMPAIGN_ENDING, MAIL_ENDING, is_mail_path, player_files_folder
from brt_cg.service import demo
from brt_cg.service.campaign_reader import CampaignReader
from brt_cg.storage.errors import StorageError
from brt_cg.storage.place import SHAPE, Address, parse_place
from brt_cg.tui.dialogs.path import PathScreen
from brt_cg.tui.frame.room import Room
from brt_cg.tui.keys.actions import BY_ID, EVERYWHERE, HOME
from brt_cg.tui.lists.row_lists import RowList
from brt_cg.tui.look.columns import columns
from brt_cg.tui.look.lines import Static, Vertical
from brt_cg.tui.map.island import Island
from brt_cg.tui.memory.recent import RecentCampaign
from brt_cg.tui.session.session import CampaignSnapshot, read_campaign

CAMPAIGN = "campaign-"  # the prefix of the ids of campaigns' rows
WAYS = (
    *(f"{HOME}.new", f"{HOME}.open", f"{HOME}.import"),
    *(f"{EVERYWHERE}.mail", f"{EVERYWHERE}.guide", f"{HOME}.demo"),
)
ENDINGS = (CAMPAIGN_ENDING, MAIL_ENDING)
AROUND = 23  # the lines of the screen besides the list, with the island
FRAME = 5  # the lines of the screen around a room
SHARE = 0.85  # the share of the room that the list may take (style.tcss), with its border
BORDER = 2
PAGE, BESIDE = 80, 9  # the columns of the page; those of it beside a row of the list


class HomeScreen(Room):
    """The first screen of `brt-cg` without arguments: one list, from the last campaign to a new
    one."""

    PLACE = HOME
    NEEDS_CAMPAIGN = False
    AUTO_FOCUS = "OptionList"
    ways = getters.query_one("#ways", OptionList)
    _there: Sequence[RecentCampaign] = ()  # campaigns on servers that were not opened lately
    _silent: frozenset[Address] = frozenset()

    def compose_contents(self) -> ComposeResult:
        with Vertical(id="page"):
            yield Island()
            yield Static("Blood Reef: Tarawa", id="name")
            yield Static("between the scenarios of a campaign game", id="motto")
            yield RowList(id="ways")

    def size_classes(self, size: Size) -> dict[str, bool]:
        crowded = self._lines_of_list() + AROUND > size.height
        return super().size_classes(size) | {"-crowded": crowded}

    def _lines_of_list(self, each: int = 2) -> int:
        """Return the number of lines of the list, with `each` lines for each campaign."""
        return len(WAYS) + each * len(self._listed) + bool(self._listed)

    @property
    def _is_short(self) -> bool:
        """Whether each campaign gets one line, so that the other choices below them stay in
        view."""
        return self._lines_of_list() > int((self.app.size.height - FRAME) * SHARE) - BORDER

    def on_screen_resume(self, _: events.ScreenResume) -> None:
        self._ask_servers()

    @work(group="servers", exclusive=True)
    async def _ask_servers(self) -> None:
        """Ask the servers of recent campaigns for others; mark the campaigns of a server that does
        not answer."""
        self.app.let_keys_pass()
        recent = [parse_place(campaign.path) for campaign in self.app.memory.recent]
        addresses = [place for place in recent if isinstance(place, Address)]
        if addresses:
            there, self._silent = await asyncio.to_thread(list_campaigns_on_servers, addresses)
            known = {str(address) for address in addresses}
            self._there = [campaign for campaign in there if campaign.path not in known]
            self._list()

    def after_catch_up(self) -> None:
        self._list()

    def show_snapshot(self, seen: CampaignSnapshot) -> None:
        """Do nothing: Home is the same for every campaign."""

    def _list(self) -> None:
        self.update_classes(self.size_classes(self.app.size))
        ways, at, held = self.ways, self.ways.highlighted, self.ways.highlighted_option
        ways.clear_options()
        width = min(self.app.size.width, PAGE) - BESIDE if self._is_short else None
        for number, campaign in enumerate(self._listed):
            text = _campaign_text(campaign, self._silent, width)
            ways.add_option(Option(text, f"{CAMPAIGN}{number}"))
        if self._listed:
            ways.add_option(None)
        ways.add_options(Option(self._way(name), name) for name in WAYS)
        ways.highlighted = min(at or 0, ways.option_count - 1)
        if held is not None and held.id in WAYS:  # the list above the ways may have grown
            ways.highlighted = ways.get_option_index(held.id)

    def _way(self, id: str) -> Content:
        action = BY_ID[id]
        key = (self.app.key_text(action.id) or " ", "bold $accent")
        label = columns(11).row((f"  {action.label}", "bold"), (action.help, "dim"))
        return Content.assemble(key, label)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        campaign = self._selected()
        if campaign is not None:
            self.app.open_campaign(parse_place(campaign.path))
        else:
            self.run_worker(self.run_action(BY_ID[str(event.option_id)].click_action))

    @property
    def _listed(self) -> list[RecentCampaign]:
        return [*self.app.memory.recent, *self._there]

    def _selected(self) -> RecentCampaign | None:
        """Return the selected campaign."""
        option = self.ways.highlighted_option
        id = str(option.id) if option is not None else ""
        return self._listed[int(id.removeprefix(CAMPAIGN))] if id.startswith(CAMPAIGN) else None

    def selected_row_text(self) -> str | None:
        campaign = self._selected()
        return campaign.path if campaign else None

    def action_forget(self) -> None:
        campaign = self._selected()
        if campaign is not None:
            self.app.forget_campaign(campaign.path)
            self._list()

    # --- the ways ---------------------------------------------------------------------------------

    @work(group="home", exclusive=True)
    async def action_new(self) -> None:
        from brt_cg.tui.rooms.home.new_form import NewForm

        place = await self.app.show_form(NewForm())
        if place is not None:
            self.app.open_campaign(place)

    @work(group="home", exclusive=True)
    async def action_open(self) -> None:
        hint = f"A campaign file, a campaign mail, or a server address: {SHAPE}"
        start = player_files_folder()
        path = await self.app.push_screen_wait(PathScreen("Open", hint, ENDINGS, start))
        if isinstance(path, Path) and is_mail_path(path):
            self.app.receive_mail(path)
        elif path is not None:
            self.app.open_campaign(path)

    @work(group="home", exclusive=True)
    async def action_import(self) -> None:
        """Import into the selected campaign, else into the open one."""
        from brt_cg.tui.forms.import_file import import_file

        campaign = self._selected()
        seen = self.app.session.seen
        if campaign is not None and (seen is None or str(seen.path) != campaign.path):
            await self.app.open_and_ask_seat(lambda: read_campaign(parse_place(campaign.path)))
        if self.app.session.seen is None:
            self.app.show_notice("Choose the campaign in the list first, or make a new one.")
            return
        await self.app.switch_mode("dashboard")
        await import_file(self.app)

    def action_demo(self) -> None:
        def laid_out() -> CampaignReader:
            path = demo.create_demo(
                demo.prepare_demo_folder(None, player_files_folder())
            ).absolute()
            self.app.tour = path
            return read_campaign(path)

        self.app.open_in_thread(laid_out)


def list_campaigns_on_servers(
    addresses: Iterable[Address],
) -> tuple[list[RecentCampaign], frozenset[Address]]:
    """Return the campaigns on the servers of some addresses; and the servers that do not answer."""
    found, silent = [], set()
    for server in dict.fromkeys(replace(address, campaign=None) for address in addresses):
        try:
            from brt_cg.storage.server_campaign import list_campaigns

            for there in list_campaigns(server):
                stands = " · ".join(word for word in (there.date, there.phase) if word)
                name = there.name or there.address.stem
                found.append(RecentCampaign(str(there.address), name, stands))
        except (StorageError, ImportError):
            silent.add(server)
    return found, frozenset(silent)


def _campaign_text(
    campaign: RecentCampaign, silent: Collection[Address], width: int | None
) -> Content:
    """Return two lines about a campaign; one line of this many cells, if a width is given."""
    path = parse_place(campaign.path)
    gone, shown, home = "", str(path), Path.home()
    if isinstance(path, Address) and replace(path, campaign=None) in silent:
        gone = "  (no connection)"
    if isinstance(path, Path):
        gone = "" if path.exists() else "  (the file is gone)"
        shown = f"~/{path.relative_to(home)}" if path.is_relative_to(home) else shown
    between = "  " if width else "\n"
    stands = f"  {campaign.stands}{gone}{between}{shown}"
    text = Content.assemble((campaign.name, "bold"), (stands, "dim"))
    return text.truncate(width, ellipsis=True) if width else text
