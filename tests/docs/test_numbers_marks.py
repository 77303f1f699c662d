"""Checked numbers are found where they stand, and nowhere else."""

import time

import pytest

from sqrtdk_docs.numbers.marks import find

PAGE = '''\
---
title: Marks
description: A mark here is none, `0.1`{ calc="1/10" }.
---
# Of `0.5`{ calc="1/2" } {#half}

Once `0.67`{ calc="softmax([1, 2, 3])[2]" } and again `0.67`{ calc="softmax([1, 2, 3])[2]" }.

| raw | scaled |
| --- | --- |
| `8`{ calc="sqrt(64)" } | **`1`{ calc="8 * scale(64)" }**{.scaled} |

- one
    - two: `0.67`{ calc="softmax([1, 2, 3])[2]" }

    ```{.py #sample}
    print("`0.2`{ calc='1/5' }", """`0.2`{ calc="1/5" }""")
    ```

??? question "Is it `2`{ calc="1 + 1" }?"

    Yes: `−2`{calc="-2"}.

    !!! note "Inside"

        `[0.5, 0.5]`{: calc="softmax([0, 0])" }

~~~
`0.3`{ calc="3/10" }
```
~~~

Written as `` `0.4`{ calc="2/5" } ``, or ```` ``0.4``{ calc="2/5" } ````, or \\`0.4\\`{.x}.
Code is `code`{.py}.
<!-- `0.6`{ calc="3/5" }
-->
'''

FOUND = [
    ("0.5", "1/2", 5, 6),
    ("0.67", "softmax([1, 2, 3])[2]", 7, 6),
    ("0.67", "softmax([1, 2, 3])[2]", 7, 55),
    ("8", "sqrt(64)", 11, 3),
    ("1", "8 * scale(64)", 11, 30),
    ("0.67", "softmax([1, 2, 3])[2]", 14, 12),
    ("2", "1 + 1", 20, 21),
    ("−2", "-2", 22, 10),
    ("[0.5, 0.5]", "softmax([0, 0])", 26, 9),
]


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("start", ["", "\ufeff"])
def test_all_marks_are_found_with_line_and_column(ends, start):
    page = start + PAGE.replace("\n", ends)
    found = find(page)
    assert [(n.text, n.expression, n.line, n.column) for n in found] == FOUND
    for number in found:
        assert page[slice(*number.span)] == number.text


def test_a_span_is_the_text_without_the_spaces_around_it():
    page = 'A ` 0.5 `{ calc="1/2" }'
    [number] = find(page)
    assert (number.text, page[slice(*number.span)]) == ("0.5", "0.5")


@pytest.mark.parametrize("page", [
    '`0.5`{ calc=1/2 }',
    "`0.5`{ calc='1/2' }",
    '`0.5`{ calc = "1/2" }',
    '`0.5`{ calc="data["x"]" }',
    '`0.5` { calc="1/2" }',
    '0.5{ calc="1/2" }',
    '**0.5**{ calc="1/2" }',
    '``0.5``{ calc="1/2" }',
])
def test_a_calc_that_cannot_be_read_is_found_as_such(page):
    [number] = find("First line.\n\n" + page)
    assert (number.expression, number.line) == ("", 3)


def test_a_fence_that_is_never_closed_is_text():
    assert [n.line for n in find('```\n`0.5`{ calc="1/2" }\n')] == [2]
    assert find('```\n`0.5`{ calc="1/2" }\n```\n') == []


def test_a_code_span_does_not_reach_over_a_blank_line():
    page = 'A lone ` here.\n\nThen `0.5`{ calc="1/2" }.'
    assert [n.text for n in find(page)] == ["0.5"]


@pytest.mark.parametrize("page", ["## Calc {#calc}", "`x`{.calc}", r"$\text{calc}$", "`calc=1`"])
def test_the_word_alone_is_no_mark(page):
    assert find(page) == []


def test_other_attributes_may_stand_beside_calc():
    [number] = find('`0.5`{ .big calc="1/2" #x }')
    assert number.expression == "1/2"


def test_a_line_of_open_braces_is_read_in_a_moment():
    started = time.perf_counter()       # every start with every end: minutes at this length
    assert find("{ calc=" * 2000) == []
    assert time.perf_counter() - started < 10
