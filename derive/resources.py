"""Where templates, fonts and shipped manifests lie: inside the installed package, or in the root of a checkout."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path


def _folder(name: str) -> Path:
    """``derive/<name>`` as installed from a wheel, else ``<name>`` beside the package, as in a checkout."""
    package = Path(str(files("derive")))
    shipped = package / name
    return shipped if shipped.is_dir() else package.parent / name


def templates() -> Path:
    """The folder with every word and every look."""
    return _folder("templates")


def manifests() -> list[Path]:
    """The manifests that come with the package, in order of name."""
    return sorted(_folder("build").glob("*.toml"))
