// What an answer is shown as: its style in words, the ranking that it leads, and why it does.

const quiet = (...text) => node("p", { className: "quiet" }, ...text);
const scrolled = (table) => node("div", { className: "scroll" }, table);
const many = (list, noun) => `${list.length} ${noun}${list.length === 1 ? "" : "s"}`;

// The choices in which a program differs from another one, in words.
function differences({ styles }, program, other) {
  const differ = facts.axes.flatMap(({ words, optional }, axis) => {
    const [here, there] = [styles[axis][program], styles[axis][other]];
    if (here === there || (!optional && !(here && there))) return []; // where an axis is missing, another decided so
    return [here ? words[here - 1] : `not ${words[there - 1]}`];
  });
  return differ.join(", ");
}

// All of a style, what matters most marked and first.
function styleOf({ styles }, { ranking, choices }) {
  const main = choices.filter(({ value, factor }) => value && factor >= 1.2).map(({ axis }) => axis);
  const first = main.slice(0, 4);
  const rank = ({ name }) => (first.includes(name) ? first.indexOf(name) : first.length);
  const code = (axis) => styles[axisOf(axis.name)][ranking[0].program] - 1;
  const item = (axis) => {
    const [word, meaning] = [axis.words[code(axis)], axis.means[code(axis)]];
    return node("li", { className: first.includes(axis.name) ? "main" : "", title: `${axis.title}: ${meaning}` }, word);
  };
  const axes = facts.axes.filter((axis) => axis.name !== "algorithm" && code(axis) >= 0);
  return node("ul", { className: "style" }, ...axes.sort((a, b) => rank(a) - rank(b)).map(item));
}

// The first programs as bars, with a dot for each graph.
function rankingOf(data, { graphs, ranking }) {
  const { programs } = data;
  const most = Math.min(Math.max(...ranking.map(({ slowdown }) => slowdown), 1.5), 4);
  const at = (slowdown) => `${(100 * Math.min(slowdown, most)) / most}%`;
  const first = ranking[0].program;
  const rows = ranking.flatMap(({ program, slowdown, graphs: each }, rank) => {
    const href = linkTo({ view: "two", a: programs[first].name, b: rank ? programs[program].name : "" });
    const what = rank ? differences(data, program, first) : "this one";
    const dot = (cost, graph) => node("s", { style: `left: ${at(cost)}`, title: `${graphs[graph]}: ${times(cost)}` });
    const dots = each.flatMap((cost, graph) => (cost === null ? [] : [dot(cost, graph)]));
    const bar = node("i", { className: rank ? "" : "best", style: `width: ${at(slowdown)}` });
    return [
      node("a", { className: "what", href, title: what }, what),
      node("div", { className: "track" }, bar, ...dots),
      node("span", { className: "value" }, times(slowdown)),
    ];
  });
  return [
    node("h3", {}, "Ranking: how many times as long as the best on each graph"),
    quiet("A dot is a graph; a bar is the mean, longer by a doubt where a graph is missing. The words say what differs from the first."),
    node("div", { className: "rank" }, ...rows),
  ];
}

// Where all programs stand, as marks on one log axis.
function rugOf({ quantiles, programs }) {
  const high = Math.max(quantiles.at(-1), 10);
  const along = (slowdown) => `left: ${(100 * Math.log(Math.max(slowdown, 1))) / Math.log(high)}%`;
  const marks = quantiles.map((each) => node("i", { style: along(each) }));
  const ticks = ticksOf(1, high).map((tick) => node("span", { style: along(tick) }, `${tickWord(tick)}×`));
  const [middle, last] = [quantiles[quantiles.length >> 1], quantiles.at(-1)].map(times);
  return [
    node("h3", {}, `All ${programs.toLocaleString("en")} programs`),
    quiet(`The one in the middle takes ${middle} as long, the slowest ${last}.`),
    node("div", { className: "rug" }, ...marks, ...ticks),
  ];
}

// What each choice is worth: what the best program with another one takes.
function whyOf({ choices, algorithm }) {
  const told = choices.filter(({ factor }) => factor >= 1.02).slice(0, 8);
  const rows = told.map(({ axis, value, other, factor }) => {
    const { title, values, words, means, plain } = facts.axes[axisOf(axis)];
    const place = values.indexOf(value);
    const [here, instead] = [value, other].map((code) => words[values.indexOf(code)] ?? (plain || "none"));
    return [title, here, `${instead}: ${times(factor)} as long`, means[place] ?? ""];
  });
  const filters = { machine: state.filters.machine, algorithm: [algorithm] };
  const link = node("a", { href: linkTo({ view: "ratios", filters }) }, "All pairs of this algorithm");
  return [
    node("h3", {}, "Why"),
    quiet("What the best program with another choice takes, whatever its other choices. ", link),
    scrolled(shortTable(["choice", "this program", "the best with another", "what it means"], rows)),
  ];
}
