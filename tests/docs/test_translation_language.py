"""A third language, and what readers see: notices, fallback pages, the status page."""

import re
import tomllib

import pytest
import yaml
from mkdocs.config.base import load_config
from mkdocs.utils.yaml import get_yaml_loader

EN, JA = "docs/en/why/growth.md", "docs/ja/why/growth.md"


@pytest.fixture
def japanese(accepted, run):
    """The accepted tree with a Japanese first page, itself accepted."""
    assert run("translate", "add-language", "ja")[0] == 0
    accepted.edit("docs/mkdocs.ja.yml", "Reasons", "理由")
    accepted.edit("docs/ja/index.md", "Long vectors have large dot products. See [growth]",
                  "長いベクトルは内積が大きい。[増加]")
    accepted.edit("docs/ja/index.md", "title: The answer\ndescription: What the factor is for.",
                  "title: 答え\ndescription: この係数は何のためにあるか。")
    code, printed = run("translate", "accept", "ja/index", "--yes")
    assert code == 0, printed
    return accepted


# --- add-language ---------------------------------------------------------------------------------

def test_add_language_makes_a_configuration_navigation_and_one_page(tree, run):
    code, printed = run("translate", "add-language", "ja")
    assert code == 0 and "docs/mkdocs.ja.yml" in printed and "docs/ja/index.md" in printed
    text = (tree.root / "docs/mkdocs.ja.yml").read_text("utf-8")
    assert "!ENV [SITE_URL" in text, "tags are kept"
    config = yaml.load(text, Loader=get_yaml_loader())
    assert config["docs_dir"] == config["theme"]["language"] == config["extra"]["lang"] == "ja"
    assert config["extra"]["lang_name"] == "日本語" and config["extra"]["follows"] == "en"
    assert config["nav"][1] == {"Reasons": [{"Growth": "why/growth.md"}]}
    assert load_config(str(tree.root / "docs/mkdocs.ja.yml")).site_name == "Why"
    assert [path.name for path in (tree.root / "docs/ja").rglob("*.md")] == ["index.md"]


def test_a_language_may_be_partial_and_is_no_burden_to_the_others(accepted, run):
    assert run("translate", "add-language", "ja")[0] == 0
    code, printed = run("translate", "check", "--strict")
    assert code == 0 and "index#answer: new" in printed and "growth" not in printed


@pytest.mark.parametrize(("lang", "told"), [
    ("en", "docs/mkdocs.en.yml is there already"), ("Japanese", "not the id of a language"),
    ("../x", "not the id of a language"), ("xx", "the theme has no language 'xx'"),
])
def test_add_language_refuses_what_is_none(tree, run, lang, told):
    code, printed = run("translate", "add-language", lang)
    assert code == 2 and told in printed
    assert len(list((tree.root / "docs").glob("mkdocs.*.yml"))) == 2


def test_a_language_is_added_with_the_ids_of_its_script_and_its_words_to_translate(tree, run):
    assert run("translate", "add-language", "zh-hant", "--follows", "zh")[0] == 0
    config = yaml.load((tree.root / "docs/mkdocs.zh-hant.yml").read_text("utf-8"),
                       Loader=get_yaml_loader())
    assert config["theme"]["language"] == "zh-Hant" and config["docs_dir"] == "zh-hant"
    assert tree.site.other("zh-hant") == "zh"
    code, printed = run("translate", "add-language", "ko")
    assert code == 0 and "docs/translation/words.toml" in printed
    words = tomllib.loads((tree.root / "docs/translation/words.toml").read_text("utf-8"))
    assert words["ko"] == words["en"]
    assert "words.toml#ko: still in the words of en: behind, both" in run("translate", "check")[1]
    assert [pair.name for pair in tree.corpus.pairs] == ["en-zh", "en-ko", "zh-zh-hant"]


def test_a_comment_beside_the_words_to_begin_from_does_no_harm(tree, run):
    tree.edit("docs/translation/words.toml", "[en]\n", "[en]   # the first\n")
    assert run("translate", "add-language", "ja")[0] == 0
    assert (tree.root / "docs/translation/words.toml").read_text("utf-8").count("[ja]") == 1


