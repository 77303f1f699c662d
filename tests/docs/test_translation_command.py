"""What a translator sees and does on the command line."""

import builtins
import re

import pytest

EN, ZH = "docs/en/why/growth.md", "docs/zh/why/growth.md"


def test_help_shows_examples(run, capsys):
    with pytest.raises(SystemExit) as left:
        run("translate", "--help")
    assert left.value.code == 0
    assert "python -m sqrtdk_docs translate diff why/growth" in capsys.readouterr().out


def test_status_counts_each_page(accepted, run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    accepted.edit(EN, "since", "because")
    accepted.edit(ZH, "翻倍", "加倍")
    code, printed = run("translate", "status")
    assert code == 0
    table = [re.split(r"\s{2,}", line.strip()) for line in printed.splitlines()]
    assert ["page", "in step", "en behind", "zh behind", "both", "new", "missing", "gone"] in table
    assert ["why/growth", "2", "1", "1", "·", "·", "·", "·"] in table
    assert ["index", "2", "·", "·", "·", "·", "·", "·"] in table


# --- diff ---------------------------------------------------------------------------------------

def test_diff_shows_what_changed_beside_what_is_to_be_changed(accepted, run):
    accepted.commit()
    accepted.edit(EN, "since", "because")
    code, printed = run("translate", "diff", "why/growth")
    assert code == 0
    assert "why/growth#spread · zh is behind" in printed
    assert f"en · {EN}:9 · changed" in printed and "[-since-]{+because+}" in printed
    assert f"zh · {ZH}:9 · unchanged" in printed and "所以分散程度是" in printed
    assert "questions" not in printed


def test_diff_finds_the_recorded_text_many_commits_ago(accepted, run):
    accepted.commit()
    for old, new in (("since", "because"), ("because", "as"), ("as $", "for $")):
        accepted.edit(EN, old, new)
        accepted.commit()
    assert "[-since-]{+for+}" in run("translate", "diff", "docs/zh/why/growth.md#spread")[1]


def test_diff_finds_an_old_label_of_the_navigation(accepted, run):
    accepted.commit()
    accepted.edit("docs/mkdocs.en.yml", "Growth:", "Wider:")
    accepted.commit()
    assert "[-Growth-]{+Wider+}" in run("translate", "diff", "why/growth")[1]


def test_diff_without_history_shows_both_texts_as_they_stand(accepted, run):
    accepted.edit(EN, "since", "because")
    code, printed = run("translate", "diff", "why/growth#spread")
    assert code == 0 and "not in this clone's history" in printed
    assert "because" in printed and "所以分散程度是" in printed


def test_diff_in_a_shallow_clone(accepted, run, tmp_path_factory, monkeypatch):
    accepted.commit()
    accepted.edit(EN, "since", "because")
    accepted.commit()
    clone = tmp_path_factory.mktemp("clone")
    accepted.git("clone", "-q", "--depth=1", accepted.root.as_uri(), str(clone / "it"))
    monkeypatch.chdir(clone / "it")
    code, printed = run("translate", "diff", "why/growth")
    assert code == 0 and "not in this clone's history" in printed
    assert run("translate", "check", "--strict")[0] == 1


def test_diff_beside_each_other_where_there_is_room(accepted, run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "140")
    accepted.edit(EN, "since", "because")
    printed = run("translate", "diff", "why/growth")[1]
    assert any("en · " in line and "zh · " in line for line in printed.splitlines())


def test_diff_of_what_is_in_step_and_of_what_is_not_there(accepted, run):
    assert run("translate", "diff", "index") == (0, "index: in step\n")
    code, printed = run("translate", "diff", "indx")
    assert code == 2 and "there is no indx in en or zh" in printed


# --- accept -------------------------------------------------------------------------------------

@pytest.mark.parametrize(("answer", "code"), [("y", 0), ("yes", 0), ("", 1), ("n", 1)])
def test_accept_shows_the_texts_and_asks(tree, run, monkeypatch, answer, code):
    asked = []
    monkeypatch.setattr(builtins, "input", lambda text: asked.append(text) or answer)
    got, printed = run("translate", "accept", "index")
    assert got == code and "Long vectors have large" in printed and "点积越大" in printed
    assert asked == ["Have you read both, and do they match: index#meta, index#answer? [y/N] "]
    assert len(tree.lock) == (2 if code == 0 else 0)


def test_accept_without_anybody_to_ask_says_so(tree, run, monkeypatch):
    def closed(text):
        raise EOFError
    monkeypatch.setattr(builtins, "input", closed)
    code, printed = run("translate", "accept", "index")
    assert code == 2 and "--yes" in printed and not tree.lock


def test_accept_refuses_what_is_built_differently(tree, run):
    tree.edit(ZH, "$\\sqrt{64} = 8$", "$\\sqrt{64} = 9$")
    code, printed = run("translate", "accept", "why/growth", "--yes")
    assert code == 2 and "the formula “$\\sqrt{64}=8$” is in en but not in zh" in printed
    assert run("translate", "accept", "why/growth#spread", "--yes")[0] == 2
    assert not tree.lock
    assert run("translate", "accept", "why/growth#questions", "--yes")[0] == 0


def test_accept_refuses_a_copy_that_was_not_translated(tree, run):
    tree.write(ZH, (tree.root / EN).read_text("utf-8"))
    code, printed = run("translate", "accept", "why/growth", "--yes")
    assert code == 2 and "why/growth#spread: zh has the same words as en" in printed


def test_accept_of_what_is_not_there(tree, run):
    for place in ("why/growht", "why/growth#spraed"):
        code, printed = run("translate", "accept", place, "--yes")
        assert code == 2 and f"there is no {place}" in printed
    assert run("translate", "accept", "--yes")[0] == 2
    assert run("translate", "accept", "--yes", "--renamed", "why/growth", "index")[0] == 2


def test_accept_of_what_is_in_step_changes_nothing(accepted, run):
    before = (accepted.root / "docs/translation/lock.toml").read_bytes()
    assert run("translate", "accept", "index") == (0, "index: in step already\n")
    assert (accepted.root / "docs/translation/lock.toml").read_bytes() == before


# --- start and find -----------------------------------------------------------------------------

def test_start_copies_the_other_language_and_touches_nothing_that_is_there(tree, run):
    tree.write("docs/en/why/more.md", "---\ntitle: More\n---\n# More {#more}\n\nIt goes on.\n")
    code, printed = run("translate", "start", "zh", "why/more")
    assert code == 0 and "docs/zh/why/more.md" in printed
    assert "It goes on." in (tree.root / "docs/zh/why/more.md").read_text("utf-8")
    code, printed = run("translate", "start", "zh", "why/more")
    assert code == 2 and "is there already" in printed
    assert "there is no docs/en/why/less.md" in run("translate", "start", "zh", "why/less")[1]
    assert "add-language ja" in run("translate", "start", "ja", "why/more")[1]


@pytest.mark.parametrize(("words", "en", "zh"), [
    ("growth-spread", f"{EN}:17", f"{ZH}:17"),
    ("arxiv.org/abs/1706", f"{EN}:27", f"{ZH}:27"),
    ("sqrt(64)", f"{EN}:11", f"{ZH}:11"),
    ("Spread GROWS", f"{EN}:33", f"(section: {ZH}:29)"),
])
def test_find_says_where_it_stands_in_both_languages(tree, run, monkeypatch, words, en, zh):
    monkeypatch.setenv("COLUMNS", "200")
    code, printed = run("find", words)
    assert code == 0 and en in printed and zh in printed


def test_find_knows_what_a_term_is_called(tree, run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    tree.write("docs/translation/terms.csv", "term,zh,avoid,note\ndot product,点积,点乘,\n")
    for words in ("dot product", "点积"):
        code, printed = run("find", *words.split())
        assert code == 0 and "docs/en/index.md:7" in printed and "docs/zh/index.md:7" in printed
    assert run("find", "nowhere") == (1, "'nowhere' is on no page\n")


def test_find_tells_whole_places_on_a_narrow_terminal(tree, run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    printed = run("find", "dot products")[1]
    assert "docs/en/index.md:7" in printed and "docs/zh/index.md:5" in printed
