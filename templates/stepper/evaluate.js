// Values of terms in float64, and the numbers of an instance. Terms are nested lists: operation, data, arguments.
"use strict";
const Evaluate = (() => {
  const BUDGET = 3e6;

  class NoValue extends Error {
    constructor(code) { super(code); this.code = code; }
  }

  // One evaluation: `definitions` by name; `left` counts down the nodes; `tiny` says that an exponential became 0.
  class Machine {
    constructor(definitions) { this.definitions = definitions; this.left = BUDGET; this.tiny = false; }

    // The value of `t`: a number, or a tensor (an object with `at`), or a truth value for a relation.
    run(t, variables, stack) {
      if (--this.left < 0) throw new NoValue("too-large");
      switch (t[0]) {
        case "num": return t[1] / t[2];
        case "var": {
          if (!variables.has(t[1])) throw new NoValue("unassigned");
          return variables.get(t[1]);
        }
        case "bound": return stack[stack.length - 1 - t[1]];
        case "lam": return this.tensor(t[1], (indices) => this.run(t[2], variables, stack.concat(indices)));
        case "app": return this.apply(t, variables, stack);
        case "entry": {
          const indices = t.slice(2).map((i) => this.run(i, variables, stack));
          if (t[1][0] === "lam") return this.run(t[1][2], variables, stack.concat(indices));
          return this.run(t[1], variables, stack).at(indices);
        }
        case "if": return this.run(this.run(t[1], variables, stack) ? t[2] : t[3], variables, stack);
        case "sum": case "maxof": case "forall": return this.range(t, variables, stack);
      }
      const args = t.slice(1).map((a) => this.run(a, variables, stack));
      const [a, b] = args;
      switch (t[0]) {
        case "add": return args.reduce((x, y) => x + y);
        case "mul": return args.reduce((x, y) => x * y);
        case "neg": return -a;
        case "div": if (b === 0) throw this.zero("division-by-zero"); return finite(a / b);
        case "pow": if (b < 0 && a === 0) throw this.zero("division-by-zero"); return finite(power(a, b));
        case "sqrt": if (a < 0) throw new NoValue("negative-root"); return Math.sqrt(a);
        case "exp": {
          const x = finite(Math.exp(a));
          if (x === 0) this.tiny = true;
          return x;
        }
        case "ln": if (a <= 0) throw a === 0 ? this.zero("logarithm") : new NoValue("logarithm"); return Math.log(a);
        case "max": return Math.max(a, b);
        case "eq": return near(a, b);
        case "le": return a <= b || near(a, b);
        case "lt": return a < b && !near(a, b);
        case "ne": return !near(a, b);
      }
      throw new Error("no operation " + t[0]);
    }

    // What is 0 because an exponential was too small for float64 is no 0 over the real numbers.
    zero(code) { return new NoValue(this.tiny ? "overflow" : code); }

    tensor(rank, entry) {
      const known = new Map();
      return { rank, at: (indices) => {
        const key = indices.join();
        if (!known.has(key)) known.set(key, entry(indices));
        return known.get(key);
      } };
    }

    apply(t, variables, stack) {
      const definition = this.definitions[t[1]];
      const own = new Map();
      definition.parameters.forEach((name, k) => own.set(name, this.run(t[k + 2], variables, stack)));
      return this.run(definition.body, own, []);
    }

    range(t, variables, stack) {
      const lo = this.run(t[1], variables, stack), hi = this.run(t[2], variables, stack);
      const count = hi - lo + 1;
      if (t[0] === "sum" && count > 0 && !mentions(t[3], 0)) return finite(count * this.run(t[3], variables, stack.concat([lo])));
      if (t[0] === "maxof" && count <= 0) throw new NoValue("empty-maximum");
      if (count > BUDGET) throw new NoValue("too-large");
      let made = t[0] === "sum" ? 0 : t[0] === "forall" ? true : -Infinity;
      for (let k = lo; k <= hi; k++) {
        const x = this.run(t[3], variables, stack.concat([k]));
        if (t[0] === "forall") { if (!x) return false; } else made = t[0] === "sum" ? made + x : Math.max(made, x);
      }
      return t[0] === "forall" ? true : finite(made);
    }
  }

  function finite(x) {
    if (!Number.isFinite(x)) throw new NoValue("overflow");
    return x;
  }

  // Whole exponents by repeated squaring, so that small whole numbers stay exact.
  function power(a, n) {
    if (n < 0) return 1 / power(a, -n);
    let result = 1;
    for (let base = a; n > 0; n = Math.floor(n / 2), base *= base) if (n % 2 === 1) result *= base;
    return result;
  }

  function near(a, b) {
    return a === b || (!(Number.isInteger(a) && Number.isInteger(b)) && Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b)));
  }

  // Whether the index that is `level` binders out occurs in a term.
  function mentions(t, level) {
    if (t[0] === "bound") return t[1] === level;
    if (t[0] === "lam") return mentions(t[2], level + t[1]);
    const binds = t[0] === "sum" || t[0] === "maxof" || t[0] === "forall";
    return t.slice(1).some((a, k) => Array.isArray(a) && mentions(a, binds && k === 2 ? level + 1 : level));
  }

  // {number} or {code}: the value of a term of rank 0, or why there is none.
  function value(t, variables, definitions) {
    try {
      const x = new Machine(definitions).run(t, variables, []);
      return typeof x === "number" ? { number: finite(x) } : { truth: x };
    } catch (fault) {
      if (fault instanceof NoValue) return { code: fault.code };
      if (fault instanceof RangeError) return { code: "too-large" };
      throw fault;
    }
  }

  // The values of a term: one, or one for each entry where `dimensions` says how many there are.
  function values(t, dimensions, variables, definitions) {
    if (!dimensions) return [{ code: "unknown-shape" }];
    if (!dimensions.length) return [value(t, variables, definitions)];
    let places = [[]];
    for (const d of dimensions) {
      const n = value(d, variables, definitions).number || 0;
      places = places.flatMap((p) => Array.from({ length: Math.min(n, 12) }, (_, k) => p.concat([["num", k + 1, 1]])));
    }
    return places.map((p) => value(["entry", t, ...p], variables, definitions));
  }

  // --- instances ---------------------------------------------------------------------------------------------

  // The entry of a tensor that nobody chose: a half of a small whole number, the same for the same place.
  function filled(seed, place, positive) {
    let mixed = seed * 5 + 3;
    for (const i of place) mixed = (mixed * 31 + i * 17) % 1009;
    return positive ? (mixed % 8 + 1) / 2 : (mixed % 9 - 4) / 2;
  }

  // All numbers of a statement: those chosen, and what follows from them. `copied` names where a cell comes from.
  function instance(statement, chosen, definitions) {
    const numbers = new Map(), tied = new Set(statement.ties.map((t) => t.name)), failed = new Set();
    const scalars = statement.declarations.filter((d) => !d.rank);
    for (const d of scalars) if (!tied.has(d.name) && d.kind !== "index") numbers.set(d.name, given(chosen.scalars[d.name], d));
    for (const tie of statement.ties) {
      const d = scalars.find((x) => x.name === tie.name), x = value(tie.term, numbers, definitions).number;
      if (x === undefined) continue;
      if (d.integer && !Number.isInteger(x)) failed.add(d.name);
      numbers.set(d.name, d.integer ? Math.max(1, Math.floor(x)) : x);
    }
    const tops = new Map();
    for (const d of scalars) {
      if (d.kind === "index" && !numbers.has(d.name)) {
        const top = Math.max(1, value(d.upper, numbers, definitions).number || 1);
        tops.set(d.name, top);
        numbers.set(d.name, Math.max(1, Math.min(chosen.scalars[d.name] === undefined ? 2 : chosen.scalars[d.name], top)));
      }
      if (!numbers.has(d.name)) numbers.set(d.name, given(chosen.scalars[d.name], d));
    }
    const tables = new Map(), shapes = new Map();
    statement.declarations.forEach((d, seed) => {
      if (!d.rank) return;
      const shape = d.dimensions.map((t) => Math.max(0, value(t, numbers, definitions).number || 0));
      let places = [[]];
      for (const n of shape) places = places.flatMap((p) => Array.from({ length: n }, (_, k) => p.concat([k + 1])));
      const own = chosen.entries[d.name] || {};
      shapes.set(d.name, shape);
      tables.set(d.name, new Map(places.map((p) => [p.join(), own[p.join()] === undefined ? filled(seed, p, d.kind === "positive") : own[p.join()]])));
    });
    const copied = new Map();
    for (const h of statement.hypotheses) {
      for (const [from, to] of copies(h, numbers, [], definitions)) {
        const table = tables.get(to[0]), source = tables.get(from[0]);
        if (table && source && table.has(to[1])) {
          table.set(to[1], source.has(from[1]) ? source.get(from[1]) : 0);
          copied.set(to.join("|"), from[0]);
        }
      }
    }
    const variables = new Map(numbers);
    statement.declarations.forEach((d) => {
      if (!d.rank) return;
      const table = tables.get(d.name);
      variables.set(d.name, { rank: d.rank, at: (i) => entryOf(table, i) });
    });
    const broken = statement.assumptions.map((p, k) => k).filter((k) => value(statement.assumptions[k], variables, definitions).truth !== true);
    return { numbers, tables, shapes, tops, copied, failed, variables, broken };
  }

  function given(x, d) {
    return x !== undefined ? x : d.kind === "size" ? (d.name === "T" ? 3 : 2) : 1;
  }

  // Outside of its dimensions a tensor has no entries.
  function entryOf(table, place) {
    if (!table.has(place.join())) throw new NoValue("outside-dimensions");
    return table.get(place.join());
  }

  // Pairs of cells that a hypothesis makes equal.
  function copies(h, numbers, stack, definitions) {
    const machine = new Machine(definitions);
    if (h[0] === "forall") {
      const lo = machine.run(h[1], numbers, stack), hi = machine.run(h[2], numbers, stack), found = [];
      for (let k = lo; k <= Math.min(hi, lo + 2000); k++) found.push(...copies(h[3], numbers, stack.concat([k]), definitions));
      return found;
    }
    if (h[0] !== "eq" || !h.slice(1).every((x) => x[0] === "entry" && x[1][0] === "var")) return [];
    return [h.slice(1).map((x) => [x[1][1], x.slice(2).map((i) => machine.run(i, numbers, stack)).join()])];
  }

  return { value, values, instance, filled, near };
})();
if (typeof module !== "undefined") module.exports = Evaluate;