def test_only_two_languages_lead_and_the_others_follow_one_of_them(tree, run):
    run("translate", "add-language", "ja")
    tree.edit("docs/mkdocs.ja.yml", "follows: en", "follows: ko")
    assert "must be one of en and zh" in run("translate", "check")[1]
    tree.edit("docs/mkdocs.ja.yml", ", follows: ko", "")
    code, printed = run("translate", "check")
    assert code == 2 and "two languages must lead, but these do: en, zh, ja" in printed


# --- a language that follows ----------------------------------------------------------------------

def test_what_follows_falls_behind_and_holds_nobody_up(japanese, run):
    japanese.edit("docs/en/index.md", "large", "larger")
    assert japanese.states("ja")["index#answer"] == "ja is behind"
    assert japanese.site.notices("ja") == {"index": {"answer": "behind"}}
    japanese.edit("docs/zh/index.md", "越大", "就越大")
    run("translate", "accept", "index", "--yes")
    code, printed = run("translate", "check", "--strict")
    assert code == 0 and "index#answer: ja is behind" in printed


def test_an_edit_of_what_follows_never_makes_its_leader_late(japanese, run):
    japanese.edit("docs/ja/index.md", "内積が大きい", "内積も大きい")
    assert japanese.states("ja")["index#answer"] == "changed since they were last said to match"
    assert japanese.site.notices("en") == {}
    assert run("translate", "accept", "ja/index", "--yes")[0] == 0
    assert "index#answer" not in japanese.states("ja")


def test_its_structure_fails_unless_it_is_late(japanese, run):
    japanese.edit("docs/ja/index.md", "growth.md#spread", "growth.md#growth")
    assert any("growth.md#growth” is in ja" in failure for failure in japanese.failures())
    japanese.edit("docs/ja/index.md", "growth.md#growth", "growth.md#spread")
    for lang in ("en", "zh"):
        japanese.edit(f"docs/{lang}/index.md", "growth.md#spread", "growth.md#growth")
        text = (japanese.root / f"docs/{lang}/index.md").read_text("utf-8")
        japanese.write(f"docs/{lang}/index.md", text + "\n## B {#b}\n")
    assert japanese.failures() == [], "the leaders moved on; the page in ja is told to be late"
    assert run("translate", "accept", "ja/index", "--yes")[0] == 2


def test_what_is_not_translated_can_not_be_accepted(japanese, run):
    code, printed = run("translate", "accept", "ja/why/growth", "--yes")
    assert code == 2 and "why/growth#spread: missing in ja" in printed
    for lang in ("en", "zh"):
        text = (japanese.root / f"docs/{lang}/index.md").read_text("utf-8")
        japanese.write(f"docs/{lang}/index.md", text + "\n## B {#b}\n")
    code, printed = run("translate", "accept", "ja/index", "--yes")
    assert code == 2 and "index#b: the section is in en" in printed


def test_what_it_has_of_its_own_fails(japanese):
    japanese.write("docs/ja/own.md", "# 独自 {#own}\n")
    text = (japanese.root / "docs/ja/index.md").read_text("utf-8")
    japanese.write("docs/ja/index.md", text + "\n## 独自 {#own}\n")
    assert japanese.failures() == [
        "index#own: the section is in ja (line 9) but not in en",
        "own: the page is in ja but not in en, which ja follows"]


def test_what_its_leader_has_dropped_is_told_and_fails_nobody(japanese, run):
    for lang in ("en", "zh"):
        japanese.edit(f"docs/{lang}/index.md", "{#answer}", "{#reply}")
    assert japanese.failures() == []
    assert any("index#answer" in str(each) for each in japanese.problems())
    for lang in ("en", "zh"):
        (japanese.root / f"docs/{lang}/index.md").unlink()
    assert japanese.failures() == []
    assert "index: the page is in ja but not in en, which ja follows" in map(
        str, japanese.problems())


# --- what readers see ---------------------------------------------------------------------------

def test_the_notice_is_in_the_language_of_the_page_and_leads_to_the_other(accepted):
    notice = accepted.site.notice("zh", "behind", "../../en/why/growth/#spread")
    assert "这一节的英语版已经改动" in notice
    assert '<a href="../../en/why/growth/#spread" hreflang="en">看英语版</a>' in notice
    assert "The Chinese text of this section was changed" in accepted.site.notice(
        "en", "behind", "x")
    assert "being brought into step" in accepted.site.notice("en", "both", "x")
    assert "data-search-exclude" in notice
    assert 'href="a&quot;b"' in accepted.site.notice("en", "both", 'a"b')


