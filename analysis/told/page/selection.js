// Which programs, jobs and pairs are selected. Every filter has a bit; a program has the bits of those that it fails.

const COLUMNS = ["graph", "machine"]; // of jobs; all other filters are axes of programs

function select(data, { search, filters }) {
  const failed = new Uint32Array(data.programs.length);
  let bit = 1;
  for (const word of search.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 8)) {
    data.programs.forEach(({ text }, program) => {
      if (!text.includes(word)) failed[program] |= bit;
    });
    bit *= 2;
  }
  facts.axes.forEach((axis, place) => {
    const wanted = filters[axis.name];
    if (!wanted?.length || bit > 2 ** 30) return;
    const passes = [false, ...axis.values.map((value) => wanted.includes(value))];
    const codes = data.styles[place];
    for (let program = 0; program < failed.length; program++) if (!passes[codes[program]]) failed[program] |= bit;
    bit *= 2;
  });
  const passes = Object.fromEntries(
    COLUMNS.map((column) => [
      column,
      names[column].map((name) => !filters[column]?.length || filters[column].includes(name)),
    ]),
  );
  const { job } = data;
  const here = (each) => passes.graph[job.graph[each]] && passes.machine[job.machine[each]];
  const jobs = [];
  for (let each = 0; each < job.program.length; each++)
    if (failed[job.program[each]] === 0 && here(each)) jobs.push(each);
  // A pair stays if, for every filter, one of its programs passes: they differ on the axis that is compared.
  const pair = ({ first, second }, each) =>
    (failed[job.program[first[each]]] & failed[job.program[second[each]]]) === 0 && here(first[each]);
  return {
    program: (program) => failed[program] === 0,
    jobs, // by program, so a program's are side by side
    pair,
    pairs: (comparison) => comparison.rising.filter((each) => pair(comparison, each)),
  };
}
