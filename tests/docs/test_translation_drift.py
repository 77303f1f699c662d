"""What happens when one language is edited: nothing drifts unseen."""

import re

import autocorrect_py
import pytest

EN, ZH = "docs/en/why/growth.md", "docs/zh/why/growth.md"
SPREAD = "why/growth#spread"


def test_nothing_is_said_to_match_until_somebody_has_said_so(tree, run):
    assert len(tree.states()) == 7
    assert {state.split(":")[0] for state in tree.states().values()} == {"new"}
    assert run("translate", "check")[0] == 0
    assert run("translate", "check", "--strict")[0] == 1


def test_accepted_is_clean(accepted, run):
    assert accepted.states() == {}
    assert run("translate", "check", "--strict") == (0, "all languages are in step\n")
    assert accepted.site.notices("zh") == accepted.site.notices("en") == {}


@pytest.mark.parametrize(("edited", "old", "new", "late"), [
    (EN, "since", "because", "zh"),
    (ZH, "所以", "因此", "en"),
])
def test_editing_one_language_leaves_the_other_behind(accepted, run, edited, old, new, late):
    accepted.edit(edited, old, new)
    assert accepted.states() == {SPREAD: f"{late} is behind"}
    early = {"zh": "en", "en": "zh"}[late]
    assert accepted.site.notices(late) == {"why/growth": {"spread": "behind"}}
    assert accepted.site.notices(early) == {}
    code, printed = run("translate", "check")
    assert code == 0 and f"{SPREAD}: {late} is behind" in printed
    code, printed = run("translate", "check", "--strict")
    assert code == 1 and f"{SPREAD}: {late} is behind" in printed


def test_a_touch_of_the_translation_does_not_clear_it_but_accept_does(accepted, run):
    accepted.edit(EN, "since", "because")
    accepted.edit(ZH, "，这里", "，，这里")
    assert accepted.states() == {SPREAD: "changed since they were last said to match"}
    for lang in ("en", "zh"):
        assert accepted.site.notices(lang) == {"why/growth": {"spread": "both"}}
    assert run("translate", "check", "--strict")[0] == 1
    assert run("translate", "accept", SPREAD, "--yes")[0] == 0
    assert run("translate", "check", "--strict")[0] == 0


def test_one_side_alone_is_accepted_only_with_a_reason(accepted, run):
    accepted.edit(EN, "since", "because")
    code, printed = run("translate", "accept", "why/growth", "--yes")
    assert code == 2 and "only en was changed" in printed and "--no-text-change" in printed
    assert accepted.states() == {SPREAD: "zh is behind"}
    code, _ = run("translate", "accept", "why/growth", "--yes",
                  "--no-text-change", 'a slip, in "English" only')
    assert code == 0 and accepted.states() == {}
    assert accepted.lock["en-zh", "why/growth", "spread"].why == 'a slip, in "English" only'


def test_a_reason_is_refused_where_none_is_needed(accepted, run):
    accepted.edit(EN, "since", "because")
    accepted.edit(ZH, "所以", "因此")
    code, printed = run("translate", "accept", SPREAD, "--yes", "--no-text-change", "a slip")
    assert code == 2 and "there is none here" in printed


def test_fixed_numbers_and_fixed_typography_move_nothing(accepted):
    for path in (EN, ZH):
        accepted.edit(path, "`8`{", "`8.0`{")
    accepted.edit(ZH, "所以分散程度是 `8.0`", "所以分散程度是`8.0`")
    accepted.edit(ZH, "，这里", ",这里")
    accepted.edit(ZH, "是 64。", "是64.")
    accepted.edit(ZH, "证明见", "证明  见")
    assert accepted.states() == {} and accepted.failures() == []
    text = (accepted.root / ZH).read_text("utf-8")
    fixed = autocorrect_py.format_for(text, "markdown")
    assert fixed != text
    accepted.write(ZH, fixed)
    assert accepted.states() == {}


def test_wrapped_lines_and_windows_line_ends_move_nothing(accepted):
    accepted.edit(EN, "The score is a sum", "The score\nis a\nsum")
    for path in (EN, ZH, "docs/en/index.md", "docs/mkdocs.zh.yml"):
        text = (accepted.root / path).read_text("utf-8")
        accepted.write(path, "\ufeff" * path.endswith("md") + text, newline="\r\n")
    assert accepted.states() == {}


