"""The app as its rooms know it: the campaign that is open, work at its desk, the player's keys."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from textual import work

from brt_cg.tui.actions import BY_ID, Action, actions_of
from brt_cg.tui.keys import shown_key
from brt_cg.tui.memory import remembered
from brt_cg.tui.session import Session, open_file
from brt_cg.tui.typed_ahead import TypedAhead

if TYPE_CHECKING:
    from brt_cg.desk import Desk
    from brt_cg.storage.place import Place
    from brt_cg.tui.forms.form import Form
    from brt_cg.tui.looking_back import News

T = TypeVar("T")

SEAT = "everywhere.seat"
FIRST_HEX = "N21"  # where the map begins to look
PATIENCE = 0.3  # seconds of work before the header says that there is some


class CampaignApp(TypedAhead):
    """What the rooms and their parts may ask of the app. One that is `served` stays with its
    campaign and its seat; `backs_up` false goes on where no backup can be made."""

    session: Session

    def __init__(self, served: bool, backs_up: bool = True) -> None:
        super().__init__()
        self._disable_tooltips = True  # each screen would have a widget for them: there are none
        self.served = served
        self.backs_up = backs_up
        self.memory = remembered()
        self.map_cursor, self.map_zoom = FIRST_HEX, 1  # where all rooms with the map are looking
        self.news: News | None = None  # what happened since this seat last looked

    def rooms_catch_up(self) -> None:
        """Lets the rooms in front show what has changed."""
        raise NotImplementedError(self)

    async def open_and_wait(self, make: Callable[[], "Desk"]) -> None:
        """Opens the campaign that `make` makes or reads, in a worker that waits for it."""
        raise NotImplementedError(self)

    async def show(self, place: str, subject: str = "") -> None:
        """Goes to a room, and there to a subject: an entry of the Journal by the seat's number, a
        counter of Forces, a hex of the Map, a page of the Campaign room."""
        raise NotImplementedError(self)

    async def fill_in(self, form: "Form[T]") -> T | None:
        """Shows a form, in a worker that waits for it; what it came to, None if it was left."""
        raise NotImplementedError(self)

    def open_campaign(self, path: "Place") -> None:
        """Opens a campaign and asks for the seat; goes Home with a word if it cannot be."""
        self.open_desk(lambda: open_file(path, self.backs_up))

    def open_desk(self, make: Callable[[], "Desk"]) -> None:
        """Opens the campaign that `make` makes or reads, in the desk's thread."""
        self.run_worker(self.open_and_wait(make), group="open", exclusive=True)

    def keys_of(self, action: Action) -> list[str]:
        """The keys of an action as they are now, the player's own if he gave some."""
        return list(filter(None, self._keymap.get(action.id, action.keys).split(",")))

    def keys_in(self, place: str) -> set[str]:
        """The keys of a place's own actions."""
        return {key for action in actions_of(place) for key in self.keys_of(action)}

    def key(self, id: str) -> str:
        """The first key of an action as it is shown; "" where it has none."""
        return next(map(shown_key, self.keys_of(BY_ID[id])), "")

    @work(group="desk", description="perform")
    async def perform(
        self,
        work: Callable[[Any], Any],
        then: Callable[[Any], Any] | None = None,
        refused: Callable[[str], Any] | None = None,
    ) -> None:
        """Does work at the desk in its thread, work(desk), in the order in which it was asked for.

        A refusal goes to `refused`, or into a notice; `then` gets what the work returned. A
        generator is shown as it goes.
        """
        from brt_cg.answers import Refused

        self.set_timer(PATIENCE, self.rooms_catch_up)
        try:
            done = await self.session.perform(work)
        except Exception as error:
            if refused is not None and isinstance(error, Refused):
                refused(str(error))
            else:
                self.tell(error)
            return
        finally:
            self.tell_notices()
        if then is not None:
            then(done)

    def say(self, words: str) -> None:
        """Says what came of an action, in a notice that goes soon; not twice at one time."""
        if all(words != notice.message for notice in self._notifications):
            self.notify(words, timeout=4, markup=False)

    def warn(self, words: str, title: str = "Not possible") -> None:
        """Says what was refused, or that something is wrong, in a notice that stays a while."""
        self.notify(words, title=title, severity="warning", timeout=10, markup=False)

    def tell_notices(self) -> None:
        """Tells what came up at the desk beside what was asked of it."""
        for told in self.session.take_notices():
            self.warn(told, "")

    def tell(self, error: Exception) -> None:
        """Tells players what was refused; anything that is no mistake of theirs is raised."""
        from brt_cg.answers import Refused
        from brt_cg.card import CardError
        from brt_cg.storage.errors import MovedOn, StorageError

        if isinstance(error, MovedOn):
            self.warn(
                "Another window had gone on with the campaign. It has been read again; nothing of "
                "it was overwritten, and your last entry was not made.",
                "The campaign has moved on",
            )
        elif isinstance(error, StorageError):
            self.warn(str(error), error.title)
        elif isinstance(error, Refused | CardError | OSError):
            self.warn(str(error))
        else:
            raise error

    def may(self, id: str) -> bool:
        """Whether whoever sits here may do an action at all: a served screen is not at the
        machine, and a player's role has one seat."""
        action = BY_ID.get(id)
        if id == SEAT and self.session.role is not None:
            return False
        return action is None or not (action.machine and self.served)
