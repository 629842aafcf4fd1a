"""Where the data files are: beside the package once installed, at the top of a checkout."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def campaigns() -> Path:
    """The folder of CG cards, tables, rulings and the map (`campaigns/`).

    Raises FileNotFoundError if the installation is incomplete.
    """
    return _folder("campaigns")


def migrations() -> Path:
    """The folder of the campaign file's Alembic revisions (`migrations/`).

    Raises FileNotFoundError if the installation is incomplete.
    """
    return _folder("migrations")


def completions() -> Path:
    """The folder of the shells' completions, which is made when the wheel is built.

    Raises FileNotFoundError in a checkout.
    """
    return _folder("completions")


def _folder(name: str) -> Path:
    places = (_PACKAGE / "_data" / name, _PACKAGE.parent / name)
    for place in places:
        if place.is_dir():
            return place
    looked = " nor ".join(str(place) for place in places)
    raise FileNotFoundError(f"the {name} folder is missing: neither {looked} exists")
