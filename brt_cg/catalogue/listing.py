"""A catalogue in words: each type with its figures, and where each figure comes from."""

from collections.abc import Iterator

from brt_cg.card.printed import FIGURES
from brt_cg.catalogue.reading import AMMUNITION, CatalogueType
from brt_cg.text import listed


def lines_of(each: CatalogueType) -> Iterator[str]:
    """A type in lines: its name and side, then a line for each figure with its source."""
    whose = "both sides" if each.nation is None else each.nation.label
    called = f"; also called {listed(each.called)}" if each.called else ""
    yield f"{each.type} · {whose}{called}"
    for name, label, value, source in figures_of(each):
        yield f"    {label}: {value}   ({name}; {source})"


def labels_of(table: str) -> dict[str, str]:
    """The labels of the figures of a table's types, by field."""
    known = {name: field.label for name, field in FIGURES[table].items()}
    return {**known, AMMUNITION: "special ammunition"}


def figures_of(each: CatalogueType) -> Iterator[tuple[str, str, str, str]]:
    """The figures of a type: the field, its label, the value in words, and the source."""
    known, labels = FIGURES[each.table], labels_of(each.table)
    for name, figure in each.figures.items():
        yield name, labels[name], known[name].worded(figure.value), figure.source
    if each.ammunition is not None:
        had = listed(each.ammunition.value)
        yield AMMUNITION, labels[AMMUNITION], had, each.ammunition.source
