"""Every block, figure and number leads to a test that names what is behind it."""

import pytest

from sqrtdk_docs import figures
from sqrtdk_docs.blocks import all_blocks
from sqrtdk_docs.numbers.marks import find
from sqrtdk_docs.proof import Proof

SAMPLE = '''\
import pytest
from sqrtdk.softmax import softmax


def test_sum():
    assert softmax([1, 2]).sum() == 1


@pytest.mark.parametrize("name", ["sharp"])
def test_example(name):
    run("sharp")
'''


@pytest.fixture
def small(tmp_path, project):
    folder = tmp_path / "tests" / "lesson"
    folder.mkdir(parents=True)
    (folder / "test_softmax.py").write_text(SAMPLE)
    return type(project)(tmp_path)


def test_a_test_is_found_by_the_names_in_it(small):
    proof = Proof(small, None)
    test = proof.of_expression("softmax([1, 2, 3])[2] * 100")
    assert (test.name, test.lines) == ("test_sum", (5, 6))
    assert proof.of_expression("1 + 1") is None
    assert proof.of_figure("sharp").lines == (9, 11)


def test_a_link_leads_to_the_repository_where_it_is_known(small):
    test = Proof(small, None).of_expression("softmax([1])")
    assert Proof(small, None).address(test, "../tests/") == "../tests/#softmax-sum"
    at_home = Proof(small, "https://example.org/lesson/").address(test, "../tests/")
    assert at_home == "https://example.org/lesson/blob/main/tests/lesson/test_softmax.py#L5-L6"


def test_everything_on_the_pages_leads_to_a_test(project):
    proof = Proof(project, None)
    unheld = [block.where for block in all_blocks(project).values() if not proof.of_block(block)]
    unheld += [name for name in figures.names() if not proof.of_figure(name)]
    plain = set("0123456789+-*/()., ")
    unheld += [f"{project.shown(page)}:{number.line}" for lang in ("en", "zh")
               for page in project.pages(lang) for number in find(page.read_text("utf-8"))
               if not proof.of_expression(number.expression) and "sqrt" not in number.expression
               and "exp" not in number.expression and "log" not in number.expression
               and not set(number.expression) <= plain]
    assert unheld == []


def test_the_page_of_tests_holds_every_test_that_is_linked(project):
    proof = Proof(project, None)
    page = proof.page("en")
    assert len(proof.linked) > 20
    for test in proof.linked:
        assert f"{{: #{test.id} }}" in page and test.code in page
