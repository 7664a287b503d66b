"""Sheets: a manifest becomes blocks, blocks become documents.

The order of things, one way::

    manifest.read(path, kinds) -> Manifest          what was asked for, checked to the last key
    assemble.assemble(manifest, kinds, seed) -> Sheet    each exercise derived, as blocks
    documents.Press(sheet, printer).render(order) -> bytes    one document, for one `Order`
    build.build(...)                                     all documents, written only when all are rendered

What the mathematical side hands in is drawn in `blocks` (what stands on paper), in `problems` (`ProblemKind`,
`Field`, `Solution`) and in `formulas` (`FormulaPrinter`).
"""