def test_a_title_and_a_label_in_the_navigation_are_a_section_of_their_own(accepted):
    accepted.edit(EN, "Scores spread out.", "Scores spread out more and more.")
    accepted.edit("docs/mkdocs.zh.yml", "答案", "回答")
    assert accepted.states() == {"why/growth#meta": "zh is behind", "index#meta": "en is behind"}
    assert accepted.site.notices("zh") == {}, "a reader sees no notice for a title"


def test_words_in_a_table_of_the_machine_are_in_step_too(accepted, run):
    for lang, words in (("en", ["rule", "sum"]), ("zh", ["规则", "总和"])):
        accepted.write(f"src/sqrtdk_docs/property_words/{lang}.toml",
                       f'head = "{words[0]}"\n[rules]\nraw = ["{words[1]}", "x"]\n')
    assert run("translate", "accept", "properties", "--yes")[0] == 0
    accepted.edit("src/sqrtdk_docs/property_words/zh.toml", "总和", "和")
    accepted.edit("src/sqrtdk_docs/property_words/en.toml", "rule\"", "the rule\"")
    assert accepted.states() == {"properties#rules": "en is behind",
                                 "properties#top": "zh is behind"}


def test_words_of_figures_are_in_step_too(accepted, run):
    for lang, words in (("en", "spread"), ("zh", "分散程度")):
        accepted.write(f"src/sqrtdk/figures/words/{lang}.toml",
                       f'[spread]\ntitle = "{words}"\n')
    assert run("translate", "accept", "figures", "--yes")[0] == 0
    accepted.edit("src/sqrtdk/figures/words/en.toml", "spread\"", "the spread\"")
    assert accepted.states() == {"figures#spread": "zh is behind"}
    accepted.edit("src/sqrtdk/figures/words/zh.toml", "title", "name")
    assert accepted.failures() == ["figures#spread: the words `name` are in zh but not in en",
                                   "figures#spread: the words `title` are in en but not in zh"]


# --- sections that come, go and move ------------------------------------------------------------

def test_a_section_deleted_in_one_language_fails_and_is_named(accepted, run):
    text = (accepted.root / ZH).read_text("utf-8")
    accepted.write(ZH, text[:text.index("## 问题")])
    assert accepted.failures() == ["why/growth#questions: the section is in en (line 29) "
                                   "but not in zh"]
    assert run("translate", "check")[0] == 1
    code, printed = run("translate", "accept", "why/growth", "--yes")
    assert code == 2 and "not in zh" in printed


def test_a_page_deleted_in_one_language_fails_and_is_named(accepted):
    (accepted.root / "docs/zh/index.md").unlink()
    assert accepted.failures() == ["index: the page is in en but not in zh; "
                                   "begin with `translate start zh index`"]


def test_a_gutted_translation_is_not_fresh(accepted):
    text = (accepted.root / ZH).read_text("utf-8")
    accepted.write(ZH, text.replace("分数是 $d_k$ 个乘积之和。", "$d_k$"))
    assert accepted.states() == {"why/growth#growth": "en is behind"}


def rename(tree, old: str, new: str) -> None:
    for path in (EN, ZH):
        tree.edit(path, f"{{#{old}}}", f"{{#{new}}}")
    for lang in ("en", "zh"):
        tree.edit(f"docs/{lang}/index.md", f"growth.md#{old}", f"growth.md#{new}")


def test_a_section_renamed_in_both_is_told_and_kept(accepted, run):
    rename(accepted, "spread", "width")
    states = accepted.states()
    assert states["why/growth#spread"] == "looks renamed: now why/growth#width"
    assert states["why/growth#width"].startswith("new")
    assert accepted.site.notices("zh").keys() == {"index"}, "its link was changed on both sides"
    code, printed = run("translate", "accept", "why/growth", "--yes")
    assert code == 2 and "accept --renamed why/growth#spread why/growth#width" in printed
    code, _ = run("translate", "accept", "--renamed", "why/growth#spread", "why/growth#width",
                  "--yes")
    assert code == 0 and accepted.states().keys() == {"index#answer"}
    assert ("en-zh", "why/growth", "spread") not in accepted.lock


