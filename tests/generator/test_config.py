from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest

from generator.config import CONFIGS, COVERS, covering, find_config, select_styles
from generator.errors import UserError
from generator.space import Space, name_of
from tests.configs import selected

if TYPE_CHECKING:
    from pathlib import Path


def names(space: Space, directory: Path, text: str) -> list[str]:
    path = directory / "mine.toml"
    path.write_text(text)
    return [name_of(style) for style in select_styles(space, path)]


def test_an_empty_config_selects_every_meaningful_program(space: Space, tmp_path: Path) -> None:
    assert names(space, tmp_path, "") == [name_of(style) for style in space.styles()]


@pytest.mark.parametrize("name", sorted(path.stem for path in CONFIGS.glob("*.toml") if path.stem != "space"))
def test_every_config_of_the_repository_selects_something(name: str) -> None:
    assert selected(name)


def test_select_exclude_only_and_names_narrow_step_by_step(space: Space, tmp_path: Path) -> None:
    text = """
    names = ["*-push-*", "*-pull-*-default-*"]
    [select]
    algorithm = "bfs"
    model = ["openmp", "cpp"]
    [[exclude]]
    driver = "data"
    [[only]]
    iteration = "vertex"
    datatype = "i32"
    """
    selected = names(space, tmp_path, text)
    assert selected
    for name in selected:
        assert name.startswith(("bfs-openmp-vertex-topology", "bfs-cpp-vertex-topology"))
        assert "-push-" in name or "-default-" in name
        assert name.endswith("i32")
    assert any("-pull-" in name for name in selected)


def test_a_base_is_found_by_name_from_anywhere_but_first_beside_the_config(space: Space, tmp_path: Path) -> None:
    quick = names(space, tmp_path, 'base = "quick"\n')
    assert quick == [name_of(style) for style in selected("quick")]
    (tmp_path / "quick.toml").write_text('[select]\nalgorithm = "cc"\nmodel = "cpp"\n')
    assert all(name.startswith("cc-cpp") for name in names(space, tmp_path, 'base = "quick"\n'))


def test_a_base_is_narrowed_further(space: Space, tmp_path: Path) -> None:
    (tmp_path / "base.toml").write_text('[select]\nalgorithm = "cc"\n')
    selected = names(space, tmp_path, 'base = "base"\n[select]\nmodel = "cpp"\n')
    assert selected
    assert all(name.startswith("cc-cpp-") for name in selected)


def test_a_sample_may_be_around_a_program(space: Space, tmp_path: Path) -> None:
    middle = "bfs-cpp-vertex-data-nodup-push-rmw-nondet-blocked-i32"
    base = 'base = "paper"\nsample = { kind = "first", of = ["model"]'
    sample = set(names(space, tmp_path, f'{base}, around = ["{middle}"] }}\n'))
    assert sample - set(names(space, tmp_path, f"{base} }}\n")) == {
        middle,
        middle.replace("-vertex-", "-edge-"),
        middle.replace("-data-nodup-", "-topology-"),
        middle.replace("-nodup-", "-dup-"),
        middle.replace("-rmw-", "-rw-"),
        middle.replace("-nondet-", "-det-"),
        middle.replace("-blocked-", "-cyclic-"),
    }


def test_a_sample_stays_what_it_is_beside_programs_that_are_named(space: Space, tmp_path: Path) -> None:
    text = 'sample = { kind = "first", of = ["model"] }\n'
    sample = names(space, tmp_path, text)
    other = "bfs-cpp-vertex-data-nodup-push-rmw-nondet-blocked-i32"
    assert other not in sample
    assert names(space, tmp_path, f'also = ["{sample[0]}", "{other}"]\n{text}') == [*sample, other]


def test_a_random_sample_depends_on_its_seed_only(space: Space, tmp_path: Path) -> None:
    draws = [names(space, tmp_path, f'sample = {{ kind = "random", n = 20, seed = {seed} }}') for seed in (1, 1, 2)]
    assert len(draws[0]) == len(set(draws[0])) == 20
    assert draws[0] == draws[1] != draws[2]


