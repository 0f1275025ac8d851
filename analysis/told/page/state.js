// What is shown is one object, and its link is the fragment of the page's address: every state has one.

const FIRST = { view: "claims", search: "", filters: {} };
let state = FIRST;

// Filters are `where.COLUMN=value`, once for each value; everything else is a word by itself.
function readState() {
  const found = { ...FIRST, filters: {} };
  for (const [key, value] of new URLSearchParams(location.hash.slice(1))) {
    if (key.startsWith("where.")) (found.filters[key.slice(6)] ??= []).push(value);
    else found[key] = value;
  }
  return found;
}

function linkTo(changes) {
  const { filters, ...rest } = { ...state, ...changes };
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(rest)) if (value !== "" && value != null) query.set(key, value);
  for (const [column, values] of Object.entries(filters))
    for (const value of values) query.append(`where.${column}`, value);
  return `#${query}`;
}

// Words typed one by one are one step of the browser's history; everything else is a step of its own.
function go(changes, { typing = false } = {}) {
  history[typing ? "replaceState" : "pushState"](null, "", linkTo(changes));
  show();
}
