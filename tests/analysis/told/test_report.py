"""The report: its files, and its page in a real browser."""

from __future__ import annotations

import json
import os
import re
import shutil
import statistics
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest

from analysis.compared.choose import only, suggest
from analysis.compared.comparisons import COMPARISONS, comparison_of
from analysis.compared.study import Study, read_study
from analysis.judged.guidelines import guidelines
from analysis.statistics import summarise_pairs
from analysis.told import explorer
from analysis.told.page import VIEWS
from analysis.told.page import render as render_page
from analysis.told.page.encoding import steps
from analysis.told.page.sources import pack_texts
from analysis.told.report import report
from analysis.told.sections import plan
from analysis.words import MODELS, number
from generator.render import render
from generator.space import load_space, name_of
from tests.selection import selected

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from analysis.judged.findings import Finding


pytestmark = pytest.mark.turns(4)

BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")

Visit = Callable[[str], Any]

SLOWER = 3
"""So much slower may be a machine that does other things at the same time."""

FLOW = comparison_of("push over pull")

FIGURE = """
const view = [...Bokeh.index].find(({ el, model }) => model.type === "Figure" && el.offsetParent);
const [boxes, medians, points] = view.model.renderers.map(({ data_source }) => data_source.data);
"""
"""The figure that is shown, and what its boxes, medians and points are drawn from."""

GROUPS = f"""{FIGURE}
const labels = [...view.model.left[0].major_label_overrides.values()];
return labels.map((label, place) => ({{ label, median: medians.x[place], n: Number(label.split("n=")[1]) }}));
"""

POINTS = (
    FIGURE
    + """
const { x, y } = view.canvas_view.el.getBoundingClientRect();
return Array.from(points.x, (at, each) => ({
  x: at, marker: points.marker[each],
  px: x + view.frame.x_scale.compute(at), py: y + view.frame.y_scale.compute(points.y[each]),
}));
"""
)

TIPS = """
const parts = (node) => [node.shadowRoot, ...node.children].filter(Boolean);
const text = (node) => (node.className === "tip" ? node.textContent : parts(node).map(text).join(""));
return text(document.body);
"""
"""What tooltips say; they live in shadow trees."""

SOURCE = '[...Bokeh.index].find(({ el, model }) => model.type === "DataTable" && el.offsetParent).model.source'

CODE = """
const cell = ({ textContent, className }) => [textContent, /first|second/.test(className), className !== "none"];
return [...document.querySelectorAll(".code tr")].map(({ cells }) => [...cells].map(cell));
"""
"""Of every row the text on either side, whether it is marked, and whether there is a line at all."""

SUGGESTED = """
return [...document.querySelectorAll("#choose h3")].map((head) => [
  head.textContent,
  head.textContent.match(/, (.*):/)[1],
  [...head.nextElementSibling.querySelectorAll("a")].map((link) => link.textContent),
]);
"""
"""Of every list of suggestions its heading, its model and its programs."""

CELLS = """
const rows = [...document.querySelectorAll("#claims > div > table > tbody > tr")];
return rows.map(({ cells }) => [...cells].map((cell) => cell.textContent));
"""
"""What the table of claims says, row by row."""

TYPE = (
    FIGURE
    + """
const [word, done] = arguments;
const search = document.getElementById("search");
const start = performance.now();
let last = 0;
view.repainted.connect(() => { last = performance.now() - start; });
search.value = word;
search.dispatchEvent(new Event("input"));
setTimeout(() => done(last), 400);
"""
)
"""Types into the field for searches; milliseconds until the figure was painted for the last time."""


