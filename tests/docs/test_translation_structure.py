"""What two languages may not differ in, and how it is told."""

import pytest

from sqrtdk_docs.translation.structure import differences, load_peers

EN, ZH = "docs/en/why/growth.md", "docs/zh/why/growth.md"


def messages(first: str, second: str, peers=None) -> list[str]:
    """The differences of two bodies, each below a heading of the same id."""
    found = differences(f"# A {{#a}}\n\n{first}", f"# 甲 {{#a}}\n\n{second}", ("en", "zh"), peers)
    return [f"{each.section}: {each.message}" for each in found]


def test_the_same_in_other_words_is_the_same(tree):
    assert tree.failures() == []


@pytest.mark.parametrize(("old", "new", "told"), [
    ("## 分散程度 {#spread}", "## 分散程度 {#width}",
     "why/growth#spread: the section is #spread in en (line 9), but #width stands there in zh "
     "(line 9)"),
    ("## 分散程度", "### 分散程度", "why/growth#spread: the heading has ## in en but ### in zh"),
    ("{#growth}", "", "the heading “增长” (zh, line 5) has no id"),
    ("{#questions}", "{#spread}", "another heading of the page has"),
    ("{#questions}", "{#meta}", "or one of top and meta, which are kept"),
    ("{#questions}", "{#top}", "or one of top and meta, which are kept"),
    ("{#questions}", "{#问题}", "write ids in a-z"),
    ("$\\sqrt{64} = 8$", "$\\sqrt{64} = 9$",
     "why/growth#spread: the formula “$\\sqrt{64}=8$” is in en but not in zh"),
    ("\\sigma = \\sqrt", "\\sigma \\approx \\sqrt",
     "why/growth#spread: formula on a line of its own 1 of the section differs: "
     "“\\sigma=\\sqrt{d_k}\\quad\\text{…}” in en, “\\sigma\\approx\\sqrt"),
    ("spread.py:show", "spread.py:other",
     "why/growth#spread: code block 1 of the section differs: "
     "“--8<-- \"sqrtdk/examples/spread.py:show\"” in en, "
     "“--8<-- \"sqrtdk/examples/spread.py:other\"” in zh"),
    ("#growth-spread", "#growth-width",
     "code block 1 of the section differs: “py #growth-spread” in en, “py #growth-width” in zh"),
    ("分散程度是 `8`{ calc=\"sqrt(64)\" }", "分散程度是 `8`{ calc=\"sqrt(65)\" }",
     "why/growth#spread: the checked number “8 = sqrt(65)” is in zh but not in en"),
    ("分散程度是 `8`{", "分散程度是 `8.0`{",
     "why/growth#spread: the checked number “8.0 = sqrt(64)” is in zh but not in en"),
    ("| 64 | `8`{ calc=\"sqrt(64)\" } |\n", "", "table 1 of the section differs: “2 rows"),
    ("| ---: |", "| --- |", "table 1 of the section differs: “-|-:” in en, “-|-” in zh"),
    ("??? deeper", "!!! note", "“??? deeper” in en, “!!! note” in zh"),
    ("abs/1706.03762", "abs/1706.03761", "the link “https://arxiv.org/abs/1706.03761” is in zh"),
    ("description: 分数越来越分散。\n", "",
     "why/growth#meta: `description:` at the top of the page is in en but not in zh"),
    ("分散程度变大。", "![](figure:spread)", "the picture “figure:spread” is in zh but not in en"),
])
def test_a_difference_on_one_side_fails_and_is_named(tree, run, old, new, told):
    tree.edit(ZH, old, new)
    assert any(told in failure for failure in tree.failures()), tree.failures()
    code, printed = run("translate", "check")
    assert code == 1 and told in printed


def test_the_internal_link_must_lead_to_the_same_place(tree):
    tree.edit("docs/zh/index.md", "growth.md#spread", "growth.md#growth")
    assert tree.failures() == [
        "index#answer: the link “why/growth.md#spread” is in en but not in zh",
        "index#answer: the link “why/growth.md#growth” is in zh but not in en"]


