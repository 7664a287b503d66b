"""What changed from one line of a chain to the next: the smallest parts in which two terms differ."""

from __future__ import annotations

from difflib import SequenceMatcher

from proofs.syntax.layout import Path
from proofs.terms import Definition, Term


def changed(old: Term, new: Term) -> tuple[frozenset[Path], frozenset[Path]]:
    """The paths of the smallest parts in which `old` and `new` differ, in each of the two.

    Two nodes with the same operation are compared child by child, those of sums and products lined up first,
    so that an added summand does not mark its neighbours. If a sum or product differs only by children that
    one side lacks, that side is marked as a whole.
    """
    ours: set[Path] = set()
    theirs: set[Path] = set()
    todo: list[tuple[Term, Path, Term, Path]] = [(old, (), new, ())]
    while todo:
        a, p, b, q = todo.pop()
        if a == b:
            continue
        if not _comparable(a, b):
            ours.add(p)
            theirs.add(q)
        elif a.op in ("add", "mul"):
            pairs, gone, come = _lined_up(a, b)
            todo += [(a.args[i], (*p, i), b.args[j], (*q, j)) for i, j in pairs]
            ours |= {(*p, i) for i in gone}
            theirs |= {(*q, j) for j in come}
            if gone and not come and not pairs:
                theirs.add(q)
            if come and not gone and not pairs:
                ours.add(p)
        else:
            todo += [(x, (*p, k), y, (*q, k)) for k, (x, y) in enumerate(zip(a.args, b.args, strict=True))]
    return frozenset(ours), frozenset(theirs)


def _comparable(a: Term, b: Term) -> bool:
    """Whether two different terms can differ further down."""
    if a.op != b.op or not a.args or not b.args:
        return False
    if a.op in ("add", "mul"):
        return True
    same = a.data == b.data and a.data is not None if isinstance(a.data, Definition) else a.rank == b.rank
    return same and len(a.args) == len(b.args)


def _lined_up(a: Term, b: Term) -> tuple[list[tuple[int, int]], list[int], list[int]]:
    """The differing children of two sums or products: pairs to compare, children gone, children come."""
    pairs: list[tuple[int, int]] = []
    gone: list[int] = []
    come: list[int] = []
    for tag, i, i_end, j, j_end in SequenceMatcher(None, a.args, b.args, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        if i_end - i == j_end - j:
            pairs += zip(range(i, i_end), range(j, j_end), strict=True)
        else:
            gone += range(i, i_end)
            come += range(j, j_end)
    return pairs, gone, come
