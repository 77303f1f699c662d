"""`python -m sqrtdk_docs numbers` on a small project."""

import argparse
import json

import pytest

from sqrtdk_docs.numbers import command
from sqrtdk_docs.project import ProjectError

EN = 'It is `0.666`{ calc="softmax([1, 2, 3])[2]" } of 0.5.\r\n'
ZH = '它是 `0.67`{ calc="softmax([1, 2, 3])[2]" }，标准差 `7`{ calc="data[\'g\'][\'std\']" }。\n'


@pytest.fixture
def project(tmp_path, monkeypatch):
    (tmp_path / "mkdocs.yml").touch()
    for lang, text in (("en", EN), ("zh", ZH)):
        page = tmp_path / "docs" / lang / "why" / "growth.md"
        page.parent.mkdir(parents=True)
        page.write_bytes(text.encode())
        (tmp_path / "docs" / f"mkdocs.{lang}.yml").touch()
    data = tmp_path / "docs" / "results" / "data"
    data.mkdir(parents=True)
    (data / "g.json").write_text(json.dumps({"std": 8.001}))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def numbers(*arguments):
    parser = argparse.ArgumentParser()
    command.add_parser(parser.add_subparsers())
    args = parser.parse_args(["numbers", *arguments])
    return args.run(args)


def test_wrong_numbers_of_all_languages_are_listed(project, capsys):
    assert numbers() == 1
    told = capsys.readouterr()
    assert told.out == "3 checked numbers, 2 of them wrong\n"
    assert "docs/en/why/growth.md:1:7: `0.666`" in told.err
    assert "docs/zh/why/growth.md:1:47: `7`" in told.err
    assert (project / "docs/en/why/growth.md").read_bytes() == EN.encode()


def test_fix_writes_both_languages_and_no_other_byte(project):
    assert numbers("--fix") == 0
    assert (project / "docs/en/why/growth.md").read_bytes() == EN.replace("666", "665").encode()
    assert (project / "docs/zh/why/growth.md").read_bytes() == ZH.replace("`7`", "`8`").encode()
    assert sorted(path.name for path in project.rglob("growth*")) == ["growth.md"] * 2
    assert numbers() == 0


def test_fix_still_fails_while_an_author_must_decide(project):
    (project / "docs/en/why/growth.md").write_text('`0.12`{ calc="1/8" }')
    assert numbers("--fix") == 1


def test_a_page_is_listed_in_all_languages(project, capsys):
    (project / "docs/en/why/growth.md").write_text('`1`{ calc="nothing" }')
    assert numbers("--list", "why/growth") == 0
    assert capsys.readouterr().out.splitlines() == [
        "docs/en/why/growth.md:1: `1`  nothing = (nothing is not known here)",
        "docs/zh/why/growth.md:1: `0.67`  softmax([1, 2, 3])[2] = 0.665240955775",
        "docs/zh/why/growth.md:1: `7`  data['g']['std'] = 8.001",
    ]


def test_a_page_that_does_not_exist_is_told(project):
    with pytest.raises(ProjectError, match="no page 'growth'"):
        numbers("--list", "growth")


def test_the_lint_fails_on_a_numeral_without_reason_and_a_reason_without_numeral(project, capsys):
    assert numbers("--lint") == 1
    assert "docs/en/why/growth.md:1:50: 0.5" in capsys.readouterr().err
    reasons = project / "docs" / "unchecked.toml"
    entry = '[[allowed]]\npage = "why/growth"\ntext = "{}"\nreason = "a share given"\n'
    reasons.write_text(entry.format("of 0.5"))
    assert numbers("--lint") == 0
    reasons.write_text(entry.format("of 0.5") + entry.format("of 0.7"))
    assert numbers("--lint") == 1
    assert "needs 'of 0.7' any more" in capsys.readouterr().err
