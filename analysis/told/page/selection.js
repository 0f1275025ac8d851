// Which programs, jobs and pairs are selected. Every filter and every word of a search has a bit; a program has the bits
// of those that it fails. A graph or a machine may pass for a word, too: "bfs road" is BFS on road networks.

const COLUMNS = ["graph", "machine"]; // of jobs; all other filters are axes of programs

// Says of texts whether a word begins one of their words.
function sayer(word) {
  const pattern = new RegExp(`(^|[^a-z0-9])${word.replace(/[^a-z0-9]/g, "\\$&")}`);
  return (text) => pattern.test(text);
}

function select(data, { search, filters }) {
  const failed = new Uint32Array(data.programs.length);
  const missed = Object.fromEntries(COLUMNS.map((column) => [column, new Uint32Array(names[column].length).fill(~0)]));
  const fail = (bits, bit, passes) => {
    for (let each = 0; each < bits.length; each++)
      if (passes(each)) bits[each] &= ~bit;
      else bits[each] |= bit;
  };
  let bit = 1;
  for (const word of search.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 8)) {
    const says = sayer(word);
    fail(failed, bit, (program) => says(data.programs[program].text));
    for (const column of COLUMNS) fail(missed[column], bit, (each) => says(data.texts[column][each]));
    bit *= 2;
  }
  facts.axes.forEach((axis, place) => {
    const wanted = filters[axis.name];
    if (!wanted?.length || bit > 2 ** 30) return;
    const passes = [false, ...axis.values.map((value) => wanted.includes(value))];
    const codes = data.styles[place];
    fail(failed, bit, (program) => passes[codes[program]]);
    bit *= 2;
  });
  const passes = Object.fromEntries(
    COLUMNS.map((column) => {
      const wanted = filters[column] ?? [];
      return [column, names[column].map((name) => !wanted.length || wanted.includes(ALL) || wanted.includes(name))];
    }),
  );
  const { job } = data;
  const here = (each) => passes.graph[job.graph[each]] && passes.machine[job.machine[each]];
  const where = (each) => missed.graph[job.graph[each]] & missed.machine[job.machine[each]];
  const jobs = [];
  for (let each = 0; each < job.program.length; each++)
    if ((failed[job.program[each]] & where(each)) === 0 && here(each)) jobs.push(each);
  // A pair stays if, for every filter, one of its programs passes: they differ on the axis that is compared.
  const pair = ({ first, second }, each) =>
    (failed[job.program[first[each]]] & failed[job.program[second[each]]] & where(first[each])) === 0 &&
    here(first[each]);
  return {
    program: (program) => failed[program] === 0,
    jobs, // by program, so a program's are side by side
    pair,
    pairs: (comparison) => comparison.rising.filter((each) => pair(comparison, each)),
  };
}
