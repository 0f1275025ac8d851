// Figures that follow the selection, drawn by Bokeh: each is made once and then given other numbers.

const COLOURS = { cuda: "#0072b2", openmp: "#d55e00", cpp: "#009e73", multigpu: "#cc79a7" };
const ROW = 24; // pixels a row of boxes

// A number with three digits, for people.
const number = (value) =>
  Math.abs(value) >= 1000 ? Math.round(value).toLocaleString("en") : Number(value.toPrecision(3)).toString();

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

// A row of boxes for every group, on one log axis. Groups are { label, colour, values (rising), items }, where an item
// is whatever a value belongs to; `bound` says of an item whether its value is exact (0), at least (1) or at most (-1).
// Points are what is outside of all boxes, bounds, and all of a group that is opened.
function boxFigure(element, { axis, line, bound, group: aboutGroup, item: aboutItem, onGroup, onItem }) {
  const figure = Bokeh.Plotting.figure({
    sizing_mode: "stretch_width",
    tools: "save",
    height: 100,
    x_axis_type: "log",
    x_range: new Bokeh.Range1d({ start: 0.1, end: 10 }),
    y_range: new Bokeh.Range1d({ start: 1, end: 0 }),
    x_axis_label: axis,
  });
  figure.toolbar.logo = null;
  let groups = [];
  const source = (...columns) =>
    new Bokeh.ColumnDataSource({ data: Object.fromEntries(columns.map((name) => [name, []])) });
  const boxes = source("left", "right", "top", "bottom", "colour", "alpha", "group");
  const medians = source("x", "top", "bottom");
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
    figure.add_layout(new Bokeh.Span({ location: line, dimension: "height", line_dash: "dashed", line_color: "#222" }));
  figure.segment({
    x0: { field: "x" },
    x1: { field: "x" },
    y0: { field: "top" },
    y1: { field: "bottom" },
    line_width: 2,
    line_color: "#000",
    source: medians,
  });
  const marks = figure.scatter({
    x: { field: "x" },
    y: { field: "y" },
    marker: { field: "marker" },
    angle: { field: "angle" },
    size: 6,
    source: points,
    fill_color: { field: "colour" },
    fill_alpha: 0.5,
    line_color: { field: "colour" },
    nonselection_alpha: 1,
  });
  figure.add_tools(new Bokeh.TapTool());
  hover(figure, marks, (index) => aboutItem(...pointed(index)));
  hover(figure, quads, (index) => aboutGroup(groups[boxes.data.group[index]]));
  onSelect(points, (index) => onItem(...pointed(index)));
  onSelect(boxes, (index) => onGroup(groups[boxes.data.group[index]]));
  figure.yaxis.minor_tick_line_color = null;
  figure.xaxis.formatter = new Bokeh.BasicTickFormatter({ use_scientific: false });
  figure.ygrid.grid_line_color = null;
  Bokeh.Plotting.show(figure, element);

  return function update(found, opened) {
    groups = found;
    const box = { left: [], right: [], top: [], bottom: [], colour: [], alpha: [], group: [] };
    const median = { x: [], top: [], bottom: [] };
    const point = { x: [], y: [], marker: [], angle: [], colour: [], group: [], item: [] };
    const add = (columns, ...row) => Object.values(columns).forEach((column, place) => column.push(row[place]));
    let [low, high] = line ? [line / 1.4, line * 1.4] : [Infinity, 0];
    groups.forEach((group, place) => {
      const { values, items, colour } = group;
      const { median: middle, boxes: found, outside } = letters(values);
      found.forEach(([left, right], depth) => {
        const half = 0.4 * (1 - depth / (found.length + 1));
        add(box, left, right, place - half, place + half, colour, 0.25 + 0.35 / (depth + 1), place);
      });
      add(median, middle, place - 0.4, place + 0.4);
      const spread = group === opened || !found.length;
      values.forEach((value, each) => {
        const kind = bound(group, items[each]);
        if (!spread && !kind && !outside(value)) return;
        const y = place + (spread ? (((each * 0.618) % 1) - 0.5) * 0.6 : 0); // side by side, and always the same
        add(point, value, y, kind ? "triangle" : "circle", (-kind * Math.PI) / 2, colour, place, items[each]);
      });
      [low, high] = [Math.min(low, values[0]), Math.max(high, values.at(-1))];
    });
    const room = (high / low) ** 0.03 || 1;
    figure.height = 60 + ROW * Math.max(groups.length, 1);
    if (groups.length) figure.x_range.setv({ start: low / room, end: high * room });
    figure.y_range.setv({ start: Math.max(groups.length, 1) - 0.4, end: -0.6 });
    figure.yaxis.ticker = new Bokeh.FixedTicker({ ticks: groups.map((_, place) => place) });
    figure.yaxis.major_label_overrides = new Map(
      groups.map(({ label, items }, place) => [place, `${label}  n=${items.length}`]),
    );
    boxes.data = box;
    medians.data = median;
    points.data = point;
  };
}
