"""What a newcomer is told to type, open and fill in is there, in both languages."""

import argparse
import importlib
import re
import shlex
from itertools import chain
from pathlib import Path

import pytest
import yaml

from sqrtdk_docs import __main__ as entry
from sqrtdk_docs.project import Project
from sqrtdk_docs.translation.command import parse_place
from sqrtdk_docs.translation.corpus import Corpus

PROJECT = Project(Path(__file__).parents[2])
ROOT = PROJECT.root
FOLDER = Path("contribute")
PAGES = sorted(path.name for path in (PROJECT.docs / "en" / FOLDER).glob("*.md"))
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
TEXTS = [*((lang, name) for lang in ("en", "zh") for name in PAGES)]

SHELL = re.compile(r"^( *)```sh\n(.*?)^\1```$", re.M | re.S)
SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
OWN = "python -m sqrtdk_docs"
# What a command line may begin with besides the project's own.
PROGRAMS = ["git clone", "git switch", "git add", "git commit", "git push", "cd sqrtdk",
            "python3 -m venv", ".venv/bin/pip install", ".venv/bin/mkdocs", ".venv/bin/pytest",
            ".venv/bin/python -m sqrtdk.examples.", f".venv/bin/{OWN} "]
# What the reader makes in the course of the steps; it must not be there before.
MADE = {"docs/en/softmax/my-page.md", "docs/zh/softmax/my-page.md",
        "src/sqrtdk/examples/role_flat.py", "docs/results/outputs/role-flat.txt",
        "docs/mkdocs.ja.yml", "docs/ja/index.md", "docs/ja/why/growth.md",
        "src/sqrtdk/figures/words/ja.toml", "src/sqrtdk_docs/property_words/ja.toml",
        "src/sqrtdk/labs/words/ja.toml"}
MADE_PAGES = {"softmax/my-page"}
MADE_LANGUAGES = {"ja", "zh-hant"}
PATH = re.compile(r"(?:docs|src|tests|\.ci|\.github)/[\w./-]*\w/?")

every_page = pytest.mark.parametrize("lang, name", TEXTS)
every_form = pytest.mark.parametrize("form", FORMS, ids=lambda path: path.stem)


def text(lang: str, name: str) -> str:
    return (PROJECT.docs / lang / FOLDER / name).read_text("utf-8")


def shell_lines(markdown: str) -> list[str]:
    """The lines of the shell blocks, in order."""
    blocks = (block.splitlines() for _, block in SHELL.findall(markdown))
    return [line.strip() for line in chain.from_iterable(blocks) if line.strip()]


def own_commands(markdown: str) -> list[str]:
    """What follows `python -m sqrtdk_docs` in shell blocks, and in sentences with or without it."""
    spans = SPAN.findall(SHELL.sub("", markdown))
    heads = tuple(f"{name} " for name in commands())
    named = [line.partition(OWN)[2].strip() for line in [*shell_lines(markdown), *spans]
             if OWN in line]
    return named + [span for span in spans if span.startswith(heads) and OWN not in span]


def parser() -> argparse.ArgumentParser:
    """The command line as `python -m sqrtdk_docs` has it; here it parses and runs nothing."""
    made = argparse.ArgumentParser(exit_on_error=False)
    subparsers = made.add_subparsers(required=True)
    for module in entry.COMMANDS:
        importlib.import_module(module).add_parser(subparsers)
    return made


def commands() -> list[str]:
    """The names of the project's commands."""
    return list(parser()._subparsers._group_actions[0].choices)


def places(arguments: argparse.Namespace) -> list[str]:
    """The pages and sections that a parsed command names."""
    named = [getattr(arguments, key, None) for key in ("page", "list")]
    return [place for place in [*named, *(getattr(arguments, "renamed", None) or [])] if place]


def is_there(place: str) -> bool:
    """True for a page or section of the site, or one that the reader makes."""
    lang, _, rest = place.partition("/")
    place = rest if lang in MADE_LANGUAGES else place
    if place in MADE_PAGES:
        return True
    corpus = Corpus(PROJECT)
    pair, page, section = parse_place(corpus, place)
    parts = [corpus.parts(lang, page) for lang in pair.languages]
    return all(section in part if section else part for part in parts)


# --- the pages --------------------------------------------------------------------------------

def test_there_is_a_page_for_each_kind_of_help():
    assert {"index.md", "translate.md", "fix.md", "example.md", "language.md"} <= set(PAGES)


@every_page
def test_every_command_is_one_that_the_project_has(lang, name):
    for line in own_commands(text(lang, name)):
        if line == "--help":
            continue
        try:
            arguments = parser().parse_args(shlex.split(line))
        except (argparse.ArgumentError, SystemExit) as slip:
            pytest.fail(f"{lang}/contribute/{name}: `{line}`: {slip}")
        for place in places(arguments):
            assert is_there(place), f"{lang}/contribute/{name}: `{line}`: there is no {place}"


