// What is shown is one object, and its link is the fragment of the page's address: every state has one.

const FIRST = { view: "answer", search: "", filters: {} };
const ALL = "all"; // in place of a machine
let state = FIRST;

// Filters are `where.COLUMN=value`, once for each value; everything else is a word by itself. One machine at a time is
// shown, the usual one unless another is asked for.
function readState() {
  const found = { ...FIRST, filters: {} };
  for (const [key, value] of new URLSearchParams(location.hash.slice(1))) {
    if (key.startsWith("where.")) (found.filters[key.slice(6)] ??= []).push(value);
    else found[key] = value;
  }
  found.filters.machine ??= [facts.usual];
  return found;
}

function linkTo(changes) {
  const { filters, ...rest } = { ...state, ...changes };
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(rest)) if (value !== "" && value != null) query.set(key, value);
  for (const [column, values] of Object.entries(filters))
    for (const value of values)
      if (column !== "machine" || value !== facts.usual) query.append(`where.${column}`, value);
  return `#${query}`;
}

// Words typed one by one are one step of the browser's history; everything else is a step of its own.
function go(changes, { typing = false } = {}) {
  history[typing ? "replaceState" : "pushState"](null, "", linkTo(changes));
  show();
}
