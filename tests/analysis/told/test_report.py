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
from matplotlib.pyplot import close

from analysis.compared.comparisons import COMPARISONS, comparison_of
from analysis.compared.study import Study, read_study
from analysis.defaults import Suffix
from analysis.drawn.studio import Studio
from analysis.judged.answers import answers
from analysis.judged.guidelines import guidelines
from analysis.measured.graphs import kinds
from analysis.statistics import summarise_pairs
from analysis.told import explorer
from analysis.told.document import advice, verdicts
from analysis.told.page import VIEWS
from analysis.told.page import render as render_page
from analysis.told.page.encoding import steps
from analysis.told.page.sources import pack_texts
from analysis.told.report import report
from analysis.told.sections import plan
from analysis.words import MODELS, number
from generator.render import render
from generator.space import load_space, name_of
from tests.configs import selected

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from analysis.judged.findings import Finding
    from tests.analysis.conftest import Record, Write


pytestmark = pytest.mark.turns(8, 0)

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
const rows = [...document.querySelectorAll(".row:not(.head) .name")].filter((row) => row.offsetParent);
return rows.map((row, place) => ({{ median: medians.x[place], n: Number(row.textContent.split("n=")[1]) }}));
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

CLAIMS = """
const parts = [...document.querySelector("#claims > div").children];
let verdict;
return Object.fromEntries(parts.flatMap((part) => {
  if (part.tagName === "H3") verdict = part.textContent;
  return part.id ? [[part.id, [verdict, part.querySelector(".here")?.textContent]]] : [];
}));
"""
"""Of every claim its verdict, and what is said of the pairs selected."""

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
def told() -> list[str]:
    """What is being done while the page is made."""
    return []


