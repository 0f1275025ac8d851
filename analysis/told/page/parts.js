// What views share: words for jobs and pairs, groups of them, and controls.

const CUT = "·"; // between the parts of a group's name

function describeJob({ programs, job }, each) {
  const noise = Number.isNaN(job.noise[each]) ? "of one sample" : `noise ${number(job.noise[each] * 100)} %`;
  const time = `${job.bound[each] ? "timed out, at least" : "median"} ${number(job.seconds[each] * 1e3)} ms`;
  const speed = `${number(job.throughput[each])} giga-edges/s`;
  const measured = `${job.samples[each]} samples, ${noise}; ${job.rounds[each]} rounds`;
  return [programs[job.program[each]].name, `${time}, ${speed}; ${measured}`];
}

// Where a job ran; what all jobs share is left out.
function where({ job }, each) {
  return ["graph", "machine", "setting"]
    .filter((column) => column === "graph" || names[column].length > 1)
    .map((column) => (column === "machine" ? facts.short : names[column])[job[column][each]])
    .filter((word) => word !== "{}") // no parameters
    .join("; ");
}

function describePair(data, { first, second, ratio, earlier }, pair) {
  const [a, b] = [first[pair], second[pair]];
  const session = earlier.has(pair) ? ", in an earlier session that measured both" : "";
  return [`ratio ${number(ratio[pair])}${session}`, ...describeJob(data, a), ...describeJob(data, b), where(data, a)];
}

// Of a rising list of items, the groups that `key` makes, in order of their keys.
function grouped(items, value, key, describe) {
  const found = new Map();
  for (const item of items) {
    const name = key(item);
    if (!found.has(name)) found.set(name, { key: name, values: [], items: [] });
    const group = found.get(name);
    group.values.push(value(item));
    group.items.push(item);
  }
  return [...found.values()].sort((a, b) => a.key - b.key).map((group) => ({ ...group, ...describe(group.items[0]) }));
}

const placed = new Map();

// Of every job a number for its model, its machine and its value in a column, if one is named, and how they are called.
function places(data, column) {
  if (placed.has(column)) return placed.get(column);
  const { job, styles } = data;
  const [axis, model] = [axisOf(column), axisOf("model")];
  const inner = axis >= 0 ? (each) => styles[axis][job.program[each]] : column ? (each) => job[column][each] : () => 0;
  const word = axis >= 0 ? (code) => facts.axes[axis].values[code - 1] ?? "none" : (code) => names[column][code];
  const keys = Float64Array.from(
    job.program,
    (program, each) => (styles[model][program] * 256 + job.machine[each]) * 65536 + inner(each),
  );
  const found = {
    key: (each) => keys[each],
    name: (each) => {
      const value = facts.axes[model].values[styles[model][job.program[each]] - 1];
      const machine = job.machine[each];
      const [colour, key] = [COLOURS[value], facts.models[value]];
      return { model: value, machine, colour, key, value: column ? word(inner(each)) : "" };
    },
  };
  placed.set(column, found);
  return found;
}

// The number of an axis among those that there are.
const axisOf = (column) => facts.axes.findIndex(({ name }) => name === column);

// Boxes of ratios; groups have the `comparison` of their pairs.
function ratioFigure(element, data, { hint, onGroup, clip, said }) {
  const { job } = data;
  return boxFigure(element, {
    axis: "how many times as fast the first-named is",
    line: 1,
    clip,
    said,
    bound: ({ comparison }, pair) => job.bound[comparison.second[pair]] - job.bound[comparison.first[pair]],
    group: ({ comparison, label: name, values }) => {
      const [low, median, high] = [0.25, 0.5, 0.75].map((share) => number(quantile(values, share)));
      const whose = name === comparison.title ? name : label(comparison.title, name);
      return [whose, `median ${median}, half between ${low} and ${high}, n = ${values.length}`, hint];
    },
    item: ({ comparison }, pair) => [...describePair(data, comparison, pair), "click for both programs"],
    onGroup,
    onItem: ({ comparison }, pair) => openPair(data, comparison, pair),
  });
}

function openPair({ job, programs }, { first, second }, pair) {
  const [a, b] = [first, second].map((side) => programs[job.program[side[pair]]].name);
  go({ view: "two", a, b });
}

const label = (...parts) => parts.filter(Boolean).join(` ${CUT} `);

// Of several machines that are shown, the short name of one.
function machineWord(machine) {
  const { length, 0: first } = state.filters.machine;
  return first === ALL || length > 1 ? facts.short[machine] : "";
}

// A name that is cut in the middle where there is no room: programs differ at both ends.
function cut(name, keep = 26) {
  const sides = [name.slice(0, -keep), name.slice(-keep)].map((side) => node("span", {}, side));
  return node("span", { className: "cut", title: name }, ...sides);
}

// Options are words, or pairs of a value and a word for it.
function picker(title, options, chosen, changed) {
  const option = (value, text = value) => node("option", { value, selected: value === chosen }, text);
  const select = node(
    "select",
    { onchange: () => changed(select.value) },
    ...options.map((each) => option(...[each].flat())),
  );
  return node("label", {}, `${title} `, select);
}

function part(element, name = "div", attributes = {}) {
  const made = node(name, attributes);
  element.append(made);
  return made;
}
