"""The report: its files, and its page in a real browser."""

from __future__ import annotations

import os
import re
import shutil
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

from analysis.comparisons import COMPARISONS, comparison_of
from analysis.report import plan, report
from analysis.statistics import summarise_pairs

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from analysis.study import Study

BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")


@pytest.fixture(scope="module")
def page(study: Study, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return report(study, tmp_path_factory.mktemp("report"))


@pytest.fixture(scope="module")
def browser(page: Path) -> Iterator[Any]:
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
    driver.get(page.as_uri())
    yield driver
    driver.quit()


def test_every_figure_is_there_in_both_formats(study: Study, page: Path) -> None:
    names = {drawing.name for part in plan(study) for drawing in part.drawings}
    assert {row.slug for row in COMPARISONS if not study.pairs(row).empty} <= names
    drawn = {path.name for path in (page.parent / "figures").iterdir()}
    assert drawn == {f"{name}.{suffix}" for name in names for suffix in ("png", "svg")}


def test_the_page_says_which_pairs_differ_in_more_than_one_axis(study: Study, page: Path) -> None:
    pooled, apart = (study.pairs(comparison_of(f"push over pull{scope}")) for scope in ("", ", same update"))
    cuda = pooled[pooled["model"] == "cuda"]
    mixed = int((cuda["update_first"] != cuda["update_second"]).sum())
    assert 0 < mixed < len(cuda)
    said = f"CUDA: {mixed} of {len(cuda)} pairs also differ in the update, since the flow of one side leaves no choice"
    assert said in page.read_text(encoding="utf-8")
    assert len(apart[apart["model"] == "cuda"]) == len(cuda) - mixed
    assert set(apart["update"]) == {"rw"}


def test_tables_are_files_too(study: Study, page: Path) -> None:
    names = {table.name for part in plan(study) for table in part.tables}
    assert {path.stem for path in (page.parent / "tables").iterdir()} == names
    table = pd.read_csv(page.parent / "tables" / "push-over-pull.csv")
    row = table.query("model == 'CUDA' and algorithm == 'all' and graph == 'all'").iloc[0]
    flow = next(comparison for comparison in COMPARISONS if comparison.slug == "push-over-pull")
    pairs = study.pairs(flow)
    summary = summarise_pairs(pairs[pairs["model"] == "cuda"])
    assert row["median"] == pytest.approx(summary.median)
    assert (row["pairs"], row["bounds"], row["depth"]) == (summary.n, summary.bounds, summary.depth)
    counts = pd.read_csv(page.parent / "tables" / "programs.csv").set_index("model")
    assert counts["total"]["all models"] == study.frame["program"].nunique()


def test_the_page_needs_nothing_else(page: Path) -> None:
    """Nothing is loaded; links lead to its own sections and files."""

    class Links(HTMLParser):
        found: list[str] = []  # noqa: RUF012  # one parser

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            self.found += [value for name, value in attrs if name in ("src", "href", "xlink:href") and value]
            assert tag not in ("img", "iframe", "object")

    text = page.read_text(encoding="utf-8")
    Links().feed(text)
    assert all(link.startswith(("#", "figures/", "data:")) for link in Links.found)
    assert not re.search(r"@import|url\((?!#)", text)
    for link in (link for link in Links.found if link.startswith("figures/")):
        assert (page.parent / link).exists()


def test_ids_are_unique(page: Path) -> None:
    ids = re.findall(r' id="([^"]+)"', page.read_text(encoding="utf-8"))
    doubled = {name for name in ids if ids.count(name) > 1 and "-tip-" not in name}
    assert not doubled


def test_the_page_says_what_was_left_out(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert "Left out: nothing." in text
    assert "vertex 3 has distance 2" in text  # why a job is not verified
    assert "60 s were not enough" in text


def test_no_errors_in_the_console(browser: Any) -> None:
    assert [entry for entry in browser.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")] == []


def test_every_figure_is_drawn(study: Study, browser: Any) -> None:
    for name in {drawing.name for part in plan(study) for drawing in part.drawings}:
        svg = browser.find_element("css selector", f"#figure-{name} svg")
        assert svg.is_displayed()
        assert svg.size["width"] > 200
        assert svg.size["height"] > 50


def test_tables_sort_both_ways(browser: Any) -> None:
    heads = browser.find_elements("css selector", "#table-graphs th")
    edges = next(number for number, head in enumerate(heads) if head.text.startswith("directed edges"))

    def column() -> list[int]:
        cells = browser.find_elements("css selector", f"#table-graphs td:nth-child({edges + 1})")
        return [int(cell.text.replace(",", "")) for cell in cells]

    heads[edges].find_element("tag name", "button").click()
    assert (column(), heads[edges].get_attribute("aria-sort")) == ([16_000, 32_000, 48_000], "ascending")
    heads[edges].find_element("tag name", "button").click()
    assert (column(), heads[edges].get_attribute("aria-sort")) == ([48_000, 32_000, 16_000], "descending")
    heads[0].find_element("tag name", "button").click()  # words
    assert column() == [16_000, 32_000, 48_000]
    assert heads[edges].get_attribute("aria-sort") is None


def test_what_is_unknown_sorts_last(browser: Any) -> None:
    cells = "#table-push-over-pull tbody tr td:nth-child(8)"
    texts = f"return [...document.querySelectorAll('{cells}')].map(cell => cell.textContent)"
    button = browser.find_element("css selector", "#table-push-over-pull th:nth-child(8) button")
    for _ in range(2):
        browser.execute_script("arguments[0].click()", button)
        values = browser.execute_script(texts)
        known = [value for value in values if value != "-"]
        assert values == known + ["-"] * (len(values) - len(known))


def test_a_box_tells_its_numbers_under_the_pointer(browser: Any) -> None:
    from selenium.webdriver import ActionChains

    box = browser.find_element("css selector", "#push-over-pull-tip-0-0")
    tip = browser.find_element("id", "tip")
    assert not tip.is_displayed()
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", box)
    ActionChains(browser).move_to_element(box).perform()
    assert tip.is_displayed()
    assert tip.text.startswith("bfs: median ")
