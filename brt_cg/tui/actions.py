"""Every action of the screen, in one list.

The line of keys, the command palette, the help and the names in `keys.toml` derive from it.
An action's `name` is that of its method: `action_NAME` of the app (place "everywhere") or of the
screen of its place.
"""

from collections.abc import Iterable

from textual.binding import Binding, BindingType

from brt_cg.values import frozen

EVERYWHERE, HOME, DASHBOARD, REFIT, FORCES = "everywhere", "home", "dashboard", "refit", "forces"
PURCHASES = "purchases"
SCENARIO_END = "scenario_end"  # entered from Forces; its keys go before those of everywhere
AIDS = "aids"  # beside the campaign, and so not in the header
FORECAST = "forecast"  # likewise
CAMPAIGN = "campaign"  # its pages stand behind the play, and so neither
MAP = "map"
JOURNAL = "journal"
SETUP = "setup"  # beside the Refit room, and so not in the header
POINT = "point"  # the map, while something is pointed at for a question or a field
MODES = (HOME, DASHBOARD, REFIT, FORCES, MAP, JOURNAL, PURCHASES)
PLACES = (EVERYWHERE, *MODES, SETUP, CAMPAIGN, AIDS, FORECAST, SCENARIO_END, POINT)
NAMES = {  # of places, where not as above
    SCENARIO_END: "The end of a scenario",
    AIDS: "Play aids",
    POINT: "Pointing on the map",
}


@frozen
class Action:
    """One thing that a player can do.

    `keys` as Textual names them, commas between; without any it is found in the palette, unless a
    player gives it one. `label` is a word or two, `help` a sentence;
    `shown` puts it in the line of keys; `campaign` says that it needs an open campaign; `machine`
    that it is for who sits at the machine: its files, its other campaigns, the other seats;
    `loses` that it takes something away; `also` are other words by which it is looked for.
    """

    place: str
    name: str
    keys: str
    label: str
    help: str
    shown: bool = True
    campaign: bool = False
    machine: bool = False
    loses: bool = False
    also: str = ""

    @property
    def id(self) -> str:
        """Its name in `keys.toml`: "refit.undo"."""
        return f"{self.place}.{self.name}"

    @property
    def binding(self) -> Binding:
        return Binding(
            self.keys or f"no_key_for_{self.name}",
            self.name,
            self.label,
            show=self.shown,
            tooltip=self.help,
            id=self.id,
        )


def _room(mode: str, key: str, help: str, campaign: bool = True, also: str = "") -> Action:
    return Action(
        EVERYWHERE,
        mode,
        key,
        mode.capitalize(),
        help,
        False,
        campaign,
        machine=not campaign,
        also=also,
    )


def _page(name: str, label: str, help: str, also: str, machine: bool = False) -> Action:
    """A page of the Campaign room."""
    return Action(EVERYWHERE, name, "", label, help, False, True, machine, also=also)


SCENARIO_WORDS = "CVP VP score winner casualties losses Perimeters finish result"

