"""A file that cannot be read is told in one line, with its name; nothing is written then."""

import os
import subprocess
import sys

import pytest

from sqrtdk_docs import __main__ as entry
from sqrtdk_docs.project import ProjectError, read_csv, read_text, read_toml, replace

PAGE = "docs/en/why/growth.md"
LOCK = "docs/translation/lock.toml"
TERMS = "docs/translation/terms.csv"
WORDS = "docs/translation/words.toml"
DATA = "docs/results/data/growth.json"
READS_PAGES = [["numbers"], ["numbers", "--fix"], ["numbers", "--lint"], ["translate", "status"],
               ["translate", "check"], ["translate", "accept", "why/growth", "--yes"],
               ["find", "spread"], ["terms"], ["results", "--page", "why/growth"]]
READS_STATES = [["translate", "status"], ["translate", "check"],
                ["translate", "accept", "why/growth", "--yes"]]
READS_CONFIGURATIONS = [*READS_STATES, ["find", "spread"], ["translate", "add-language", "ja"],
                        ["translate", "start", "zh", "why/growth"]]


@pytest.fixture
def command(tree, capsys):
    """Run `python -m sqrtdk_docs …` in the tree: exit code and what it said on stderr."""
    tree.write(TERMS, "term,zh,avoid_zh,note,meaning_en,meaning_zh\nmean,均值,,,,\n")

    def run(*arguments: str) -> tuple[int, str]:
        code = entry.main(list(arguments))
        return code, capsys.readouterr().err
    return run


def files(tree) -> dict[str, bytes]:
    return {path.relative_to(tree.root).as_posix(): path.read_bytes()
            for path in tree.root.rglob("*") if path.is_file()}


def with_bytes(path: str, more: bytes):
    """Add bytes to the end of a file, which need not be there."""
    def plant(tree):
        file = tree.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes((file.read_bytes() if file.exists() else b"") + more)
    return plant


def instead(path: str, text: str):
    return lambda tree: tree.write(path, text)


def as_folder(tree):
    (tree.root / PAGE).unlink()
    (tree.root / PAGE).mkdir()


def as_link_to_nowhere(tree):
    (tree.root / PAGE).unlink()
    (tree.root / PAGE).symlink_to("nowhere.md")


def cases(plant, told, commands):
    return [(plant, told, arguments) for arguments in commands]


@pytest.mark.parametrize(("plant", "told", "arguments"), [
    *cases(with_bytes(PAGE, b"\xff"), f"{PAGE}:34: is not UTF-8", READS_PAGES),
    *cases(with_bytes("docs/zh/index.md", b"\xff"), "docs/zh/index.md:8: is not UTF-8",
           [["typography"], ["typography", "--fix"]]),
    *cases(as_folder, f"{PAGE}: Is a directory", [["numbers"], ["terms"]]),
    *cases(as_link_to_nowhere, f"{PAGE}: No such file", [["numbers"], ["terms"]]),
    *cases(with_bytes(LOCK, b"# \xff"), f"{LOCK}:1: is not UTF-8", READS_STATES),
    *cases(with_bytes(WORDS, b"# \xff"), f"{WORDS}:", [["translate", "add-language", "ja"]]),
    *cases(with_bytes(WORDS, b"= 3"), f"{WORDS}: Invalid", [["translate", "add-language", "ja"]]),
    *cases(instead(WORDS, "a = 1"), f"{WORDS}: a: must be a table",
           [["translate", "add-language", "ja"]]),
    *cases(instead("docs/ja/index.md", "# Old"), "docs/ja/index.md is there already",
           [["translate", "add-language", "ja"]]),
    *cases(with_bytes(TERMS, b"\xff,a"), f"{TERMS}:3: is not UTF-8", [["terms"], ["find", "a"]]),
    *cases(with_bytes(TERMS, b"a,b,c,d,e,f,g"), f"{TERMS}:3: not a line of this table",
           [["terms"], ["find", "a"]]),
    *cases(with_bytes(TERMS, b",b"), f"{TERMS}:3: has no term", [["terms"]]),
    *cases(instead(TERMS, "word,zh\nmean,b\n"), f"{TERMS}:2: has no term", [["terms"]]),
    *cases(with_bytes(TERMS, b'"a,b\nc,d\n'), f"{TERMS}:3: unexpected end of data",
           [["terms"], ["find", "a"]]),
    *cases(instead(TERMS, ""), f"{TERMS}: holds no terms", [["terms"]]),
    *cases(lambda tree: (tree.root / TERMS).unlink(), f"{TERMS}: No such file", [["terms"]]),
    *cases(with_bytes("docs/mkdocs.zh.yml", b"# \xff"), "docs/mkdocs.zh.yml:11: is not UTF-8",
           READS_CONFIGURATIONS),
    *cases(with_bytes("docs/mkdocs.zh.yml", b"  - : ["), "docs/mkdocs.zh.yml: while parsing",
           READS_CONFIGURATIONS),
    *cases(instead("docs/mkdocs.zh.yml", "- a"), "docs/mkdocs.zh.yml: is no configuration",
           READS_CONFIGURATIONS),
    *cases(instead("docs/mkdocs.zh.yml", ""), "docs/mkdocs.zh.yml: is no configuration",
           READS_CONFIGURATIONS),
    *cases(with_bytes("docs/mkdocs.zh.yml", b"extra: hello"),
           "docs/mkdocs.zh.yml: is no configuration", READS_CONFIGURATIONS),
    *cases(with_bytes("docs/mkdocs.zh.yml", b"  - {}"), "docs/mkdocs.zh.yml: is no configuration",
           READS_CONFIGURATIONS),
    *cases(instead("docs/unchecked.toml", "[[allowed]"), "docs/unchecked.toml: ",
           [["numbers", "--lint"]]),
    *cases(instead("docs/unchecked.toml", "allowed = 3"), "unchecked.toml: write each entry as",
           [["numbers", "--lint"]]),
    *cases(instead("docs/unchecked.toml", "allowed = [3]"), "unchecked.toml: an entry needs page",
           [["numbers", "--lint"]]),
    *cases(instead("docs/translation/peers.toml", "peer = 3"), "peers.toml: needs tables [[peer]]",
           [["translate", "check"]]),
])
def test_it_is_told_in_one_line_and_nothing_is_written(tree, command, plant, told, arguments):
    plant(tree)
    before = files(tree)
    code, printed = command(*arguments)
    assert code == 2 and told in printed and printed.count("\n") == 1, printed
    assert files(tree) == before


