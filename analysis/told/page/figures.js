// Figures that follow the selection, drawn by Bokeh: each is made once and then given other numbers.

const COLOURS = { cuda: "#5b3cc4", openmp: "#d9731a", cpp: "#1f9a78", multigpu: "#c2478f" };
const NARROW = "(max-width: 900px)"; // there, labels stand above boxes: the style sheet has the same width

// A number with three digits, for people.
const number = (value) =>
  Math.abs(value) >= 1000 ? Math.round(value).toLocaleString("en") : Number(value.toPrecision(3)).toString();

// A factor with two digits after the point, or fewer if it is large.
const times = (value) => `${value < 9.995 ? value.toFixed(2) : value < 99.5 ? value.toFixed(1) : number(value)}×`;

// Calls back with what was clicked on; the mark is cleared, so that a second click counts as well.
function onSelect(source, call) {
  source.selected.properties.indices.change.connect(() => {
    const [index] = source.selected.indices;
    if (index === undefined) return;
    source.selected.indices = [];
    call(index);
  });
}

function tooltip(lines) {
  const box = document.createElement("div");
  box.className = "tip";
  box.style.whiteSpace = "pre-line"; // the tip lives in a shadow tree, beyond the style sheet of the page
  box.style.maxWidth = "30rem";
  box.textContent = lines.join("\n");
  return box;
}

function hover(figure, renderer, describe) {
  figure.add_tools(
    new Bokeh.HoverTool({
      renderers: [renderer],
      point_policy: "follow_mouse",
      tooltips: (source, { index }) => tooltip(describe(index)),
    }),
  );
}

// Where a logarithmic axis is labelled: at 1, 2 and 5 of each decade, or fewer where there are many decades.
function ticksOf(low, high) {
  const decades = Math.log10(high / low);
  const steps = decades < 1.7 ? [1, 2, 5] : decades < 3.5 ? [1, 3] : [1];
  const every = Math.max(1, Math.ceil(decades / 9));
  const found = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++)
    for (const step of power % every ? [] : steps) found.push(Number(`${step}e${power}`));
  return found.filter((tick) => tick >= low && tick <= high);
}

function tickWord(tick) {
  const plain = tick >= 1e-4 && tick < 1e5;
  return plain ? tick.toLocaleString("en", { maximumFractionDigits: 6 }) : tick.toExponential(0).replace("e+", "e");
}

