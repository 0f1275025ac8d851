from hypothesis import given
from hypothesis import strategies as st

from generator.layout import columns, comment, lay_out, table


def test_braces_indent_and_namespaces_do_not() -> None:
    text = "namespace {\nvoid f() {\nif (x) {\n\ny();\n} else {\nz();\n}\n\n}\n\n\n}  // namespace\n"
    assert lay_out(text) == (
        "namespace {\nvoid f() {\n  if (x) {\n    y();\n  } else {\n    z();\n  }\n}\n\n}  // namespace\n"
    )


def test_braces_in_strings_and_comments_do_not_count() -> None:
    assert lay_out("f() {\ng(\"{\");  // {\nh('}');\n}\n") == "f() {\n  g(\"{\");  // {\n  h('}');\n}\n"


def test_preprocessor_lines_start_in_the_first_column() -> None:
    assert lay_out("f() {\n#pragma omp parallel for\nfor (;;) {\n}\n}\n").splitlines()[1] == "#pragma omp parallel for"


@given(st.lists(st.sampled_from(["f() {", "}", "x;", "", "  y;", "// {", "#if 1"]), max_size=20))
def test_laying_out_twice_changes_nothing_more(lines: list[str]) -> None:
    once = lay_out("\n".join(lines))
    assert lay_out(once) == once


def test_tables_align_and_wrap_below_their_last_cell() -> None:
    assert table([("a", "bb", "one two three"), ("aa", "b", "four")], width=14) == [
        "a   bb  one",
        "        two",
        "        three",
        "aa  b   four",
    ]
    assert columns([("int n", "size"), ("char* text", "what")]) == ["int n;       // size", "char* text;  // what"]
    assert comment("one two", width=6) == "// one\n// two"


def test_a_line_too_long_breaks_before_its_string() -> None:
    name = "n" * 100
    assert lay_out(f'constexpr auto name = "{name}";') == f'constexpr auto name =\n    "{name}";\n'
    assert lay_out('constexpr auto name = "short";') == 'constexpr auto name = "short";\n'


def test_a_comment_too_long_goes_on_in_the_next_line() -> None:
    words = " ".join(["word"] * 25)  # 124 columns, and two more for the indentation
    text = f"f() {{\n// {words}\n// end\nx;\n// {words}\n}}\n"
    line = "  // " + " ".join(["word"] * 23)
    assert lay_out(text) == f"f() {{\n{line}\n  // word word end\n  x;\n{line}\n  // word word\n}}\n"


def test_what_is_said_behind_a_statement_too_long_comes_before_it() -> None:
    statement, words = "x = " + "y" * 90 + ";", " ".join(["word"] * 6)
    assert lay_out(f"f() {{\n{statement}  // {words}\n}}") == f"f() {{\n  // W{words[1:]}.\n  {statement}\n}}\n"
    assert lay_out(f"{statement}  // short") == f"{statement}  // short\n"


def test_a_loop_or_condition_too_long_goes_on_below_its_first_part() -> None:
    first, second, third = "a" * 60, "b" * 50, "c" * 40
    assert lay_out(f"for ({first}; {second}; {third}) {{\n}}\n") == f"for ({first}; {second};\n     {third}) {{\n}}\n"
    assert lay_out(f"if ({first} && {third} && {second}) {{\nx;\n}}\n") == (
        f"if ({first} && {third} &&\n    {second}) {{\n  x;\n}}\n"
    )
