// Two machines: what each says about the styles, on the graphs that both have. No ratio is formed across machines.

function machinesView(element, data) {
  const { job, styles } = data;
  const [controls, said, boxes, list] = [part(element, "div", { className: "controls" }), part(element), part(element), part(element, "div", { className: "scroll" })];
  const model = facts.axes.findIndex(({ name }) => name === "model");
  const modelOf = (each) => facts.axes[model].values[styles[model][job.program[each]] - 1];
  const draw = boxFigure(boxes, {
    axis: "throughput ratio: above 1, the first-named style is faster", line: 1,
    bound: ({ comparison }, pair) => job.bound[comparison.second[pair]] - job.bound[comparison.first[pair]],
    group: ({ label, values }) => [label, `median ${number(quantile(values, 0.5))}, n = ${values.length}`, "click for its pairs"],
    item: ({ comparison }, pair) => describePair(data, comparison, pair),
    onGroup: ({ comparison, filters }) => go({ view: "ratios", comparison: comparison.slug, box: "", filters: { ...state.filters, ...filters } }),
    onItem: () => {},
  });

  // By model, the graphs that were measured on each of two machines.
  function common(machines) {
    const found = new Map();
    job.program.forEach((_, each) => {
      const side = machines.indexOf(job.machine[each]);
      if (side < 0 || !job.known[each]) return;
      const name = modelOf(each);
      if (!found.has(name)) found.set(name, [new Set(), new Set()]);
      found.get(name)[side].add(job.graph[each]);
    });
    return new Map([...found].map(([name, [first, second]]) => [name, new Set([...first].filter((graph) => second.has(graph)))]));
  }

  return (selection) => {
    const options = names.machine.map((name) => [name, name]);
    const [first, second] = [state.m ?? names.machine[0], state.n ?? names.machine.find((name) => name !== (state.m ?? names.machine[0]))];
    controls.replaceChildren(picker("First", options, first, (m) => go({ m })), picker("Second", options, second, (n) => go({ n })));
    const machines = [first, second].map((name) => names.machine.indexOf(name));
    const refuse = (text) => {
      said.replaceChildren(node("p", { className: "refused" }, text));
      boxes.hidden = list.hidden = true;
    };
    if (names.machine.length < 2) return refuse("All results are of one machine. Give the report results of two to compare them.");
    if (first === second || machines.includes(-1)) return refuse("Choose two machines.");
    const shared = common(machines);
    const usable = [...shared].filter(([, graphs]) => graphs.size);
    if (!usable.length) return refuse(`No graph was measured on each of ${first} and ${second} with one model: medians would compare graphs.`);
    boxes.hidden = list.hidden = false;
    said.replaceChildren(...[...shared].map(([name, graphs]) => node("p", { className: "quiet" },
      `${facts.models[name]}: ${graphs.size ? [...graphs].map((graph) => names.graph[graph]).join(", ") : "no graph in common, left out"}.`)));
    const rows = [];
    const groups = [];
    for (const comparison of data.comparisons) {
      const pairs = selection.pairs(comparison);
      for (const [name, graphs] of usable) {
        const sides = machines.map((machine, side) => {
          const items = Array.from(pairs.filter((pair) => {
            const each = comparison.first[pair];
            return job.machine[each] === machine && graphs.has(job.graph[each]) && modelOf(each) === name;
          }));
          const [values, where] = [items.map((pair) => comparison.ratio[pair]), names.machine[machine]];
          const filters = { machine: [where], model: [name], graph: [...graphs].map((graph) => names.graph[graph]) };
          return { comparison, items, values, filters, colour: side ? "#d55e00" : "#0072b2", label: label(comparison.title, facts.models[name], where) };
        });
        if (sides.some(({ items }) => !items.length)) continue;
        groups.push(...sides);
        rows.push([comparison.title, facts.models[name], ...sides.flatMap(({ values }) => [quantile(values, 0.5), values.length])]);
      }
    }
    draw(groups);
    list.replaceChildren(shortTable(["comparison", "model", `median on ${first}`, "n", `median on ${second}`, "n"], rows));
  };
}
