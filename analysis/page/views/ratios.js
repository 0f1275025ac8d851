// Ratios: all comparisons, or one of them group by group, with its pairs.
function ratiosView(element, data) {
  const { job, programs } = data;
  const [controls, said, boxes, title, list] = [part(element, "div", { className: "controls" }), part(element, "ul", { className: "quiet" }), part(element), part(element, "h3"), part(element)];
  let [shown, of] = [[], null]; // the pairs in the table, and their comparison
  const bound = ({ comparison }, pair) => job.bound[comparison.second[pair]] - job.bound[comparison.first[pair]];
  const open = ({ comparison }, pair) => go({ view: "two", a: programs[job.program[comparison.first[pair]]].name, b: programs[job.program[comparison.second[pair]]].name });
  const draw = boxFigure(boxes, {
    axis: "throughput ratio: above 1, the first-named style is faster", line: 1, bound,
    group: ({ label, values }) => [label, `median ${number(quantile(values, 0.5))}, half between ${number(quantile(values, 0.25))} and ${number(quantile(values, 0.75))}, n = ${values.length}`, "click for its pairs"],
    item: ({ comparison }, pair) => [...describePair(data, comparison, pair), "click for both programs"],
    onGroup: ({ comparison, box }) => go({ comparison: comparison.slug, box, ...(of ? {} : { by: "model" }) }),
    onItem: open,
  });
  const table = longTable(list, [
    { title: "ratio", width: 70, format: true }, { title: "first program", width: 420 }, { title: "second program", width: 420 }, { title: "graph", width: 120 },
    ...["first", "second"].flatMap((side) => [["ms", 80], ["samples", 70], ["noise, %", 70]].map(([word, width]) => ({ title: `${side}: ${word}`, width, format: true }))),
    { title: "machine", width: 200 },
  ], (row) => open({ comparison: of }, shown[row]));
  const columns = facts.axes.map(({ name }) => [name, name]);
  return (selection) => {
    const by = state.by ?? "algorithm";
    of = data.comparisons.find(({ slug }) => slug === state.comparison) ?? null;
    controls.replaceChildren(
      picker("Comparison", [["", "all"], ...data.comparisons.map(({ slug, title }) => [slug, title])], of?.slug ?? "", (comparison) => go({ comparison, box: "" })),
      ...(of ? [picker("A box for each", [["algorithm", "algorithm"], ["graph", "graph"], ["model", "model"], ...columns.filter(([name]) => !["algorithm", "model", of.axis].includes(name))], by, (by) => go({ by, box: "" }))] : []),
    );
    said.replaceChildren(...(of ? [...of.said, of.figure && `The paper's ${of.figure}.`].filter(Boolean).map((text) => node("li", {}, text)) : []));
    const { key, name } = places(data, of && by !== "model" ? by : "");
    const groups = (of ? [of] : data.comparisons).flatMap((comparison) => {
      const job = (pair) => comparison.first[pair];
      return grouped(selection.pairs(comparison), (pair) => comparison.ratio[pair], (pair) => key(job(pair)), (pair) => {
        const { model, machine, colour, value } = name(job(pair));
        return { comparison, colour, box: [model, machine, value].join("~"), label: label(of ? value : comparison.title, facts.models[model], short(machine)) };
      });
    });
    const chosen = of && groups.find(({ box }) => box === state.box);
    draw(groups, chosen);
    list.hidden = !chosen;
    title.textContent = chosen ? `Pairs: ${label(of.title, chosen.label)}` : of ? "A click on a box shows its pairs." : "";
    if (!chosen) return;
    shown = chosen.items;
    const sides = [of.first, of.second];
    const program = (side) => shown.map((pair) => programs[job.program[side[pair]]].name);
    table.fill([
      shown.map((pair) => of.ratio[pair]), ...sides.map(program), shown.map((pair) => names.graph[job.graph[of.first[pair]]]),
      ...sides.flatMap((side) => [shown.map((pair) => job.seconds[side[pair]] * 1e3), shown.map((pair) => job.samples[side[pair]]), shown.map((pair) => job.noise[side[pair]] * 100)]),
      shown.map((pair) => names.machine[job.machine[of.first[pair]]]),
    ]);
  };
}
