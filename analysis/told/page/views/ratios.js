// What a choice is worth: all comparisons, or one of them group by group, with its pairs.

function ratiosView(element, data) {
  const { job, programs } = data;
  const controls = part(element, "div", { className: "controls" });
  const [means, said, boxes] = [part(element, "p"), part(element, "ul", { className: "verdicts" }), part(element)];
  const [title, list] = [part(element, "h3"), part(element)];
  let [shown, of] = [[], null]; // the pairs in the table, and their comparison
  const options = {
    hint: "click for its pairs",
    said: "faster, by the median",
    onGroup: ({ comparison, box }) => go({ comparison: comparison.slug, box, ...(of ? {} : { by: "model" }) }),
  };
  const [all, one] = [true, false].map((clip) => {
    const element = part(boxes);
    return { element, draw: ratioFigure(element, data, { ...options, clip }) };
  });
  const numbers = (title, width = 80) => ({ title, width, format: true });
  const table = longTable(
    list,
    [
      numbers("ratio"),
      { title: "first program", width: 400, name: true },
      { title: "second program", width: 400, name: true },
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
    const choose = picker("Choice", comparisons, of?.slug ?? "", (comparison) => go({ comparison, box: "" }));
    const shared = facts.axes.map(({ name, title }) => [name, title]).filter(([name]) => name !== of?.axis);
    const split = picker("A row for each", [["graph", "graph"], ...shared], by, (by) => go({ by, box: "" }));
    controls.replaceChildren(choose, ...(of ? [split] : []));
    means.textContent = of
      ? of.means.map((text, side) => `${of.means.length > 1 ? of.labels[side] : of.labels[0]}: ${text}`).join(". ")
      : "What each choice is worth: pairs of programs that differ in nothing else, on the same graph and machine.";
    const sentences = of ? [...judgedSentences(of), ...of.caveats, of.figure && `The paper's ${of.figure}.`] : [];
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
        const { model, machine, colour, key: called, value } = name(first[pair]);
        const box = [model, names.machine[machine], value].join("~");
        const row = judgedRow(comparison, model, names.machine[machine], column ? { [column]: [value] } : {});
        const mark = row && judgedMark(comparison, row);
        const axis = facts.axes[axisOf(column)];
        const word = axis?.words[axis.values.indexOf(value)] ?? value;
        const text = label(word, called, machineWord(machine));
        return { comparison, colour, key: called, box, said: mark, label: text };
      },
    );
  }

  // All of a comparison's groups below its title, or one group by that title.
  function headed(comparison, groups) {
    const about = comparison.means.join(". ");
    const open = () => go({ comparison: comparison.slug, box: "" });
    if (groups.length > 1) return [{ head: comparison.title, about, open }, ...groups];
    return groups.map((group) => ({ ...group, about, label: comparison.title, first: true }));
  }

  return (selection) => {
    const by = state.by ?? "algorithm";
    of = data.comparisons.find(({ slug }) => slug === state.comparison) ?? null;
    showControls(by);
    const found = of
      ? groups(selection, of, by === "model" ? "" : by)
      : data.comparisons.flatMap((comparison) => headed(comparison, groups(selection, comparison, "")));
    const chosen = of && found.find(({ box }) => box === state.box);
    all.element.hidden = Boolean(of);
    one.element.hidden = !of;
    (of ? one : all).draw(found, chosen);
    list.hidden = !chosen;
    title.textContent = chosen ? `Pairs: ${label(of.title, chosen.label)}` : "";
    if (!found.length) means.textContent = "No two of the selected programs differ in one choice only.";
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
