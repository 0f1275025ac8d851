// Programs: all selected jobs. A click chooses one of two programs to be compared.
function programsView(element, data) {
  const { job, programs } = data;
  const said = part(element, "p", { className: "quiet" });
  const each = Array.from(job.program.keys());
  const words = (name) => each.map((place) => names[name][job[name][place]]);
  const numbers = (title, values, width = 80) => ({ title, width, format: true, values });
  const table = longTable(
    part(element),
    [
      { title: "program", width: 480, values: each.map((place) => programs[job.program[place]].name) },
      { title: "graph", width: 120, values: words("graph") },
      { title: "status", width: 80, values: words("status") },
      numbers(
        "ms",
        job.seconds.map((seconds) => seconds * 1e3),
      ),
      numbers("giga-edges/s", job.throughput, 90),
      numbers("samples", job.samples),
      numbers(
        "noise, %",
        job.noise.map((noise) => noise * 100),
      ),
      numbers("rounds", job.rounds),
      ...["setting", "session", "machine", "reason"].map((title) => ({ title, width: 200, values: words(title) })),
    ],
    (row) => {
      const { name } = programs[job.program[row]];
      if (state.a && state.a !== name) go({ view: "two", b: name });
      else go({ a: name });
    },
  );
  return ({ jobs }) => {
    said.textContent = state.a
      ? `Chosen: ${state.a}. A click on the row of another program compares the two.`
      : "A click on a row chooses a program, a click on another one compares the two.";
    table.show(jobs);
  };
}
