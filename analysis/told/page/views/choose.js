// My graph: which programs to try on it, by the rule of `python -m analysis choose`, from the jobs that are selected.

const ASKED = { vertices: "vertices", edges: "directed edges", degree: "maximum degree", diameter: "diameter" };
const DIAMETERS = { 10: "small: social, web, R-MAT", 100: "between", 1000: "large: roads, grids" };

// What is known of the graph, under the names of the rule's properties.
function wantedProperties() {
  const [vertices, edges, degree, diameter] = Object.keys(ASKED).map((name) => Number(state[name] || NaN));
  const found = { vertices, average_degree: edges / vertices, maximum_degree: degree, diameter };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value >= 0 && Number.isFinite(value)));
}

// How much each measured graph counts, from 0 to 1: `analysis/compared/choose.py` has the rule and what is behind it.
function likenesses(wanted) {
  const { graphs, likeness, reach } = facts.choose;
  const distance = (graph) =>
    Math.hypot(
      ...Object.entries(wanted).map(
        ([name, value]) => (Math.log1p(graph[name] ?? NaN) - Math.log1p(value)) * likeness[name],
      ),
    );
  return new Map(graphs.map((graph) => [graph.graph, Math.exp(-distance(graph) / reach) || 0]));
}

// Chooses programs one after the other, each such that on every measured graph the best of them is as fast as can be.
function suggest({ job, programs }, jobs, likeness) {
  const { slowest, unknown, alone: little, candidates } = facts.choose;
  const place = (each) => `${job.graph[each]} ${job.machine[each]} ${job.setting[each]}`;
  const known = jobs.filter((each) => job.seconds[each] > 0);
  const least = new Map();
  for (const each of known) least.set(place(each), Math.min(least.get(place(each)) ?? Infinity, job.seconds[each]));
  const columns = [...least.keys()];
  const graphs = columns.map((name) => names.graph[Number(name.split(" ")[0])]);
  const total = graphs.reduce((sum, graph) => sum + (likeness.get(graph) ?? 0), 0);
  if (!(total > 0)) return undefined;
  const weights = graphs.map((graph) => (likeness.get(graph) ?? 0) / total);
  const rows = new Map();
  for (const each of known) {
    if (!rows.has(job.program[each])) rows.set(job.program[each], new Map());
    const slow = Math.log(job.seconds[each] / least.get(place(each)));
    rows.get(job.program[each]).set(place(each), Math.min(slow, slowest));
  }
  const weighed = (costs) => costs.reduce((sum, cost, column) => sum + cost * weights[column], 0);
  const costs = [...rows].map(([program, found]) => {
    const doubtful = [...found.values()].reduce((sum, cost) => sum + cost, 0) / found.size + unknown;
    return { program, costs: columns.map((column) => found.get(column) ?? doubtful) };
  });
  let best = columns.map(() => slowest);
  const chosen = [];
  while (chosen.length < Math.min(candidates, costs.length)) {
    const left = costs.filter((each) => !chosen.includes(each));
    const sums = left.map(
      (each) => weighed(each.costs.map((cost, at) => Math.min(cost, best[at]))) + little * weighed(each.costs),
    );
    const next = left[sums.indexOf(Math.min(...sums))];
    chosen.push(next);
    best = best.map((cost, at) => Math.min(cost, next.costs[at]));
  }
  const like = new Map();
  graphs.forEach((graph, column) => like.set(graph, (like.get(graph) ?? 0) + weights[column]));
  return {
    programs: chosen.map(({ program }) => programs[program].name),
    slowdown: Math.exp(weighed(best)),
    like: [...like].sort(([, a], [, b]) => b - a),
  };
}

