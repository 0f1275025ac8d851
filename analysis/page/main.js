// The page: navigation, filters, and the view that is shown.

const VIEWS = { claims: claimsView, ratios: ratiosView, throughputs: throughputsView, programs: programsView, two: twoView, machines: machinesView, tables: tablesView };
const made = {};
let data;

function filters() {
  const box = document.getElementById("filters");
  const columns = [...facts.axes.map(({ name, values, words }, place) => {
    const used = new Set(data.styles[place]);
    return { name, values, words, used: (each) => used.has(each + 1) };
  }), ...COLUMNS.map((name) => ({ name, values: names[name], words: names[name], used: () => true }))];
  for (const { name, values, words, used } of columns) {
    const boxes = values.flatMap((value, place) => {
      if (!used(place)) return [];
      const check = node("input", { type: "checkbox", name, value, onchange: () => {
        const others = (state.filters[name] ?? []).filter((other) => other !== value);
        go({ filters: { ...state.filters, [name]: check.checked ? [...others, value] : others } });
      } });
      return [node("label", {}, check, ` ${value}`, words[place] === value ? "" : node("span", { className: "quiet" }, ` ${words[place]}`))];
    });
    if (boxes.length > 1) box.append(node("details", {}, node("summary", {}, name), node("fieldset", {}, ...boxes)));
  }
  const search = document.getElementById("search");
  search.addEventListener("input", () => go({ search: search.value }, { typing: true }));
}

function showChosen(selection) {
  const search = document.getElementById("search");
  if (search.value !== state.search) search.value = state.search;
  for (const check of document.querySelectorAll("#filters input")) check.checked = Boolean(state.filters[check.name]?.includes(check.value));
  const chips = Object.entries(state.filters).filter(([, values]) => values.length).map(([name, values]) =>
    node("button", { type: "button", title: "remove this filter", onclick: () => go({ filters: { ...state.filters, [name]: [] } }) }, `${name}: ${values.join(", ")} ✕`));
  document.getElementById("chosen").replaceChildren(...chips);
  const { jobs } = selection;
  const programs = jobs.filter((each, place) => data.job.program[each] !== data.job.program[jobs[place - 1]]).length;
  document.getElementById("count").textContent = `${programs.toLocaleString("en")} of ${data.programs.length.toLocaleString("en")} programs, ${jobs.length.toLocaleString("en")} jobs`;
}

// Shows what the address says; links keep the filters.
function show() {
  state = readState();
  if (!(state.view in VIEWS)) state.view = FIRST.view;
  const selection = select(data, state);
  showChosen(selection);
  for (const link of document.querySelectorAll("nav a")) {
    link.href = linkTo({ view: link.dataset.view });
    link.toggleAttribute("aria-current", link.dataset.view === state.view);
  }
  for (const section of document.querySelectorAll("main > section")) section.hidden = section.id !== state.view;
  made[state.view] ??= VIEWS[state.view](document.getElementById(state.view), data);
  made[state.view](selection);
  document.body.dataset.shown = location.hash;
}

async function start() {
  data = await readData();
  filters();
  window.addEventListener("popstate", show);
  show();
}

start();
