// Claims: the paper's, what became of them over all data, and what is selected of the pairs that decide them.
function claimsView(element, data) {
  const list = part(element, "div", { className: "scroll" });
  const slugs = new Map(data.comparisons.map((comparison) => [comparison.slug, comparison]));
  const high = new Set(facts.high);
  const inside = (selection, [slug, wanted]) => {
    const comparison = slugs.get(slug);
    if (!comparison) return "";
    const { job, styles } = data;
    const tests = Object.entries(wanted).map(([column, values]) => {
      if (column === "degree") return (each) => values.includes(high.has(names.graph[job.graph[each]]) ? "high" : "low");
      const axis = facts.axes.findIndex(({ name }) => name === column);
      return (each) => values.includes(facts.axes[axis]?.values[styles[axis][job.program[each]] - 1]);
    });
    const pairs = selection.pairs(comparison).filter((pair) => tests.every((test) => test(comparison.first[pair])));
    const ratios = Array.from(pairs, (pair) => comparison.ratio[pair]);
    if (!ratios.length) return "no pair";
    return `median ${number(quantile(ratios, 0.5))}, ${Math.round((100 * ratios.filter((ratio) => ratio > 1).length) / ratios.length)} % above 1, n = ${ratios.length}`;
  };
  return (selection) => {
    const rows = facts.claims.map((claim) => {
      const [core, others] = [claim.evidence.slice(0, claim.core), claim.evidence.slice(claim.core)];
      const heading = claim.pairs && slugs.has(claim.pairs[0])
        ? node("a", { href: linkTo({ view: "ratios", comparison: claim.pairs[0], box: "" }) }, claim.title) : claim.title;
      return [
        claim.name,
        node("div", {}, heading, node("details", {}, node("summary", {}, `${claim.where}: ${claim.paper}`), shortTable(["statement", "holds", "n", "found"], others))),
        claim.verdict,
        node("div", {}, ...core.map(([statement, , , found]) => node("div", {}, `${statement}: ${found}`))),
        claim.pairs ? inside(selection, claim.pairs) : "",
      ];
    });
    list.replaceChildren(shortTable(["claim", "about", "holds over all data", "because", "pairs selected"], rows));
  };
}
