"""Typography of Chinese pages."""

import pytest

from sqrtdk_docs.typography import corrected, slips


@pytest.mark.parametrize("text, right", [
    ("在softmax之前。\n", "在 softmax 之前。\n"),
    ("方差是1,标准差也是。\n", "方差是 1，标准差也是。\n"),
    ("除以 8，得到 4。\n", "除以 8，得到 4。\n"),
])
def test_spaces_and_punctuation_are_mended(text, right):
    assert corrected(text) == right
    assert bool(slips(text)) == (text != right)
    assert slips(right) == []


@pytest.mark.parametrize("text", [
    '权重是 `0.665`{ calc="softmax([1, 2, 3])[2]" }。\n',
    "```{.py #一}\nx=1,y=2\n```\n",
    "$$\nx=\\text{归一化}(y)\n$$\n",
    "见[理由三](training.md#equivalence)。\n",
])
def test_code_numbers_formulas_and_addresses_stay(text):
    assert corrected(text) == text


def test_a_paragraph_on_two_lines_is_told():
    assert slips("第一行，\n第二行。\n") == [(1, "a paragraph stands on one line: join it with the next")]
    assert slips("第一段。\n\n第二段。\n\n- 一项\n- 又一项\n") == []
    assert slips("$$\n\\text{甲}\n\\text{乙}\n$$\n") == []


def test_the_chinese_pages_are_clean(project):
    told = [f"{project.shown(path)}:{line}: {what}" for path in project.pages("zh")
            for line, what in slips(path.read_text("utf-8"))]
    assert told == []


@pytest.mark.parametrize("kept", [
    "```python\nx = '中abc'  # 中abc\n```\n", "```sh\n# 中abc\n```\n", "~~~\n中abc,\n~~~\n",
    "    ```python\n    x = '中abc'\n    ```\n", "<!-- 中abc -->\n",
])
def test_code_and_comments_stay_as_they_are(kept):
    assert corrected(f"前abc\n\n{kept}\n后abc\n") == f"前 abc\n\n{kept}\n后 abc\n"
