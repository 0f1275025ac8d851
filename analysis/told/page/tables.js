// Tables: a long one is Bokeh's, which sorts by any column and draws only the rows in view; a short one is HTML.

function node(name, attributes = {}, ...children) {
  const made = Object.assign(document.createElement(name), attributes);
  made.append(...children);
  return made;
}

// Cells of names are cut in the middle; the table lives in a shadow tree, beyond the style sheet of the page.
const NAME =
  '<span style="display: flex; max-width: 100%" title="<%= value %>"><span style="overflow: hidden; text-overflow: ellipsis">' +
  "<%= value.slice(0, -26) %></span><span><%= value.slice(-26) %></span></span>";

// Columns are { title, width, format, name, values }; a format makes it a column of numbers, `name` one of programs.
// `show` draws some of the rows, by their places; `fill` gives all columns other values.
function longTable(element, columns, onRow) {
  const named = (values) => Object.fromEntries(columns.map(({ title }, place) => [title, values[place] ?? []]));
  const source = new Bokeh.ColumnDataSource({ data: named(columns.map(({ values }) => values)) });
  const view = new Bokeh.CDSView({ filter: new Bokeh.AllIndices() });
  const table = new Bokeh.Tables.DataTable({
    source,
    view,
    sizing_mode: "stretch_width",
    height: Math.max(420, innerHeight - 240),
    index_position: null,
    autosize_mode: "none",
    multi_selectable: false,
    reorderable: false,
    columns: columns.map(
      ({ title, width, format, name }) =>
        new Bokeh.Tables.TableColumn({
          field: title,
          title,
          width,
          formatter: format
            ? new Bokeh.Tables.ScientificFormatter({
                precision: 3,
                power_limit_high: 6,
                power_limit_low: -4,
                text_align: "right",
              })
            : name
              ? new Bokeh.Tables.HTMLTemplateFormatter({ template: NAME })
              : new Bokeh.Tables.StringFormatter(),
        }),
    ),
  });
  if (onRow) onSelect(source, onRow);
  Bokeh.Plotting.show(table, element);
  return {
    fill: (values) => {
      source.data = named(values);
    },
    show: (indices) => {
      view.filter = new Bokeh.IndexFilter({ indices });
    },
  };
}

function shortTable(heads, rows) {
  const cell = (value) =>
    value instanceof Node
      ? node("td", {}, value)
      : node(
          "td",
          { className: typeof value === "number" ? "number" : "" },
          typeof value === "number" ? number(value) : value,
        );
  return node(
    "table",
    { className: "plain" },
    node("thead", {}, node("tr", {}, ...heads.map((head) => node("th", { scope: "col" }, head)))),
    node("tbody", {}, ...rows.map((row) => node("tr", {}, ...row.map(cell)))),
  );
}
