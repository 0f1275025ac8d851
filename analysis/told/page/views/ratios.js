// Ratios: all comparisons, or one of them group by group, with its pairs.

function ratiosView(element, data) {
  const { job, programs } = data;
  const controls = part(element, "div", { className: "controls" });
  const [said, boxes] = [part(element, "ul", { className: "quiet" }), part(element)];
  const [title, list] = [part(element, "h3"), part(element)];
  let [shown, of] = [[], null]; // the pairs in the table, and their comparison
  const draw = ratioFigure(boxes, data, {
    hint: "click for its pairs",
    onGroup: ({ comparison, box }) => go({ comparison: comparison.slug, box, ...(of ? {} : { by: "model" }) }),
  });
  const numbers = (title, width = 80) => ({ title, width, format: true });
  const table = longTable(
    list,
    [
      numbers("ratio"),
      { title: "first program", width: 420 },
      { title: "second program", width: 420 },
      { title: "graph", width: 120 },
      ...["first", "second"].flatMap((side) =>
        ["ms", "samples", "noise, %"].map((word) => numbers(`${side}: ${word}`, 100)),
      ),
      { title: "machine", width: 200 },
    ],
    (row) => openPair(data, of, shown[row]),
  );

  function showControls(by) {
    const comparisons = [["", "all"], ...data.comparisons.map(({ slug, title }) => [slug, title])];
    const choose = picker("Comparison", comparisons, of?.slug ?? "", (comparison) => go({ comparison, box: "" }));
    const shared = facts.axes.map(({ name }) => name).filter((name) => name !== of?.axis);
    const split = picker("A box for each", ["graph", ...shared], by, (by) => go({ by, box: "" }));
    controls.replaceChildren(choose, ...(of ? [split] : []));
    const sentences = of ? [...of.said, of.figure && `The paper's ${of.figure}.`] : [];
    said.replaceChildren(...sentences.filter(Boolean).map((text) => node("li", {}, text)));
  }

  // The groups of a comparison's selected pairs, by model, machine and the value in a column.
  function groups(selection, comparison, column) {
    const { key, name } = places(data, column);
    const { first, ratio } = comparison;
    return grouped(
      selection.pairs(comparison),
      (pair) => ratio[pair],
      (pair) => key(first[pair]),
      (pair) => {
        const { model, machine, colour, value } = name(first[pair]);
        const what = of ? value : comparison.title;
        const box = [model, machine, value].join("~");
        return { comparison, colour, box, label: label(what, facts.models[model], letter(machine)) };
      },
    );
  }

  return (selection) => {
    const by = state.by ?? "algorithm";
    of = data.comparisons.find(({ slug }) => slug === state.comparison) ?? null;
    showControls(by);
    const column = of && by !== "model" ? by : "";
    const found = (of ? [of] : data.comparisons).flatMap((comparison) => groups(selection, comparison, column));
    const chosen = of && found.find(({ box }) => box === state.box);
    draw(found, chosen);
    list.hidden = !chosen;
    title.textContent = chosen ? `Pairs: ${label(of.title, chosen.label)}` : "A click on a box shows its pairs.";
    if (!chosen) return;
    shown = chosen.items;
    const [first, second] = [of.first, of.second].map((side) => shown.map((pair) => side[pair]));
    const programsOf = (jobs) => jobs.map((each) => programs[job.program[each]].name);
    const times = (jobs) => [
      jobs.map((each) => job.seconds[each] * 1e3),
      jobs.map((each) => job.samples[each]),
      jobs.map((each) => job.noise[each] * 100),
    ];
    table.fill([
      chosen.values,
      programsOf(first),
      programsOf(second),
      first.map((each) => names.graph[job.graph[each]]),
      ...times(first),
      ...times(second),
      first.map((each) => names.machine[job.machine[each]]),
    ]);
  };
}
