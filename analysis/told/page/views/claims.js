// Claims: the paper's, what became of them, and what is selected of the pairs that decide them.
function claimsView(element, data) {
  const [said, list] = [part(element, "p", { className: "quiet" }), part(element)];
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

  function told(selection, { name, title, where, paper, core, pairs, evidence }) {
    const comparison = pairs && comparisons.get(pairs[0]);
    const link =
      comparison &&
      linkTo({ view: "ratios", comparison: pairs[0], box: "", filters: { ...state.filters, ...filters(pairs[1]) } });
    const because = evidence.slice(0, core).map(([statement, , , found]) => node("p", {}, `${statement}: ${found}`));
    const mine = comparison && `In your selection: ${selected(selection, comparison, pairs[1])}`;
    const here = mine ? [node("p", { className: "here quiet" }, mine)] : [];
    const rows = evidence.slice(core);
    const others = node(
      "details",
      { className: "quiet" },
      node("summary", {}, `What the paper says, and ${rows.length} more checks`),
      node("p", {}, `${where}: ${paper}`),
      node("div", { className: "scroll" }, shortTable(["statement", "holds", "n", "found"], rows)),
    );
    const head = node("b", {}, link ? node("a", { href: link }, title) : title);
    const number = node("span", { className: "quiet" }, name);
    return node("div", { className: "claim", id: name }, number, node("div", {}, head, ...because, ...here, others));
  }

  return (selection) => {
    said.textContent = facts.judged;
    const verdicts = new Map(facts.verdicts.map((verdict) => [verdict, []]));
    for (const claim of facts.claims) verdicts.get(claim.verdict).push(claim);
    list.replaceChildren(
      ...[...verdicts].flatMap(([verdict, claims]) =>
        claims.length ? [node("h3", {}, verdict), ...claims.map((claim) => told(selection, claim))] : [],
      ),
    );
  };
}
