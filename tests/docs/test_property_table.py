"""The table of properties: what it shows is what the lesson computed, in each language."""

import numpy as np
import pytest
from selectolax.lexbor import LexborHTMLParser

from sqrtdk.normalisers import NORMALISERS, table
from sqrtdk.properties import PROPERTIES
from sqrtdk_docs import property_table
from sqrtdk_docs.project import ProjectError
from sqrtdk_docs.property_table import evidence, number, render, shown, words_of

LANGUAGES = sorted(path.stem for path in property_table.WORDS.glob("*.toml"))
each_language = pytest.mark.parametrize("lang", LANGUAGES)


def parsed(lang):
    return LexborHTMLParser(render(lang))


def test_both_peers_have_words():
    assert {"en", "zh"} <= set(LANGUAGES)


@each_language
def test_words_are_complete_and_not_more(lang):
    words = words_of(lang)
    assert list(words["properties"]) == list(PROPERTIES)
    assert list(words["rules"]) == list(NORMALISERS)
    assert words["seen"].keys() == PROPERTIES.keys() | {"jump"}
    assert words.keys() == words_of("en").keys()
    names = [name for name, _ in words["rules"].values()]
    assert len(set(names)) == len(names)


@each_language
def test_each_mark_is_the_verdict_also_in_words(lang):
    words = words_of(lang)
    spoken = {True: (words["yes"], "✓"), False: (words["no"], "✗")}
    rows = parsed(lang).css("tbody tr")
    assert len(rows) == len(table())
    for row, rival in zip(rows, table()):
        assert row.css_first("th[scope=row]").text() == words["rules"][rival.name][0]
        marks = [(mark.attributes["aria-label"], mark.text()) for mark in row.css("td [role=img]")]
        assert marks == [spoken[tick] for tick in rival.verdicts.values()]


@each_language
def test_each_rule_leads_to_its_counterexamples(lang):
    page = parsed(lang)
    for link in page.css("tbody th a"):
        target = page.css_first(link.attributes["href"])
        assert target.text().startswith(link.text())


@each_language
def test_every_cross_shows_what_refutes_it(lang):
    words, page = words_of(lang), parsed(lang)
    for row in table():
        anchor = page.css_first(f"#rule-{row.name.replace('_', '-')}")
        lines = [item.text() for item in anchor.next.next.css("li")]
        lacking = [name for name, tick in row.verdicts.items() if not tick]
        assert len(lines) == len(lacking)
        for name, line in zip(lacking, lines):
            assert line.startswith(words["properties"][name][0])
            assert shown(row.refutations[name][0]) in line


@each_language
def test_it_stands_in_a_page_as_one_piece(lang):
    assert "\n\n" not in render(lang)      # a blank line would end it for Markdown
    assert "{" not in render(lang)         # each place in the sentences is filled


def test_the_languages_show_the_same_numbers():
    def bracketed(lang):
        return [part.split("]")[0] for part in render(lang).split("[")[1:]]
    assert bracketed("en") == bracketed("zh")


def said(name, property):
    rule = NORMALISERS[name]
    return evidence(property, *rule.refutation(property), words=words_of("en"))


def test_what_was_seen_is_said_in_a_sentence():
    assert said("raw_sum", "nonnegative") == "[−1, 3] gives [−0.5, 1.5]"
    assert said("sigmoid", "sums_to_one") == "[0, 0, 0] gives [0.5, 0.5, 0.5], together 1.5"
    assert said("absolute", "monotone") == (
        "at [−1, 1] the first weight is 0.5; raise the first score by 1 and it is 0")
    assert said("relu", "differentiable") == (
        "at [0, 1] the slope of the first weight in the first score is 0 from the left "
        "and 1 from the right")
    assert said("hardmax", "differentiable") == "at [1, 1] the weights jump"
    assert said("raw_sum", "shift_invariant") == (
        "[1, 2, 3] gives [0.167, 0.333, 0.5]; with 1 added to all scores [0.222, 0.333, 0.444]")
    assert said("raw_sum", "total") == "at [1, −1] there is a division by 0"


def test_the_sentences_tell_what_the_properties_change_by_default():
    """Score raised by 1, 1 added to all, all doubled, read backwards."""
    def rule(x):
        return np.exp(x)

    x = np.array([1.0, 3.0])
    pairs = {
        "monotone": (rule(x)[0], rule(np.array([2.0, 3.0]))[0]),
        "shift_invariant": (rule(x), rule(x + 1)),
        "scale_invariant": (rule(x), rule(2 * x)),
        "permutation_equivariant": (rule(x)[::-1], rule(x[::-1])),
    }
    for name, expected in pairs.items():
        for seen, value in zip(PROPERTIES[name].look(rule, x), expected, strict=True):
            np.testing.assert_array_equal(seen, value)


@pytest.mark.parametrize(("value", "text"), [
    (0.5, "0.5"), (-0.5, "−0.5"), (1 / 3, "0.333"), (2, "2"), (0, "0"), (-0.0, "0"),
    (4.54e-5, "4.54×10⁻⁵"), (-1.5e-12, "−1.5×10⁻¹²"), (12345, "1.23×10⁴"),
])
def test_numbers_are_set_as_on_the_pages(value, text):
    assert number(value) == text


def test_a_language_without_words_is_told():
    with pytest.raises(ProjectError, match="property_words/xx.toml is missing"):
        render("xx")
