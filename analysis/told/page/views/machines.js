// Two machines: what each says about the styles, on the graphs that both have. No ratio is formed across machines.

function machinesView(element, data) {
  const { job, styles } = data;
  const controls = part(element, "div", { className: "controls" });
  const [said, boxes, list] = [part(element), part(element), part(element, "div", { className: "scroll" })];
  const [model, models] = [styles[axisOf("model")], facts.axes[axisOf("model")].values];
  const modelOf = (each) => models[model[job.program[each]] - 1];
  const draw = ratioFigure(boxes, data, {
    hint: "click for its comparison",
    onGroup: ({ comparison, filters }) =>
      go({ view: "ratios", comparison: comparison.slug, box: "", filters: { ...state.filters, ...filters } }),
  });

  // By model, the graphs that were measured on each of two machines.
  function common(machines) {
    const found = new Map();
    for (let each = 0; each < job.program.length; each++) {
      const side = machines.indexOf(job.machine[each]);
      if (side < 0 || !(job.seconds[each] > 0)) continue;
      const name = modelOf(each);
      if (!found.has(name)) found.set(name, [new Set(), new Set()]);
      found.get(name)[side].add(job.graph[each]);
    }
    return [...found].map(([name, [first, second]]) => [name, [...first].filter((graph) => second.has(graph))]);
  }

  function refusal(first, second, shared) {
    if (names.machine.length < 2)
      return "All results are of one machine. Give the report those of two to compare them.";
    if (first === second) return "Choose two machines.";
    if (shared.some(([, graphs]) => graphs.length)) return "";
    return `No graph was measured on each of ${first} and ${second} with one model: medians would compare graphs.`;
  }

  // Both machines' pairs of a comparison and a model on some graphs, or nothing unless both have some.
  function sides(selection, comparison, machines, name, graphs) {
    const pairs = selection.pairs(comparison).filter((pair) => {
      const each = comparison.first[pair];
      return graphs.includes(job.graph[each]) && modelOf(each) === name;
    });
    const found = machines.map((machine, side) => {
      const items = Array.from(pairs.filter((pair) => job.machine[comparison.first[pair]] === machine));
      const values = items.map((pair) => comparison.ratio[pair]);
      const [place, colour] = [names.machine[machine], ["#0072b2", "#d55e00"][side]];
      const filters = { machine: [place], model: [name], graph: graphs.map((graph) => names.graph[graph]) };
      return {
        comparison,
        items,
        values,
        filters,
        colour,
        label: label(comparison.title, facts.models[name], letter(place)),
      };
    });
    return found.every(({ items }) => items.length) ? found : [];
  }

  return (selection) => {
    const first = names.machine.includes(state.m) ? state.m : names.machine[0];
    const second = names.machine.includes(state.n) ? state.n : (names.machine.find((name) => name !== first) ?? first);
    const options = names.machine.map((name) => [name, label(letter(name), name)]);
    controls.replaceChildren(
      picker("First", options, first, (m) => go({ m })),
      picker("Second", options, second, (n) => go({ n })),
    );
    const machines = [first, second].map((name) => names.machine.indexOf(name));
    const shared = common(machines);
    const refused = refusal(first, second, shared);
    boxes.hidden = list.hidden = Boolean(refused);
    if (refused) return void said.replaceChildren(node("p", { className: "refused" }, refused));
    said.replaceChildren(
      ...shared.map(([name, graphs]) => {
        const which = graphs.map((graph) => names.graph[graph]).join(", ") || "no graph in common, left out";
        return node("p", { className: "quiet" }, `${facts.models[name]}: ${which}.`);
      }),
    );
    const found = data.comparisons.flatMap((comparison) =>
      shared.map(([name, graphs]) => ({
        comparison,
        name,
        groups: sides(selection, comparison, machines, name, graphs),
      })),
    );
    draw(found.flatMap(({ groups }) => groups));
    const rows = found
      .filter(({ groups }) => groups.length)
      .map(({ comparison, name, groups }) => [
        comparison.title,
        facts.models[name],
        ...groups.flatMap(({ values }) => [quantile(values, 0.5), values.length]),
      ]);
    list.replaceChildren(
      shortTable(["comparison", "model", `median on ${first}`, "n", `median on ${second}`, "n"], rows),
    );
  };
}
