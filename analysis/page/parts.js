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

// A number for the model of a job, its machine and, unless that is null, its value in a column.
function places(data, column) {
  const { job, styles } = data;
  const axis = facts.axes.findIndex(({ name }) => name === column);
  const model = facts.axes.findIndex(({ name }) => name === "model");
  const inner = axis >= 0 ? (each) => styles[axis][job.program[each]] : column ? (each) => job[column][each] : () => 0;
  const word = axis >= 0 ? (code) => facts.axes[axis].values[code - 1] ?? "none" : (code) => names[column][code];
  return {
    key: (each) => (styles[model][job.program[each]] * 256 + job.machine[each]) * 65536 + inner(each),
    name: (each) => {
      const value = facts.axes[model].values[styles[model][job.program[each]] - 1];
      const machine = names.machine[job.machine[each]];
      return { model: value, machine, colour: COLOURS[value], value: column ? word(inner(each)) : "" };
    },
  };
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
