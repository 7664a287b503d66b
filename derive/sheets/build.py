"""Building: every document of every sheet is rendered in memory first, and only then are files written.

The pictures come before the documents that name them, and those that no document names any more go last of all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from derive.errors import DeriveError
from derive.sheets.assemble import assemble
from derive.sheets.blocks import Language, Sheet
from derive.sheets.documents import Order, Press, digest
from derive.sheets.formulas import FormulaPrinter
from derive.sheets.manifest import MAX_SEED, read
from derive.sheets.problems import Kinds
from derive.sheets.targets import Edition, Format, Paper
from derive.writing import write_all


@dataclass(frozen=True)
class Wanted:
    """Which documents of each sheet are wanted, where, and with which seed (by default the manifest's).

    Variants are sheets of their own, with the seeds from this one on.
    """

    formats: tuple[Format, ...] = ("pdf", "html", "tex", "md")
    languages: tuple[Language, ...] = ("zh", "en")
    editions: tuple[Edition, ...] = ("student", "solutions", "key")
    papers: tuple[Paper, ...] = ("a4",)
    large: bool = False
    seed: int | None = None
    variants: int | None = None
    out: Path = Path("build/out")

    def numbers(self) -> tuple[int | None, ...]:
        """The numbers of the variants, from 1; of a sheet without variants, None."""
        return (None,) if self.variants is None else tuple(range(1, self.variants + 1))

    def orders(self, variant: int | None) -> Iterator[Order]:
        """The documents of one sheet."""
        for paper in self.papers:
            for lang in self.languages:
                for edition in self.editions:
                    for format in self.formats:
                        if format == "md" and (paper != self.papers[0]):
                            continue  # Markdown has no paper
                        yield Order(edition, lang, format, paper, self.large, variant)


@dataclass(frozen=True)
class Step:
    """One thing done, for whoever shows progress: an exercise derived or a document rendered, of how many."""

    name: str
    done: int
    total: int


def build(
    manifests: Sequence[Path],
    kinds: Kinds,
    printer: FormulaPrinter,
    wanted: Wanted,
    tell: Callable[[Step], None] = lambda _: None,
) -> list[Path]:
    """Build the sheets of `manifests`; the paths of the documents, in order.

    Pictures that can't stand in a document lie in the folder ``figures`` beside it.

    Raises
    ------
    DeriveError
        For anything wrong with a manifest, a text or the output folder; then nothing was written.
    """
    asked = [read(path, kinds) for path in manifests]
    ids = [m.id for m in asked]
    for i, name in enumerate(ids):
        if name in ids[:i]:
            raise DeriveError(
                "sheet-twice", sheet=name, file=asked[i].path.name, other=asked[ids.index(name)].path.name
            )
    numbers = wanted.numbers()
    total = sum(len(m.exercises) + len(list(wanted.orders(None))) for m in asked) * len(numbers)
    done = 0

    def step(name: str) -> None:
        nonlocal done
        done += 1
        tell(Step(name, done, total))

    documents: dict[Path, bytes] = {}
    pictures: dict[Path, bytes] = {}
    for manifest, variant in ((m, n) for m in asked for n in numbers):
        first = manifest.seed if wanted.seed is None else wanted.seed
        seed = first + (variant or 1) - 1
        if seed > MAX_SEED:
            raise DeriveError("too-many-variants", k=len(numbers), seed=first, limit=MAX_SEED)
        sheet: Sheet = assemble(manifest, kinds, seed, step, first)
        press = Press(sheet, printer, variant)
        for order in wanted.orders(variant):
            name = order.name(sheet.id)
            folder = wanted.out / sheet.id
            documents[folder / name] = press.render(order)
            for picture, content in press.pictures(order).items():
                pictures[folder / "figures" / picture] = content
            step(name)
    write(documents, pictures)
    return list(documents)


def write(documents: Mapping[Path, bytes], pictures: Mapping[Path, bytes]) -> None:
    """Write documents and the pictures that they name; wherever this is cut off, a document has its own pictures.

    Raises
    ------
    DeriveError
        As `derive.writing.write_all` does.
    """

    def finish() -> None:
        for folder in sorted({path.parent for path in documents}):
            _remove_unnamed(folder)

    write_all(pictures, documents, finish=finish)


def _remove_unnamed(folder: Path) -> None:
    """Remove the pictures of earlier builds that no document of the folder names any more.

    Only what carries its digest in its name is removed, hence nothing that anybody else put there or has changed.
    """
    with suppress(OSError):
        pictures = [p for p in (folder / "figures").iterdir() if p.is_file()]
        texts = [p.read_bytes() for p in folder.iterdir() if p.suffix in (".tex", ".md") and p.is_file()]
        for picture in pictures:
            named = any(f"figures/{picture.name}".encode() in text for text in texts)
            if not named and digest(picture.read_bytes()) in picture.stem.split("-"):
                picture.unlink()
