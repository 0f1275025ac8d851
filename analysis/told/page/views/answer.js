// What should I use? Three questions, and one answer with how sure it is, as `judged/answers.py` decided it.

function answerView(element, data) {
  const { programs, styles } = data;
  const [ask, mine, found] = [part(element, "p", { className: "ask" }), part(element, "details"), part(element)];
  const distinct = (values) => [...new Set(values)];
  const place = ({ hardware, family }) => `${hardware} ${family}`;
  const called = ({ hardware, family }) =>
    family === "any" ? `any ${facts.hardware[hardware]} measured` : hardware === "gpus" ? `several ${family}` : family;
  const article = (word) => (/^[aeiou]/.test(word) ? "an" : "a");
  const value = (axis, program) => styles[axis][program];
  const word = (name, code) => facts.axes[axisOf(name)].words[facts.axes[axisOf(name)].values.indexOf(code)] ?? code;

  // My graph: which kind it is, by what is known of it.
  const asked = { vertices: "vertices", edges: "directed edges", degree: "largest degree", diameter: "diameter, about" };
  const fields = Object.entries(asked).map(([name, title]) => {
    const field = node("input", { type: "number", min: 0, name, size: 9, onchange: () => go({ [name]: field.value, kind: kindOf() ?? state.kind }) });
    return [name, field, node("label", {}, `${title} `, field)];
  });
  function kindOf() {
    const [vertices, edges, degree, diameter] = fields.map(([, field]) => Number(field.value));
    if (!(vertices > 1 && edges > 0 && degree > 0 && diameter > 0)) return undefined;
    const { long, hubs, roads } = facts.bounds;
    if (diameter > long * Math.log2(vertices)) return edges / vertices < roads ? "road" : "grid";
    return degree >= (hubs * edges) / vertices ? "hubs" : "even";
  }
  const kinds = Object.entries(facts.kinds).filter(([kind]) => kind !== "any");
  const measured = (kind) => names.graph.filter((graph) => facts.kind[graph] === kind).join(", ") || "none was measured";
  mine.append(
    node("summary", { className: "quiet" }, "Which kind is my graph?"),
    node("div", { className: "controls" }, ...fields.map(([, , label]) => label)),
    node("div", { className: "scroll" }, shortTable(["kind", "what it looks like", "measured"], kinds.map(([kind, [title, meaning]]) => [title, meaning, measured(kind)]))),
  );

  // The values in which a program differs from another one, in words.
  function differences(program, other) {
    const differ = facts.axes.flatMap(({ words }, axis) => {
      const [here, there] = [value(axis, program), value(axis, other)];
      if (here === there) return [];
      return [here ? words[here - 1] : `not ${words[there - 1]}`];
    });
    return differ.join(", ");
  }

  // All of the style, what matters most first and marked.
  function style({ ranking, choices }) {
    const { program } = ranking[0];
    const main = choices.filter(({ value, factor }) => value && factor >= 1.2).slice(0, 4).map(({ axis }) => axis);
    const order = (axis) => (main.indexOf(axis) + main.length + 1) % (main.length + 1) - (main.includes(axis) ? main.length + 1 : 0);
    const axes = facts.axes.map((axis, at) => ({ ...axis, at })).filter(({ name, at }) => name !== "algorithm" && value(at, program));
    return node(
      "ul",
      { className: "style" },
      ...axes
        .sort((a, b) => order(a.name) - order(b.name))
        .map(({ name, at, words, title, means }) => {
          const code = value(at, program) - 1;
          return node("li", { className: main.includes(name) ? "main" : "", title: `${title}: ${means[code]}` }, words[code]);
        }),
    );
  }

  // The first programs as bars, with a dot for each graph, and where all programs stand.
  function picture({ graphs, ranking, quantiles, programs: count }) {
    const most = Math.min(Math.max(...ranking.map(({ slowdown }) => slowdown), 1.5), 4);
    const at = (slowdown) => `${(100 * Math.min(slowdown, most)) / most}%`;
    const first = ranking[0].program;
    const rows = ranking.flatMap(({ program, slowdown, graphs: each }, rank) => {
      const link = linkTo({ view: "two", a: programs[first].name, b: rank ? programs[program].name : "" });
      const what = rank ? differences(program, first) : "this one";
      const dots = each.flatMap((cost, graph) => (cost === null ? [] : [node("s", { style: `left: ${at(cost)}`, title: `${graphs[graph]}: ${times(cost)}` })]));
      return [
        node("a", { className: "what", href: link, title: what }, what),
        node("div", { className: "track" }, node("i", { style: `width: ${at(slowdown)}${rank ? "" : "; background: var(--violet)"}` }), ...dots),
        node("span", { className: "value" }, times(slowdown)),
      ];
    });
    const high = Math.max(quantiles.at(-1), 10);
    const along = (slowdown) => `${(100 * Math.log(Math.max(slowdown, 1))) / Math.log(high)}%`;
    const rug = quantiles.map((each) => node("i", { style: `left: ${along(each)}` }));
    const ticks = ticksOf(1, high).map((tick) => node("span", { style: `left: ${along(tick)}` }, `${tickWord(tick)}×`));
    const [middle, last] = [quantiles[quantiles.length >> 1], quantiles.at(-1)];
    return [
      node("h3", {}, "Ranking: how many times as long as the best on each graph"),
      node("p", { className: "quiet" }, "A bar is the mean, a dot a graph. The words say how a program differs from the first."),
      node("div", { className: "rank" }, ...rows),
      node("h3", {}, `All ${count.toLocaleString("en")} programs`),
      node("p", { className: "quiet" }, `The one in the middle takes ${times(middle)} as long, the slowest ${times(last)}.`),
      node("div", { className: "rug" }, ...rug, ...ticks),
    ];
  }

  function why({ choices, algorithm }) {
    const rows = choices
      .filter(({ factor }) => factor >= 1.02)
      .slice(0, 8)
      .map(({ axis, value, other, factor }) => {
        const { title, values, means } = facts.axes[axisOf(axis)];
        const meaning = value ? means[values.indexOf(value)] : "";
        const [here, instead] = [value, other].map((code) => (code ? word(axis, code) : "none"));
        return [title, here, `${instead}: ${times(factor)} as long`, meaning];
      });
    const link = linkTo({ view: "ratios", filters: { machine: state.filters.machine, algorithm: [algorithm] } });
    return [
      node("h3", {}, "Why"),
      node("p", { className: "quiet" }, "What the best program with another choice takes, whatever its other choices. ", node("a", { href: link }, "All pairs of this algorithm")),
      node("div", { className: "scroll" }, shortTable(["choice", "this program", "the best with another", "what it means"], rows)),
    ];
  }

  function card(answer) {
    const { algorithm, graphs, ranking, places, certainty, why: because } = answer;
    const [first, second] = ranking;
    const name = programs[first.program].name;
    const usual = places.reduce((best, each) => (each.edges > best.edges || (each.edges === best.edges && each.seconds < best.seconds) ? each : best));
    const machines = distinct(places.map(({ machine }) => machine));
    const command = `violet best my.egr --algorithm ${algorithm}`;
    const copy = node("button", { type: "button", onclick: () => navigator.clipboard.writeText(command).then(() => (copy.textContent = "copied")) }, "copy");
    const behind = second && second.slowdown / first.slowdown - 1;
    const sum = (title, value, more) => [node("div", {}, node("dt", {}, title), node("dd", {}, value, node("small", {}, more)))];
    const many = (list, noun) => `${list.length} ${noun}${list.length === 1 ? "" : "s"}`;
    return node(
      "article",
      { className: "card" },
      node("p", { className: "verdict" }, node("b", { className: certainty }, { sure: "Sure", likely: "Likely", measure: "Measure" }[certainty]), " ", because),
      node("p", { className: "headline" }, answer.style),
      node("dl", { className: "sums" },
        ...sum("Time", `${number(usual.seconds * 1e3)} ms`, `on ${usual.graph}, ${usual.machine}; ${number(usual.edges / usual.seconds / 1e9)} billion edges/s`),
        ...sum("Runner-up", second ? (behind < 0.005 ? "as fast" : `${number(Number((behind * 100).toPrecision(2)))} % slower`) : "none", second ? differences(second.program, first.program) : ""),
        ...sum("Known from", many(graphs, "graph"), `${many(machines, "machine")}: ${machines.join("; ")}`),
      ),
      node("p", { className: "program" }, cut(name)),
      node("div", { className: "command" }, node("code", {}, command), copy),
      node("p", { className: "quiet" }, "This measures the first few on your own graph and machine, and keeps the fastest."),
      ...picture(answer),
      ...why(answer),
      node("h3", {}, "All of its style"),
      style(answer),
      node("details", {}, node("summary", {}, "Where it was measured"),
        node("div", { className: "scroll" }, shortTable(["graph", "machine", "ms", "times the best"], places.map(({ graph, machine, seconds, slowdown }) => [graph, machine, seconds * 1e3, times(slowdown)])))),
    );
  }

  return () => {
    const { answers } = facts;
    for (const [name, field] of fields) if (field.value !== (state[name] ?? "")) field.value = state[name] ?? "";
    if (!answers.length) return void found.replaceChildren(node("p", { className: "refused" }, "Nothing was measured that answers this."));
    const pick = (list, wanted) => (list.includes(wanted) ? wanted : list[0]);
    const solve = pick(distinct(answers.map(({ algorithm }) => algorithm)), state.solve ?? "bfs");
    const here = answers.filter(({ algorithm }) => algorithm === solve);
    const on = pick(distinct(here.map(place)), state.on);
    const there = here.filter((each) => place(each) === on);
    const kindsHere = Object.keys(facts.kinds).filter((kind) => there.some((each) => each.kind === kind));
    const kind = pick(kindsHere, state.kind);
    const answer = there.find((each) => each.kind === kind);
    const algorithms = distinct(answers.map(({ algorithm }) => algorithm)).map((name) => [name, facts.titles[name]]);
    const title = facts.kinds[kind][0];
    const bare = (options, chosen, changed) => picker("", options, chosen, changed).lastChild;
    ask.replaceChildren(
      "The fastest way to do ",
      bare(algorithms.sort(([, a], [, b]) => a.localeCompare(b)), solve, (solve) => go({ solve })),
      ` on ${article(title)} `,
      bare(kindsHere.map((name) => [name, facts.kinds[name][0]]), kind, (kind) => go({ kind })),
      " with ",
      bare(distinct(here.map(place)).map((name) => [name, called(here.find((each) => place(each) === name))]), on, (on) => go({ on })),
    );
    const missing = state.kind && kind !== state.kind ? [node("p", { className: "refused" }, `Not measured on ${facts.kinds[state.kind]?.[0] ?? state.kind}.`)] : [];
    found.replaceChildren(...missing, card(answer));
  };
}
