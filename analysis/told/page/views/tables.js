// What was measured and how, and all tables, which are also files beside the page.

const MOST = 100; // rows of a table that are shown

function tablesView(element) {
  const [controls, found, said] = [
    part(element, "div", { className: "controls" }),
    part(element, "div", { className: "scroll" }),
    part(element, "details"),
  ];
  said.append(node("summary", {}, "What was measured, and how it is judged"));
  said.append(...facts.said.map((text) => node("p", { className: "quiet" }, text)));
  const link = (path) => node("a", { href: path }, path);
  const file = (path, title) => node("li", {}, link(path), title && ` ${title}`);
  return () => {
    const section = facts.sections.find(({ name }) => name === state.section) ?? facts.sections[0];
    controls.replaceChildren(
      picker(
        "Section",
        facts.sections.map(({ name, title }) => [name, title]),
        section.name,
        (name) => go({ section: name }),
      ),
    );
    found.replaceChildren(
      ...[section.where && `The paper's ${section.where}.`, ...section.sentences]
        .filter(Boolean)
        .map((text) => node("p", { className: "quiet" }, text)),
      ...section.tables.flatMap(({ name, title, heads, rows }) => [
        node("h3", {}, title),
        shortTable(
          heads,
          rows.slice(0, MOST).map((row) => row.map((value) => value ?? "")),
        ),
        ...(rows.length > MOST ? [quiet(`${rows.length - MOST} more rows: `, link(`tables/${name}.csv`))] : []),
      ]),
      node("h3", {}, "Files"),
      node(
        "ul",
        {},
        ...section.figures.flatMap(({ name, caption }) => [
          file(`figures/${name}.png`, caption),
          file(`figures/${name}.svg`, ""),
        ]),
        ...section.tables.map(({ name }) => file(`tables/${name}.csv`, "")),
      ),
    );
  };
}