ACTIONS: tuple[Action, ...] = (
    # --- everywhere -----------------------------------------------------------------------------
    # The rooms stand in the header with their keys, so the line of keys leaves them out.
    _room(
        HOME,
        "h",
        "Recent campaigns; new, open, import, demo.",
        campaign=False,
        also="start menu load file",
    ),
    _room(
        DASHBOARD,
        "d",
        "Where the campaign stands.",
        also="CVP VP score totals SAN overview status date log history",
    ),
    _room(
        REFIT,
        "r",
        "The Refit Phase, question by question.",
        also="dice rally repair recombine between scenarios",
    ),
    _room(
        FORCES,
        "f",
        "All counters; the end of a scenario.",
        also="roster units squads leaders weapons vehicles list",
    ),
    _room(
        MAP,
        "m",
        "Betio in hexes: who is where; Perimeters are painted here.",
        also="Setup Areas island board location",
    ),
    _room(
        JOURNAL,
        "j",
        "Everything that happened, line by line; your notes.",
        also="history log story diary note audit undone",
    ),
    _room(
        PURCHASES,
        "b",
        "Points, the price list, what has been bought.",
        also="buy shop GPP CAPP FPP fortifications pillboxes cost",
    ),
    Action(
        EVERYWHERE,
        CAMPAIGN,
        "full_stop,f2",
        "Campaign",
        "What stands behind the play: points, totals, rulings, and more, a page for each.",
        False,
        campaign=True,
        also="menu more settings",
    ),
    _page(
        "allotments",
        "Allotments",
        "The points of the CG card: what it allots, and what it grants later.",
        "points grant GPP CAPP FPP allot card",
    ),
    _page(
        "totals",
        "Totals",
        "SAN, ELR and CVP of both sides: how they came to be; corrections.",
        "SAN ELR CVP casualty sniper massacre correct",
    ),
    _page(
        "order_of_battle",
        "Order of battle",
        "What has arrived, what waits off map, what is to come; adds counters.",
        "OB reinforcements arrivals reinforce add counters units enter",
    ),
    _page(
        "rulings",
        "Rulings",
        "What the players agreed where the rules leave a point open; change one.",
        "ruling agree option variant house rule R-",
    ),
    _page(
        "audit",
        "Audit",
        "Plays all of the journal again, and says what does not hold.",
        "check integrity hash head forged",
    ),
    _page(
        "export",
        "Export",
        "Writes or prints the roster, records, map, chronicle and the rest, with a preview.",
        "print write paper document PDF HTML CSV VASL roster records chronicle sheet",
        machine=True,
    ),
    Action(
        EVERYWHERE,
        "forecast",
        "F",
        "Forecast",
        "What to expect of the coming Refit Phase, and what if.",
        False,
        campaign=True,
        also="odds chances probability expect future what if",
    ),
    Action(
        EVERYWHERE,
        SETUP,
        "P",
        "Setup",
        "Who sets up what where: the Locations of the next scenario.",
        False,
        campaign=True,
        also="place deploy roster Isolated HIP T-H Hero",
    ),
    Action(EVERYWHERE, "aids", "a", "Play aids", "What becomes of a Japanese unit; PTO.", False),
    Action(
        EVERYWHERE,
        "undo",
        "u,ctrl+z",
        "Undo",
        "Takes back the newest answer or command; its line stays in the log, struck out.",
        campaign=True,
        loses=True,
        also="take back correct mistake revert go back",
    ),
    Action(
        EVERYWHERE,
        "redo",
        "U,ctrl+y",
        "Redo",
        "Puts back in force what was taken back last, until something new is entered.",
        campaign=True,
        also="again repeat restore",
    ),
    Action(
        EVERYWHERE,
        "seat",
        "s",
        "Seat",
        "Sees the campaign as the Marine player, the Japanese player or the umpire.",
        campaign=True,
        machine=True,
        also="view player side umpire hidden secrets",
    ),
    Action(
        EVERYWHERE,
        "backups",
        "B",
        "Backups",
        "The copies kept beside the campaign, to be restored.",
        False,
        campaign=True,
        machine=True,
        also="restore backup copy older version safe",
    ),
    Action(
        EVERYWHERE,
        "point",
        "f4,ctrl+g",
        "Point",
        "Points on the map at the Location that is asked for, instead of typing it.",
        campaign=True,
        also="Location hex Covered Arc map choose",
    ),
    Action(
        EVERYWHERE,
        "why",
        "w,f3",
        "Why?",
        "Explains what is in hand, down to die, purchase and rule; F3 from fields and forms too.",
        campaign=True,
        also="explain reason CVP SAN ELR ruling history cause",
    ),
    Action(EVERYWHERE, "copy_row", "y", "Copy", "Copies the row in hand to the clipboard."),
    Action(EVERYWHERE, "command_palette", "ctrl+p", "Palette", "Finds every action by its name."),
    Action(
        EVERYWHERE,
        "next_theme",
        "t",
        "Theme",
        "The next theme; it is kept for next time.",
        also="colours colors dark light",
    ),
    Action(
        EVERYWHERE,
        "quit",
        "q,ctrl+q",
        "Quit",
        "Leaves; everything entered is kept.",
        also="exit close leave save",
    ),
    Action(
        EVERYWHERE,
        "help",
        "question_mark,f1",
        "Help",
        "Keys and words, to be searched.",
        also="manual rules glossary shortcuts",
    ),
    # --- Home -----------------------------------------------------------------------------------
    Action(HOME, "new", "n", "New", "A new campaign: CG, players, points, rulings."),
    Action(HOME, "open", "o", "Open", "Opens a campaign file."),
    Action(HOME, "import", "i", "Import", "Takes in the situation at scenario end from a file."),
    Action(HOME, "demo", "e", "Demo", "The example campaign, laid out in a new folder."),
    Action(
        HOME,
        "forget",
        "x,delete",
        "Forget",
        "Takes a campaign off this list; its file stays.",
        False,
        loses=True,
    ),
    # --- Dashboard ------------------------------------------------------------------------------
    Action(DASHBOARD, "next", "enter", "What is next", "Goes where the next thing is to be done."),
    Action(
        DASHBOARD,
        "import",
        "i",
        "Import",
        "Takes in the situation at scenario end from a file.",
        machine=True,
    ),
    # --- Refit ----------------------------------------------------------------------------------
    Action(
        REFIT,
        "roll",
        "r,space",
        "Roll",
        "Rolls with the app's dice. Dice rolled on the table are typed: 4, or 3 and 5.",
    ),
    Action(REFIT, "begin", "enter", "Go on", "Begins the next paragraph."),
    Action(
        REFIT,
        "go_on",
        "g",
        "To next decision",
        "Lets the app roll until a player has something to decide.",
    ),
    Action(
        REFIT,
        "go_rest",
        "D",
        "Defaults here",
        "Lets the app roll, and take every default, for the rest of this paragraph.",
        False,
    ),
    Action(
        REFIT,
        "go_all",
        "G",
        "To the end",
        "Lets the app roll all dice and take every default, to the end of the phase.",
    ),
    Action(
        REFIT,
        "undo_run",
        "W",
        "Undo run",
        "Takes back all that was entered in one go, as after G; asks first.",
        False,
        loses=True,
    ),
    Action(
        REFIT, "steps", "p", "Steps", "Goes over the steps: what is done, what was skipped and why."
    ),
    Action(
        REFIT,
        "import",
        "i",
        "Import",
        "Takes in the situation at scenario end from a file.",
        machine=True,
    ),
    Action(
        REFIT,
        "form",
        "n",
        "End of scenario",
        "Ticks off what happened to whom, and the totals.",
        also=SCENARIO_WORDS,
    ),
    Action(REFIT, "log_up", "pageup", "Log back", "Turns the log a page back.", False),
    Action(REFIT, "log_down", "pagedown", "Log on", "Turns the log a page on.", False),
    # --- Forces ---------------------------------------------------------------------------------
    Action(FORCES, "filter", "slash", "Filter", "Shows the counters that hold the words typed."),
    Action(FORCES, "order", "o", "Order", "Orders each group by place, by name or by state."),
    Action(
        FORCES,
        "edit",
        "e,enter",
        "Correct",
        "Corrects a counter; the journal keeps why.",
        also="edit change fix",
    ),
    Action(
        FORCES,
        "form",
        "n",
        "End of scenario",
        "Ticks off what happened to whom, and the totals.",
        also=SCENARIO_WORDS,
    ),
    Action(
        FORCES,
        "life",
        "l",
        "Service record",
        "Tells the whole life of the counter in hand in lines.",
        also="history story life career",
    ),
    # --- Map ------------------------------------------------------------------------------------
    Action(MAP, "find", "slash", "Find", "Goes to a hex, or to the counters that hold the words."),
    Action(MAP, "next_found", "n", "Next", "Goes to the next of what was found."),
    Action(MAP, "closer", "plus,equals_sign", "Closer", "Shows fewer hexes, and more of each."),
    Action(MAP, "farther", "minus", "Farther off", "Shows more hexes, at last the whole island."),
    Action(
        MAP,
        "paint",
        "space",
        "Paint",
        "Paints the hex under the cursor, or wipes it.",
        also="Perimeter area draw",
    ),
    Action(MAP, "unpaint", "x", "Wipe all", "Wipes all that has been painted.", False),
    Action(MAP, "answer", "enter", "Answer", "Answers the question with what is painted."),
    # --- pointing -------------------------------------------------------------------------------
    Action(POINT, "point", "enter,space", "Point", "Points at the hex under the cursor."),
    Action(POINT, "places", "l", "Levels", "Lists all that is in the hex: levels, insides."),
    Action(POINT, "off_map", "o", "Off map", "Answers that it is off the map."),
    Action(POINT, "leave", "escape", "Back", "Takes back what was pointed at; then goes back."),
    Action(
        MAP,
        "life",
        "l",
        "Service record",
        "Tells the whole life of a counter in the hex in lines.",
        False,
        also="history story life career",
    ),
    # --- Setup ----------------------------------------------------------------------------------
    Action(SETUP, "place", "enter", "Place", "Gives the marked counters a Location."),
    Action(SETUP, "mark", "space", "Mark", "Marks the counter in hand, or leaves it again."),
    Action(SETUP, "mark_all", "A", "Mark all", "Marks all that the filter shows."),
    Action(SETUP, "take_back", "x", "Take back", "Takes the Location back that was given."),
    Action(SETUP, "done", "c", "Done", "Is done with this setup, after saying what is left."),
    Action(SETUP, "filter", "slash", "Filter", "Shows the counters that hold the words typed."),
    Action(
        SETUP,
        "export",
        "e",
        "Rosters",
        "Writes or prints the rosters, with a preview.",
        also="print export",
    ),
    # --- Journal --------------------------------------------------------------------------------
    Action(JOURNAL, "filter", "slash", "Filter", "Shows the lines that hold the words typed."),
    Action(
        JOURNAL,
        "only",
        "o",
        "Show only",
        "Shows only lines of a side, a date, a step, a counter; dice, decisions, notes.",
        also="filter search",
    ),
    Action(
        JOURNAL,
        "news",
        "k",
        "News",
        "Shows what happened since this seat last looked.",
        also="new since last looked unread",
    ),
    Action(JOURNAL, "show_all", "x", "Show all", "Shows all lines again."),
    Action(
        JOURNAL,
        "leads",
        "enter",
        "Go on",
        "Goes on from the line: to its counters, hex, paragraph or ruling; how it came to be.",
        also="explain why counter hex rule ruling",
    ),
    Action(
        JOURNAL,
        "life",
        "l",
        "Service record",
        "Tells the whole life of a counter of the line in lines.",
        False,
        also="history story life career",
    ),
    Action(
        JOURNAL,
        "dice",
        "D",
        "Dice",
        "Tells the luck of the dice: counts, averages, how likely such rolls are.",
        also="luck rolls statistics average",
    ),
    Action(
        JOURNAL,
        "note",
        "n",
        "Note",
        "Writes a note of your own, for both sides to read or for one.",
        also="comment remark write diary",
    ),
    Action(
        JOURNAL,
        "go_back",
        "g",
        "Go back to here",
        "Takes back all that came after the line, after showing what that is, and asking.",
        loses=True,
        also="undo rewind return",
    ),
    # --- Purchases ------------------------------------------------------------------------------
    Action(PURCHASES, "buy", "b", "Buy", "Buys the item in hand, at once or as a draft; or Enter."),
    Action(PURCHASES, "commit", "c", "Commit", "Buys all that is drafted, in one go."),
    Action(
        PURCHASES, "done", "n", "Done", "Says at 15.614 that the side is done, in this Refit Phase."
    ),
    Action(
        PURCHASES, "void", "v", "Void", "Voids the purchase in hand; its points return.", loses=True
    ),
    Action(
        PURCHASES,
        "change",
        "e",
        "Change",
        "Changes the draft in hand; or Enter.",
        also="edit draft",
    ),
    Action(PURCHASES, "discard", "x,delete", "Drop", "Drops the draft in hand.", loses=True),
    Action(PURCHASES, "turn", "tab", "List", "From the prices to what was bought, and back."),
    Action(PURCHASES, "next_beach", "right", "Beach", "Goes to the points of the next beach."),
    Action(PURCHASES, "last_beach", "left", "Beach before", "Goes one beach back.", False),
    Action(PURCHASES, "other_side", "o", "Other side", "Shows the umpire the other side's."),
    Action(PURCHASES, "filter", "slash", "Filter", "Shows the items that hold the words typed."),
    Action(PURCHASES, "discard_all", "X", "Drop all", "Drops all that is drafted.", loses=True),
    # --- Campaign -------------------------------------------------------------------------------
    Action(CAMPAIGN, "next_page", "right", "Next page", "Goes to the next page."),
    Action(CAMPAIGN, "last_page", "left", "Page before", "Goes one page back.", False),
    Action(CAMPAIGN, "stop", "escape", "Stop", "Stops the audit."),
    Action(CAMPAIGN, "leads", "tab", "Entries", "Goes to the entries beside the row, and back."),
    Action(CAMPAIGN, "filter", "slash", "Filter", "Shows the rows that hold the words typed."),
    # --- play aids ------------------------------------------------------------------------------
    Action(AIDS, "leave", "escape", "Back", "Back to the room from which you came."),
    # --- the forecast ---------------------------------------------------------------------------
    Action(FORECAST, "again", "enter", "Again", "Plays the phase again by the default choices."),
    Action(FORECAST, "what_if", "c", "What if", "Compares it with another choice.", also="Banzai"),
    Action(FORECAST, "leave", "escape", "Stop, back", "Stops playing; else back to the room."),
    # --- the end of a scenario ------------------------------------------------------------------
    Action(SCENARIO_END, "totals", "enter", "Totals", "Goes on to the totals and the difference."),
    Action(
        SCENARIO_END, "on_map", "o", "Map / list", "The map with its stacks; or the list again."
    ),
    Action(SCENARIO_END, "next_here", "n", "Next", "The next counter of the hex on the map."),
    Action(
        SCENARIO_END, "put", "p", "Put here", "Moves what is in hand to the hex under the cursor."
    ),
    Action(
        SCENARIO_END, "go_to", "g", "Go there", "Goes to the hex of the counter in hand.", False
    ),
    Action(SCENARIO_END, "closer", "plus,equals_sign", "Closer", "Shows fewer hexes.", False),
    Action(SCENARIO_END, "farther", "minus", "Farther off", "Shows more hexes.", False),
    Action(
        SCENARIO_END, "mark", "space", "Mark", "Marks a counter; the next tick goes to all marked."
    ),
    Action(SCENARIO_END, "filter", "slash", "Filter", "Shows the counters that hold the words."),
    Action(
        SCENARIO_END, "untick", "u", "Untick", "Takes all ticks off the counter in hand.", False
    ),
    Action(
        SCENARIO_END,
        "leave",
        "escape,q",
        "Back",
        "Back to Forces; the ticks stay until they are used.",
    ),
    Action(
        SCENARIO_END, "stays", "y", "As it was", "It is where it was, and nothing befell it.", False
    ),
    Action(SCENARIO_END, "eliminated", "x", "Eliminated", "The counter is out of play.", False),
    Action(
        SCENARIO_END,
        "moved",
        "m",
        "Moved",
        "Asks for the Location; what it possesses, guards or carries goes along.",
        False,
    ),
    Action(
        SCENARIO_END, "broken", "b", "Broken", "A unit is broken, a weapon malfunctions.", False
    ),
    Action(
        SCENARIO_END,
        "reduced",
        "d",
        "Reduced",
        "A squad becomes a HS; a full Japanese squad turns over first.",
        False,
    ),
    Action(SCENARIO_END, "wounded", "w", "Wounded", "A leader or hero is wounded.", False),
    Action(SCENARIO_END, "captured", "c", "Captured", "Asks for the unit that has it now.", False),
    Action(SCENARIO_END, "encircled", "e", "Encircled", "The unit or vehicle is Encircled.", False),
    Action(
        SCENARIO_END,
        "revealed",
        "v",
        "Revealed",
        "What was hidden or concealed has been seen.",
        False,
    ),
    Action(SCENARIO_END, "immobilized", "i", "Immobilized", "The vehicle is immobilized.", False),
    Action(SCENARIO_END, "abandoned", "a", "Abandoned", "The vehicle's crew is gone.", False),
    Action(
        SCENARIO_END, "wreck", "k", "Wreck", "The vehicle is a wreck; its weapons are gone.", False
    ),
    Action(SCENARIO_END, "low_ammo", "l", "Low Ammo", "The unit or vehicle has Low Ammo.", False),
)

BY_ID = {action.id: action for action in ACTIONS}


def actions_of(place: str) -> tuple[Action, ...]:
    """The actions of a place, in the order of the list."""
    return tuple(action for action in ACTIONS if action.place == place)


def place_name(place: str) -> str:
    """A place as players call it."""
    return NAMES.get(place, place.capitalize())


def pages() -> tuple[Action, ...]:
    """The actions that lead to the pages of the Campaign room."""
    return tuple(action for action in actions_of(EVERYWHERE) if not action.keys)


def bindings(place: str) -> list[BindingType]:
    """The `BINDINGS` of the screen (or the app) of a place."""
    return [action.binding for action in actions_of(place)]


def reachable(place: str) -> Iterable[Action]:
    """What can be done in a place: its own actions first, then those of everywhere."""
    return (*actions_of(place), *actions_of(EVERYWHERE))
