"""What must hold for a term to have a value: every division, root, logarithm and zeroth power in it is defined."""

from __future__ import annotations

from proofs.context import ONE, ZERO, Context, definitions_in
from proofs.justify import prove
from proofs.kernel import Theorem
from proofs.terms import Term, binds, forall, instantiate, negation, relation, unfold


def undefined(t: Term, ctx: Context) -> list[Term]:
    """The conditions under which `t` (or both sides of a relation) has a value and which `ctx` does not show.

    What stands under a binder comes as a bounded 'for all'. The list is empty where all is defined.
    """
    missing: dict[Term, None] = {}
    _collect(unfold(t, definitions_in(t)), ctx, missing, [])
    return list(missing)


def conditions(t: Term, ctx: Context) -> list[tuple[tuple[Term, ...], Term, Theorem]]:
    """What makes `t` defined: for each place what holds on the way to it, what is asked there, and its theorem."""
    shown: list[tuple[tuple[Term, ...], Term, Theorem]] = []
    _collect(unfold(t, definitions_in(t)), ctx, {}, shown)
    given = len(ctx.assumptions)
    return [(path[given:], wanted, theorem) for path, wanted, theorem in dict.fromkeys(shown)]


def _collect(
    t: Term, ctx: Context, missing: dict[Term, None], shown: list[tuple[tuple[Term, ...], Term, Theorem]]
) -> None:
    for wanted in _own(t):
        if t.op == "pow":
            positive = ctx.inequality(relation("le", ONE, t.args[1]))
            if positive is not None:
                shown.append((ctx.assumptions, positive.conclusion, positive))
                continue
        theorem = ctx.proposition(wanted) or prove(wanted, ctx)
        if theorem is not None:
            shown.append((ctx.assumptions, wanted, theorem))
            continue
        for p in _simpler(wanted, ctx):
            if ctx.proposition(p) is None:
                missing.setdefault(p)
    if t.op == "if":
        _collect(t.args[1], ctx.under(t.args[0]), missing, shown)
        _collect(t.args[2], ctx.under(negation(t.args[0])), missing, shown)
        return
    if t.op in ("sum", "maxof", "forall"):
        for a in t.args[:2]:
            _collect(a, ctx, missing, shown)
        v = ctx.fresh()
        inner: dict[Term, None] = {}
        _collect(instantiate(t.args[2], (v,)), ctx.within(v, t.args[0], t.args[1]), inner, shown)
        for p in inner:
            missing.setdefault(forall(v, t.args[0], t.args[1], p) if _mentions(p, v) else p)
        return
    if t.op == "lam":
        place, vs = ctx, []
        for _ in range(binds(t)):
            vs.append(place.fresh())
            place = place.under()
        inner = {}
        _collect(instantiate(t.args[0], vs), place, inner, shown)
        missing.update(dict.fromkeys(p for p in inner if not any(_mentions(p, v) for v in vs)))
        return
    for a in t.args:
        _collect(a, ctx, missing, shown)


def _own(t: Term) -> list[Term]:
    if t.op == "div":
        return [relation("ne", t.args[1], ZERO)]
    if t.op == "ln":
        return [relation("lt", ZERO, t.args[0])]
    if t.op == "sqrt":
        return [relation("le", ZERO, t.args[0])]
    if t.op == "maxof":
        return [relation("le", t.args[0], t.args[1])]
    if t.op == "pow":
        n = t.args[1]
        if n.op == "num":
            return [relation("ne", t.args[0], ZERO)] if n.data <= 0 else []  # type: ignore[operator]
        return [relation("ne", t.args[0], ZERO)]
    return []


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


def _mentions(p: Term, v: Term) -> bool:
    return p == v or any(_mentions(a, v) for a in p.args)
