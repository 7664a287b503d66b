"""What must hold for a term to have a value, each condition with the kernel theorem that shows it.

Every division, root, logarithm and negative power in a term needs its argument where it is defined, a maximum a range
that is not empty, and an entry of a tensor its indices within the dimensions. What stands under a binder or in a branch
of an 'if' needs it wherever it is reached: the ranges and conditions on the way may be supposed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice, product
from typing import TYPE_CHECKING

from proofs import kernel
from proofs.context import ONE, ZERO, Context, definitions_in
from proofs.justify import prove
from proofs.kernel import Theorem
from proofs.polynomials import read, write
from proofs.record import Established
from proofs.syntax.environment import dimensions
from proofs.terms import (
    Term, TermError, binds, forall, free_variables, instantiate, negation, rebuild, relation, substitute, unfold, var,
)  # fmt: skip

if TYPE_CHECKING:
    from proofs.refute import CounterExample

_MAX_CORNERS = 16
_MAX_COMPARED = 12


@dataclass(frozen=True)
class Condition:
    """What one part of a term needs to have a value: `wanted`, on the `path` that leads to it.

    Attributes
    ----------
    path : tuple of Term
        What holds on the way to the part beyond what the context grants: ranges of indices, conditions of 'if'.
    wanted : Term
        A relation.
    part : Term
        The quotient, root, logarithm, power, maximum or entry.
    theorem : Theorem or None
        The kernel's ``assumptions, path |- wanted``; None where it was not found.
    ranges : tuple
        The ranges in `path`, from the outermost in: index, lower and upper end.
    """

    path: tuple[Term, ...]
    wanted: Term
    part: Term
    theorem: Theorem | None
    ranges: tuple[tuple[Term, Term, Term], ...] = ()

    def established(self, name: str) -> Established | None:
        """The theorem under a name, for all indices in their ranges unless a branch on the way speaks of one."""
        if self.theorem is None:
            return None
        asked, theorem, path = self.wanted, self.theorem, self.path
        for v, lo, hi in reversed(self.ranges):
            rest = tuple(p for p in path if p not in (relation("le", lo, v), relation("le", v, hi)))
            if any(v in free_variables(p) for p in rest):
                break
            asked, path = forall(v, lo, hi, asked), rest
            theorem = kernel.generalise(theorem, v, lo, hi)
        return Established(name, asked, theorem, path)


@dataclass(frozen=True)
class Missing:
    """A condition that was not shown, as a person would suppose it, and what has no value without it.

    Attributes
    ----------
    condition : Term
        A relation, or a 'for all' over the indices bound around the part.
    part : Term
        The part without a value; its bound indices are variables with the names that they have on paper.
    index, upper : Term or None
        For an entry, the index that was not shown to lie in ``1..upper``.
    within : tuple
        The ranges of the bound indices that the part speaks of: name, lower and upper end.
    never : bool
        Whether the condition certainly fails somewhere, so that there is nothing to suppose.
    fails : CounterExample or None
        Values that meet all that is supposed and at which the condition fails, where such were looked for and found.
    holds : bool
        Whether values were found that meet all that is supposed, and all that the line needs besides.
    """

    condition: Term
    part: Term
    index: Term | None = None
    upper: Term | None = None
    within: tuple[tuple[Term, Term, Term], ...] = ()
    never: bool = False
    fails: CounterExample | None = None
    holds: bool = False


def conditions(t: Term, ctx: Context) -> list[Condition]:
    """All that must hold for `t` (or both sides of a relation) to have a value, but for what is granted literally."""
    given = len(ctx.assumptions)
    found: dict[tuple[tuple[Term, ...], Term], Condition] = {}
    for need in _needs(t, ctx):
        inner, wanted = need.place.ctx, need.wanted
        path = inner.assumptions[given:]
        if wanted not in inner.assumptions and (path, wanted) not in found:
            ranges = tuple((v, *ends) for v, ends, _ in need.place.binders if ends is not None)
            found[path, wanted] = Condition(path, wanted, need.part, _shown(wanted, inner), ranges)
    return list(found.values())


def missing(t: Term, ctx: Context) -> list[Missing]:
    """What was not shown of all that must hold for `t` (or both sides of a relation) to have a value."""
    found: dict[Term, Missing] = {}
    seen: set[tuple[tuple[Term, ...], Term]] = set()
    for need in _needs(t, ctx):
        key = need.place.ctx.assumptions, need.wanted
        if key not in seen and _shown(need.wanted, need.place.ctx) is None:
            for m in _named(need, ctx):
                found.setdefault(m.condition, m)
        seen.add(key)
    return least(list(found.values()), ctx)


def undefined(t: Term, ctx: Context) -> list[Term]:
    """The conditions under which `t` (or both sides of a relation) has a value and which `ctx` does not show.

    What stands under a binder comes as a bounded 'for all'. The list is empty where all is defined.
    """
    return [m.condition for m in missing(t, ctx)]


def established(name: str, t: Term, ctx: Context) -> list[Established]:
    """The theorems that say of a term with a value that it has one; none for what is granted literally.

    Raises `TermError` where one is not found, so that nothing is recorded by halves.
    """
    shown = []
    for k, c in enumerate(conditions(t, ctx), 1):
        found = c.established(f"{name}-value-{k}")
        if found is None:
            raise TermError(f"{c.part!r} is not shown to have a value")
        shown.append(found)
    return shown


# --- the places that need something ------------------------------------------------------------------------


@dataclass(frozen=True)
class _Place:
    """Where a part stands: the context there, and the binders and conditions on the way, from the outermost in.

    A binder is its index with its range (None where that isn't known) and its name on paper.
    """

    ctx: Context
    binders: tuple[tuple[Term, tuple[Term, Term] | None, str], ...] = ()
    branches: tuple[Term, ...] = ()

    def bound(self, hint: str, ends: tuple[Term, Term] | None) -> tuple[Term, _Place]:
        v = self.ctx.fresh()
        inner = self.ctx.under() if ends is None else self.ctx.within(v, *ends)
        return v, _Place(inner, (*self.binders, (v, ends, hint)), self.branches)

    def branch(self, condition: Term) -> _Place:
        return _Place(self.ctx.under(condition), self.binders, (*self.branches, condition))


@dataclass(frozen=True)
class _Need:
    """What a part needs at its place; for an entry, the index and the dimension that it must not exceed."""

    place: _Place
    wanted: Term
    part: Term
    axis: tuple[Term, Term] | None = None


def _needs(t: Term, ctx: Context) -> Iterator[_Need]:
    """What each part of `t` needs, as it is written and with its definitions unfolded."""
    names = definitions_in(t)
    plain = unfold(t, names)
    if plain != t:  # what is written in an argument needs a value too, whether or not the definition uses it
        yield from _walk(t, _Place(ctx))
    yield from _walk(plain, _Place(ctx))


def _walk(t: Term, place: _Place) -> Iterator[_Need]:
    for wanted in _own(t, place.ctx):
        yield _Need(place, wanted, t)
    if t.op == "entry":
        for i, d in zip(t.args[1:], dimensions(t.args[0], place.ctx.names) or (), strict=False):
            yield _Need(place, relation("le", ONE, i), t, (i, d))
            yield _Need(place, relation("le", i, d), t, (i, d))
    if t.op == "if":
        yield from _walk(t.args[0], place)
        yield from _walk(t.args[1], place.branch(t.args[0]))
        yield from _walk(t.args[2], place.branch(negation(t.args[0])))
    elif t.op in ("sum", "maxof", "forall"):
        yield from _walk(t.args[0], place)
        yield from _walk(t.args[1], place)
        v, inner = place.bound(_hint(t, 0), (t.args[0], t.args[1]))
        yield from _walk(instantiate(t.args[2], (v,)), inner)
    elif t.op == "lam":
        dims = dimensions(t, place.ctx.names)
        inner, indices = place, []
        for k in range(binds(t)):
            v, inner = inner.bound(_hint(t, k), None if dims is None else (ONE, dims[k]))
            indices.append(v)
        yield from _walk(instantiate(t.args[0], indices), inner)
    else:
        for a in t.args:
            yield from _walk(a, place)


def _hint(t: Term, k: int) -> str:
    return t.hint[k] if k < len(t.hint) else "i"


def _own(t: Term, ctx: Context) -> list[Term]:
    """What a node itself needs, its arguments aside."""
    if t.op == "div":
        return [relation("ne", t.args[1], ZERO)]
    if t.op == "ln":
        return [relation("lt", ZERO, t.args[0])]
    if t.op == "sqrt":
        return [relation("le", ZERO, t.args[0])]
    if t.op == "maxof":
        return [relation("le", t.args[0], t.args[1])]
    if t.op == "pow":
        base, n = t.args
        if isinstance(n.data, Fraction):
            return [relation("ne", base, ZERO)] if n.data < 0 else []
        positive = ctx.inequality(relation("le", ZERO, n))
        return [relation("ne", base, ZERO) if positive is None else positive.conclusion]
    return []


def _shown(wanted: Term, ctx: Context) -> Theorem | None:
    """``wanted`` at its place; anything, at a place that is never reached."""
    found = ctx.proposition(wanted) or prove(wanted, ctx)
    if found is None:
        unreachable = ctx.contradiction()
        found = None if unreachable is None else kernel.absurd(wanted, unreachable)
    return found


# --- what is said where a condition is missing -----------------------------------------------------------------


def _named(need: _Need, outer: Context) -> Iterator[Missing]:
    """The conditions that a person would name for one that was not shown, closed over the indices bound around it."""
    place, wanted, axis = need.place, need.wanted, need.axis
    never = _fails(need, outer)
    simpler = [wanted]
    if axis is not None:
        simpler = [_at_its_end(wanted, axis[0], place)]
    elif not never:
        simpler = [p for p in _simpler(wanted, place.ctx) if _shown(p, place.ctx) is None] or simpler
    names = _on_paper(place, need)
    within = tuple(
        (names[v], substitute(ends[0], names), substitute(ends[1], names))
        for v, ends, _ in place.binders
        if ends is not None and v in free_variables(need.part)
    )
    index, upper = (substitute(x, names) for x in axis) if axis is not None else (None, None)
    part = substitute(need.part, names)
    if axis is None:
        part = unfold(part, ())  # an entry is named as it was typed, whatever it is of
    for p in simpler:
        closed = unfold(substitute(p, names), ())
        for v, ends, _ in reversed(place.binders):
            if ends is not None and names[v] in free_variables(closed):
                lo, hi = (substitute(x, names) for x in ends)
                closed = forall(names[v], lo, hi, closed)
        yield Missing(closed, part, index, upper, within, never)


def _on_paper(place: _Place, need: _Need) -> dict[Term, Term]:
    """The indices bound around a place, as variables with the names that they have on paper."""
    speaks = free_variables(need.part) | {
        v for _, ends, _ in place.binders for t in ends or () for v in free_variables(t)
    }
    taken = {str(v.data) for v in speaks} | set(place.ctx.names.declarations)
    names: dict[Term, Term] = {}
    for v, _, hint in place.binders:
        name = next(n for n in (hint, *(f"{hint}_{k}" for k in range(1, len(taken) + 2))) if n not in taken)
        taken.add(name)
        names[v] = var(name, "integer")
    return names


def _at_its_end(wanted: Term, index: Term, place: _Place) -> Term:
    """A bound on an index that runs, at the end of its range: ``m <= n`` for ``j <= n`` where j runs up to m."""
    lowest = wanted.args[1] == index
    for v, ends, _ in reversed(place.binders):
        slope = read(index).get(((v, 1),)) if ends is not None and v in free_variables(index) else None
        if (
            ends is None
            or slope is None
            or any(v in free_variables(a) for m in read(index) if m != ((v, 1),) for a, _ in m)
        ):
            continue
        end = ends[0] if (slope > 0) == lowest else ends[1]
        wanted, index = (_tidy(substitute(x, {v: end})) for x in (wanted, index))
    return wanted


def _tidy(t: Term) -> Term:
    """A relation between integers, or an integer, with its arithmetic done."""
    return rebuild(t, tuple(map(_tidy, t.args))) if t.op in ("le", "lt") else write(read(t))


def _fails(need: _Need, outer: Context) -> bool:
    """Whether the condition certainly fails at the first or last of the indices around its place."""
    place = need.place
    if any(ends is None for _, ends, _ in place.binders):
        return False
    corners = product((0, 1), repeat=len(place.binders))
    for corner in islice(corners, _MAX_CORNERS):
        at: dict[Term, Term] = {}
        asked = []
        for (v, ends, _), side in zip(place.binders, corner, strict=True):
            lo, hi = (substitute(x, at) for x in ends or ())
            asked.append(relation("le", lo, hi))
            at[v] = hi if side else lo
        asked += [substitute(c, at) for c in place.branches]
        if all(outer.proposition(p) is not None for p in asked):
            fails = negation(substitute(need.wanted, at))
            if outer.proposition(fails) is not None or prove(fails, outer) is not None:
                return True
    return False


def least(found: Sequence[Missing], ctx: Context) -> list[Missing]:
    """Without those that follow from others; where all together contradict each other, none can be supposed."""
    kept = [m for m in found if not m.never]
    if len(kept) <= _MAX_COMPARED:
        for m in reversed(kept.copy()):
            others = [x.condition for x in kept if x is not m]
            if others and _shown(m.condition, ctx.under(*others)) is not None:
                kept.remove(m)
        if len(kept) > 1 and ctx.under(*(m.condition for m in kept)).contradiction() is not None:
            return [replace(m, never=True) if m in kept else m for m in found if m.never or m in kept]
    return [m for m in found if m.never or m in kept]


def _simpler(p: Term, ctx: Context) -> list[Term]:
    """Conditions that a person would name, which give `p`: ``x != 0`` rather than ``2*x != 0``."""
    if p.op == "ne" and p.args[1] == ZERO:
        t = p.args[0]
        if t.op in ("mul", "neg"):
            return [q for a in t.args for q in _simpler(relation("ne", a, ZERO), ctx) if ctx.proposition(q) is None]
        if t.op == "pow":
            return _simpler(relation("ne", t.args[0], ZERO), ctx)
        if t.op == "sqrt":
            return _simpler(relation("lt", ZERO, t.args[0]), ctx)
        if t.op == "sum":
            v = ctx.fresh()
            inside = ctx.within(v, t.args[0], t.args[1])
            if inside.positive(instantiate(t.args[2], (v,))) is not None:
                return [relation("le", t.args[0], t.args[1])]
        if t.op == "div":
            return _simpler(relation("ne", t.args[0], ZERO), ctx)
    return [p]
