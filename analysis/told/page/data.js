"use strict";

// What the page holds: inflated text and columns, and what follows from them for every program, job and pair.

let facts; // what the numbers in columns stand for
let names; // of them, the words of columns of jobs

async function inflated(id) {
  const bytes = Uint8Array.from(atob(document.getElementById(id).textContent), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate")));
}

async function unpacked(id, layout) {
  const buffer = await (await inflated(id)).arrayBuffer();
  const types = { Uint8Array, Uint16Array, Uint32Array, Float32Array };
  return Object.fromEntries(
    Object.entries(layout).map(([name, [type, start, length]]) => [name, new types[type](buffer, start, length)]),
  );
}

// From differences back to numbers.
function summed(steps) {
  let sum = 0;
  return steps.map((step) => (sum = (sum + step) >>> 0));
}

// Returns programs (names and, to search in, names with styles in words), styles, jobs, comparisons with
// pairs, and texts of graphs and machines to search in.
async function readData() {
  facts = await (await inflated("facts")).json();
  names = facts.names;
  const columns = await unpacked("columns", facts.layout);
  const styles = facts.axes.map((axis) => columns[`style.${axis.name}`]);
  const programs = [];
  for (let program = 0; program < styles[0].length; program++) {
    const values = facts.axes.flatMap((axis, place) => axis.values[styles[place][program] - 1] ?? []);
    const words = facts.axes.flatMap((axis, place) => axis.words[styles[place][program] - 1] ?? []);
    const name = values.join("-");
    programs.push({ name, text: `${name} ${words.join(" ")}`.toLowerCase() });
  }
  const job = Object.fromEntries(
    Object.entries(columns).flatMap(([name, column]) => (name.startsWith("job.") ? [[name.slice(4), column]] : [])),
  );
  const stopped = names.status.indexOf("timeout");
  job.throughput = job.seconds.map((seconds, each) => job.edges[each] / seconds / 1e9);
  job.bound = job.status.map((each) => Number(each === stopped)); // its seconds are what it took at least
  const comparisons = facts.comparisons.map((comparison, place) => {
    const [first, second] = ["first", "second"].map((side) => summed(columns[`pair.${place}.${side}`]));
    const ratio = Float64Array.from(first, (each, pair) => job.seconds[second[pair]] / job.seconds[each]);
    const earlier = new Set(columns[`pair.${place}.earlier`]); // pairs whose jobs share a session, but not their newest
    [...earlier].forEach((pair, each) => (ratio[pair] = columns[`pair.${place}.ratio`][each]));
    const rising = Uint32Array.from(first.keys()).sort((a, b) => ratio[a] - ratio[b]);
    return { ...comparison, first, second, ratio, rising, earlier };
  });
  const texts = {
    graph: names.graph.map((name) => `${name} ${facts.kinds[facts.kind[name]]?.[0] ?? ""}`.toLowerCase()),
    machine: names.machine.map((name) => name.toLowerCase()),
  };
  return { programs, styles, job, comparisons, texts };
}
