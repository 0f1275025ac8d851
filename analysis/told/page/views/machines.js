// Two machines: what each says about the styles, by the programs and graphs that both have. No ratio is formed across
// machines.

const SIDES = ["#5b3cc4", "#d9731a"];

function machinesView(element, data) {
  const { job, styles } = data;
  const controls = part(element, "div", { className: "controls" });
  const [said, boxes, list] = [part(element), part(element), part(element, "div", { className: "scroll" })];
  const [model, models] = [styles[axisOf("model")], facts.axes[axisOf("model")].values];
  const modelOf = (each) => models[model[job.program[each]] - 1];
  const jobOf = (each) => job.program[each] * names.graph.length + job.graph[each];
  const draw = ratioFigure(boxes, data, {
    hint: "click for its comparison",
    said: "median",
    clip: true,
    onGroup: ({ comparison, filters }) =>
      go({ view: "ratios", comparison: comparison.slug, box: "", filters: { ...state.filters, ...filters } }),
  });

  // By model, the jobs that were measured on each of two machines: programs on graphs.
  function common(machines) {
    const found = new Map();
    for (let each = 0; each < job.program.length; each++) {
      const side = machines.indexOf(job.machine[each]);
      if (side < 0 || !(job.seconds[each] > 0)) continue;
      const name = modelOf(each);
      if (!found.has(name)) found.set(name, [new Set(), new Set()]);
      found.get(name)[side].add(jobOf(each));
    }
    return [...found].map(([name, [first, second]]) => [name, new Set([...first].filter((key) => second.has(key)))]);
  }

  // The machine that has most jobs in common with another one.
  function nearest(machine) {
    const mine = new Set();
    const known = (each) => job.seconds[each] > 0;
    for (let each = 0; each < job.program.length; each++)
      if (job.machine[each] === machine && known(each)) mine.add(jobOf(each));
    const counts = names.machine.map((_, each) => (each === machine ? -1 : 0));
    for (let each = 0; each < job.program.length; each++)
      if (job.machine[each] !== machine && known(each) && mine.has(jobOf(each))) counts[job.machine[each]]++;
    return names.machine[counts.indexOf(Math.max(...counts))];
  }

  function refusal(first, second, shared) {
    if (names.machine.length < 2)
      return "All results are of one machine. Give the report those of two to compare them.";
    if (first === second) return "Choose two machines.";
    if (shared.some(([, jobs]) => jobs.size)) return "";
    return `No program was measured on the same graph on each of ${first} and ${second}.`;
  }

  // Both machines' pairs of a comparison and a model, of jobs that both machines have, or nothing unless both have some.
  function sides(pairs, comparison, machines, name, jobs) {
    const { first, second } = comparison;
    const kept = pairs.filter((pair) => jobs.has(jobOf(first[pair])) && jobs.has(jobOf(second[pair])));
    const found = machines.map((machine, side) => {
      const items = Array.from(kept.filter((pair) => job.machine[first[pair]] === machine));
      const values = items.map((pair) => comparison.ratio[pair]);
      const filters = { machine: [names.machine[machine]], model: [name] };
      const said = items.length ? times(quantile(values, 0.5)) : "";
      const [colour, key] = [SIDES[side], facts.short[machine]];
      return { comparison, items, values, filters, said, colour, key, label: label(facts.models[name], key) };
    });
    return found.every(({ items }) => items.length) ? found : [];
  }

  return () => {
    const selection = select(data, { ...state, filters: { ...state.filters, machine: [ALL] } });
    const first = names.machine.includes(state.m) ? state.m : facts.usual;
    const second = names.machine.includes(state.n) ? state.n : nearest(names.machine.indexOf(first));
    const options = names.machine.map((name, place) => [name, facts.short[place]]);
    controls.replaceChildren(
      picker("First", options, first, (m) => go({ m })),
      picker("Second", options, second, (n) => go({ n })),
    );
    const machines = [first, second].map((name) => names.machine.indexOf(name));
    const [one, other] = machines.map((machine) => facts.short[machine]);
    const shared = common(machines);
    const refused = refusal(one, other, shared);
    boxes.hidden = list.hidden = Boolean(refused);
    if (refused) return void said.replaceChildren(node("p", { className: "refused" }, refused));
    const counts = shared
      .filter(([, { size }]) => size)
      .map(([name, { size }]) => `${facts.models[name]}: ${size.toLocaleString("en")}`)
      .join(", ");
    said.replaceChildren(
      node("p", { className: "quiet" }, `Only jobs that both have count, the same programs on the same graphs. ${counts}.`),
    );
    const found = data.comparisons.flatMap((comparison) => {
      const pairs = selection.pairs(comparison);
      const groups = ([name, jobs]) => sides(pairs, comparison, machines, name, jobs);
      return shared.map((each) => ({ comparison, name: each[0], groups: groups(each) }));
    }).filter(({ groups }) => groups.length);
    const headed = ({ comparison, groups }, place) => {
      const open = () => go({ view: "ratios", comparison: comparison.slug, box: "" });
      return comparison === found[place - 1]?.comparison ? groups : [{ head: comparison.title, open }, ...groups];
    };
    boxes.hidden = list.hidden = !found.length;
    if (!found.length) said.append(node("p", { className: "refused" }, "No two of the selected programs differ in one choice only."));
    draw(found.flatMap(headed));
    const rows = found.map(({ comparison, name, groups }) => [
      comparison.title,
      facts.models[name],
      ...groups.flatMap(({ values }) => [quantile(values, 0.5), values.length]),
    ]);
    list.replaceChildren(shortTable(["comparison", "model", `median on ${one}`, "n", `median on ${other}`, "n"], rows));
  };
}
