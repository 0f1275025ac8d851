// Two programs: where their styles differ, their times, and their sources.

function twoView(element, data) {
  const { job, programs, styles } = data;
  const [controls, list, found, title, code] = [part(element, "div", { className: "controls" }), part(element, "datalist", { id: "names" }), part(element), part(element, "h3", { textContent: "Sources" }), part(element)];
  const numberOf = new Map(programs.map(({ name }, program) => [name, program]));
  const field = (side, title) => node("label", {}, `${title} `, node("input", {
    type: "text", size: 60, value: state[side] ?? "", onchange: (event) => go({ [side]: event.target.value.trim() }),
  }));
  const measured = (program) => new Map(job.program.reduce((jobs, each, place) => (each === program && jobs.push([where(data, place), place]), jobs), []));
  const milliseconds = (each) => (each === undefined ? "" : job.known[each] ? job.seconds[each] * 1e3 : names.status[job.status[each]]);
  const noise = (each) => (each === undefined || Number.isNaN(job.noise[each]) ? "" : job.noise[each] * 100);
  let drawn; // the two whose sources are shown or on their way

  return async (selection) => {
    controls.replaceChildren(field("a", "First"), field("b", "Second"), node("button", { type: "button", onclick: () => go({ a: state.b, b: state.a }) }, "swap"));
    for (const input of controls.querySelectorAll("input")) input.setAttribute("list", "names");
    list.replaceChildren(...programs.filter((_, program) => selection.program(program)).slice(0, 500).map(({ name }) => node("option", { value: name })));
    const [a, b] = ["a", "b"].map((side) => numberOf.get(state[side]));
    const unknown = ["a", "b"].filter((side) => state[side] && !numberOf.has(state[side]));
    drawn = `${state.a} ${state.b}`;
    title.hidden = a === undefined;
    code.replaceChildren();
    if (unknown.length || a === undefined) {
      found.replaceChildren(...unknown.map((side) => node("p", { className: "refused" }, `No program is called ${state[side]}.`)),
        node("p", {}, "Type two names, choose them under Programs, or click on a pair."));
      return;
    }
    const both = b === undefined ? [a, a] : [a, b];
    const value = (axis, program) => facts.axes[axis].words[styles[axis][program] - 1] ?? "-";
    const differing = facts.axes.map(({ name }, axis) => [name, ...both.map((program) => value(axis, program))]).filter(([, x, y]) => x !== y);
    const [first, second] = both.map(measured);
    const rows = [...new Set([...first.keys(), ...second.keys()])].map((place) => {
      const [x, y] = [first.get(place), second.get(place)];
      const ratio = job.known[x] && job.known[y] ? job.seconds[y] / job.seconds[x] : "";
      const bound = ratio === "" || job.bound[x] === job.bound[y] ? (job.bound[x] && job.bound[y] ? "both timed out" : "") : job.bound[y] ? "at least" : "at most";
      return [place, milliseconds(x), job.samples[x] ?? "", noise(x), milliseconds(y), job.samples[y] ?? "", noise(y), bound === "both timed out" ? "" : ratio, bound];
    });
    found.replaceChildren(
      differing.length ? shortTable(["axis", "first", "second"], differing) : node("p", {}, b === undefined ? "Choose a second program to compare it with." : "The same program."),
      node("h3", {}, "Times"),
      shortTable(["graph; machine; setting", "first: ms", "samples", "noise, %", "second: ms", "samples", "noise, %", "first over second, throughput", ""], rows),
    );
    const wanted = drawn;
    const table = await sideBySide(...both);
    if (drawn === wanted) code.replaceChildren(table); // not if another two were chosen meanwhile
  };
}
