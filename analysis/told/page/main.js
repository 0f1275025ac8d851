// The page: navigation, filters, and the view that is shown.

const VIEWS = Array.from(document.querySelectorAll("main > section"), ({ id }) => id); // ratios is made by ratiosView
const CHOOSING = ["ratios", "throughputs", "programs"]; // those that show what is chosen, if anything is
const made = {};
let data;

// A list of values to choose from for every axis, for graphs and for machines.
function makeFilters() {
  const axes = facts.axes.map(({ name, values, words }, place) => {
    const used = new Set(data.styles[place]);
    return { name, values: values.map((value, each) => [value, words[each]]).filter((_, each) => used.has(each + 1)) };
  });
  const graphs = { name: "graph", values: names.graph.map((value) => [value, value]) };
  for (const { name, values } of [axes[0], graphs, ...axes.slice(1)]) {
    const boxes = values.map(([value, word]) => {
      const check = node("input", {
        type: "checkbox",
        name,
        value,
        onchange: () => toggle(name, value, check.checked),
      });
      return node("label", {}, check, ` ${value} `, word === value ? "" : node("span", { className: "quiet" }, word));
    });
    const group = node("details", {}, node("summary", {}, name), node("fieldset", {}, ...boxes));
    if (boxes.length > 1) document.getElementById("filters").append(group);
  }
  const search = document.getElementById("search");
  search.addEventListener("input", () => go({ search: search.value }, { typing: true }));
}

function toggle(column, value, wanted) {
  const others = (state.filters[column] ?? []).filter((other) => other !== value);
  go({ filters: { ...state.filters, [column]: wanted ? [...others, value] : others } });
}

// What is chosen, and how much of everything that is.
function showChosen({ jobs }) {
  const search = document.getElementById("search");
  if (search.value !== state.search) search.value = state.search;
  for (const check of document.querySelectorAll("#filters input"))
    check.checked = Boolean(state.filters[check.name]?.includes(check.value));
  const machines = [[ALL, "all machines"], ...names.machine.map((name, place) => [name, facts.short[place]])];
  const change = (machine) => go({ filters: { ...state.filters, machine: [machine] } });
  document.getElementById("machine").replaceChildren(picker("Machine", machines, state.filters.machine[0], change));
  const chosen = Object.entries(state.filters).filter(([name, values]) => name !== "machine" && values.length);
  const buttons = chosen.map(([name, values]) => {
    const remove = () => go({ filters: { ...state.filters, [name]: [] } });
    return node("button", { type: "button", title: "remove", onclick: remove }, `${name}: ${values.join(", ")} ✕`);
  });
  document.getElementById("chosen").replaceChildren(...buttons);
  const programs = jobs.filter((each, place) => data.job.program[each] !== data.job.program[jobs[place - 1]]).length;
  const [some, all, times] = [programs, data.programs.length, jobs.length].map((n) => n.toLocaleString("en"));
  document.getElementById("count").textContent = `${some} of ${all} programs, ${times} timings`;
}

// Shows what the address says; links keep the filters.
function show() {
  state = readState();
  if (!VIEWS.includes(state.view)) state.view = FIRST.view;
  const selection = select(data, state);
  showChosen(selection);
  for (const link of document.querySelectorAll("nav a")) {
    link.href = linkTo({ view: link.dataset.view });
    link.toggleAttribute("aria-current", link.dataset.view === state.view);
    const { parentNode: nav, offsetLeft } = link;
    if (link.dataset.view === state.view) nav.scrollLeft = offsetLeft - nav.offsetLeft - 40;
  }
  for (const section of document.querySelectorAll("main > section")) section.hidden = section.id !== state.view;
  document.body.dataset.view = state.view;
  const empty = CHOOSING.includes(state.view) && !selection.jobs.length;
  document.getElementById("nothing").hidden = !empty;
  document.body.toggleAttribute("data-empty", empty);
  if (!empty) {
    made[state.view] ??= globalThis[`${state.view}View`](document.getElementById(state.view), data);
    made[state.view](selection);
  }
  document.body.dataset.shown = location.hash;
}

async function start() {
  data = await readData();
  makeFilters();
  window.addEventListener("popstate", show);
  const top = document.getElementById("top"); // figures' axes stick below it
  new ResizeObserver(() => document.body.style.setProperty("--head", `${top.offsetHeight}px`)).observe(top);
  const more = document.getElementById("more"); // a click elsewhere closes the filters
  document.addEventListener("click", ({ target }) => (more.open &&= more.contains(target)));
  document.addEventListener("keydown", ({ key }) => (more.open &&= key !== "Escape"));
  document.querySelector("#nothing button").onclick = () => go({ search: "", filters: {} });
  matchMedia(NARROW).addEventListener("change", show);
  show();
}

start();
