// Throughputs, or slowdowns against the fastest program that does the same work, of the styles on an axis side by side.
function throughputsView(element, data) {
  const { job, programs, styles } = data;
  const [controls, boxes] = [part(element, "div", { className: "controls" }), part(element)];
  const work = ["algorithm", "model", "datatype"].map((column) => facts.axes.findIndex(({ name }) => name === column));
  const fastest = new Map();
  const same = (each) => [...work.map((axis) => styles[axis][job.program[each]]), job.graph[each], job.machine[each], job.setting[each]].join();
  job.program.forEach((_, each) => { if (job.known[each] && !job.bound[each]) fastest.set(same(each), Math.min(job.seconds[each], fastest.get(same(each)) ?? Infinity)); });
  const slowdown = job.seconds.map((seconds, each) => seconds / fastest.get(same(each)));
  const options = {
    bound: ({ sign }, each) => sign * job.bound[each],
    group: ({ label, values }) => [label, `median ${number(quantile(values, 0.5))}, from ${number(values[0])} to ${number(values.at(-1))}, n = ${values.length}`, "click for its programs"],
    item: (_, each) => [...describeJob(data, each), `slowdown ${number(slowdown[each])}`, where(data, each)],
    onGroup: ({ filters }) => go({ view: "programs", filters: { ...state.filters, ...filters } }),
    onItem: (_, each) => go({ view: "two", a: programs[job.program[each]].name }),
  };
  const figures = {
    "": { values: job.throughput, sign: -1, draw: boxFigure(part(boxes), { ...options, axis: "giga-edges/s" }) },
    slowdown: { values: slowdown, sign: 1, draw: boxFigure(part(boxes), { ...options, axis: "time over that of the fastest program for the same work", line: 1 }) },
  };
  const axes = facts.axes.map(({ name }) => name).filter((name) => !["algorithm", "model"].includes(name));
  return (selection) => {
    const axis = axes.includes(state.style) ? state.style : "granularity";
    const panel = state.panel ?? "graph";
    const measure = figures[state.measure] ? state.measure : "";
    controls.replaceChildren(
      picker("Styles on the axis", axes.map((name) => [name, name]), axis, (style) => go({ style })),
      picker("for each", [["graph", "graph"], ["algorithm", "algorithm"]], panel, (panel) => go({ panel })),
      picker("Measure", [["", "throughput"], ["slowdown", "slowdown"]], measure, (measure) => go({ measure })),
    );
    Object.keys(figures).forEach((name, place) => { boxes.children[place].hidden = name !== measure; });
    const { values, sign, draw } = figures[measure];
    const place = facts.axes.findIndex(({ name }) => name === axis);
    const jobs = selection.jobs.filter((each) => job.known[each] && styles[place]?.[job.program[each]]).sort((a, b) => values[a] - values[b]);
    const [outer, inner] = [places(data, panel), places(data, axis)];
    const code = (each) => outer.key(each) * 256 + styles[place][job.program[each]];
    draw(grouped(jobs, (each) => values[each], code, (each) => {
      const [{ model, machine, colour, value }, style] = [outer.name(each), inner.name(each).value];
      return { sign, colour, filters: { [panel]: [value], [axis]: [style], model: [model], machine: [machine] }, label: label(value, facts.models[model], style, short(machine)) };
    }));
  };
}
