// Programs: all selected timings, the fastest for each graph first. A click chooses one of two programs to be compared.
function programsView(element, data) {
  const { job, programs } = data;
  const said = part(element, "p", { className: "quiet" });
  const slowdown = slowdowns(data);
  const rank = (place) => (slowdown[place] > 0 ? slowdown[place] : Infinity);
  const each = Array.from(job.program.keys()).sort((a, b) => rank(a) - rank(b) || job.graph[a] - job.graph[b]);
  const rowOf = new Uint32Array(each.length);
  each.forEach((place, row) => (rowOf[place] = row));
  const words = (name) => each.map((place) => names[name][job[name][place]]);
  const numbers = (title, of, width = 80) => ({ title, width, format: true, values: each.map(of) });
  const table = longTable(
    part(element),
    [
      numbers("ms", (place) => job.seconds[place] * 1e3, 70),
      numbers("times the best", (place) => slowdown[place], 100),
      { title: "graph", width: 120, values: words("graph") },
      { title: "program", width: Math.min(500, Math.max(innerWidth - 380, 220)), name: true, values: each.map((place) => programs[job.program[place]].name) },
      { title: "on", width: 120, values: each.map((place) => facts.short[job.machine[place]]) },
      { title: "status", width: 80, values: words("status") },
      numbers("giga-edges/s", (place) => job.throughput[place], 90),
      numbers("samples", (place) => job.samples[place], 70),
      numbers("noise, %", (place) => job.noise[place] * 100),
      numbers("rounds", (place) => job.rounds[place], 70),
      ...["setting", "session", "reason"].map((title) => ({ title, width: 200, values: words(title) })),
    ],
    (row) => {
      const { name } = programs[job.program[each[row]]];
      if (state.a && state.a !== name) go({ view: "two", b: name });
      else go({ a: name });
    },
  );
  return ({ jobs }) => {
    said.textContent = state.a
      ? `Chosen: ${state.a}. A click on the row of another program compares the two.`
      : "The fastest for each graph come first. A click on a row chooses a program, a click on another compares them.";
    table.show(jobs.map((place) => rowOf[place]));
  };
}