@pytest.fixture(scope="module")
def page(study: Study, told: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return report(study, tmp_path_factory.mktemp("report"), tell=told.append)


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


@pytest.fixture
def screen(browser: Any, request: pytest.FixtureRequest) -> Iterator[int]:
    """A screen of another width, in pixels."""
    metrics = {"width": request.param, "height": 800, "deviceScaleFactor": 1, "mobile": request.param < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    yield request.param
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def open_page(browser: Any, page: Path, link: str) -> Any:
    browser.get("about:blank")
    browser.get(page.as_uri() + link)
    until(browser, "return document.body.dataset.shown !== undefined")
    return browser


def until(browser: Any, script: str) -> Any:
    from selenium.webdriver.support.wait import WebDriverWait

    return WebDriverWait(browser, 30).until(lambda driver: driver.execute_script(script))


@pytest.mark.long
def test_every_figure_can_be_drawn_and_becomes_a_file(study: Study, tmp_path: Path) -> None:
    """Those of a comparison have tests of their own."""
    drawings = [drawing for part in plan(study, [], []) for drawing in part.drawings]
    compared = {f"{row.slug}{by}" for row in COMPARISONS if not study.pairs(row).empty for by in ("", "-graphs")}
    names = [drawing.name for drawing in drawings]
    assert compared <= set(names)
    others = [drawing for drawing in drawings if drawing.name not in compared]
    for drawing in others:
        close(drawing.draw())
    last = [drawing for drawing in drawings if drawing.name == "costs" or drawing is others[-1]]
    drawn = Studio(last, tmp_path, tuple(Suffix)).draw(1)
    assert {path.name for path in tmp_path.iterdir()} == {f"{name}.{suffix}" for name in drawn for suffix in Suffix}


def test_who_waits_is_told_what_for(page: Path, told: list[str]) -> None:
    assert page.exists()
    assert [line.split()[0] for line in told] == ["comparing", "judging", "making", "writing"]


def test_tables_are_files_too(study: Study, page: Path) -> None:
    names = {table.name for part in plan(study, guidelines(study, [FLOW]), []) for table in part.tables}
    assert {path.stem for path in (page.parent / "tables").iterdir()} == names
    table = pd.read_csv(page.parent / "tables" / "push-over-pull.csv")
    (row,) = table.query("model == 'CUDA' and algorithm == 'all' and graph == 'all'").to_dict("records")
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


def test_page_and_document_have_the_same_verdicts(study: Study, tested: list[Finding], visit: Visit) -> None:
    """Of claims, and of comparisons: by the same rules, in the same words, for the same data."""
    document, heading = {}, ""
    for line in verdicts(tested, "details.md").split("\n"):
        heading = line.strip("*") if line.startswith("**") else heading
        if found := re.match(r"- \[(\w+)\]", line):
            document[found[1]] = heading
    shown = {name: verdict for name, (verdict, _) in visit("#view=claims").execute_script(CLAIMS).items()}
    assert shown == document
    assert len(set(shown.values())) > 2
    derived = guidelines(study, [FLOW])
    preferred = re.findall(r"push \(push over pull: ([^)]*)\)", advice(derived))
    sentences = visit("#view=ratios&comparison=push-over-pull").find_elements("css selector", ".verdicts li")
    texts = [sentence.text for sentence in sentences]
    assert len(preferred) == sum("prefer push" in text for text in texts) > 0
    for median in preferred:
        assert sum(f"prefer push: median {median}, n = " in text for text in texts) == 1
    for each in derived:
        assert any(text.startswith(f"{MODELS[each.model]} on {each.machine}: ") for text in texts)


def test_verdicts_are_about_what_is_selected(study: Study, visit: Visit) -> None:
    link = "#view=ratios&comparison=push-over-pull&where.algorithm=bfs&where.model=openmp&where.graph=road"
    pairs = study.pairs(FLOW).query("algorithm == 'bfs' and model == 'openmp' and graph == 'road'")
    summary = summarise_pairs(pairs)
    text = visit(link).find_element("css selector", ".verdicts").text
    assert text.startswith(f"OpenMP on box, Breadth-first search, road: push, {summary.median:.2f}\u00d7 [")
    assert f"n = {summary.n}." in text
    text = visit(f"{link}&where.iteration=vertex").find_element("css selector", ".verdicts").text
    assert text.startswith("This selection has no verdict of its own")


def test_claims_follow_the_filters(study: Study, visit: Visit) -> None:
    """I5 is about push over pull of BFS, CC, MIS and SSSP in all models."""
    browser = visit("#view=claims&where.graph=road&where.model=cuda&where.granularity=warp")
    selected = {name: here for name, (_, here) in browser.execute_script(CLAIMS).items()}
    pairs = study.pairs(FLOW).query("algorithm == 'bfs' and graph == 'road' and model == 'cuda'")
    ratios = pairs.loc[pairs["granularity"] == "warp", "ratio"]
    above = f"{100 * (ratios > 1).mean():.0f} % above 1"
    assert (
        selected["I5"]
        == f"In your selection: median {number(np.exp(np.log(ratios).median()))}, {above}, n = {len(ratios)}"
    )
    assert selected["I11"] == "In your selection: no pair"


def test_a_search_finds_any_part_of_a_name_or_style(study: Study, visit: Visit) -> None:
    browser = visit("#view=programs")
    field = browser.find_element("id", "search")
    programs = set(study.frame["program"])
    for typed, wanted in (
        ("bfs-cuda warp", [name for name in programs if "bfs-cuda" in name and "warp" in name]),
        ("read-modify pull", []),
        ("READ-MODIFY openmp", [name for name in programs if "-rmw-" in name and "openmp" in name]),
        ("breadth-first ush", []),
        ("Breadth-first push road", [name for name in programs if "bfs" in name and "push" in name]),
    ):
        field.clear()
        field.send_keys(typed)
        assert browser.find_element("id", "count").text.startswith(f"{len(wanted):,} of {len(programs):,} programs")
    jobs = study.frame.query("algorithm == 'bfs' and flow == 'push' and graph != 'grid'")  # social is road-like
    assert browser.find_element("id", "count").text.endswith(f", {len(jobs):,} timings")


def test_a_selection_of_nothing_says_so_and_leads_back(study: Study, visit: Visit) -> None:
    browser = visit("#view=programs&search=nowhere")
    said = browser.find_element("id", "nothing")
    assert (said.is_displayed(), browser.find_elements("css selector", "#programs > :not(h2)")) == (True, [])
    said.find_element("tag name", "button").click()
    assert not said.is_displayed()
    programs = study.frame["program"].nunique()
    assert browser.find_element("id", "count").text.startswith(f"{programs:,} of {programs:,} programs")


def test_figures_are_followed_by_keys(visit: Visit) -> None:
    browser = visit("#view=ratios")
    browser.find_element("css selector", ".row .name").send_keys("\ue007")  # Enter
    assert "&comparison=" in browser.current_url


def test_every_state_has_a_link_and_is_a_step_of_the_history(study: Study, visit: Visit) -> None:
    browser = visit("#view=programs")
    count = "return document.getElementById('count').textContent"
    everything = browser.execute_script(count)
    browser.execute_script("document.querySelector('#filters input[value=push]').click()")
    browser.execute_script("document.querySelector('#filters input[value=grid]').click()")
    pushed = browser.execute_script(count)
    jobs = study.frame.query("flow == 'push' and graph == 'grid'")
    assert pushed.endswith(f"{len(jobs):,} timings")
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
    some = next(place for place, name in enumerate(programs) if "openmp" in name)
    browser.execute_script(f"{SOURCE}.selected.indices = [{some}]")
    assert f"Chosen: {programs[some]}" in browser.execute_script(f"return {shown}")
    other = next(place for place, name in enumerate(programs) if "openmp" in name and name != programs[some])
    browser.execute_script(f"{SOURCE}.selected.indices = [{other}]")
    cells = [cell.text for cell in browser.find_elements("css selector", "#two tbody td")]
    times = study.frame.set_index(["program", "graph"])["median_s"]
    for name in (programs[some], programs[other]):
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


def test_a_box_of_the_overview_leads_to_its_pairs(study: Study, visit: Visit) -> None:
    browser = visit("#view=ratios")
    n = browser.execute_script(
        f"{FIGURE} view.model.renderers[0].data_source.selected.indices = [0];"
        "return [...document.querySelectorAll('.row .name')].filter((row) => row.offsetParent)[0].textContent;"
    )
    table = browser.execute_script(f"return {SOURCE}.data")
    comparison = next(row for row in COMPARISONS if f"comparison={row.slug}&" in browser.current_url)
    pairs = study.pairs(comparison)
    assert len(table["ratio"]) in pairs.groupby("model", observed=True).size().tolist()
    assert set(table["first program"]) <= set(pairs["program_first"]), n


@pytest.mark.parametrize("screen", [400, 800, 1600], indirect=True)
def test_the_axis_stays_in_sight_and_has_right_numbers(visit: Visit, screen: int) -> None:
    """Wherever one scrolls, and at the places where the figure has these values."""
    browser = visit("#view=ratios")
    assert browser.execute_script("return innerWidth") == screen
    browser.execute_script("scrollTo(0, 900)")
    script = f"""{FIGURE}
    const left = view.canvas_view.el.getBoundingClientRect().x;
    const ticks = [...document.querySelectorAll(".ticks span")].filter((tick) => tick.offsetParent);
    return ticks.map((tick) => {{
      const {{ x, width, y }} = tick.getBoundingClientRect();
      return [Number(tick.textContent), x + width / 2 - left, view.frame.x_scale.compute(Number(tick.textContent)), y];
    }});"""
    ticks = until(browser, script)
    assert len(ticks) >= 3
    for value, found, wanted, y in ticks:
        assert value > 0
        assert found == pytest.approx(wanted, abs=2)
        assert 0 < y < 300


@pytest.mark.parametrize("screen", [400, 800], indirect=True)
def test_nothing_is_wider_than_a_small_screen(visit: Visit, screen: int) -> None:
    browser = visit("")
    for view in VIEWS:
        browser.execute_script(f"location.hash = 'view={view}'")
        until(browser, f"return document.body.dataset.view === '{view}'")
        assert browser.execute_script("return document.documentElement.scrollWidth") <= screen, view
    visit("")
    for whole in (".command code", ".program .cut"):  # to be copied
        script = "const { scrollWidth, clientWidth } = arguments[0]; return scrollWidth - clientWidth;"
        assert browser.execute_script(script, browser.find_element("css selector", whole)) <= 0, whole


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


def test_machines_are_compared_by_the_jobs_that_both_have(study: Study, tmp_path: Path, browser: Any) -> None:
    """One of two has neither one of the graphs nor programs of one style."""
    frame = study.frame
    other = frame[(frame["graph"] != "grid") & (frame["granularity"] != "warp")].assign(machine="other")
    both = Study(pd.concat([frame, other], ignore_index=True), study.graphs)
    open_page(browser, page_of(both, tmp_path), "#view=machines&where.model=cuda")
    rows = browser.find_elements("css selector", "#machines tbody tr")
    cells = next(
        cells for row in rows if (cells := [cell.text for cell in row.find_elements("tag name", "td")])[0] == FLOW.title
    )
    pairs = study.pairs(FLOW).query("model == 'cuda' and graph != 'grid' and granularity != 'warp'")
    assert cells[1:] == ["CUDA", *[number(pairs["ratio"].median()), str(len(pairs))] * 2]


def test_machines_without_a_job_in_common_are_refused(study: Study, tmp_path: Path, browser: Any) -> None:
    frame = study.frame
    apart = frame.assign(machine=frame["machine"].where(frame["graph"] != "grid", "other"))
    open_page(browser, page_of(Study(apart, study.graphs), tmp_path), "#view=machines")
    said = browser.find_element("css selector", "#machines .refused").text
    assert said == "No program was measured on the same graph on each of box and other."
    assert not browser.find_elements("css selector", "#machines tbody tr")


def test_the_page_answers_what_to_use(study: Study, visit: Visit) -> None:
    """It opens with an answer, and others are one choice away; all are those of `answers`."""
    found = {(each.algorithm, each.kind, each.hardware): each for each in answers(study)}
    for link, key in (("", ("bfs", "road", "gpu")), ("#solve=tc&on=cpu+any&kind=any", ("tc", "any", "cpu"))):
        answer = found[key]
        card = visit(link).find_element("css selector", "#answer .card")
        assert card.find_element("css selector", ".verdict").text == f"{answer.certainty.capitalize()} {answer.why}"
        best, second = answer.ranking[:2]
        assert card.find_element("css selector", ".program .cut").get_attribute("title") == best.program
        assert card.find_element("css selector", ".command code").text == f"violet best {key[0]} my.egr"
        assert f"{len(answer.graphs)} graphs" in card.text
        links = card.find_elements("css selector", ".rank a")
        assert len(links) == len(answer.ranking)
        assert f"a={best.program}&b={second.program}" in (links[1].get_attribute("href") or "")
        factor = card.find_elements("css selector", ".rank .value")[1].text
        assert float(factor.rstrip("\u00d7")) == pytest.approx(second.slowdown, abs=0.006)


def test_my_graph_is_of_a_kind(study: Study, visit: Visit) -> None:
    """By the rule that measured graphs are sorted by."""
    browser = visit("#view=answer")
    for graph in study.graphs.to_dict("records"):
        known = [graph["vertices"], graph["edges"], graph["maximum_degree"], graph["diameter"]]
        browser.execute_script(
            "const fields = [...document.querySelectorAll('#answer details input')];"
            "fields.forEach((field, place) => (field.value = arguments[0][place]));"
            "fields[3].dispatchEvent(new Event('change'));",
            known,
        )
        assert f"kind={kinds(study.graphs)[graph['graph']]}" in browser.current_url


def test_twelve_thousand_programs_on_six_graphs_are_filtered_in_200_ms(
    study: Study, tmp_path: Path, browser: Any
) -> None:
    """From a word typed to the figure drawn, in the median of six; the study's columns are repeated that often."""
    columns = explorer.columns(study)
    programs, jobs = (len(columns[name]) for name in ("style.algorithm", "job.program"))
    times = max(-(-12_000 // programs), -(-72_000 // jobs))
    page = tmp_path / "page.html"
    page.write_text(render_page(facts_of(study), repeated(columns, times), pack_texts([])), encoding="utf-8")
    for view in ("ratios", "throughputs"):
        open_page(browser, page, f"#view={view}")
        words = ["bfs", "bfs push", "bfs push det", "bfs push", "bfs", ""]
        taken = [browser.execute_async_script(TYPE, word) for word in words]
        assert min(taken) > 0
        assert statistics.median(taken) < 200 * SLOWER


def facts_of(study: Study) -> dict[str, Any]:
    """What a page says without answers, claims and tables."""
    return {**explorer.facts(study, []), "answers": [], "claims": [], "judged": "", "said": [], "sections": []}


def page_of(study: Study, folder: Path) -> Path:
    """Writes the page alone, without answers, tables, claims and texts."""
    page = folder / "page.html"
    page.write_text(render_page(facts_of(study), explorer.columns(study), pack_texts([])), encoding="utf-8")
    return page


def test_a_pair_has_the_ratio_of_the_session_that_measured_both(
    browser: Any, record: Record, write: Write, tmp_path: Path
) -> None:
    names = [f"bfs-openmp-vertex-topology-{way}-rw-nondet-default-i32" for way in ("push", "pull")]
    jobs = [record(name, seconds, session="1") for name, seconds in zip(names, (1e-3, 2e-3), strict=True)]
    results = read_study([write([*jobs, record(names[0], 8e-3, session="2")])])
    open_page(browser, page_of(results, tmp_path), "#view=ratios&comparison=push-over-pull")
    (group,) = browser.execute_script(GROUPS)
    assert (group["n"], group["median"]) == (1, pytest.approx(2.0))