def test_a_declared_peer_is_the_same_source(tree):
    tree.edit(EN, "https://arxiv.org/abs/1706.03762", "https://en.example.org/paper")
    tree.edit(ZH, "https://arxiv.org/abs/1706.03762", "https://zh.example.org/lunwen")
    assert len(tree.failures()) == 2
    tree.write("docs/translation/peers.toml", '[[peer]]\nen = "https://en.example.org/paper"\n'
                                              'zh = "https://zh.example.org/lunwen"\n')
    assert len(load_peers(tree.root)) == 2
    assert tree.failures() == []


def test_the_navigation_must_list_the_same_pages_in_the_same_groups(tree):
    tree.edit("docs/mkdocs.zh.yml", "      - 增长: why/growth.md", "      - why/growth.md")
    assert tree.failures() == [], "a page may take its title as its label"
    tree.edit("docs/mkdocs.zh.yml", "  - 理由:\n      - why/growth.md", "  - why/growth.md")
    assert tree.failures() == ["site#meta: the navigation differs: a group at depth 0 in en, "
                               "why/growth.md at depth 0 in zh"]


def test_sections_in_another_order_are_told():
    first = "# A {#a}\n\n## B {#b}\n\n## C {#c}\n"
    found = differences(first, "# A {#a}\n\n## C {#c}\n\n## B {#b}\n", ("en", "zh"))
    assert [each.section for each in found] == ["b"] or [each.section for each in found] == ["c"]
    assert "another order in zh" in found[0].message


@pytest.mark.parametrize(("first", "second"), [
    ("The spread is $\\sqrt{d_k}$ for $n = 3$.", "$n = 3$ 时分散程度为 $\\sqrt{d_k}$。"),
    ("$d_k$ grows, and it matters.", "$d_k$ 变大，$d_k$ 很重要。"),          # a symbol for "it"
    ("Run `mkdocs serve`.", "运行 `mkdocs serve`，再看 `site`。"),           # unchecked code
    ("`15,041`{ calc=\"x(1)\" }", "`15 041`{ calc=\"x(1)\" }"),              # thousands
    ("$$\n\\text{for all } x\n$$", "$$\\text{对所有 } x$$"),
    ("```console\ngit pull   # get it\n```", "```console\ngit pull   # 拿到\n```"),
    ("```text\nwords\n```", "```text\n文字\n```"),
    ("Costs `$5$`, or \\$5 and \\$6.", "价格是 `$6$`，或 \\$5。"),            # no formulas
    ("<!-- a note: $x = 1$ [b](c.md) -->\n\nWords.", "文字。"),
    ("- one\n- two", "- 一，二"),
])
def test_what_a_language_may_say_its_own_way(first, second):
    assert messages(first, second) == []


@pytest.mark.parametrize(("first", "second", "told"), [
    ("```py\na = 1\n```", "```py\na = 2\n```",
     "a: code block 1 of the section differs: “a = 1” in en, “a = 2” in zh"),
    ("```py\na\n```\n\n```py\nb\n```", "```py\na\n```", "a: the code block “py” is in en"),
    ("| a |\n| - |\n| `1`{ calc=\"f(1)\" } |\n| `2`{ calc=\"f(2)\" } |",
     "| a |\n| - |\n| `2`{ calc=\"f(2)\" } |\n| `1`{ calc=\"f(1)\" } |",
     "a: table 1 of the section differs: “1 = f(1)” in en, “2 = f(2)” in zh"),
    ("=== \"A\"\n\n    x\n\n=== \"B\"\n\n    y", "=== \"甲\"\n\n    x", "a: the tab “===”"),
    ("!!! note \"A\"\n\n    ??? note \"B\"\n\n        x",
     "!!! note \"甲\"\n\n??? note \"乙\"\n\n    x", "a: box 2 of the section differs"),
    ("$d_k$ grows.", "它变大。", "a: the formula “$d_k$” is in en but not in zh"),
    ("$x = 1$", "x = 1", "a: the formula “$x=1$” is in en but not in zh"),
    ("$x = 1$ and $x = 1$", "$x = 1$", "a: the formula “$x=1$” is in en 1 more time(s)"),
    ("Said.[^1]\n\n[^1]: There.", "说过。", "a: the footnote “1” is in en but not in zh"),
    ("[r][r]\n\n[r]: https://a.org", "[r][r]\n\n[r]: https://b.org",
     "a: the link “https://a.org” is in en but not in zh"),
])
def test_what_it_may_not(first, second, told):
    found = messages(first, second)
    assert any(message.startswith(told) for message in found), found
