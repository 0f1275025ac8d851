// Claims: the paper's, what became of them over all data, and what is selected of the pairs that decide them.
function claimsView(element, data) {
  const list = part(element, "div", { className: "scroll" });
  const comparisons = new Map(data.comparisons.map((comparison) => [comparison.slug, comparison]));
  const high = new Set(facts.high);
  const degree = (graph) => (high.has(graph) ? "high" : "low");

  // The filters that select the pairs of a claim; graphs are told apart by their degree.
  const filters = (wanted) =>
    Object.fromEntries(
      Object.entries(wanted).map(([column, values]) =>
        column === "degree"
          ? ["graph", names.graph.filter((graph) => values.includes(degree(graph)))]
          : [column, values],
      ),
    );

  function selected(selection, comparison, wanted) {
    const claimed = select(data, { search: "", filters: filters(wanted) });
    const both = selection.pairs(comparison).filter((pair) => claimed.pair(comparison, pair));
    const ratios = Array.from(both, (pair) => comparison.ratio[pair]);
    const above = ratios.filter((ratio) => ratio > 1).length / ratios.length;
    return ratios.length
      ? `median ${number(quantile(ratios, 0.5))}, ${Math.round(100 * above)} % above 1, n = ${ratios.length}`
      : "no pair";
  }

  return (selection) => {
    const rows = facts.claims.map(({ name, title, where, paper, verdict, core, pairs, evidence }) => {
      const comparison = pairs && comparisons.get(pairs[0]);
      const link =
        comparison &&
        linkTo({ view: "ratios", comparison: pairs[0], box: "", filters: { ...state.filters, ...filters(pairs[1]) } });
      const others = node(
        "details",
        {},
        node("summary", {}, `${where}: ${paper}`),
        shortTable(["statement", "holds", "n", "found"], evidence.slice(core)),
      );
      return [
        name,
        node("div", {}, link ? node("a", { href: link }, title) : title, others),
        verdict,
        node(
          "div",
          {},
          ...evidence.slice(0, core).map(([statement, , , found]) => node("div", {}, `${statement}: ${found}`)),
        ),
        comparison ? selected(selection, comparison, pairs[1]) : "",
      ];
    });
    list.replaceChildren(shortTable(["claim", "about", "holds over all data", "because", "pairs selected"], rows));
  };
}
