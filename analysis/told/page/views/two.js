// Two programs: where their styles differ, their times, and their sources.

function twoView(element, data) {
  const { programs, styles } = data;
  const controls = part(element, "div", { className: "controls" });
  const list = part(element, "datalist", { id: "names" });
  const [found, title, code] = [
    part(element),
    part(element, "h3", { textContent: "Sources, as this version of Violet writes them" }),
    part(element),
  ];
  const numberOf = new Map(programs.map(({ name }, program) => [name, program]));
  let drawn; // the two whose sources are shown or on their way

  function field(side, title) {
    const change = (event) => go({ [side]: event.target.value.trim() });
    const input = node("input", { type: "text", value: state[side] ?? "", onchange: change });
    input.setAttribute("list", list.id);
    return node("label", {}, `${title} `, input);
  }

  function showControls(selection) {
    const swap = node("button", { type: "button", onclick: () => go({ a: state.b, b: state.a }) }, "swap");
    controls.replaceChildren(field("a", "First"), field("b", "Second"), swap);
    const some = programs.filter((_, program) => selection.program(program)).slice(0, 500);
    list.replaceChildren(...some.map(({ name }) => node("option", { value: name })));
    for (const input of controls.querySelectorAll("input")) input.scrollLeft = input.scrollWidth; // names differ there
  }

  return async (selection) => {
    showControls(selection);
    const wanted = (drawn = `${state.a} ${state.b}`);
    const unknown = [state.a, state.b].filter((name) => name && !numberOf.has(name));
    title.hidden = true;
    code.replaceChildren();
    if (unknown.length || !state.a) {
      const refused = unknown.map((name) => node("p", { className: "refused" }, `No program is called ${name}.`));
      found.replaceChildren(
        ...refused,
        node("p", {}, "Type two names, choose them under Programs, or click on a pair."),
      );
      return;
    }
    const [a, b] = [state.a, state.b || state.a].map((name) => numberOf.get(name));
    const word = (axis, program) => facts.axes[axis].words[styles[axis][program] - 1] ?? "-";
    const rows = facts.axes.map(({ title }, axis) => [title, word(axis, a), word(axis, b)]);
    const differing = rows.filter(([, first, second]) => first !== second);
    found.replaceChildren(
      a === b
        ? node("p", {}, "Choose a second program to compare it with.")
        : node("div", { className: "scroll" }, shortTable(["choice", "first", "second"], differing)),
      node("h3", {}, "Times"),
      node("div", { className: "scroll" }, timesOf(data, a, b)),
    );
    const table = await sideBySide(a, b);
    if (drawn !== wanted) return; // another two were chosen meanwhile
    title.hidden = false;
    code.replaceChildren(table);
  };
}

// A table of what two programs took wherever either was measured.
function timesOf(data, a, b) {
  const { job } = data;
  const measured = [a, b].map((program) => {
    const jobs = Array.from(job.program.keys()).filter((each) => job.program[each] === program);
    return new Map(jobs.map((each) => [where(data, each), each]));
  });
  const time = (each) => (job.seconds[each] > 0 ? job.seconds[each] * 1e3 : names.status[job.status[each]]);
  const noise = (each) => (Number.isNaN(job.noise[each]) ? "" : job.noise[each] * 100);
  const numbers = (each) => (each === undefined ? ["", "", ""] : [time(each), job.samples[each], noise(each)]);
  const both = (place) => Number(measured.every((jobs) => jobs.has(place)));
  const everywhere = [...new Set(measured.flatMap((jobs) => [...jobs.keys()]))];
  const rows = everywhere.sort((first, second) => both(second) - both(first)).map((place) => {
    const [first, second] = measured.map((jobs) => jobs.get(place));
    const ratio = job.seconds[second] / job.seconds[first];
    const word = ["at most", "", "at least"][1 + job.bound[second] - job.bound[first]];
    const known = ratio > 0 && !(job.bound[first] && job.bound[second]);
    return [place, ...numbers(first), ...numbers(second), ...(known ? [ratio, word] : ["", ""])];
  });
  const heads = ["ms", "samples", "noise, %"];
  const sides = ["first", "second"].flatMap((side) => heads.map((head) => `${side}: ${head}`));
  return shortTable(["where", ...sides, "ratio of throughputs", ""], rows);
}
