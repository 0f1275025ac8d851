// Times of one algorithm, as throughputs or as slowdowns against the fastest program for the same work: the styles on an
// axis side by side, graph by graph.

function throughputsView(element, data) {
  const { job, programs } = data;
  const [controls, boxes] = [part(element, "div", { className: "controls" }), part(element)];
  const slowdown = slowdowns(data);
  const options = {
    bound: ({ sign }, each) => sign * job.bound[each],
    group: ({ label, values }) => {
      const [low, median, high] = [values[0], quantile(values, 0.5), values.at(-1)].map(number);
      return [label, `median ${median}, from ${low} to ${high}, n = ${values.length}`, "click for its programs"];
    },
    item: (_, each) => [...describeJob(data, each), `slowdown ${number(slowdown[each])}`, where(data, each)],
    said: "median, best",
    onGroup: ({ filters }) => go({ view: "programs", filters: { ...state.filters, ...filters } }),
    onItem: (_, each) => go({ view: "two", a: programs[job.program[each]].name }),
  };
  const measures = {
    slowdown: {
      values: slowdown,
      sign: 1,
      best: 0,
      draw: boxFigure(part(boxes), { ...options, axis: "how many times as long as the fastest", line: 1 }),
    },
    throughput: {
      values: job.throughput,
      sign: -1,
      best: -1,
      draw: boxFigure(part(boxes), { ...options, axis: "billions of edges per second" }),
    },
  };
  const axes = facts.axes.filter(({ name }) => !["algorithm", "model"].includes(name));
  const [codes, solvable] = [data.styles[axisOf("algorithm")], facts.axes[axisOf("algorithm")].values];

  return (selection) => {
    const known = (name) => axes.some((axis) => axis.name === name);
    const axis = [state.style, "granularity", axes[0].name].find(known);
    const having = new Set(selection.jobs.map((each) => solvable[codes[job.program[each]] - 1]));
    const algorithms = solvable.filter((name) => having.has(name));
    const solved = [state.solve, "bfs"].find((name) => algorithms.includes(name)) ?? algorithms[0];
    const measure = measures[state.measure] ? state.measure : "slowdown";
    controls.replaceChildren(
      picker("Algorithm", algorithms.map((name) => [name, facts.titles[name]]), solved, (solve) => go({ solve })),
      picker("Styles", axes.map(({ name, title }) => [name, title]), axis, (style) => go({ style })),
      picker("Measure", Object.keys(measures), measure, (measure) => go({ measure })),
    );
    Object.keys(measures).forEach((name, place) => (boxes.children[place].hidden = name !== measure));
    const { values, sign, best, draw } = measures[measure];
    const styles = data.styles[axisOf(axis)];
    const of = (program) => solvable[codes[program] - 1] === solved && styles[program];
    const rising = selection.jobs
      .filter((each) => values[each] > 0 && of(job.program[each]))
      .sort((a, b) => values[a] - values[b]);
    const [outer, inner] = [places(data, "graph"), places(data, axis)];
    const key = (each) => (job.graph[each] * 2 ** 24 + outer.key(each) / 2 ** 16) * 256 + styles[job.program[each]];
    const found = grouped(
      rising,
      (each) => values[each],
      key,
      (each) => {
        const [{ model, machine, colour, key, value }, style] = [outer.name(each), inner.name(each).value];
        const filters = { algorithm: [solved], graph: [value], [axis]: [style], model: [model] };
        const called = facts.axes[axisOf(axis)].words[styles[job.program[each]] - 1];
        return { sign, colour, key, filters, graph: value, label: label(called, machineWord(machine)) };
      },
    );
    for (const group of found) group.said = `${number(quantile(group.values, 0.5))}, ${number(group.values.at(best))}`;
    const headed = (group, place) => {
      const { graph } = group;
      const open = () => go({ filters: { ...state.filters, graph: [graph] } });
      return graph === found[place - 1]?.graph ? [group] : [{ head: graph, open }, group];
    };
    draw(found.flatMap(headed));
  };
}

// Of every job its time over the shortest for the same work on the same machine; a job that timed out has a bound.
function slowdowns({ job, styles }) {
  const work = ["algorithm", "model", "datatype"].map((column) => styles[axisOf(column)]);
  const same = Array.from(job.program, (program, each) =>
    [...work.map((codes) => codes[program]), job.graph[each], job.machine[each], job.setting[each]].join(),
  );
  const fastest = new Map();
  same.forEach((key, each) => {
    if (job.seconds[each] > 0 && !job.bound[each])
      fastest.set(key, Math.min(job.seconds[each], fastest.get(key) ?? Infinity));
  });
  return job.seconds.map((seconds, each) => seconds / fastest.get(same[each]));
}