@pytest.mark.parametrize(("kind", "most"), [("pairwise", 0.1), ("threeway", 0.3)])
def test_a_cover_has_all_values_together_that_meet(space: Space, tmp_path: Path, kind: str, most: float) -> None:
    styles = [style for style in space.styles() if style["model"] == "cpp"]
    cover = covering(styles, COVERS[kind])
    begun = styles[::20]
    others = covering(styles, COVERS[kind], begun)
    together = [
        {values for style in some for values in itertools.combinations(style.items(), COVERS[kind])}
        for some in (styles, cover, [*begun, *others])
    ]
    assert together[0] == together[1] == together[2]
    assert len(others) < len(cover)
    assert len(cover) < most * len(styles)
    sample = names(space, tmp_path, f'sample = {{ kind = "{kind}" }}\n[select]\nmodel = "cpp"\n')
    assert sample == [name for name in map(name_of, styles) if name in set(map(name_of, cover))]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[select]\nflow = "pul"\n', r":2: axis flow has no value 'pul'; did you mean 'pull'"),
        ('[select]\nflwo = "pull"\n', r":2: unknown axis 'flwo'; did you mean 'flow'"),
        ('[select]\nnames = ["bfs-*"]\n', r":2: names is no axis; write it above \[select\]"),
        ('\n[slect]\nflow = "pull"\n', r":2: unknown key 'slect'; did you mean 'select'"),
        ("[select]\nflow = 3\n", r":2: select.flow"),
        ('[select]\nflow = "pull\n', r":2: not valid TOML"),
        ("[select", r":1: not valid TOML"),
        pytest.param(f"sample = {{ n = {'9' * 6000} }}", r": holds a number of too many digits", id="long number"),
        pytest.param(
            f'sample = {{ kind = "random", n = 0x{"f" * 6000} }}', r":1: sample.n", id="long hexadecimal number"
        ),
        pytest.param(f"names = {'[' * 5000}", r": is nested too deeply", id="deep list"),
        ('[select]\nworklist = "dup"\nflow = "pull"\n', r":1: select .* accepts none of \d+ programs"),
        ('[select]\nflow = "pull"\n[[exclude]]\nflow = "pull"\n', r":3: exclude \{flow = pull\} leaves none"),
        ('[select]\nflow = "pull"\n[[only]]\nflow = "push"\n', r":3: only \{flow = push\} accepts none"),
        ('names = ["bfs-*", "dfs-*"]\n', r":1: 'dfs-\*' matches none"),
        ('sample = { kind = "pairwise", around = ["bfs"] }', r":1: no program 'bfs' to sample around"),
        ('also = ["bfs-hip"]', r":1: bfs-hip: no axis has the value 'hip'"),
        (
            'also = ["bfs-cpp-edge-topology-pull-rw-nondet-blocked-i32"]',
            r":1: bfs-cpp-edge-.*: rule 'edge-has-no-owner' forbids it: an edge has no vertex of its own",
        ),
        ('sample = { kind = "random" }', r":1: a random sample needs n"),
        ('sample = { kind = "random", n = 99999 }', r":1: a sample of 99999 out of"),
        ('sample = { kind = "pairwse" }', r":1: sample.kind"),
        ('also = [\n"bfs"]\n', r":2: bfs: no value for model"),
        ('base = "nothing"\n', r":1: no config 'nothing' beside this one or in configs/"),
        (
            'description = "no opnmp"\n[select]\nflow = "push"\n[[exclude]]\nmodel = "opnmp"\n',
            r":5: axis model has no value 'opnmp'; did you mean 'openmp'",
        ),
        ('[select]\nflow = "push"\n[[only]]\nflow = 3', r":4: only.0.flow: write a word in quotes or a list of them"),
        ("names = []", r":1: names: is empty; leave it out"),
        ('[sample]\nkind = "random"\nn = "5"', r":3: sample.n: write a whole number"),
        ("sample = 5", r":1: sample: write a table"),
        ('base = "mine"\n', r":1: a config cannot be its own base"),
    ],
)
def test_a_mistake_is_named_with_its_line(space: Space, tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UserError, match="mine.toml" + message):
        names(space, tmp_path, text)


def test_a_file_that_is_no_text_or_not_there_is_told(space: Space, tmp_path: Path) -> None:
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UserError, match="not UTF-8 text"):
        select_styles(space, binary)
    with pytest.raises(UserError, match="quik: no such config; did you mean 'quick'"):
        find_config("quik")
    with pytest.raises(UserError, match="a config is a file, but this is a folder"):
        find_config(str(tmp_path))


def test_a_byte_order_mark_is_no_mistake(space: Space, tmp_path: Path) -> None:
    text = '[select]\nmodel = "cpp"\nalgorithm = "tc"\n'
    assert names(space, tmp_path, f"\ufeff{text}") == names(space, tmp_path, text)
