"""Processor time of building sheets, against Typst alone on the same sources.

``python -m tests.benchmarks.sheets`` prints both figures of the documents layer:

* the whole build of the day's sheet (all languages, editions and formats) against ``import sympy`` and Typst alone;
* 60 variants of a sheet (student copy and solutions as PDF) against Typst alone.

Each part runs in a process of its own, so that nothing is warm that would not be.
"""

from __future__ import annotations

import argparse
import pickle
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
VARIANTS = 60
MANIFEST = """
[sheet]
id = "variants"
title = { zh = "变体", en = "Variants" }
seed = 45
[[exercise]]
id = "1"
problem = "mha-parameters"
given = { d_model = { choose = [512, 768, 1024, 1280, 1600] }, h = { choose = [8, 12, 16, 20] }, bias = true }
points = 3
[[exercise]]
id = "2"
problem = "mha-head-dimension"
given = { d_model = { choose = [512, 768, 1024, 1280, 1600] }, h = { choose = [8, 12, 16, 20] } }
points = 1
[[exercise]]
id = "3"
problem = "proof"
given = { theorem = "mha-parameter-count-square-biases" }
points = 3
[[exercise]]
id = "4"
problem = "proof"
given = { theorem = "softmax-shift-invariance" }
points = 5
[[exercise]]
id = "5"
problem = "softmax"
given = { z = [{ from = 490, to = 510 }, { from = 490, to = 510 }] }
points = 4
[[exercise]]
id = "6"
problem = "proof"
given = { theorem = "output-projection-causality" }
points = 5
[[exercise]]
id = "7"
problem = "causality-leak"
points = 3
"""


def manifests(name: str, folder: Path) -> list[Path]:
    if name == "day":
        return sorted((ROOT / "build").glob("*.toml"))
    path = folder / "variants.toml"
    path.write_text(MANIFEST, encoding="utf-8")
    return [path]


def whole(name: str, folder: Path) -> None:
    """The build as a user runs it."""
    from derive.sheets.build import Wanted, build
    from derive.sheets.formulas import TermPrinter
    from derive.worked import kinds

    wanted = Wanted(out=folder / "out")
    if name == "variants":
        wanted = Wanted(("pdf",), ("zh",), ("student", "solutions"), variants=VARIANTS, out=folder / "out")
    build(manifests(name, folder), kinds(), TermPrinter(), wanted)


def sources(name: str, folder: Path) -> None:
    """Write down what Typst is given."""
    from derive.sheets.targets import pdf

    given: list[str] = []
    compile_pdf = pdf.compile_pdf

    def noted(source: str) -> bytes:
        given.append(source)
        return compile_pdf(source)

    pdf.compile_pdf = noted
    whole(name, folder)
    (folder / "sources").write_bytes(pickle.dumps(given))


def typst_alone(folder: Path) -> None:
    """Typst on the sources that were written down, the way our own target calls it."""
    import typst

    given = pickle.loads((folder / "sources").read_bytes())
    fonts = typst.Fonts(
        include_system_fonts=False, include_embedded_fonts=True, font_paths=[str(ROOT / "templates/fonts")]
    )
    compiler = typst.Compiler(font_paths=fonts, ignore_system_fonts=True)
    for source in given:
        compiler.compile(source.encode(), format="pdf", pdf_standards=["ua-1"])


def processor_seconds(part: str, name: str, folder: Path) -> float:
    """The user and system time of one part in a new process."""
    import os

    before = os.times()
    command = [sys.executable, "-m", "tests.benchmarks.sheets", part, name, str(folder)]
    subprocess.run(command, cwd=ROOT, check=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def measured(name: str) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        processor_seconds("sources", name, folder)
        found = {part: processor_seconds(part, name, folder) for part in ("whole", "typst")}
        if name == "day":
            found["sympy"] = processor_seconds("sympy", name, folder)
        return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", nargs="?", choices=("whole", "sources", "typst", "sympy"))
    parser.add_argument("name", nargs="?", choices=("day", "variants"))
    parser.add_argument("folder", nargs="?", type=Path)
    asked = parser.parse_args()
    if asked.part == "whole":
        whole(asked.name, asked.folder)
    elif asked.part == "sources":
        sources(asked.name, asked.folder)
    elif asked.part == "typst":
        typst_alone(asked.folder)
    elif asked.part == "sympy":
        import sympy  # noqa: F401
    else:
        for name, most in (("day", 3.0), ("variants", 2.0)):
            started = time.monotonic()
            found = measured(name)
            alone = found["typst"] + found.get("sympy", 0.0)
            parts = ", ".join(f"{part} {seconds:.2f} s" for part, seconds in found.items())
            ratio = found["whole"] / alone
            print(f"{name}: {parts}; ratio {ratio:.2f} (at most {most}); {time.monotonic() - started:.0f} s in all")


if __name__ == "__main__":
    main()
