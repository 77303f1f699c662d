"""Running blocks as a reader would, and telling what is stale."""

import pytest

from sqrtdk_docs import results
from sqrtdk_docs.blocks import Block, all_blocks
from sqrtdk_docs.project import ProjectError


def block(code: str) -> Block:
    return Block("sample", code, "docs/en/page.md:3")


def test_a_block_runs_alone_without_this_package():
    assert results.run_block(block("print(1 + 1)")) == "2\n"
    with pytest.raises(ProjectError, match="page.md:3: block sample failed: .*sqrtdk"):
        results.run_block(block("import sqrtdk.softmax"))


def test_a_block_runs_in_an_empty_folder():
    code = "import os; print(sorted(set(os.listdir()) - {'block.py'}))"
    assert results.run_block(block(code)) == "[]\n"


@pytest.mark.parametrize("code, told", [
    ("print()", "printed nothing"),
    ("x = 1", "printed nothing"),
    ("raise ValueError('too sharp')", "failed: ValueError: too sharp"),
    ("import sys; sys.exit(3)", "failed: exit code 3"),
])
def test_a_block_that_shows_nothing_or_fails_is_told(code, told):
    with pytest.raises(ProjectError, match=told):
        results.run_block(block(code))


def test_an_output_belongs_to_the_code_that_printed_it(tmp_path):
    outputs = results.Outputs(tmp_path)
    with pytest.raises(ProjectError, match="block sample: no output yet; run"):
        outputs(block("print(2)"))
    outputs.write(block("print(2)"), "2\n")
    assert outputs(block("print(2)")) == "2\n"
    with pytest.raises(ProjectError, match="its code has changed"):
        outputs(block("print(3)"))
    outputs.write(block("print(2)"), " \n")
    with pytest.raises(ProjectError, match="its output is empty"):
        outputs(block("print(2)"))


def test_measurements_are_rounded_and_must_be_finite():
    assert results.rounded({1: (1 / 3, 2)}) == {"1": [0.333333, 2]}
    with pytest.raises(ProjectError, match="gave nan"):
        results.rounded([float("nan")])


def test_differences_between_measurements_are_told():
    assert results.differences({"a": [1.0, 2]}, {"a": [1.000001, 2]}) == []
    assert results.differences({"a": [1.0]}, {"a": [1.1]}) == [
        "/a/0: 1.0 is committed, 1.1 was measured"]
    assert results.differences({"a": 1}, {"b": 1}) != []


def test_a_comment_does_not_make_a_measurement_stale(tmp_path, project):
    package = tmp_path / "src" / "sqrtdk"
    package.mkdir(parents=True)
    tree = type(project)(tmp_path)
    (package / "base.py").write_text("def f():\n    return 1\n")
    (package / "top.py").write_text("from sqrtdk.base import f\n")
    first = results.source_hash(tree, "sqrtdk.top")
    (package / "base.py").write_text('def f():\n    """Words."""\n    return 1  # why\n')
    assert results.source_hash(tree, "sqrtdk.top") == first
    (package / "base.py").write_text("def f():\n    return 2\n")
    assert results.source_hash(tree, "sqrtdk.top") != first


def test_every_committed_output_is_what_its_block_prints(project):
    blocks = all_blocks(project)
    assert results.stale_outputs(project, blocks) == []
    assert results.orphans(project, blocks) == []


def test_every_committed_measurement_was_made_by_the_code_as_it_stands(project):
    assert results.stale_data(project, results.measurements()) == []
