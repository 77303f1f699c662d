"""Finding a page's blocks: the text a reader sees, and each slip told with page and line."""

import pytest

from sqrtdk_docs.blocks import all_blocks, find_blocks
from sqrtdk_docs.project import Project, ProjectError

SOURCE = '''\
import numpy as np
# --8<-- [start:numpy]
import numpy as np
# --8<-- [end:numpy]


# --8<-- [start:show]
for n in (1, 2):
    print(n)
# --8<-- [end:show]
# --8<-- [start:open]
print("never closed")
'''

JOINED = '''\
# Page {#page}

Words.

```{.py #joined title="Two sections"}
--8<--
lesson.py:numpy

lesson.py:show
--8<--
```
'''


@pytest.fixture
def tree(tmp_path) -> Project:
    """A repository with one source file and one page in two languages."""
    (tmp_path / "mkdocs.yml").write_text("")
    for lang in ("en", "zh"):
        (tmp_path / "docs" / lang).mkdir(parents=True)
        (tmp_path / "docs" / f"mkdocs.{lang}.yml").write_text("")
        (tmp_path / "docs" / lang / "page.md").write_text(JOINED)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "lesson.py").write_text(SOURCE)
    return Project(tmp_path)


def blocks_of(tree: Project, text: str):
    return find_blocks(tree, tree.docs / "en" / "page.md", text)


def fence(line: str, header: str = ".py #one") -> str:
    return f"# Page {{#page}}\n\n```{{{header}}}\n{line}\n```\n"


def test_sections_are_joined_with_the_blank_line_between(tree):
    [block] = blocks_of(tree, JOINED)
    assert block.id == "joined"
    assert block.code == "import numpy as np\n\nfor n in (1, 2):\n    print(n)"
    assert block.where == "docs/en/page.md:5"
    assert block.sections == (("lesson.py", "numpy"), ("lesson.py", "show"))


def test_blocks_inside_admonitions_and_details_are_found_in_order(tree):
    inner = fence('--8<-- "lesson.py:show"').split("\n\n", 1)[1]
    indented = "".join(f"    {line}\n" for line in inner.splitlines())
    text = f'# Page {{#page}}\n\n??? deeper "Deeper"\n\n{indented}\n' + inner.replace("one", "two")
    assert [block.id for block in blocks_of(tree, text)] == ["one", "two"]


@pytest.mark.parametrize("line, header, told", [
    ('--8<-- "lesson.py:absent"', ".py #one", "docs/en/page.md:3: src/lesson.py has no section "
                                              "'absent'"),
    ('--8<-- "lesson.py:open"', ".py #one", "docs/en/page.md:3: section 'open' of src/lesson.py "
                                            "must be opened once and closed once"),
    ('--8<-- "absent.py:show"', ".py #one", "docs/en/page.md:3: there is no src/absent.py"),
    ('print(1)', ".py #one", "docs/en/page.md:3: block one holds code of its own"),
    ('--8<-- "lesson.py:show"', ".py", "docs/en/page.md:3: a Python block needs an id"),
])
def test_a_slip_is_told_with_page_and_line(tree, line, header, told):
    with pytest.raises(ProjectError, match="^" + told.replace(".", r"\.")):
        blocks_of(tree, fence(line, header))


@pytest.mark.parametrize("text", [
    '~~~{.py #one}\n--8<-- "lesson.py:show"\n~~~\n',
    '> ```{.py #one}\n> --8<-- "lesson.py:show"\n> ```\n',
    "```py\nprint(1)\n```\n",
    '```{ .py #one title="x}y" }\n--8<-- "lesson.py:show"\n```\n',
], ids=["tildes", "quoted", "short form", "brace in the title"])
def test_a_block_that_only_markdown_sees_is_told(tree, text):
    """It would be shown without having been run."""
    with pytest.raises(ProjectError, match=r"page.md: block .*: write ```\{.py #its-id\} on a line"):
        blocks_of(tree, "# Page {#page}\n\n" + text)


def test_an_open_fence_is_told(tree):
    text = fence('--8<-- "lesson.py:show"').replace("\n```\n", "\n")
    with pytest.raises(ProjectError, match="page.md:3: a fence begins here and is never closed"):
        blocks_of(tree, text)


@pytest.mark.parametrize(("left", "what"), [
    ("<!-- to do", "comment"), ("$$\nx^2", "formula"), ("```sh\nls", "fence"), ("~~~\nls", "fence"),
    ("!!! note\n\n    ```sh\n    ls", "fence"),
])
def test_what_is_left_open_would_swallow_the_rest(tree, left, what):
    line = 7 if left.startswith("!!!") else 5
    with pytest.raises(ProjectError, match=f"page.md:{line}: a {what} begins here and is never"):
        blocks_of(tree, f"# Page {{#page}}\n\nWords.\n\n{left}\n\nLost words.\n")


def test_front_matter_that_is_not_yaml_would_be_shown_as_text(tree):
    with pytest.raises(ProjectError, match="page.md:1: the front matter is not YAML"):
        blocks_of(tree, "---\ntitle: Reason: one\n---\n# Page {#page}\n")


def test_a_block_s_id_stands_once_on_a_page(tree):
    once = fence('--8<-- "lesson.py:show"')
    with pytest.raises(ProjectError, match="page.md:3: block one stands more than once"):
        blocks_of(tree, once + once)


def test_one_id_means_one_code_in_both_languages(tree):
    assert list(all_blocks(tree)) == ["joined"]
    page = tree.docs / "zh" / "page.md"
    page.write_text(JOINED.replace("lesson.py:numpy\n\n", ""))
    with pytest.raises(ProjectError, match="docs/zh/page.md:5: block joined differs from "
                                           "docs/en/page.md:5"):
        all_blocks(tree)


def test_the_hash_changes_with_the_code(tree):
    [before] = blocks_of(tree, JOINED)
    (tree.source / "lesson.py").write_text(SOURCE.replace("(1, 2)", "(1, 3)"))
    [after] = blocks_of(tree, JOINED)
    assert before.hash != after.hash