@pytest.mark.parametrize("text", [b"{", b"[1]", b"\xff", b"[" * 100_000])
def test_results_that_cannot_be_read_are_told_where_they_are_used(tree, command, text):
    with_bytes(DATA, text)(tree)
    tree.edit(PAGE, "sqrt(64)", "data['growth']['spread']")
    code, printed = command("numbers")
    assert code == 1 and f"{PAGE}:" in printed and "data['growth']" in printed


def test_a_snippet_that_is_not_there_is_told(tree, command):
    with_bytes(PAGE, b'\n--8<-- "nowhere.md"\n')(tree)
    tree.edit(PAGE, "sqrtdk/examples/spread.py:show", "lesson.py:show")
    tree.write("src/lesson.py", "# --8<-- [start:show]\nprint(1)\n# --8<-- [end:show]\n")
    code, printed = command("results", "--page", "why/growth")
    assert code == 2 and printed == f"{PAGE}: Snippet at path 'nowhere.md' could not be found\n"


def test_a_terminal_without_chinese_prints_question_marks(tree):
    done = subprocess.run([sys.executable, "-m", "sqrtdk_docs", "find", "分散"], cwd=tree.root,
                          capture_output=True, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (0, b"") and b"docs/zh/why/growth.md" in done.stdout


@pytest.mark.parametrize("words", ["", " "])
def test_find_looks_for_no_empty_words(command, words):
    assert command("find", words) == (2, "find needs words to look for\n")


@pytest.mark.skipif(sys.platform == "win32", reason="a pipe closed by its reader is POSIX's")
def test_a_closed_pipe_ends_it_quietly(tree):
    for number in range(200):                   # more than a pipe holds
        tree.write(f"docs/en/p{number}.md", '`1`{ calc="2 - 1" } ' * 20)
    done = subprocess.run("python -m sqrtdk_docs numbers --list p1 | head -c 1", shell=True,
                          cwd=tree.root, capture_output=True, encoding="utf-8",
                          env={**os.environ, "PATH": os.path.dirname(sys.executable)
                               + os.pathsep + os.environ["PATH"]})
    assert done.stderr == ""


def test_a_file_outside_a_repository_is_told_by_its_path(tmp_path):
    lone = tmp_path / "lone.txt"
    lone.write_bytes(b"a\nb\xff")
    with pytest.raises(ProjectError, match="lone.txt:2: is not UTF-8"):
        read_text(lone)
    with pytest.raises(ProjectError, match="no.toml: No such file"):
        read_toml(tmp_path / "no.toml")


def test_a_table_may_have_a_byte_order_mark_long_cells_and_lines_that_end_early(tmp_path):
    table = tmp_path / "table.csv"
    table.write_text('\ufeffterm,zh\n"a, or\nb",c\nd\n', "utf-8")
    assert list(read_csv(table)) == [(3, {"term": "a, or\nb", "zh": "c"}),
                                     (4, {"term": "d", "zh": ""})]


def test_what_fails_while_it_is_written_leaves_the_old_file(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    (tmp_path / "a.txt.new").mkdir()
    with pytest.raises(OSError):
        replace(path, "new")
    assert path.read_text() == "old"