@pytest.fixture(scope="module")
def page(study: Study, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return report(study, tmp_path_factory.mktemp("report"))


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    if BROWSER is None or DRIVER is None:
        pytest.skip("no chromium and chromedriver")
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for word in ("--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1300,1000"):
        options.add_argument(word)
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")  # Chromium refuses to sandbox root
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


def repeated(columns: Mapping[str, np.ndarray], times: int) -> dict[str, np.ndarray]:
    """Returns the columns of a page with so many times the programs, jobs and pairs."""
    programs, jobs = (len(columns[name]) for name in ("style.algorithm", "job.program"))
    found = {name: np.tile(column, times) for name, column in columns.items()}
    shift = np.arange(times, dtype=np.uint32)
    found["job.program"] = (columns["job.program"] + programs * shift[:, None]).ravel().astype(np.uint32)
    for name in (name for name in columns if name.endswith((".first", ".second"))):
        numbers = np.cumsum(columns[name], dtype=np.uint32)
        found[name] = steps((numbers + jobs * shift[:, None]).ravel())
    return found


@pytest.fixture
def visit(browser: Any, page: Path) -> Visit:
    """Opens a state of the page and waits until it is shown."""
    return lambda link: open_page(browser, page, link)


def open_page(browser: Any, page: Path, link: str) -> Any:
    browser.get("about:blank")
    browser.get(page.as_uri() + link)
    until(browser, "return document.body.dataset.shown !== undefined")
    return browser


def until(browser: Any, script: str) -> Any:
    from selenium.webdriver.support.wait import WebDriverWait

    return WebDriverWait(browser, 30).until(lambda driver: driver.execute_script(script))


@pytest.mark.long
def test_every_figure_is_there_in_both_formats(study: Study, page: Path) -> None:
    names = {drawing.name for part in plan(study, [], []) for drawing in part.drawings}
    assert {row.slug for row in COMPARISONS if not study.pairs(row).empty} <= names
    drawn = {path.name for path in (page.parent / "figures").iterdir()}
    assert drawn == {f"{name}.{suffix}" for name in names for suffix in ("png", "svg")}


def test_tables_are_files_too(study: Study, page: Path) -> None:
    names = {table.name for part in plan(study, guidelines(study, [FLOW]), []) for table in part.tables}
    assert {path.stem for path in (page.parent / "tables").iterdir()} == names
    table = pd.read_csv(page.parent / "tables" / "push-over-pull.csv")
    row = table.query("model == 'CUDA' and algorithm == 'all' and graph == 'all'").iloc[0]
    pairs = study.pairs(FLOW)
    summary = summarise_pairs(pairs[pairs["model"] == "cuda"])
    assert row["median"] == pytest.approx(summary.median)
    assert (row["pairs"], row["bounds"], row["depth"]) == (summary.n, summary.bounds, summary.depth)
    counts = pd.read_csv(page.parent / "tables" / "programs.csv").set_index("model")
    assert counts["total"]["all models"] == study.frame["program"].nunique()


def test_the_page_loads_nothing(page: Path) -> None:
    """It has no tag that would fetch something, and links lead to views and to files beside it."""
    text = re.sub(r"<script.*?</script>", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert not re.search(r"<(img|iframe|object|script|link(?! rel=\"icon\" href=\"data:))", text)
    assert all(link.startswith(("#view=", "data:")) for link in re.findall(r'(?:href|src)="([^"]*)"', text))
    assert not re.search(r"@import|url\(", text)
    assert "<script src" not in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_is_shown_without_errors(view: str, visit: Visit) -> None:
    browser = visit(f"#view={view}")
    assert browser.find_element("css selector", f"#{view} h2").is_displayed()
    assert len(browser.find_elements("css selector", "main > section:not([hidden])")) == 1
    assert browser.find_element("css selector", "nav a[aria-current]").text == VIEWS[view]
    assert [entry for entry in browser.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")] == []


def test_claims_come_first_with_their_verdicts(tested: list[Finding], visit: Visit) -> None:
    rows = visit("").find_elements("css selector", "#claims > div > table > tbody > tr")
    verdicts = {finding.claim.name: finding.verdict for finding in tested}
    found = {row.find_elements("tag name", "td")[0].text: row.find_elements("xpath", "./td")[2].text for row in rows}
    assert found == verdicts


def test_claims_follow_the_filters(study: Study, visit: Visit) -> None:
    """I5 is about push over pull of BFS, CC, MIS and SSSP in all models."""
    browser = visit("#view=claims&where.graph=road&where.model=cuda&where.granularity=warp")
    cells = {row[0]: row[-1] for row in browser.execute_script(CELLS)}
    pairs = study.pairs(FLOW).query("algorithm == 'bfs' and graph == 'road' and model == 'cuda'")
    ratios = pairs.loc[pairs["granularity"] == "warp", "ratio"]
    above = f"{100 * (ratios > 1).mean():.0f} % above 1"
    assert cells["I5"] == f"median {number(np.exp(np.log(ratios).median()))}, {above}, n = {len(ratios)}"
    assert cells["I11"] == "no pair"


def test_a_search_finds_any_part_of_a_name_or_style(study: Study, visit: Visit) -> None:
    browser = visit("#view=programs")
    field = browser.find_element("id", "search")
    programs = set(study.frame["program"])
    for typed, wanted in (
        ("bfs-cuda warp", [name for name in programs if "bfs-cuda" in name and "warp" in name]),
        ("read-modify pull", []),
        ("READ-MODIFY openmp", [name for name in programs if "-rmw-" in name and "openmp" in name]),
    ):
        field.clear()
        field.send_keys(typed)
        assert browser.find_element("id", "count").text.startswith(f"{len(wanted):,} of {len(programs):,} programs")


def test_every_state_has_a_link_and_is_a_step_of_the_history(study: Study, visit: Visit) -> None:
    browser = visit("#view=programs")
    count = "return document.getElementById('count').textContent"
    everything = browser.execute_script(count)
    browser.execute_script("document.querySelector('#filters input[value=push]').click()")
    browser.execute_script("document.querySelector('#filters input[value=grid]').click()")
    pushed = browser.execute_script(count)
    jobs = study.frame.query("flow == 'push' and graph == 'grid'")
    assert pushed.endswith(f"{len(jobs):,} jobs")
    link = browser.current_url
    assert link.endswith("#view=programs&where.flow=push&where.graph=grid")
    browser.back()
    browser.back()
    until(browser, f"return document.getElementById('count').textContent === {json.dumps(everything)}")
    assert visit(link.partition("#")[1] + link.partition("#")[2]).execute_script(count) == pushed


def test_a_program_is_chosen_then_compared(study: Study, visit: Visit) -> None:
    browser = visit("#view=programs")
    shown = "document.querySelector('#programs').innerText"
    programs = browser.execute_script(f"return {SOURCE}.data.program")
    browser.execute_script(f"{SOURCE}.selected.indices = [0]")
    assert f"Chosen: {programs[0]}" in browser.execute_script(f"return {shown}")
    other = next(place for place, name in enumerate(programs) if name != programs[0])
    browser.execute_script(f"{SOURCE}.selected.indices = [{other}]")
    cells = [cell.text for cell in browser.find_elements("css selector", "#two tbody td")]
    times = study.frame.set_index(["program", "graph"])["median_s"]
    for name in (programs[0], programs[other]):
        assert number(times[name, "grid"] * 1e3) in cells


def test_figures_follow_the_filters(study: Study, visit: Visit) -> None:
    """The boxes of the pairs that are left, as pandas counts them."""
    filters = "where.algorithm=bfs&where.graph=road&where.graph=social&where.granularity=warp"
    groups = visit(f"#view=ratios&comparison=push-over-pull&{filters}").execute_script(GROUPS)
    pairs = study.pairs(FLOW)
    left = pairs[(pairs["algorithm"] == "bfs") & (pairs["graph"] != "grid") & (pairs["granularity"] == "warp")]
    assert set(left["model"]) == {"cuda"}
    (group,) = groups
    assert group["n"] == len(left)
    assert group["median"] == pytest.approx(left["ratio"].median(), rel=1e-3)


def test_a_filter_of_the_axis_compared_keeps_the_pairs_that_have_it_on_either_side(study: Study, visit: Visit) -> None:
    groups = visit("#view=ratios&comparison=push-over-pull&where.flow=pull").execute_script(GROUPS)
    assert sum(group["n"] for group in groups) == len(study.pairs(FLOW))


def test_bounds_are_shown_as_bounds(study: Study, visit: Visit) -> None:
    (stopped,) = study.frame.loc[study.frame["status"] == "timeout", "program"]
    some = next(
        row for row in COMPARISONS if (study.pairs(row)[["program_first", "program_second"]] == stopped).any(axis=None)
    )
    marks = visit(f"#view=ratios&comparison={some.slug}").execute_script(POINTS)
    bounds = study.pairs(some).query("ratio_low < ratio_high")
    assert len([mark for mark in marks if mark["marker"] == "triangle"]) == len(bounds) > 0


def test_a_point_tells_of_both_programs_and_leads_to_them(study: Study, visit: Visit) -> None:
    from selenium.webdriver.common.actions.action_builder import ActionBuilder

    browser = visit("#view=ratios&comparison=push-over-pull&where.model=openmp")
    point = browser.execute_script(POINTS)[0]
    pairs = study.pairs(FLOW)
    pair = pairs.iloc[(pairs["ratio"] - point["x"]).abs().argmin()]
    mouse = ActionBuilder(browser)
    mouse.pointer_action.move_to_location(round(point["px"]), round(point["py"]))
    mouse.perform()
    text = until(browser, TIPS)
    assert pair["program_first"] in text
    assert pair["program_second"] in text
    assert "3 samples, noise 0 %" in text
    mouse.pointer_action.click()
    mouse.perform()
    assert f"a={pair['program_first']}&b={pair['program_second']}" in browser.current_url


def test_a_box_of_the_overview_leads_to_its_pairs(visit: Visit) -> None:
    browser = visit("#view=ratios")
    place = next(place for place, group in enumerate(browser.execute_script(GROUPS)) if group["n"] > 100)
    group = browser.execute_script(GROUPS)[place]
    browser.execute_script(
        f"{FIGURE} const at = boxes.group.indexOf({place});"
        + "view.model.renderers[0].data_source.selected.indices = [at];"
    )
    table = browser.execute_script(f"return {SOURCE}.data")
    comparison = next(row for row in COMPARISONS if group["label"].startswith(row.title))
    assert f"comparison={comparison.slug}&" in browser.current_url
    assert len(table["ratio"]) == group["n"]


def test_a_box_leads_to_its_pairs_and_a_pair_to_both_sources(study: Study, visit: Visit) -> None:
    browser = visit("#view=ratios&comparison=push-over-pull&box=openmp~box~bfs")
    pairs = study.pairs(FLOW)
    inside = pairs[(pairs["model"] == "openmp") & (pairs["algorithm"] == "bfs")]
    table = browser.execute_script(f"return {SOURCE}.data")
    assert sorted(zip(table["first program"], table["second program"], table["graph"], strict=True)) == sorted(
        zip(inside["program_first"], inside["program_second"], inside["graph"], strict=True)
    )
    space = load_space()
    legal = {name_of(style) for style in selected("all")}
    sides = list(zip(table["first program"], table["second program"], strict=True))
    row = next(row for row, names in enumerate(sides) if legal.issuperset(names))
    browser.execute_script(f"{SOURCE}.selected.indices = [{row}]")
    first, second = sides[row]
    assert f"view=two&comparison=push-over-pull&box=openmp%7Ebox%7Ebfs&a={first}&b={second}" in browser.current_url
    rows = until(browser, f"const rows = (() => {{{CODE}}})(); return rows.length ? rows : null")
    for side, name in enumerate((first, second)):
        text = render(space, space.parse(name)).text
        assert [row[side][0] for row in rows if row[side][2]] == text.split("\n")
    for (left, marked, there), (right, other, here) in rows:
        assert (marked, other) == ((left != right or not here) and there, (left != right or not there) and here)
    assert 0 < sum(marked for (_, marked, _), _ in rows) < len(rows) / 2


def test_machines_are_compared_on_the_graphs_that_both_have(study: Study, tmp_path: Path, browser: Any) -> None:
    frame = study.frame
    other = frame[frame["graph"] != "grid"].assign(machine="other")
    both = Study(pd.concat([frame, other], ignore_index=True), study.graphs)
    open_page(browser, page_of(both, tmp_path), "#view=machines&where.model=cuda")
    rows = browser.find_elements("css selector", "#machines tbody tr")
    cells = next(
        cells for row in rows if (cells := [cell.text for cell in row.find_elements("tag name", "td")])[0] == FLOW.title
    )
    pairs = study.pairs(FLOW).query("model == 'cuda' and graph != 'grid'")
    assert cells[1:] == ["CUDA", *[number(pairs["ratio"].median()), str(len(pairs))] * 2]


def test_machines_without_a_graph_in_common_are_refused(study: Study, tmp_path: Path, browser: Any) -> None:
    frame = study.frame
    apart = frame.assign(machine=frame["machine"].where(frame["graph"] != "grid", "other"))
    open_page(browser, page_of(Study(apart, study.graphs), tmp_path), "#view=machines")
    said = browser.find_element("css selector", "#machines .refused").text
    assert said.startswith("No graph was measured on each of box and other")
    assert not browser.find_elements("css selector", "#machines tbody tr")


@pytest.mark.parametrize(
    ("solve", "known"), [("tc", ("vertices", "edges", "degree", "diameter")), ("bfs", ("vertices", "edges"))]
)
def test_the_page_suggests_what_the_command_does(
    study: Study, visit: Visit, solve: str, known: tuple[str, ...]
) -> None:
    asked = {"vertices": 9_000, "edges": 60_000, "degree": 30, "diameter": 99}
    link = "&".join(f"{name}={asked[name]}" for name in known)
    cells = visit(f"#view=choose&solve={solve}&where.model=cuda&where.model=cpp&{link}").execute_script(SUGGESTED)
    mine = {"vertices": 9_000, "average_degree": 60_000 / 9_000, "maximum_degree": 30, "diameter": 99}
    mine = dict(list(mine.items())[: len(known)])
    wanted = only(suggest(study.frame, study.graphs, mine), solve, None)
    found = {model: (programs, heading) for heading, model, programs in cells}
    assert set(found) == {"CUDA", "C++ threads"}
    for each in wanted:
        if each.model in ("cuda", "cpp"):
            programs, heading = found[MODELS[each.model]]
            assert programs == list(each.programs)
            assert heading.endswith(f"expected regret {number((each.slowdown - 1) * 100)} %")


def test_a_measured_graph_fills_in_its_properties(visit: Visit) -> None:
    browser = visit("#view=choose")
    assert "Type what you know" in browser.find_element("css selector", "#choose .refused").text
    browser.execute_script(
        "const list = document.querySelector('#choose select'); list.value = 'road';"
        "list.dispatchEvent(new Event('change'));"
    )
    assert browser.current_url.endswith("#view=choose&vertices=10000&edges=32000&degree=10&diameter=99")
    assert browser.execute_script(SUGGESTED)


def test_twelve_thousand_programs_on_six_graphs_are_filtered_in_200_ms(
    study: Study, tmp_path: Path, browser: Any
) -> None:
    """From a word typed to the figure drawn, in the median of six; the study's columns are repeated that often."""
    columns = explorer.columns(study)
    programs, jobs = (len(columns[name]) for name in ("style.algorithm", "job.program"))
    times = max(-(-12_000 // programs), -(-72_000 // jobs))
    facts = {**explorer.facts(study, []), "claims": [], "said": [], "sections": []}
    page = tmp_path / "page.html"
    page.write_text(render_page(facts, repeated(columns, times), pack_texts([])), encoding="utf-8")
    for view in ("ratios", "throughputs"):
        open_page(browser, page, f"#view={view}")
        words = ["bfs", "bfs push", "bfs push det", "bfs push", "bfs", ""]
        taken = [browser.execute_async_script(TYPE, word) for word in words]
        assert min(taken) > 0
        assert statistics.median(taken) < 200 * SLOWER


def page_of(study: Study, folder: Path) -> Path:
    """Writes the page alone, without figures, tables, claims and texts."""
    facts = {**explorer.facts(study, []), "claims": [], "said": [], "sections": []}
    page = folder / "page.html"
    page.write_text(render_page(facts, explorer.columns(study), pack_texts([])), encoding="utf-8")
    return page


def test_a_pair_has_the_ratio_of_the_session_that_measured_both(
    browser: Any, record: Callable[..., dict[str, Any]], write: Callable[..., Path], tmp_path: Path
) -> None:
    names = [f"bfs-openmp-vertex-topology-{way}-rw-nondet-default-i32" for way in ("push", "pull")]
    jobs = [record(name, seconds, session="1") for name, seconds in zip(names, (1e-3, 2e-3), strict=True)]
    results = read_study([write([*jobs, record(names[0], 8e-3, session="2")])])
    open_page(browser, report(results, tmp_path / "report"), "#view=ratios&comparison=push-over-pull")
    (group,) = browser.execute_script(GROUPS)
    assert (group["n"], group["median"]) == (1, pytest.approx(2.0))
