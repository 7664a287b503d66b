"""An independent reading of PDF/UA-1 (ISO 14289-1) with pikepdf: what a program can check of a tagged file.

``faults`` lists what is wrong with a file, in words; a good one has none. Numbers in brackets are clauses of the
standard. It follows the Matterhorn protocol where a check needs no human.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pikepdf

STANDARD = {
    "Document", "Part", "Sect", "Div", "P", "H1", "H2", "H3", "H4", "H5", "H6", "L", "LI", "Lbl", "LBody", "Table",
    "THead", "TBody", "TFoot", "TR", "TH", "TD", "Caption", "Figure", "Formula", "Span", "Code", "Link", "Reference",
    "Note", "Quote", "BlockQuote", "TOC", "TOCI", "Index", "NonStruct", "Annot", "Title", "Strong", "Em", "Art",
}  # fmt: skip
PARENTS = {
    "LI": {"L"}, "Lbl": {"LI", "Note", "Div", "P"}, "LBody": {"LI"}, "TR": {"Table", "THead", "TBody", "TFoot"},
    "TH": {"TR"}, "TD": {"TR"}, "THead": {"Table"}, "TBody": {"Table"}, "TFoot": {"Table"},
}  # fmt: skip


@dataclass(frozen=True)
class Element:
    """One structure element: its type, its place in the tree, and the object."""

    type: str
    parent: str
    found: Any


def elements(pdf: pikepdf.Pdf) -> Iterator[Element]:
    """All structure elements in the order of reading."""
    roles = pdf.Root.StructTreeRoot.get("/RoleMap", pikepdf.Dictionary())

    def walk(kid: Any, parent: str) -> Iterator[Element]:
        if isinstance(kid, pikepdf.Array):
            for one in kid:
                yield from walk(one, parent)
        elif isinstance(kid, pikepdf.Dictionary) and "/S" in kid:
            kind = str(kid.S)
            seen = set()
            while kind in roles and kind not in seen:
                seen.add(kind)
                kind = str(roles[kind])
            kind = kind.removeprefix("/")
            yield Element(kind, parent, kid)
            yield from walk(kid.get("/K"), kind)

    yield from walk(pdf.Root.StructTreeRoot.get("/K"), "")


def faults(path: Path, language: str, title: str) -> list[str]:
    """What is wrong with the file."""
    with pikepdf.open(path) as pdf:
        if "/StructTreeRoot" not in pdf.Root:
            return ["no structure tree (7.1)"]
        return [*_document(pdf, language, title), *_structure(pdf), *_pages(pdf), *_fonts(pdf)]


def _document(pdf: pikepdf.Pdf, language: str, title: str) -> Iterator[str]:
    root = pdf.Root
    if not bool(root.get("/MarkInfo", {}).get("/Marked", False)):
        yield "not marked as tagged (6.2)"
    if bool(root.MarkInfo.get("/Suspects", False)):
        yield "suspect tags (7.1)"
    if not str(root.get("/Lang", "")).startswith(language):
        yield f"language {root.get('/Lang')} instead of {language} (7.2)"
    if not bool(root.get("/ViewerPreferences", {}).get("/DisplayDocTitle", False)):
        yield "the window does not show the title (7.1)"
    with pdf.open_metadata() as metadata:
        if metadata.get("pdfuaid:part") != "1":
            yield "does not say that it is PDF/UA-1 (5)"
        if metadata.get("dc:title") != title:
            yield f"title {metadata.get('dc:title')!r} instead of {title!r} (7.1)"
    if pdf.is_encrypted:
        yield "encrypted (7.16)"
    if pdf.attachments:
        yield "has attachments, which would need a description (7.11)"
    if "/AcroForm" in root and "/XFA" in root.AcroForm:
        yield "an XFA form (7.15)"


def _structure(pdf: pikepdf.Pdf) -> Iterator[str]:
    last, rows = 0, 0
    for element in elements(pdf):
        kind, found = element.type, element.found
        if kind not in STANDARD:
            yield f"unknown type {kind} (7.1)"
        if kind in PARENTS and element.parent not in PARENTS[kind]:
            yield f"{kind} in {element.parent} (7.2)"
        if kind in ("Figure", "Formula") and not str(found.get("/Alt", "")).strip():
            yield f"{kind} without alternative text (7.3, 7.7)"
        if kind[:1] == "H" and kind[1:].isdigit():
            level = int(kind[1:])
            if level > last + 1:
                yield f"heading {level} after {last} (7.4.2)"
            last = level
        if kind == "TH":
            attributes = found.get("/A", pikepdf.Array())
            listed = attributes if isinstance(attributes, pikepdf.Array) else [attributes]
            if not any(isinstance(a, pikepdf.Dictionary) and "/Scope" in a for a in listed):
                yield "a header cell without scope (7.5)"
        rows += kind == "Table"
    if not last:
        yield "no heading (7.4)"


def _pages(pdf: pikepdf.Pdf) -> Iterator[str]:
    for number, page in enumerate(pdf.pages, 1):
        if "/Annots" in page and page.get("/Tabs") != "/S":
            yield f"page {number}: tabs do not follow the structure (7.18.3)"
        depth, tagged = 0, False
        for operands, operator in pikepdf.parse_content_stream(page):
            name = str(operator)
            if name in ("BDC", "BMC"):
                depth += 1
                tagged |= len(operands) > 1 and isinstance(operands[1], pikepdf.Dictionary) and "/MCID" in operands[1]
                if depth > 1 and str(operands[0]) == "/Artifact":
                    yield f"page {number}: an artifact within tagged content (7.1)"
            elif name == "EMC":
                depth -= 1
            elif depth == 0 and name in ("Tj", "TJ", "'", '"', "Do", "S", "s", "f", "F", "f*", "B", "B*", "b", "sh"):
                yield f"page {number}: content outside of the tags ({name}) (7.1)"
        if tagged and "/StructParents" not in page:
            yield f"page {number} is not in the parent tree (7.1)"


def _fonts(pdf: pikepdf.Pdf) -> Iterator[str]:
    for found in pdf.objects:
        if not isinstance(found, pikepdf.Dictionary) or found.get("/Type") != "/Font":
            continue
        name = str(found.get("/BaseFont"))
        if found.get("/Subtype") == "/Type0" and "/ToUnicode" not in found:
            yield f"{name} does not say its characters (7.21.7)"
        if found.get("/Subtype") in ("/CIDFontType0", "/CIDFontType2"):
            if not {"/FontFile2", "/FontFile3"} & set(found.FontDescriptor.keys()):
                yield f"{name} is not embedded (7.21.4)"
            if found.get("/Subtype") == "/CIDFontType2" and "/CIDToGIDMap" not in found:
                yield f"{name} has no map to its glyphs (7.21.3.2)"
