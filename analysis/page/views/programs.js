// Programs: all selected jobs. A click chooses one of two programs to be compared.
function programsView(element, data) {
  const { job, programs } = data;
  part(element, "p", { className: "quiet", textContent: "A click on a row chooses a program; a click on another one compares the two." });
  const list = part(element);
  let jobs = [];
  const table = longTable(list, [
    { title: "program", width: 480 }, { title: "graph", width: 120 }, { title: "status", width: 80 },
    ...[["ms", 80], ["giga-edges/s", 90], ["samples", 70], ["noise, %", 70], ["rounds", 80]].map(([title, width]) => ({ title, width, format: true })),
    { title: "setting", width: 130 }, { title: "session", width: 170 }, { title: "machine", width: 250 }, { title: "reason", width: 250 },
  ], (row) => {
    const { name } = programs[job.program[jobs[row]]];
    if (state.a && state.a !== name) go({ view: "two", b: name });
    else go({ a: name });
  });
  return (selection) => {
    jobs = selection.jobs();
    const column = (values) => jobs.map((each) => values[each]);
    const words = (name) => jobs.map((each) => names[name][job[name][each]]);
    table([
      jobs.map((each) => programs[job.program[each]].name), words("graph"), words("status"), jobs.map((each) => job.seconds[each] * 1e3),
      column(job.throughput), column(job.samples), jobs.map((each) => job.noise[each] * 100), column(job.rounds),
      words("setting"), words("session"), words("machine"), words("reason"),
    ]);
  };
}
