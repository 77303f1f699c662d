"""Figures: fresh, small, the same each time, with the same words in every language."""

import gzip
import re

import pytest

from sqrtdk_docs import figures, results
from sqrtdk_docs.project import Project, ProjectError

from pathlib import Path

PROJECT = Project(Path(__file__).parents[2])
DRAWINGS = sorted((PROJECT.results / "figures").rglob("*.svg"))


def test_every_committed_figure_is_what_the_code_draws(project):
    assert results.stale_figures(project, figures.names()) == []


def test_a_figure_drawn_twice_is_the_same_to_the_byte(project):
    measured = lambda name: results.read_data(project, name)
    for name in ("spread", "place"):
        first, second = (figures.drawings(project, name, measured, ["zh"]) for _ in range(2))
        assert first == second


@pytest.mark.parametrize("path", DRAWINGS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_drawing_is_small_and_follows_the_page(path):
    text = path.read_text("utf-8")
    assert len(text.encode()) < 25_000
    assert len(gzip.compress(text.encode())) < 5_000
    assert not re.search(r"#[0-9a-fA-F]{6}\b", text), "a colour that does not follow the scheme"
    assert "font-family" not in text and "http://www.w3.org" in text


def test_the_words_are_the_same_keys_in_every_language(project):
    def keys(lang):
        return {name: sorted(words) for name, words in figures.figure_words(project, lang).items()}
    assert keys("en") == keys("zh")
    assert sorted(keys("en")) == figures.names()


def test_a_page_shows_a_figure_with_its_words(project):
    html = figures.place('<p><img alt="" src="figure:spread" /></p>', project, "zh", "page.md")
    words = figures.figure_words(project, "zh")["spread"]
    assert 'role="img"' in html and words["description"] in html
    assert "<i>d</i><sub>k</sub>" in html and "figure:spread" not in html
    assert re.search(r'id="spread-', html), "ids are made the figure's own"


def test_a_missing_figure_is_told(project):
    with pytest.raises(ProjectError, match="page.md: figure absent: no drawing yet"):
        figures.place('<p><img alt="" src="figure:absent" /></p>', project, "en", "page.md")


@pytest.mark.parametrize("paragraph", [
    '<p><img alt="words" src="figure:place" /></p>',
    '<p>Text <img alt="" src="figure:place" /></p>',
])
def test_a_figure_with_words_or_inside_a_sentence_is_told(project, paragraph):
    with pytest.raises(ProjectError, match=r"page.md: figure place: write !\[\]\(figure:place\)"):
        figures.place(paragraph, project, "en", "page.md")
