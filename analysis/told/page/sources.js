// The texts of programs, and where two of them differ.

let packed; // inflated when first asked for

// The lines of a program as numbers; equal lines have equal numbers. None if this version of Violet does not write it.
async function numbersOf(program) {
  packed ??= (async () => ({
    ...(await unpacked("numbers", facts.lines)),
    lines: (await (await inflated("lines")).text()).split("\n"),
  }))();
  const { ends, numbers, lines } = await packed;
  return { numbers: numbers.subarray(program ? ends[program - 1] : 0, ends[program]), lines };
}

// Rows of two texts side by side: [place or null, place or null]. They share a longest common subsequence, and what
// stands between its lines on either side is put side by side.
function aligned(first, second) {
  const [rows, columns] = [first.length, second.length];
  const longest = Array.from({ length: rows + 1 }, () => new Uint16Array(columns + 1)); // of the rest from there on
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      longest[i][j] =
        first[i] === second[j] ? longest[i + 1][j + 1] + 1 : Math.max(longest[i + 1][j], longest[i][j + 1]);
    }
  }
  const found = [];
  let [i, j] = [0, 0];
  let [removed, added] = [[], []];
  const flush = () => {
    for (let k = 0; k < Math.max(removed.length, added.length); k++) found.push([removed[k] ?? null, added[k] ?? null]);
    [removed, added] = [[], []];
  };
  while (i < rows || j < columns) {
    if (i < rows && j < columns && first[i] === second[j]) {
      flush();
      found.push([i++, j++]);
    } else if (j === columns || (i < rows && longest[i + 1][j] >= longest[i][j + 1])) removed.push(i++);
    else added.push(j++);
  }
  flush();
  return found;
}

// Both programs side by side, with the lines that differ marked.
async function sideBySide(first, second) {
  const [a, b] = [await numbersOf(first), await numbersOf(second)];
  const cell = (side, place, differs, name) =>
    place === null
      ? node("td", { className: "none" })
      : node("td", { className: differs ? name : "" }, side.lines[side.numbers[place]]);
  if (!a.numbers.length || !b.numbers.length)
    return node("p", {}, "This version of Violet no longer writes one of them.");
  return node(
    "table",
    { className: "code" },
    node(
      "tbody",
      {},
      ...aligned(a.numbers, b.numbers).map(([i, j]) => {
        const differs = i === null || j === null || a.numbers[i] !== b.numbers[j];
        return node("tr", {}, cell(a, i, differs, "first"), cell(b, j, differs, "second"));
      }),
    ),
  );
}