@every_page
def test_every_line_of_a_shell_block_is_a_command_without_a_prompt(lang, name):
    for line in shell_lines(text(lang, name)):
        assert line.startswith(tuple(PROGRAMS)), f"{lang}/contribute/{name}: {line}"
        for path in line.split():
            if path.startswith(("tests/", "docs/", "src/")):
                assert (ROOT / path).exists(), line


@pytest.mark.parametrize("name", PAGES)
def test_both_languages_name_the_same_commands_and_files(name):
    english, chinese = text("en", name), text("zh", name)
    assert shell_lines(english) == shell_lines(chinese)
    assert sorted(own_commands(english)) == sorted(own_commands(chinese))
    named = [sorted(span for span in SPAN.findall(each) if PATH.fullmatch(span))
             for each in (english, chinese)]
    if name == "fix.md":            # each language begins the swap of paths from its own side
        named = [sorted(set(paths)) for paths in named]
    assert named[0] == named[1]


@every_page
def test_every_file_and_folder_is_there_unless_the_reader_makes_it(lang, name):
    for span in SPAN.findall(text(lang, name)):
        if PATH.fullmatch(span) and span not in MADE:
            assert (ROOT / span).exists(), f"{lang}/contribute/{name}: there is no {span}"


def test_what_the_reader_makes_is_not_there_before():
    """Else a step would overwrite it, or speak of a language that is no longer new."""
    named = "".join(text(lang, name) for lang, name in TEXTS)
    for path in MADE:
        assert path in named and not (ROOT / path).exists(), path
        assert (ROOT / path).parent.is_dir() or path.startswith("docs/ja/"), path


def test_what_the_steps_speak_of_stands_in_the_files():
    for words, path in [("#growth-spread}", "docs/en/why/growth.md"),
                        ('`8`{ calc="score_std(64)" }', "docs/en/why/growth.md"),
                        ("figure:spread", "docs/en/why/growth.md"),
                        ("{#spread}", "docs/en/why/growth.md"),
                        ("#role-sharp}", "docs/en/softmax/role.md"),
                        ("role_sharp", "tests/lesson/test_examples_softmax.py"),
                        ("figure:temperatures", "docs/en/softmax/temperature.md"),
                        ("{other}", "docs/translation/words.toml")]:
        assert words in (ROOT / path).read_text("utf-8"), f"{words!r} is no longer in {path}"


# --- forms ------------------------------------------------------------------------------------

def in_both_languages(words: str) -> bool:
    """True if English letters and Chinese characters are in it."""
    return bool(re.search(r"[A-Za-z]{2}", words) and re.search(r"[一-鿿]", words))


def test_there_is_a_form_for_a_translation_a_wrong_result_and_an_idea():
    assert {form.stem for form in FORMS} == {"translation", "wrong", "idea"}


@every_form
def test_a_form_is_complete_and_in_both_languages(form):
    said = yaml.safe_load(form.read_text("utf-8"))
    assert {"name", "description", "title", "labels", "body"} == said.keys()
    words = [said["name"], said["description"]]
    fields = [field for field in said["body"] if field["type"] != "markdown"]
    assert any(field.get("validations", {}).get("required") for field in fields)
    ids = [field["id"] for field in fields]
    assert len(set(ids)) == len(ids)
    for field in said["body"]:
        attributes = field["attributes"]
        assert field["type"] in ("markdown", "input", "textarea", "dropdown", "checkboxes")
        assert ("value" if field["type"] == "markdown" else "label") in attributes
        words += [attributes[key] for key in ("value", "label", "description") if key in attributes]
        words += [option["label"] if isinstance(option, dict) else option
                  for option in attributes.get("options", [])]
    for sentence in words:
        assert in_both_languages(sentence), sentence


@every_form
def test_a_form_is_read_as_it_is_written(form):
    """A bare `#` or `: ` in YAML cuts a sentence off without a word."""
    for line in form.read_text("utf-8").splitlines():
        _, colon, words = line.strip().partition(": ")
        if colon and words[0] not in "\"'[|":
            assert " #" not in words and ": " not in words, line


@every_form
def test_a_form_names_pages_that_are_there(form):
    for lang, page in re.findall(r"/(en|zh)/([\w/-]+)/", form.read_text("utf-8")):
        assert (PROJECT.docs / lang / f"{page}.md").is_file(), page


def test_the_form_of_a_pull_request_is_in_both_languages_and_names_what_is_there():
    form = (ROOT / ".github" / "PULL_REQUEST_TEMPLATE.md").read_text("utf-8")
    for heading in re.findall(r"^## (.*)$", form, re.M):
        assert in_both_languages(heading)
    for item in re.findall(r"^- \[ \] (.*(?:\n {6}.*)*)", form, re.M):
        assert in_both_languages(item), item
    assert form.count(OWN) == 2 and "translate accept" in form
    for line in re.findall(rf"`{OWN} ([^`]+)`", form):
        parser().parse_args(shlex.split(line))
    for path in PATH.findall(form):
        assert (ROOT / path).exists(), path
