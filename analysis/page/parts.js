// What views share: words for jobs and pairs, groups of them, and controls.

const CUT = "·"; // between the parts of a group's name

function describeJob({ programs, job }, each) {
  const noise = Number.isNaN(job.noise[each]) ? "of one sample" : `noise ${number(job.noise[each] * 100)} %`;
  const time = job.bound[each] ? "timed out, at least" : "median";
  return [
    programs[job.program[each]].name,
    `${time} ${number(job.seconds[each] * 1e3)} ms, ${number(job.throughput[each])} giga-edges/s; ${job.samples[each]} samples, ${noise}; ${job.rounds[each]} rounds`,
  ];
}

// Where a job ran; what all jobs share is left out.
function where({ job }, each) {
  return ["graph", "machine", "setting"].filter((column) => column === "graph" || names[column].length > 1).map((column) => names[column][job[column][each]]).join("; ");
}

function describePair(data, { first, second, ratio }, pair) {
  const [a, b] = [first[pair], second[pair]];
  return [`ratio ${number(ratio[pair])}`, ...describeJob(data, a), ...describeJob(data, b), where(data, a)];
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

// Of every job a number for its model, its machine and its value in a column, if one is named, and what they are called.
function places(data, column) {
  if (placed.has(column)) return placed.get(column);
  const { job, styles } = data;
  const axis = facts.axes.findIndex(({ name }) => name === column);
  const model = facts.axes.findIndex(({ name }) => name === "model");
  const inner = axis >= 0 ? (each) => styles[axis][job.program[each]] : column ? (each) => job[column][each] : () => 0;
  const word = axis >= 0 ? (code) => facts.axes[axis].values[code - 1] ?? "none" : (code) => names[column][code];
  const keys = Float64Array.from(job.program, (program, each) => (styles[model][program] * 256 + job.machine[each]) * 65536 + inner(each));
  const found = {
    key: (each) => keys[each],
    name: (each) => {
      const value = facts.axes[model].values[styles[model][job.program[each]] - 1];
      const machine = names.machine[job.machine[each]];
      return { model: value, machine, colour: COLOURS[value], value: column ? word(inner(each)) : "" };
    },
  };
  placed.set(column, found);
  return found;
}

const label = (...parts) => parts.filter(Boolean).join(` ${CUT} `);
const short = (machine) => (names.machine.length > 1 ? machine : "");

function picker(title, options, value, changed) {
  const select = node("select", { onchange: () => changed(select.value) }, ...options.map(([name, text]) => node("option", { value: name, selected: name === value }, text)));
  return node("label", {}, `${title} `, select);
}

function part(element, name = "div", attributes = {}) {
  const made = node(name, attributes);
  element.append(made);
  return made;
}
