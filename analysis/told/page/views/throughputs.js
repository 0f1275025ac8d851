// Throughputs, or slowdowns against the fastest program for the same work, of the styles on an axis side by side.

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
    onGroup: ({ filters }) => go({ view: "programs", filters: { ...state.filters, ...filters } }),
    onItem: (_, each) => go({ view: "two", a: programs[job.program[each]].name }),
  };
  const cost = { ...options, axis: "time over that of the fastest program for the same work", line: 1 };
  const measures = {
    throughput: {
      values: job.throughput,
      sign: -1,
      draw: boxFigure(part(boxes), { ...options, axis: "giga-edges/s" }),
    },
    slowdown: { values: slowdown, sign: 1, draw: boxFigure(part(boxes), cost) },
  };
  const axes = facts.axes.map(({ name }) => name).filter((name) => !["algorithm", "model"].includes(name));

  return (selection) => {
    const axis = axes.includes(state.style) ? state.style : axes.includes("granularity") ? "granularity" : axes[0];
    const panel = state.panel ?? "graph";
    const measure = measures[state.measure] ? state.measure : "throughput";
    controls.replaceChildren(
      picker("Styles on the axis", axes, axis, (style) => go({ style })),
      picker("for each", ["graph", "algorithm"], panel, (panel) => go({ panel })),
      picker("Measure", Object.keys(measures), measure, (measure) => go({ measure })),
    );
    Object.keys(measures).forEach((name, place) => (boxes.children[place].hidden = name !== measure));
    const { values, sign, draw } = measures[measure];
    const styles = data.styles[axisOf(axis)];
    const having = selection.jobs.filter((each) => values[each] > 0 && styles[job.program[each]]);
    const rising = having.sort((a, b) => values[a] - values[b]);
    const [outer, inner] = [places(data, panel), places(data, axis)];
    const key = (each) => outer.key(each) * 256 + styles[job.program[each]];
    draw(
      grouped(
        rising,
        (each) => values[each],
        key,
        (each) => {
          const [{ model, machine, colour, value }, style] = [outer.name(each), inner.name(each).value];
          const filters = { [panel]: [value], [axis]: [style], model: [model], machine: [machine] };
          return { sign, colour, filters, label: label(value, facts.models[model], style, letter(machine)) };
        },
      ),
    );
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