function chooseView(element, data) {
  const { job, styles } = data;
  const axis = (name) => [styles[axisOf(name)], facts.axes[axisOf(name)].values];
  const [algorithm, model] = [axis("algorithm"), axis("model")];
  const valueOf = ([codes, values], each) => values[codes[job.program[each]] - 1];
  const [controls, which] = [1, 2].map(() => part(element, "div", { className: "controls" }));
  const found = part(element, "div", { className: "scroll" });
  const fields = Object.entries(ASKED).map(([name, title]) => {
    const field = node("input", { type: "number", min: 0, name, onchange: () => go({ [name]: field.value }) });
    return [name, field, node("label", {}, `${title} `, field)];
  });
  const classes = Object.entries(DIAMETERS).map(([value, label]) => node("option", { value, label }));
  controls.append(...fields.map(([, , label]) => label), node("datalist", { id: "diameters" }, ...classes));
  fields.find(([name]) => name === "diameter")[1].setAttribute("list", "diameters");

  // A known graph fills in what is known of it.
  const fill = (name) => {
    const graph = facts.choose.graphs.find((each) => each.graph === name);
    const { vertices = "", edges = "", maximum_degree: degree = "", diameter = "" } = graph ?? {};
    go({ vertices: vertices ?? "", edges: edges ?? "", degree: degree ?? "", diameter: diameter ?? "" });
  };

  function told({ programs, slowdown, like }, name, where) {
    const regret = number((slowdown - 1) * 100);
    const described = (graph) => {
      const known = facts.choose.graphs.find((each) => each.graph === graph);
      return Object.keys(facts.choose.likeness)
        .filter((property) => known[property] != null)
        .map((property) => `${facts.choose.words[property]} ${number(known[property])}`)
        .join(", ");
    };
    const rows = programs.map((program, at) => [
      String(at + 1),
      node("a", { href: linkTo({ view: "programs", search: program }) }, program),
    ]);
    const shares = like
      .filter(([, share]) => share >= facts.choose.shown)
      .map(([graph, share]) => `${graph} (${number(share * 100)} %: ${described(graph)})`);
    return [
      node("h3", {}, `${name}, ${facts.models[where] ?? where}: expected regret ${regret} %`),
      shortTable(["", "try"], rows),
      node("p", { className: "quiet" }, `By what is known of ${shares.join("; ")}.`),
      node("code", {}, `python -m runner best my.egr --algorithm ${name} --programs ${programs.join(" ")}`),
    ];
  }

  return ({ jobs }) => {
    for (const [name, field] of fields) if (field.value !== (state[name] ?? "")) field.value = state[name] ?? "";
    const usable = jobs.filter((each) => job.edges[each] >= facts.choose.least);
    const algorithms = algorithm[1].filter((name) => usable.some((each) => valueOf(algorithm, each) === name));
    const solved = algorithms.includes(state.solve) ? state.solve : algorithms[0];
    const known = facts.choose.graphs.map(({ graph }) => graph);
    which.replaceChildren(
      picker("As", [["", "one that was measured"], ...known], "", fill),
      picker("Algorithm", algorithms, solved, (solve) => go({ solve })),
    );
    const wanted = wantedProperties();
    if (!Object.keys(wanted).length) {
      const said = "Type what you know of your graph, or start from one that was measured.";
      return void found.replaceChildren(node("p", { className: "refused" }, said));
    }
    const likeness = likenesses(wanted);
    const answers = model[1].flatMap((name) => {
      const mine = usable.filter((each) => valueOf(algorithm, each) === solved && valueOf(model, each) === name);
      const answer = suggest(data, mine, likeness);
      return answer ? told(answer, solved, name) : [];
    });
    const nothing = "Nothing that is selected was measured on a graph with these properties known.";
    if (!answers.length) return void found.replaceChildren(node("p", { className: "refused" }, nothing));
    const rule =
      `Regret is the time of the fastest of the ${facts.choose.candidates} over that of the best program, less 1. ` +
      "What is expected follows from graphs that are like yours; it is no bound. Filters restrict what may be chosen.";
    found.replaceChildren(node("p", { className: "quiet" }, rule), ...answers);
  };
}
