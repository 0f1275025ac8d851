// What was measured and how, and all tables, which are also files beside the page.

function tablesView(element) {
  const [controls, found, said] = [
    part(element, "div", { className: "controls" }),
    part(element, "div", { className: "scroll" }),
    part(element, "details"),
  ];
  said.append(node("summary", {}, "What was measured, and how it is judged"));
  said.append(...facts.said.map((text) => node("p", { className: "quiet" }, text)));
  const file = (path, title) => node("li", {}, node("a", { href: path }, path), title && ` ${title}`);
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
      ...section.tables.flatMap(({ title, heads, rows }) => [
        node("h3", {}, title),
        shortTable(
          heads,
          rows.map((row) => row.map((value) => value ?? "")),
        ),
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