def test_notices_stand_after_their_headings_and_nowhere_else(accepted):
    html = ('<h1 id="growth">增长</h1>\n'
            '<h2 class="x" id="spread">分散<a href="#spread">#</a></h2>\n<p>')
    assert accepted.site.marked("zh", "why/growth", html, "../en/") == html
    accepted.edit(EN, "since", "because")
    notice = accepted.site.notice("zh", "behind", "../en/#spread")
    assert accepted.site.marked("zh", "why/growth", html, "../en/") == html.replace(
        "</h2>", f"</h2>\n{notice}")
    assert accepted.site.marked("en", "why/growth", html, "../zh/") == html


def test_a_page_that_is_not_there_yet_shows_its_leader_under_a_notice(japanese):
    site = japanese.site
    assert site.fallbacks("ja") == {"why/growth": "en"}
    assert site.fallbacks("en") == site.fallbacks("zh") == {}
    shown = site.fallback("ja", "<h1>Growth</h1>", "../../en/why/growth/")
    assert "まだ日本語に訳されていません" in shown
    assert '<div lang="en">\n<h1>Growth</h1>\n</div>' in shown
    assert site.marked("ja", "why/growth", "<h1>Growth</h1>", "../../en/why/growth/") == shown


def test_figures_speak_the_language_of_the_leader_until_they_have_words(japanese):
    words = "src/sqrtdk/figures/words/{}.toml"
    japanese.write(words.format("en"), '[spread]\ntitle = "spread"\n')
    speaks = japanese.site.words_language
    assert [speaks(lang, "index", "figures") for lang in ("en", "zh", "ja")] == ["en", "zh", "en"]
    japanese.write(words.format("ja"), '[spread]\ntitle = "広がり"\n')
    speaks = japanese.site.words_language
    assert speaks("ja", "index", "figures") == "ja"
    assert speaks("ja", "why/growth", "figures") == "en", "the text around it is English"


def test_the_status_page_counts_and_links(accepted):
    accepted.edit(EN, "since", "because")
    accepted.edit("docs/zh/index.md", "越大", "就越大")
    page = accepted.site.status_page("zh")
    assert "# 翻译状态 {#translation}" in page
    assert "| [增长](why/growth.md) | 3 / 4 | 有待更新：[分散程度](why/growth.md#spread) |" in page
    assert "| [答案](index.md) | 1 / 2 | 英语版有待更新：[答案](index.md#answer) |" in page
    assert "| 站名与导航 | 1 / 1 | – |" in page
    page = accepted.site.status_page("en")
    assert "the Chinese text is behind: [Spread](why/growth.md#spread)" in page
    assert "behind: [The answer](index.md#answer)" in page


def test_the_status_page_of_a_partial_language_links_only_to_what_is_there(japanese):
    page = japanese.site.status_page("ja")
    assert "| [Growth](why/growth.md) | 0 / 4 | 未翻訳 |" in page
    linked = re.findall(r"\]\(([^)]+)\.md", page)
    assert set(linked) <= {"index", *japanese.site.fallbacks("ja")}


def test_every_language_has_every_sentence(project, tree, run):
    words = tomllib.loads((project.root / "docs/translation/words.toml").read_text("utf-8"))
    assert {lang: words["en"].keys() ^ table.keys() for lang, table in words.items()} == {
        lang: set() for lang in words}
    fields = {lang: {key: sorted(re.findall(r"\{\w+\}", text)) for key, text in table.items()}
              for lang, table in words.items()}
    assert all(table == fields["en"] for table in fields.values())
    tree.edit("docs/translation/words.toml", 'look = "看', 'lok = "看')
    with pytest.raises(Exception, match=r"\[zh\] lacks look"):
        tree.site.notice("zh", "behind", "x")


@pytest.mark.parametrize("extra", ["lang_name: 中文", "lang: en, lang_name: 中文", "lang: zh"])
def test_a_language_says_which_it_is(tree, run, extra):
    tree.edit("docs/mkdocs.zh.yml", "lang: zh, lang_name: 中文", extra)
    code, printed = run("translate", "status")
    assert code == 2 and printed.startswith("docs/mkdocs.zh.yml: needs `extra: {lang: zh, ")


def test_a_copy_of_a_configuration_is_no_language_of_its_own(tree):
    tree.write("docs/mkdocs.zh.old.yml", "")
    assert tree.project.languages == ["en", "zh"]
