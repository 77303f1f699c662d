"""The list of terms: glossary, first uses, other words."""

import re

import pytest

from sqrtdk_docs.project import Project, ProjectError
from sqrtdk_docs.terms import FirstUses, glossary, other_words, read_terms

LIST = '''\
term,zh,avoid_zh,note,meaning_en,meaning_zh
value,值,价值,,What is handed on.,交出去的向量。
mean,均值,平均数,,,
scale factor,缩放因子,比例因子; 放大系数,,The number 1/√d_k.,缩放用的数。
standard error,标准误,标准误差,,How far off.,偏离多少。
sparsemax / entmax,sparsemax / entmax,,,Rivals.,替代者。
'''


@pytest.fixture
def tree(tmp_path) -> Project:
    (tmp_path / "docs" / "translation").mkdir(parents=True)
    (tmp_path / "docs" / "translation" / "terms.csv").write_text(LIST, "utf-8")
    for lang in ("en", "zh"):
        (tmp_path / "docs" / f"mkdocs.{lang}.yml").write_text("")
    return Project(tmp_path)


@pytest.fixture
def terms(tree):
    return read_terms(tree)


def marked(terms, lang: str, text: str) -> list[tuple[str, str]]:
    """(id, words) of each mark that `text` gets."""
    html = FirstUses(terms, lang).mark(text, "../glossary/")
    return re.findall(r'<a class="term" href="\.\./glossary/#([\w-]+)" title="[^"]+">(.*?)</a>',
                      html)


def test_only_the_first_use_is_marked(terms):
    assert marked(terms, "en", "<p>A scale factor. The scale factor.</p>") == [
        ("scale-factor", "scale factor")]


def test_latin_words_are_found_whole_and_in_the_plural(terms):
    assert marked(terms, "en", "<p>evaluate valued values</p>") == [("value", "value")]
    assert marked(terms, "en", "<p>Standard errors, entmax-1.5, entmax</p>") == [
        ("standard-error", "Standard error"), ("sparsemax-entmax", "entmax")]


def test_chinese_words_are_found_without_spaces_around_them(terms):
    assert marked(terms, "zh", "<p>乘以缩放因子即可</p>") == [("scale-factor", "缩放因子")]


def test_a_short_name_is_not_found_inside_another_word(terms):
    assert marked(terms, "zh", "<p>均值（mean）、数值、值得</p>") == []
    assert marked(terms, "zh", "<p>均值，值（value）</p>") == [("value", "值")]


@pytest.mark.parametrize("tag", ["a", "code", "pre", "h2", "math", "svg", "data"])
def test_code_links_titles_and_formulas_are_left_alone(terms, tag):
    text = f"<{tag}>scale factor</{tag}>"
    assert FirstUses(terms, "en").mark(text, "g/") == text
    after = FirstUses(terms, "en").mark(text + "<p>scale factor</p>", "g/")
    assert after.count('class="term"') == 1


def test_another_word_for_a_term_is_told_with_its_line(terms):
    text = "标准误差很小。\n\n`比例因子` 是代码。\n\n```\n比例因子\n```\n\n乘以比例因子，标准误不变。\n"
    assert other_words(terms, "zh", text) == [(1, "标准误差", "标准误"), (9, "比例因子", "缩放因子")]


def test_the_glossary_holds_every_term_with_a_meaning(terms):
    page = glossary(terms, "zh")
    assert "| <span id=\"scale-factor\">缩放因子</span> | scale factor | 缩放用的数。 |" in page
    assert "均值" not in page


def test_a_broken_line_is_told(tree):
    path = tree.docs / "translation" / "terms.csv"
    path.write_text(LIST + "a,b,c,d,e,f,g\n", "utf-8")
    with pytest.raises(ProjectError, match=r"docs/translation/terms.csv:7: not a line"):
        read_terms(tree)


def test_the_pages_use_the_words_of_the_list(project):
    terms = read_terms(project)
    told = [f"{project.shown(path)}:{slip}" for lang in project.languages
            for path in project.pages(lang)
            for slip in other_words(terms, lang, path.read_text("utf-8"))]
    assert told == []


def test_a_language_with_some_of_the_terms_is_read_all_the_same(tmp_path, tree):
    path = tree.docs / "translation" / "terms.csv"
    rows = LIST.splitlines()
    path.write_text("\n".join([rows[0] + ",ja,avoid_ja", rows[1] + ",値,価値",
                               *(row + ",," for row in rows[2:])]) + "\n", "utf-8")
    (tree.docs / "mkdocs.ja.yml").write_text("")
    terms = read_terms(Project(tree.root))
    assert other_words(terms, "ja", "価値\n") == [(1, "価値", "値")]
