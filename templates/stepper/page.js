// The page: which line is shown, the numbers beside it, the quiz, and the language.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const root = document.documentElement;
  const one = (selector, within = document) => within.querySelector(selector);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const lines = all(".line"), derivation = one(".derivation"), question = one(".question");
  const state = { at: 0, whole: false, quiz: false, asking: null, right: 0, asked: 0, tries: 0, answered: new Set() };

  let praise = "";  // said before the next question, once

  const say = (key, parts = {}) => data.texts[root.dataset.lang][key].replace(/\{(\w+)\}/g, (_, name) => parts[name]);

  // --- the line that is shown ---

  function show(at, announce) {
    state.at = Math.max(0, Math.min(lines.length - 1, at));
    const begins = data.lines[state.at].relation === null;
    lines.forEach((line, k) => {
      const own = data.lines[k].chain === data.lines[state.at].chain;
      line.classList.toggle("now", k === state.at);
      line.classList.toggle("before", k === state.at - 1 && !begins);
      line.classList.toggle("later", !state.whole && k > state.at);
      line.classList.toggle("elsewhere", !own);
    });
    one(".back").disabled = state.at === 0;
    one(".next").disabled = state.at === lines.length - 1 && !state.asking;
    scrolled();
    one(".place").textContent = `${state.at + 1} / ${lines.length}`;
    if (announce) {
      const here = data.lines[state.at], speech = all(".speech > span", lines[state.at]).find((s) => s.lang === root.lang);
      const hidden = state.asking === "reason" ? "" : reasonOf(state.at);
      one("#announced").textContent = [say("line-of", { n: here.line + 1, all: here.all }), speech ? speech.textContent : "", hidden].filter(Boolean).join(" ");
      lines[state.at].scrollIntoView({ block: "nearest" });
    }
  }

  // What is wider than its place can be scrolled by the keyboard too.
  function scrolled() {
    for (const e of all(".formula, .display, .rule li")) {
      if (e.scrollWidth > e.clientWidth) e.tabIndex = 0; else e.removeAttribute("tabindex");
    }
  }
  window.addEventListener("resize", scrolled);
  document.fonts.ready.then(scrolled);
  all("details").forEach((d) => d.addEventListener("toggle", scrolled));

  function reasonOf(at) {
    const found = all(".reason > p > span", lines[at]).find((s) => s.lang === root.lang);
    return found ? found.textContent : "";
  }

  function next() {
    if (!state.quiz || state.whole) { stop(); show(state.at + 1, true); return; }
    if (state.asking === "line") { stop(); show(state.at + 1, true); ask("reason"); return; }
    if (state.asking === "reason") { stop(); show(state.at, true); return; }
    if (state.at === lines.length - 1) return;
    const coming = data.lines[state.at + 1];
    if (coming.options && !state.answered.has(`line ${state.at + 1}`)) ask("line");
    else { show(state.at + 1, true); ask("reason"); }
  }

  function back() {
    stop();
    show(state.at - 1, true);
  }

  // --- the quiz ---

  function ask(kind) {
    const step = kind === "line" ? state.at + 1 : state.at, key = `${kind} ${step}`;
    const coming = data.lines[step];
    if ((kind === "line" ? !coming.options : !coming.reasons) || state.answered.has(key)) { stop(); show(state.at); return; }
    state.asking = kind;
    state.tries = 0;
    derivation.classList.toggle("asking", kind === "reason");
    question.hidden = false;
    one(".answer").textContent = "";
    one(".answer").className = "answer";
    all(".option").forEach((o) => o.classList.remove("chosen-right", "chosen-wrong"));
    all(".line-option").forEach((o) => { o.hidden = !(kind === "line" && Number(o.dataset.of) === step); o.disabled = false; });
    const place = one(".reason-options");
    place.replaceChildren();
    if (kind === "reason") {
      coming.reasons.forEach((o) => {
        const button = document.createElement("button");
        button.type = "button";
        button.className = "option";
        button.textContent = o.text[root.dataset.lang];
        button.addEventListener("click", () => answer(button, o.right, key, say("page-wrong", { reasons: o.text[root.dataset.lang] })));
        place.append(button);
      });
    }
    lines[state.at].after(holder);
    holder.append(question);
    words();
    show(state.at);
    question.scrollIntoView({ block: "nearest" });
    const first = all(".option", question).find((o) => !o.hidden);
    if (first) first.focus({ preventScroll: true });
  }

  function words() {
    one(".asked").textContent = state.asking ? praise + say(state.asking === "line" ? "page-question-line" : "page-question-reason") : "";
    one(".score").textContent = state.asked ? say("page-score", { right: state.right, all: state.asked }) : say("page-answer-first");
  }

  function answer(button, right, key, wrong) {
    const said = one(".answer");
    state.tries += 1;
    button.classList.add(right ? "chosen-right" : "chosen-wrong");
    said.className = right ? "answer right" : "answer wrong";
    said.textContent = (right ? "✓ " + say("page-right") : "✗ " + wrong);
    if (!right) return;
    state.answered.add(key);
    state.asked += 1;
    if (state.tries === 1) state.right += 1;
    const kind = state.asking;
    words();
    all(".option", question).forEach((o) => { o.disabled = true; });
    if (kind === "line") {
      stop();
      show(state.at + 1, true);
      praise = `✓ ${say("page-right")} `;
      ask("reason");
      praise = "";
    } else {
      derivation.classList.remove("asking");
      state.asking = null;
      one(".asked").textContent = "";
      show(state.at, true);
      one(".next").focus({ preventScroll: true });
    }
  }

  function stop() {
    state.asking = null;
    derivation.classList.remove("asking");
    question.hidden = true;
  }

  // The question stands in the list, after the line that it is about.
  const holder = document.createElement("li");
  holder.className = "holder";

  all(".line-option").forEach((button) => button.addEventListener("click", () => {
    const step = Number(button.dataset.of), option = data.lines[step].options[Number(button.dataset.option)];
    const why = option.why[root.dataset.lang];
    answer(button, option.right, `line ${step}`, say("page-wrong-line", { why: why ? why + " " : "" }));
  }));

  // --- the numbers ---

  const copy = (x) => JSON.parse(JSON.stringify(x));
  let chosen = copy(data.chosen);
  const declared = new Map(data.statement.declarations.map((d) => [d.name, d]));
  const tied = new Set(data.statement.ties.map((t) => t.name));

  const round = (x) => Number(x.toPrecision(6)).toString();
  const reach = (x) => Math.max(5, Math.ceil(Math.abs(x)));

  // The ends of a slider: whole numbers from 1 for sizes and positions, else as far as the number given, and halves.
  function ends(d, x, made) {
    if (d.kind === "index") return [1, made.tops.get(d.name) || 1, 1];
    if (d.kind === "size") return [1, Math.max(6, data.chosen.scalars[d.name] || 0), 1];
    if (d.integer) return [Math.min(0, x), Math.max(5, x), 1];
    const far = reach(x);
    return d.kind === "positive" ? [0.5, far, 0.5] : [-far, far, 0.5];
  }

  function numbers() {
    const made = Evaluate.instance(data.statement, chosen, data.definitions);
    all(".scalar").forEach((row) => {
      const d = declared.get(row.dataset.name), input = one("input", row), x = made.numbers.get(d.name);
      const [low, high, step] = ends(d, data.chosen.scalars[d.name] ?? x, made);
      input.min = low; input.max = Math.max(high, low); input.step = step;
      input.disabled = tied.has(d.name);
      if (tied.has(d.name)) input.max = Math.max(high, x);
      input.value = x;
      one("output", row).textContent = round(x);
      input.setAttribute("aria-valuetext", round(x));
    });
    all(".tensor").forEach((box) => cells(box, declared.get(box.dataset.name), made));
    all("[data-assumption]").forEach((li) => { li.hidden = !made.broken.includes(Number(li.dataset.assumption)); });
    if (one(".holds")) {
      one(".holds").hidden = made.broken.length > 0;
      one(".fails").hidden = made.broken.length === 0;
    }
    all("[data-listed]").forEach((li) => { li.textContent = `${li.dataset.listed} = ${listed(li.dataset.listed, made)}`; });
    values(made);
  }

  // A number, or the entries of a tensor as nested rows.
  function listed(name, made) {
    if (made.numbers.has(name)) return round(made.numbers.get(name));
    const shape = made.shapes.get(name), table = made.tables.get(name);
    const rows = (place) => (place.length === shape.length ? round(table.get(place.join()))
      : `[${Array.from({ length: shape[place.length] }, (_, k) => rows(place.concat([k + 1]))).join(", ")}]`);
    return rows([]);
  }

  function cells(box, d, made) {
    const table = made.tables.get(d.name), place = one(".cells", box);
    const known = new Map(all(".cell", place).map((c) => [c.dataset.place, c]));
    for (const [key, cell] of known) if (!table.has(key)) cell.remove();
    let last = null;
    for (const [key, x] of table) {
      let cell = known.get(key);
      if (!cell) {
        cell = document.createElement("div");
        cell.className = "cell";
        cell.dataset.place = key;
        const id = `e-${d.name}-${key.replaceAll(",", "-")}`, label = document.createElement("label");
        label.htmlFor = id;
        label.textContent = `${d.name}[${key.replaceAll(",", ", ")}]`;
        const input = document.createElement("input"), output = document.createElement("output");
        input.type = "range";
        input.id = id;
        output.htmlFor = id;
        output.setAttribute("aria-live", "off");
        input.addEventListener("input", () => {
          (chosen.entries[d.name] ||= {})[key] = Number(input.value);
          numbers();
        });
        cell.append(label, input, output);
        if (last) last.after(cell); else place.prepend(cell);
      }
      last = cell;
      const input = one("input", cell), far = reach((data.chosen.entries[d.name] || {})[key] ?? x);
      input.min = d.kind === "positive" ? 0.5 : -far;
      input.max = far;
      input.step = 0.5;
      input.value = x;
      input.setAttribute("aria-valuetext", round(x));
      one("output", cell).textContent = round(x);
      const from = made.copied.get(`${d.name}|${key}`);
      input.disabled = from !== undefined;
      let note = one(".copied", cell);
      if (from !== undefined && !note) {
        note = document.createElement("span");
        note.className = "copied";
        cell.append(note);
      }
      if (note) note.textContent = from === undefined ? "" : say("page-copied", { name: from });
    }
  }

  // Both sides of every line: the value of the line before, and its own.
  function values(made) {
    const found = data.lines.map((l) => Evaluate.values(l.term, l.dimensions, made.variables, data.definitions));
    const signs = { eq: "=", le: "≤", lt: "<" };
    lines.forEach((line, k) => {
      const output = one(".live", line), relation = data.lines[k].relation;
      if (relation === null) { output.textContent = shown(found[k]); return; }
      const [a, b] = [found[k - 1], found[k]];
      const known = [...a, ...b].every((v) => v.number !== undefined);
      if (!known) { output.textContent = `${shown(a)} | ${shown(b)}`; return; }
      const holds = a.every((v, i) => b[i] !== undefined && fits(relation, v.number, b[i].number));
      const same = relation === "eq" && a.every((v, i) => v.number === b[i].number);
      const [left, right] = [shown(a), shown(b)];
      const sign = holds ? signs[relation] : "≠";
      const note = !holds ? say("page-different") : relation !== "eq" ? "" : same ? say("page-equal") : say("page-close");
      output.textContent = `${left} ${sign} ${right} ${holds ? "✓" : "✗"} ${note}`.trim();
    });
  }

  function fits(relation, a, b) {
    if (relation === "eq") return Evaluate.near(a, b);
    return relation === "le" ? a <= b || Evaluate.near(a, b) : a < b;
  }

  function shown(found) {
    const parts = found.slice(0, 4).map((v) => (v.number === undefined ? say("no-value-" + (data.texts.en["no-value-" + v.code] ? v.code : "too-large")) : digits(v.number)));
    return found.length === 1 ? parts[0] : `(${parts.join(", ")}${found.length > 4 ? ", …" : ""})`;
  }

  function digits(x) {
    return Number.isInteger(x) && Math.abs(x) < 1e15 ? x.toString() : Number(x.toPrecision(10)).toString();
  }

  all(".scalar input").forEach((input) => input.addEventListener("input", () => {
    chosen.scalars[input.closest(".scalar").dataset.name] = Number(input.value);
    numbers();
  }));
  if (one(".reset")) one(".reset").addEventListener("click", () => { chosen = copy(data.chosen); numbers(); });

  // --- keys, buttons, language ---

  one(".next").addEventListener("click", next);
  one(".back").addEventListener("click", back);
  one(".whole").addEventListener("click", () => {
    state.whole = !state.whole;
    stop();
    pressed(".whole", state.whole);
    show(state.at);
  });
  one(".quiz").addEventListener("click", () => {
    state.quiz = !state.quiz;
    Object.assign(state, { right: 0, asked: 0, answered: new Set() });
    if (state.quiz && state.whole) { state.whole = false; pressed(".whole", false); }
    stop();
    pressed(".quiz", state.quiz);
    if (state.quiz && state.at === lines.length - 1) state.at = 0;
    show(state.at);
    if (state.quiz) next();
  });

  function pressed(selector, on) {
    one(selector).setAttribute("aria-pressed", String(on));
  }

  lines.forEach((line, k) => line.addEventListener("click", (event) => {
    if (!event.target.closest("details, button, input, a") && k !== state.at && !state.asking && !String(window.getSelection())) show(k, true);
  }));

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
    const own = event.target.closest("button, summary");
    const does = { ArrowRight: next, n: next, ArrowLeft: back, b: back, Home: () => { stop(); show(0, true); }, End: () => { stop(); show(lines.length - 1, true); } }[event.key];
    if (event.key === " " && !own) { event.preventDefault(); next(); return; }
    const scrolls = event.target.closest(".formula, .display, .rule li");
    if (!does || (scrolls && scrolls.scrollWidth > scrolls.clientWidth && event.key.startsWith("Arrow"))) return;
    event.preventDefault();
    does();
  });

  function speak(language) {
    root.dataset.lang = language;
    root.lang = data.tags[language];
    document.title = say("page-title", { title: say("title") });
    all("[data-language]").forEach((b) => b.setAttribute("aria-pressed", String(b.dataset.language === language)));
    if (state.asking) { const kind = state.asking; stop(); ask(kind); }
    words();
    numbers();
  }
  all("[data-language]").forEach((b) => b.addEventListener("click", () => speak(b.dataset.language)));

  speak(root.dataset.lang);
  show(0);
})();
