// What should I use? Three questions, and one answer with how sure it is, as `judged/answers.py` decided it.

const SURE = { sure: "Sure", likely: "Likely", measure: "Measure" };
const MINE = {
  vertices: "vertices",
  edges: "directed edges",
  degree: "largest degree",
  diameter: "diameter, about",
};

function answerView(element, data) {
  const { programs } = data;
  const [ask, mine, found] = [part(element, "p", { className: "ask" }), part(element, "details"), part(element)];
  const distinct = (values) => [...new Set(values)];

  // My graph: which kind it is, by what is known of it.
  const fields = Object.entries(MINE).map(([name, title]) => {
    const onchange = () => go({ [name]: field.value, kind: kindOf() ?? state.kind });
    const field = node("input", { type: "number", min: 0, name, size: 9, onchange });
    return [name, field, node("label", {}, `${title} `, field)];
  });
  function kindOf() {
    const [vertices, edges, degree, diameter] = fields.map(([, field]) => Number(field.value));
    if (!(vertices > 1 && edges > 0 && degree > 0 && diameter > 0)) return undefined;
    const { long, hubs, roads } = facts.bounds;
    if (diameter > long * Math.log2(vertices)) return edges / vertices < roads ? "road" : "grid";
    return degree >= (hubs * edges) / vertices ? "hubs" : "even";
  }
  const measured = (kind) => names.graph.filter((graph) => facts.kind[graph] === kind).join(", ") || "none";
  const kinds = Object.entries(facts.kinds).filter(([kind]) => kind !== "any");
  mine.append(
    node("summary", { className: "quiet" }, "Which kind is my graph?"),
    node("div", { className: "controls" }, ...fields.map(([, , label]) => label)),
    scrolled(
      shortTable(
        ["kind", "what it looks like", "measured"],
        kinds.map(([kind, [title, meaning]]) => [title, meaning, measured(kind)]),
      ),
    ),
  );

  function commandOf(algorithm) {
    const command = `violet best ${algorithm} my.egr`;
    const copied = () => (button.textContent = "copied");
    const onclick = () => navigator.clipboard.writeText(command).then(copied);
    const button = node("button", { type: "button", onclick }, "copy");
    return node("div", { className: "command" }, node("code", {}, command), button);
  }

  // The time on the largest graph, how far the next program is behind, and what is behind the answer.
  function sums({ graphs, ranking: [first, second], places }) {
    const larger = (a, b) => b.edges - a.edges || a.seconds - b.seconds;
    const [{ seconds, edges, graph, machine }] = [...places].sort(larger);
    const machines = distinct(places.map(({ machine }) => machine));
    const of = distinct(places.map(({ graph }) => graph)).length;
    const behind = second && 100 * (second.slowdown / first.slowdown - 1);
    const slower = behind < 0.5 ? "as fast" : `${number(Number(behind?.toPrecision(2)))} % slower`;
    const speed = `${number(edges / seconds / 1e9)} billion edges/s`;
    const rows = [
      ["Time", `${number(seconds * 1e3)} ms`, `on ${graph}, ${machine}; ${speed}`],
      ["Runner-up", second ? slower : "none", second ? differences(data, second.program, first.program) : ""],
      ["Measured on", of === graphs.length ? many(graphs, "graph") : `${of} of ${many(graphs, "graph")}`, `every run verified, on ${many(machines, "machine")}: ${machines.join("; ")}`],
    ];
    const sum = ([title, value, more]) =>
      node("div", {}, node("dt", {}, title), node("dd", {}, value, node("small", {}, more)));
    return node("dl", { className: "sums" }, ...rows.map(sum));
  }

  function card(answer) {
    const { algorithm, ranking, places, certainty, why, style } = answer;
    const rows = places.map((each) => [each.graph, each.machine, each.seconds * 1e3, times(each.slowdown)]);
    return node(
      "article",
      { className: "card" },
      node("p", { className: "verdict" }, node("b", { className: certainty }, SURE[certainty]), " ", why),
      node("p", { className: "headline" }, style),
      sums(answer),
      node("p", { className: "program" }, cut(programs[ranking[0].program].name)),
      commandOf(algorithm),
      quiet("This measures the first few on your own graph and machine, and keeps the fastest."),
      ...rankingOf(data, answer),
      ...rugOf(answer),
      ...whyOf(answer),
      node("h3", {}, "All of its style"),
      styleOf(data, answer),
      node(
        "details",
        {},
        node("summary", {}, "Where it was measured"),
        scrolled(shortTable(["graph", "machine", "ms", "times the best"], rows)),
      ),
    );
  }

  // Of a list of answers those that have one value in a column: that which is asked for, or else the first.
  function narrowed(list, column, wanted) {
    const values = distinct(list.map(column));
    const value = values.includes(wanted) ? wanted : values[0];
    return [value, values, list.filter((each) => column(each) === value)];
  }

  const place = ({ hardware, family }) => `${hardware} ${family}`;
  function placeWord(value) {
    const [hardware, ...family] = value.split(" ");
    if (family.join(" ") === "any") return `any ${facts.hardware[hardware]} measured`;
    return hardware === "gpus" ? `several ${family.join(" ")}` : family.join(" ");
  }

  return () => {
    for (const [name, field] of fields) if (field.value !== (state[name] ?? "")) field.value = state[name] ?? "";
    if (!facts.answers.length) return void found.replaceChildren(quiet("Nothing was measured that answers this."));
    const kindOrder = Object.keys(facts.kinds);
    const byKind = (a, b) => kindOrder.indexOf(a.kind) - kindOrder.indexOf(b.kind);
    const [solve, algorithms, here] = narrowed(facts.answers, ({ algorithm }) => algorithm, state.solve ?? "bfs");
    const [on, hardware, there] = narrowed(here, place, state.on);
    const [kind, kinds, [answer]] = narrowed(there.sort(byKind), ({ kind }) => kind, state.kind);
    const title = (kind) => facts.kinds[kind]?.[0] ?? kind;
    const choose = (values, word, chosen, changed) => {
      const options = values.map((value) => [value, word(value)]);
      return picker("", options, chosen, changed).lastChild;
    };
    const named = (name) => facts.titles[name];
    const sorted = algorithms.sort((a, b) => named(a).localeCompare(named(b)));
    ask.replaceChildren(
      "The fastest way to do ",
      choose(sorted, named, solve, (solve) => go({ solve })),
      ` on ${/^[aeiou]/.test(title(kind)) ? "an" : "a"} `,
      choose(kinds, title, kind, (kind) => go({ kind })),
      " with ",
      choose(hardware, placeWord, on, (on) => go({ on })),
    );
    const missing = state.kind && kind !== state.kind;
    const refused = node("p", { className: "refused" }, `Not measured: ${title(state.kind)}.`);
    found.replaceChildren(...(missing ? [refused] : []), card(answer));
  };
}