def test_a_rename_does_not_hide_that_one_side_was_changed(accepted, run):
    rename(accepted, "spread", "width")
    accepted.edit(EN, "since", "because")
    code, printed = run("translate", "accept", "--renamed", "why/growth#spread",
                        "why/growth#width", "--yes")
    assert code == 2 and "only en was changed" in printed
    assert "why/growth#spread" in accepted.states(), "nothing was recorded"


def move_questions(tree) -> None:
    """Move the last section of one page to the end of another, in both languages."""
    for lang in ("en", "zh"):
        path = f"docs/{lang}/why/growth.md"
        text = (tree.root / path).read_text("utf-8")
        at = text.index("## ", text.index("{#spread}"))
        tree.write(path, text[:at])
        index = (tree.root / f"docs/{lang}/index.md").read_text("utf-8")
        tree.write(f"docs/{lang}/index.md", index + "\n" + text[at:])


def test_a_section_moved_to_another_page_is_told(accepted, run):
    move_questions(accepted)
    assert accepted.failures() == []
    assert accepted.states()["why/growth#questions"] == "looks moved: now index#questions"
    code, _ = run("translate", "accept", "--renamed", "why/growth#questions", "index#questions",
                  "--yes")
    assert code == 0 and accepted.states() == {}


def test_a_section_moved_and_rewritten_is_known_by_its_id(accepted):
    move_questions(accepted)
    for lang in ("en", "zh"):
        accepted.edit(f"docs/{lang}/index.md", "{#questions}", "… {#questions}")
        accepted.edit(f"docs/{lang}/why/growth.md", "{#growth}\n",
                      "{#growth}\n\n## 1 {#one}\n\n## 2 {#two}\n")
    assert accepted.states()["why/growth#questions"] == "looks moved: now index#questions"


def test_a_record_without_its_section_is_told_and_dropped_by_accept(accepted, run):
    for path in (EN, ZH):
        text = (accepted.root / path).read_text("utf-8")
        accepted.write(path, text[:text.index("## ", text.index("{#spread}"))])
    assert accepted.states() == {
        "why/growth#questions": "gone in both languages, but the lock still has it"}
    assert run("translate", "check", "--strict")[0] == 1
    assert run("translate", "accept", "why/growth#questions", "--yes")[0] == 0
    assert accepted.states() == {}


def test_text_before_the_first_heading_is_a_section_too(accepted):
    accepted.edit(EN, "# Growth {", "A word before.\n\n# Growth {")
    assert accepted.failures() == ["why/growth#top: missing in zh"]
    accepted.edit(ZH, "# 增长 {", "写在前面。\n\n# 增长 {")
    assert accepted.failures() == [] and accepted.states().keys() == {"why/growth#top"}


# --- the record -------------------------------------------------------------------------------

def test_the_lock_is_one_sorted_line_a_section(accepted):
    text = (accepted.root / "docs/translation/lock.toml").read_bytes().decode()
    tables = re.findall(r"^\[.*\]$", text, re.M)
    assert tables == ["[en-zh.index]", "[en-zh.site]", '[en-zh."why/growth"]']
    lines = [line for line in text.splitlines() if line.startswith(("growth", "meta", "spread"))]
    assert all(re.fullmatch(r'[\w-]+ = \{ en = "\w{12}", zh = "\w{12}" \}', line) for line in lines)
    assert "\r" not in text


def test_accepting_one_section_changes_one_line(accepted, run):
    path = accepted.root / "docs/translation/lock.toml"
    before = path.read_text("utf-8").splitlines()
    accepted.edit(EN, "since", "because")
    accepted.edit(ZH, "所以", "因此")
    run("translate", "accept", SPREAD, "--yes")
    after = path.read_text("utf-8").splitlines()
    assert [new.split(" ")[0] for old, new in zip(before, after, strict=True) if old != new] == [
        "spread"]


def test_a_lock_left_in_conflict_is_a_plain_message(accepted, run):
    accepted.edit("docs/translation/lock.toml", "[en-zh.site]", "<<<<<<< ours\n[en-zh.site]")
    code, printed = run("translate", "check")
    assert code == 2 and "lock.toml" in printed and "merge conflict" in printed
