"""Makes the vendored fonts: subsets of Noto Serif/Sans SC for Chinese and of Latin Modern Math for web pages.

Sources are the Debian packages ``fonts-noto-cjk`` and ``lmodern``; run by hand, seldom:

    python templates/fonts/make_fonts.py [NOTO_FOLDER [LATIN_MODERN_MATH]]

What the subsets hold is what GB 2312 holds (levels 1 and 2 of its Hanzi, and its symbols), ASCII, the
punctuation of CJK typesetting and the full-width forms. Hinting and layout features that Chinese text set
in horizontal lines does not use are dropped. The same sources give the same bytes.
"""

from __future__ import annotations

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTCollection, TTFont

HERE = Path(__file__).parent
NOTO = Path("/usr/share/fonts/opentype/noto")
LATIN_MODERN_MATH = Path("/usr/share/texmf/fonts/opentype/public/lm-math/latinmodern-math.otf")
EPOCH = 3_786_825_600  # 2024-01-01, in seconds since 1904: a date that does not depend on the day of the run


def gb2312() -> set[int]:
    """Every code point of GB 2312, by decoding each cell of its 94 by 94 table."""
    points: set[int] = set()
    for row in range(0xA1, 0xFF):
        for cell in range(0xA1, 0xFF):
            try:
                points.add(ord(bytes((row, cell)).decode("gb2312")))
            except UnicodeDecodeError:
                continue
    return points


def chinese_text() -> set[int]:
    """GB 2312, ASCII, CJK punctuation, full-width forms, dashes, quotes and the ellipsis."""
    marks = {ord(c) for c in "·—–…‘’“”×÷±−≤≥≠∞√→←↑↓△▲○●◎□■☐☑✓ ①②③④⑤⑥⑦⑧⑨⑩"}
    return gb2312() | set(range(0x20, 0x7F)) | set(range(0x3000, 0x3040)) | set(range(0xFF01, 0xFF5F)) | marks


def mathematics() -> set[int]:
    """What formulas on a web page use: letters (plain and mathematical), Greek, operators, arrows, fences."""
    ranges = (
        (0x20, 0x7F),
        (0xA0, 0x100),
        (0x300, 0x340),
        (0x391, 0x3D7),
        (0x2010, 0x2058),
        (0x2061, 0x2065),
        (0x2070, 0x209D),
        (0x2100, 0x2140),
        (0x2190, 0x21D8),
        (0x2200, 0x2300),
        (0x2308, 0x230C),
        (0x239B, 0x23B8),
        (0x27E6, 0x27EC),
        (0x2A00, 0x2A10),
        (0x2A7D, 0x2A7F),
        (0x1D400, 0x1D468),
        (0x1D538, 0x1D56C),
        (0x1D6A4, 0x1D6A6),
        (0x1D6E2, 0x1D71C),
    )
    return {point for low, high in ranges for point in range(low, high)}


def rename(font: TTFont, family: str, style: str) -> None:
    """Give the font the names that style sheets and Typst look for, keeping copyright and licence."""
    table = font["name"]
    table.names = [n for n in table.names if n.nameID in (0, 5, 13, 14) and n.langID in (0, 0x409)]
    bold = style == "Bold"
    postscript = f"{family.replace(' ', '')}-{style}"
    for number, text in ((1, family), (2, style), (3, postscript), (4, f"{family} {style}"), (6, postscript)):
        table.setName(text, number, 3, 1, 0x409)
    font["OS/2"].usWeightClass = 700 if bold else 400
    font["OS/2"].fsSelection = (font["OS/2"].fsSelection & ~0x61) | (0x20 if bold else 0x40)
    font["head"].macStyle = 1 if bold else 0
    font["head"].modified = font["head"].created = EPOCH
    if "CFF " in font:
        cff = font["CFF "].cff
        cff.fontNames = [postscript]
        cff.topDictIndex[0].FamilyName, cff.topDictIndex[0].FullName = family, f"{family} {style}"


def options(features: list[str], flavour: str | None = None) -> subset.Options:
    chosen = subset.Options()
    chosen.layout_features = features
    chosen.hinting = False
    chosen.desubroutinize = False
    chosen.notdef_outline = True
    chosen.name_IDs = [0, 5, 13, 14]
    chosen.name_languages = [0x409]
    chosen.drop_tables += ["FFTM", "VORG", "vhea", "vmtx", "BASE", "DSIG", "meta"]
    chosen.recalc_timestamp = False
    chosen.flavor = flavour
    return chosen


def make(font: TTFont, points: set[int], family: str, style: str, target: Path, chosen: subset.Options) -> None:
    """Subset `font` to `points` and write it to `target`, saying how many it holds."""
    present = points & set(font.getBestCmap())
    subsetter = subset.Subsetter(chosen)
    subsetter.populate(unicodes=present)
    subsetter.subset(font)
    rename(font, family, style)
    subset.save_font(font, str(target), chosen)
    print(f"{target.name}: {target.stat().st_size:,} bytes, {len(present)} characters")


def coverage() -> str:
    """All code points of the basic plane, and of the mathematical alphabets, that Typst can set with our fonts."""
    import typst

    fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=True, font_paths=[str(HERE)])
    compiler = typst.Compiler(font_paths=fonts, ignore_system_fonts=True)
    families = '("Libertinus Serif", "Noto Serif SC", "New Computer Modern Math")'

    def settable(points: range | list[int]) -> bool:
        text = "".join(f"\\u{{{p:x}}}" for p in points)
        source = f'#set document(title: "x")\n#set text(font: {families}, fallback: false)\n#"{text}"'
        try:
            compiler.compile(source.encode(), format="pdf", pdf_standards=["ua-1"])
        except typst.TypstError:
            return False
        return True

    def search(points: list[int]) -> list[int]:
        if settable(points):
            return points
        if len(points) == 1:
            return []
        half = len(points) // 2
        return search(points[:half]) + search(points[half:])

    wanted = [
        p for p in (*range(0x20, 0xD800), *range(0xF900, 0xFFFE), *range(0x1D400, 0x1D800)) if chr(p).isprintable()
    ]
    known = [p for i in range(0, len(wanted), 64) for p in search(wanted[i : i + 64])]
    lines: list[str] = []
    for p in known:
        low, _, high = lines[-1].partition("-") if lines else ("", "", "")
        if lines and int(high or low, 16) == p - 1:
            lines[-1] = f"{low}-{p:04X}"
        else:
            lines.append(f"{p:04X}")
    return "\n".join(lines) + "\n"


def main(noto: Path = NOTO, mathematical: Path = LATIN_MODERN_MATH) -> None:
    for kind in ("Serif", "Sans"):
        for style in ("Regular", "Bold"):
            collection = TTCollection(str(noto / f"Noto{kind}CJK-{style}.ttc"), lazy=True)
            font = next(f for f in collection.fonts if str(f["name"].getDebugName(4)).startswith(f"Noto {kind} CJK SC"))
            target = HERE / f"Noto{kind}SC-{style}.otf"
            make(font, chinese_text(), f"Noto {kind} SC", style, target, options(["palt", "halt", "locl", "ccmp"]))
    make(
        TTFont(str(mathematical)),
        mathematics(),
        "Derive Math",
        "Regular",
        HERE / "DeriveMath.woff2",
        options(["ssty", "ccmp", "locl", "dtls"], "woff2"),
    )
    (HERE / "coverage.txt").write_text(coverage(), encoding="ascii")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
