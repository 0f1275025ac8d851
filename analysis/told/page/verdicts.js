// What the data says of comparisons, as computed with the tables: for a model on a machine, all algorithms or one, all
// graphs or one. Other selections have no verdict, only medians.

const JUDGED = ["machine", "model", "algorithm", "graph"];
const tablesOf = new Map();

// The rows of a comparison's table, as objects.
function judgedRows({ slug }) {
  if (!tablesOf.has(slug)) {
    const table = facts.sections.find(({ name }) => name === slug)?.tables[0];
    const named = (row) => Object.fromEntries(table.heads.map((head, at) => [head, row[at]]));
    tablesOf.set(slug, table ? table.rows.map(named) : []);
  }
  return tablesOf.get(slug);
}

// The row of a model on a machine that is about what is selected, or with one more value in a column; or nothing.
function judgedRow(comparison, model, machine, more = {}) {
  const wanted = { ...state.filters, ...more };
  const others = Object.entries(wanted).filter(([name, values]) => !JUDGED.includes(name) && values.length);
  if (state.search || others.length) return undefined;
  const [algorithm, graph] = [wanted.algorithm ?? [], wanted.graph ?? []];
  if (algorithm.length > 1 || graph.length > 1) return undefined;
  const mine = judgedRows(comparison).filter(
    (row) =>
      row.machine === machine && row.model === facts.models[model] && row.algorithm === (algorithm[0] ?? "all"),
  );
  const alone = !graph.length && mine.length === 1 ? mine[0] : undefined; // of one graph, there is no row of all
  return mine.find((row) => row.graph === (graph[0] ?? "all")) ?? alone;
}

// Who wins, and by which factor: [class, winner, factor and interval], seen from the winner.
function judgedWords({ labels }, { median, low, high, faster }) {
  if (low === null) return ["quiet", "too few programs", times(median)];
  if (faster === "unclear") return ["quiet", "unclear", `${times(median)} [${number(low)}, ${number(high)}]`];
  if (faster === "first-named") return ["first", labels[0], `${times(median)} [${number(low)}, ${number(high)}]`];
  return ["second", labels[1], `${times(1 / median)} [${number(1 / high)}, ${number(1 / low)}]`];
}

// The same in a few words, for beside a row.
function judgedMark(comparison, row) {
  const [name, winner, factor] = judgedWords(comparison, row);
  return node("span", { className: name, title: `${winner}: ${factor}` }, `${factor.split(" ")[0]} ${winner}`);
}

// Sentences over a figure of a comparison: each names its model and machine, and is about what is selected.
function judgedSentences(comparison) {
  const [models, machines] = [state.filters.model ?? [], state.filters.machine];
  const shown = comparison.advice.filter(
    ([model, machine]) =>
      (!models.length || models.includes(model)) && (machines.includes(ALL) || machines.includes(machine)),
  );
  const asked = Object.entries(state.filters).filter(([name, values]) => values.length && name !== "machine");
  const whole = !state.search && asked.every(([name]) => name === "model");
  const of = [...(state.filters.algorithm ?? []).map((name) => facts.titles[name]), ...(state.filters.graph ?? [])];
  const found = shown.flatMap(([model, machine, advice]) => {
    const where = `${facts.models[model]} on ${facts.short[names.machine.indexOf(machine)]}`;
    if (whole) return [`${where}: ${advice}`];
    const row = judgedRow(comparison, model, machine);
    if (!row) return [];
    const [, winner, factor] = judgedWords(comparison, row);
    return [`${where}, ${of.join(", ")}: ${winner}, ${factor}, n = ${row.pairs}.`];
  });
  return found.length || whole ? found : ["This selection has no verdict of its own: the figure has its medians."];
}
