"""The catalog of types: their printed values, each with its source, and the player's own values,
which take precedence over the program's."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from textual.content import Content

from brt_cg.card import FIGURES
from brt_cg.catalogue import TABLES
from brt_cg.catalogue.types import (
    CatalogueType,
    figure_labels,
    figure_rows,
    own_catalogue_path,
    own_types_with_assignments,
    write_own_types,
)
from brt_cg.model import Side, Vehicle, Weapon
from brt_cg.questions import Problem, RefusedError
from brt_cg.service.printed_figures import PrintedFigures
from brt_cg.text import list_text
from brt_cg.tui.lists.search import group_pairs
from brt_cg.tui.look.columns import Column, Columns, column_width_for, columns
from brt_cg.tui.question.form import EntryForm, FormField, FormPage, Typed, Validation
from brt_cg.tui.rooms.campaign.page import CampaignPage, PageRow, PageShape, heading_row, row_within
from brt_cg.tui.session.campaign_app import CampaignApp
from brt_cg.tui.session.session import CampaignSnapshot

HEADINGS = {Weapon.TABLE: "SW, Guns and armament", Vehicle.TABLE: "Vehicles"}
SIDES = (("", "both sides"), *((side.value, side.label) for side in Side))
SORTS = tuple(HEADINGS.items())
MARK = 2  # the width of the mark of the player's own figures


class CataloguePage(CampaignPage):
    """The page of the catalog. Its rows are the player's, not the campaign's; after a change they
    are read again."""

    def __init__(self) -> None:
        super().__init__("catalogue", self._catalogue_rows, shape=PageShape.TABLE)

    def _catalogue_rows(self, seen: CampaignSnapshot) -> Sequence[PageRow]:
        return [*self._listed()]

    def _listed(self) -> Iterator[PageRow]:
        catalogue = PrintedFigures(lambda _: None).catalogue
        own = {each.identity for each in catalogue.own}
        for table in TABLES:
            in_columns = _columns(table, (*catalogue.own, *catalogue.shipped))
            yield heading_row(HEADINGS[table], in_columns)
            mine = [each for each in catalogue.own if each.table == table]
            shipped = [each for each in catalogue.shipped if each.table == table]
            found = [*mine, *(each for each in shipped if each.identity not in own)]
            for each in sorted(found, key=lambda each: each.type.lower()):
                twin = [
                    other for other in shipped if other.identity == each.identity and each in mine
                ]
                yield self._type_row(each, twin, each.identity in own, in_columns)
        yield PageRow(
            Content("+ a new type"),
            "new",
            "A new type",
            Content("Kept in your own catalog."),
            enter="enter it",
            does=partial(self._change, None),
        )

    def _type_row(
        self, each: CatalogueType, twins: Sequence[CatalogueType], own: bool, table: Columns
    ) -> PageRow:
        whose = each.nation.label if each.nation else "both"
        known = {name: value for name, _, value, _ in _figures(each, twins)}
        figures = (known.get(name, ("–", "dim")) for name in figure_labels(each.table))
        named = columns(MARK).row("•" if own else "", (each.type, "bold" if own else ""))
        cells = named, whose, *figures
        return PageRow(
            lambda width: row_within(width, table, *cells),
            f"{each.table}.{each.nation or 'both'}.{each.type}",
            f"{each.type} · {each.nation.label if each.nation else 'both sides'}",
            Content("\n").join(_details(each, twins)),
            enter="change a figure",
            does=partial(self._change, each),
        )

    async def _change(self, each: CatalogueType | None, app: CampaignApp) -> None:
        if app.served:
            app.show_notice("The catalog is kept on the machine that serves the campaign.")
            return
        await app.show_form(FigureForm(each))
        self.changed()


def _columns(table: str, types: Iterable[CatalogueType]) -> Columns:
    """Return the columns of a table: the type, its side, and the values to the right."""
    name = column_width_for(
        [HEADINGS[table], *(each.type for each in types if each.table == table)]
    )
    side = Column(column_width_for(side.label for side in Side), "Side")
    heads = (f"{label[0].upper()}{label[1:]}" for label in figure_labels(table).values())
    others = (Column(len(head) + 2, head, right=True) for head in heads)
    return columns(name + MARK, side, *others)


def _figures(
    each: CatalogueType, twins: Sequence[CatalogueType]
) -> Iterator[tuple[str, str, str, str]]:
    """Yield the values of a type: first the player's own, then the program's for the rest."""
    seen_fields = set()
    for one in (each, *twins):
        for figure in figure_rows(one):
            if figure[0] not in seen_fields:
                seen_fields.add(figure[0])
                yield figure


def _details(each: CatalogueType, twins: Sequence[CatalogueType]) -> Iterator[Content]:
    called = dict.fromkeys(name for one in (each, *twins) for name in one.called)
    if called:
        yield Content(f"also called {list_text(called)}")
    found = (
        (source, Content.assemble(f"{label}: ", (value, "bold")))
        for _, label, value, source in _figures(each, twins)
    )
    for source, figures in group_pairs(found).items():
        yield Content(" · ").join(figures)
        yield Content.styled(f"  {source}", "dim")


class FigureForm(EntryForm[None]):
    """The form for the values of a type in the player's own catalog; an empty field keeps the
    program's value. Without a type, the form also asks for the name of a new one."""

    def __init__(self, each: CatalogueType | None) -> None:
        self.each = each
        self.begins_at = "" if each is None else next(iter(FIGURES[each.table]))

    @property
    def draft_name(self) -> str:
        return f"figures {self.each.type if self.each else None}"

    def pages(self, typed: Typed) -> tuple[FormPage, ...]:
        if self.each is not None:
            return (
                FormPage(
                    f"{self.each.type}: as printed on the counter", self._figures(), "keep it"
                ),
            )
        first = (
            FormField("type", "Its name", required=True, hint="as printed on the counter"),
            FormField("table", "What", SORTS[0][0], SORTS),
            FormField("nation", "Made by", "", SIDES),
        )
        table = typed.get("table", SORTS[0][0])
        return (
            FormPage("A new type · 1 of 2", first, "continue"),
            FormPage("A new type · 2 of 2 · its figures", self._figures(table), "keep it"),
        )

    def _figures(self, table: str = "") -> tuple[FormField, ...]:
        known = {} if self.each is None else self.each.figures
        fields = FIGURES[table or self._table({})]
        values = {name: fields[name].value_text(figure.value) for name, figure in known.items()}
        return tuple(
            FormField(name, field.label, hint=values.get(name, "not known"))
            for name, field in fields.items()
        )

    def _table(self, typed: Typed) -> str:
        return self.each.table if self.each is not None else typed.get("table", SORTS[0][0])

    def _edited(self, typed: Typed) -> list[CatalogueType]:
        """Return the player's own catalog with the typed values. Raises RefusedError."""
        table = self._table(typed)
        given = [
            f"{name}={typed[name].strip()}"
            for name in FIGURES[table]
            if typed.get(name, "").strip()
        ]
        if not given:
            raise RefusedError(Problem(next(iter(FIGURES[table])), "enter at least one value"))
        if self.each is not None:
            return own_types_with_assignments(table, self.each.nation, self.each.type, given)
        return own_types_with_assignments(
            table, Side.from_name(typed["nation"]), typed["type"].strip(), given
        )

    async def validate(self, typed: Typed, page: int) -> Validation:
        if page == len(self.pages(typed)) - 1:
            self._edited(typed)
            return Validation(Content(f"Kept in your own catalog: {own_catalogue_path()}"))
        return Validation()

    async def submit(self, typed: Typed) -> None:
        write_own_types(self._edited(typed))
