// Tables: a long one is Bokeh's, which sorts by any column and draws only the rows in view; a short one is HTML.

function node(name, attributes = {}, ...children) {
  const made = Object.assign(document.createElement(name), attributes);
  made.append(...children);
  return made;
}

// Columns are { title, width, format }; a format makes it a column of numbers.
function longTable(element, columns, onRow) {
  const source = new Bokeh.ColumnDataSource({ data: Object.fromEntries(columns.map(({ title }) => [title, []])) });
  const table = new Bokeh.Tables.DataTable({
    source, sizing_mode: "stretch_width", height: 420, index_position: null, autosize_mode: "none", multi_selectable: false, reorderable: false,
    columns: columns.map(({ title, width, format }) => new Bokeh.Tables.TableColumn({
      field: title, title, width,
      formatter: format ? new Bokeh.Tables.ScientificFormatter({ precision: 3, power_limit_high: 6, power_limit_low: -4, text_align: "right" }) : new Bokeh.Tables.StringFormatter(),
    })),
  });
  if (onRow) onSelect(source, onRow);
  Bokeh.Plotting.show(table, element);
  return function update(rows) { // of every column its values
    source.data = Object.fromEntries(columns.map(({ title }, place) => [title, rows[place]]));
  };
}

function shortTable(heads, rows) {
  const cell = (value) => (value instanceof Node ? node("td", {}, value) : node("td", { className: typeof value === "number" ? "number" : "" }, typeof value === "number" ? number(value) : value));
  return node("table", { className: "plain" },
    node("thead", {}, node("tr", {}, ...heads.map((head) => node("th", { scope: "col" }, head)))),
    node("tbody", {}, ...rows.map((row) => node("tr", {}, ...row.map(cell)))));
}