// A row of boxes for every group, on one log axis that stays in sight. Groups are { label, colour, key (what the colour
// stands for), values (rising), items, said }, where an item is whatever a value belongs to and `said` what stands beside
// the row; { head } is a row of text, and `first` a row that is one itself. `bound` says of an item whether its value is
// exact (0), at least (1) or at most (-1). Points are what is outside of all boxes, bounds, and all of a group that is
// opened. With `clip`, the axis leaves out what is extreme.
function boxFigure(element, options) {
  const { axis, line, clip, bound, group: aboutGroup, item: aboutItem, onGroup, onItem } = options;
  const frame = part(element, "div", { className: "figure" });
  const scale = part(frame, "div", { className: "axis" });
  const legend = part(scale, "div", { className: "legend" });
  const ticks = part(scale, "div", { className: "ticks" });
  part(scale, "div", { className: "said", textContent: options.said ?? "" });
  const body = part(frame, "div", { className: "figure" });
  const labels = part(body);
  const figure = Bokeh.Plotting.figure({
    sizing_mode: "stretch_width",
    tools: "",
    toolbar_location: null,
    height: 100,
    min_border: 0,
    outline_line_color: null,
    background_fill_alpha: 0,
    border_fill_alpha: 0,
    x_axis_type: "log",
    x_range: new Bokeh.Range1d({ start: 0.1, end: 10 }),
    y_range: new Bokeh.Range1d({ start: 1, end: 0 }),
  });
  let groups = [];
  const source = (...columns) =>
    new Bokeh.ColumnDataSource({ data: Object.fromEntries(columns.map((name) => [name, []])) });
  const boxes = source("left", "right", "top", "bottom", "colour", "alpha", "group");
  const medians = source("x", "top", "bottom", "group");
  const points = source("x", "y", "marker", "angle", "colour", "group", "item");
  const pointed = (index) => [groups[points.data.group[index]], points.data.item[index]];
  const quads = figure.quad({
    left: { field: "left" },
    right: { field: "right" },
    top: { field: "top" },
    bottom: { field: "bottom" },
    fill_color: { field: "colour" },
    fill_alpha: { field: "alpha" },
    line_color: { field: "colour" },
    line_width: 0.5,
    nonselection_fill_alpha: { field: "alpha" },
    source: boxes,
  });
  if (line)
    figure.add_layout(new Bokeh.Span({ location: line, dimension: "height", line_width: 1, line_color: "#211d33" }));
  figure.segment({
    x0: { field: "x" },
    x1: { field: "x" },
    y0: { field: "top" },
    y1: { field: "bottom" },
    line_width: 2.5,
    line_color: "#211d33",
    source: medians,
  });
  const marks = figure.scatter({
    x: { field: "x" },
    y: { field: "y" },
    marker: { field: "marker" },
    angle: { field: "angle" },
    size: 5,
    source: points,
    fill_color: { field: "colour" },
    fill_alpha: 0.4,
    line_color: { field: "colour" },
    line_alpha: 0.7,
    nonselection_alpha: 1,
  });
  figure.add_tools(new Bokeh.TapTool());
  hover(figure, marks, (index) => aboutItem(...pointed(index)));
  hover(figure, quads, (index) => aboutGroup(groups[boxes.data.group[index]]));
  onSelect(points, (index) => onItem(...pointed(index)));
  onSelect(boxes, (index) => onGroup(groups[boxes.data.group[index]]));
  for (const each of [figure.xaxis, figure.yaxis]) each.visible = false;
  figure.ygrid.grid_line_color = null;
  figure.xgrid.grid_line_color = "#e4e1ee";
  const plot = part(body, "div", { className: "plot" });
  Bokeh.Plotting.show(figure, plot);

  function showScale(low, high) {
    const found = ticksOf(low, high);
    figure.x_range.setv({ start: low, end: high });
    figure.xgrid.ticker = new Bokeh.FixedTicker({ ticks: found });
    const at = (tick) => `${(100 * Math.log(tick / low)) / Math.log(high / low)}%`;
    const mark = (tick) => node("span", { style: `left: ${at(tick)}` }, tickWord(tick));
    ticks.replaceChildren(node("em", {}, axis), ...found.map(mark));
    const keys = new Map(groups.flatMap(({ colour, key }) => (colour ? [[colour, key]] : [])));
    legend.replaceChildren(
      node("div", { className: "keys" }, ...[...keys].map(([colour, key]) => node("span", {}, dot(colour), ` ${key}`))),
    );
  }

  function nameOf(group) {
    const onclick = () => (group.open ?? (() => onGroup(group)))();
    const title = group.about ?? group.label ?? "";
    const onkeydown = ({ key }) => key === "Enter" && onclick();
    const name = node("span", { className: "name", title, onclick, onkeydown, tabIndex: 0, role: "button" });
    const count = () => node("span", { className: "quiet" }, `n=${group.items.length}`);
    name.append(...(group.head ? [group.head] : [dot(group.colour), node("span", {}, group.label), count()]));
    return name;
  }

  function showLabels(tops, narrow) {
    const rows = groups.map((group, place) => {
      const height = narrow && !group.head ? 22 : tops[place + 1] - tops[place];
      const className = `row ${group.head ? "head" : group.first ? "title" : ""}`;
      const said = node("span", { className: "said" }, group.said ?? "");
      return node("div", { className, style: `top: ${tops[place]}px; height: ${height}px` }, nameOf(group), said);
    });
    labels.replaceChildren(...rows);
  }

  return function update(found, opened) {
    groups = found;
    const narrow = matchMedia(NARROW).matches;
    const [row, heading, centre, thick] = narrow ? [48, 34, 33, 10] : [26, 32, 13, 9.5]; // pixels
    const tops = [0]; // of rows, and the end of the last
    for (const { head } of groups) tops.push(tops.at(-1) + (head ? heading : row));
    const full = groups.filter(({ head }) => !head);
    frame.hidden = !full.length;
    if (!full.length) return;
    const box = { left: [], right: [], top: [], bottom: [], colour: [], alpha: [], group: [] };
    const median = { x: [], top: [], bottom: [], group: [] };
    const point = { x: [], y: [], marker: [], angle: [], colour: [], group: [], item: [] };
    const add = (columns, ...row) => Object.values(columns).forEach((column, place) => column.push(row[place]));
    const end = (share) => full.map(({ values }) => (clip ? quantile(values, share) : values.at(share ? -1 : 0)));
    let [low, high] = [Math.min(...end(clip ? 0.05 : 0)), Math.max(...end(clip ? 0.95 : 1))];
    if (line) [low, high] = [Math.min(low, line / 1.4), Math.max(high, line * 1.4)];
    const room = (high / low) ** 0.03 || 1;
    [low, high] = [low / room, high * room];
    const inside = (value) => Math.min(Math.max(value, low), high);
    groups.forEach((group, place) => {
      if (group.head) return;
      const { values, items, colour } = group;
      const { median: middle, boxes: found, outside } = letters(values);
      const y = tops[place] + centre;
      found.forEach(([left, right], depth) => {
        const half = thick * (1 - depth / (found.length + 1));
        add(box, inside(left), inside(right), y - half, y + half, colour, 0.25 + 0.35 / (depth + 1), place);
      });
      add(median, middle, y - thick, y + thick, place);
      const spread = group === opened || !found.length;
      values.forEach((value, each) => {
        const kind = bound(group, items[each]);
        if (!spread && !kind && !outside(value)) return;
        const beside = spread ? (((each * 0.618) % 1) - 0.5) * 1.5 * thick : 0; // side by side, and always the same
        const marker = kind ? "triangle" : "circle";
        add(point, inside(value), y + beside, marker, (-kind * Math.PI) / 2, colour, place, items[each]);
      });
    });
    figure.height = tops.at(-1);
    figure.y_range.setv({ start: tops.at(-1), end: 0 });
    showScale(low, high);
    showLabels(tops, narrow);
    boxes.data = box;
    medians.data = median;
    points.data = point;
  };
}

const dot = (colour) => node("span", { className: "dot", style: `background: ${colour}` });
