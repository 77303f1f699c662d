"""The program as a shell meets it: a process with arguments, streams and an exit code."""

import io
import json
import os
import pty
import signal
import subprocess
import sys
import time
from importlib import import_module

import pytest

from sqrtdk import softmax as judge
from sqrtdk.cli.commands import COMMANDS
from sqrtdk.cli.language import chosen_language
from sqrtdk.cli.progress import Progress
from sqrtdk.cli.table import estimate, table, weight, width
from sqrtdk.cli.words import EN, ZH
from sqrtdk.sharpness import sharpness

# Unbuffered, argparse would meet a closed pipe first, and swallow it.
ENGLISH = {"LC_ALL": "en_GB.UTF-8", "PYTHONUTF8": "1", "PYTHONUNBUFFERED": "",
           "OMP_NUM_THREADS": "1"}


def environment(**changes):
    return os.environ | ENGLISH | changes


def sqrtdk(*arguments, **changes):
    return subprocess.run([sys.executable, "-m", "sqrtdk", *arguments], capture_output=True,
                          encoding="utf-8", env=environment(**changes), timeout=120)


def output_of(*arguments, **changes):
    run = sqrtdk(*arguments, **changes)
    assert (run.returncode, run.stderr) == (0, "")
    return run.stdout


def test_softmax_shows_what_scaling_does():
    assert output_of("softmax", "10", "20", "30", "--d-k", "64") == """\
                                 raw          scaled
               score  logit   weight  logit   weight
                  10     10  2.1e-09   1.25  0.05998
                  20     20  0.00005    2.5  0.20934
                  30     30  0.99995   3.75  0.73068

      largest weight         0.99995         0.73068
       entropy (nat)         0.00050         0.72540
  effective keys e^H         1.00050         2.06557
effective keys 1/Σp²         1.00009         1.72024
"""


@pytest.mark.parametrize(("lang", "says"), [
    ("en", "error: 1e+308 / 0.5 is beyond the largest number"),
    ("zh", "错误：1e+308 / 0.5 超出了浮点数的范围"),
])
def test_a_logit_beyond_the_largest_number_is_told(lang, says):
    run = sqrtdk("softmax", "1e308", "-1e308", "--temperature", "0.5", "--lang", lang)
    assert run.returncode == 2 and says in run.stderr and run.stderr.count("\n") == 1


def test_the_smallest_scores_are_scaled_too():
    smallest = ("softmax", "5e-324", "0", "--temperature", "5e-324")
    scaled = json.loads(output_of(*smallest, "--d-k", "4", "--json"))["scaled"]
    assert scaled["logits"] == [0.5, 0]


def test_softmax_in_chinese_is_the_same_table():
    arguments = ("softmax", "10", "20", "30", "--d-k", "64")
    english, chinese = output_of(*arguments), output_of(*arguments, "--lang", "zh")
    for word in ("不缩放", "缩放", "分数", "权重", "等效键数", "熵"):
        assert word in chinese
    assert numbers_in(chinese) == numbers_in(english)
    full = [line for line in chinese.splitlines() if line]
    assert len({width(line) for line in full}) == 1  # every line ends in the last column


def numbers_in(text):
    return [word for word in text.split() if word[0].isdigit() and "/" not in word]


def test_softmax_json():
    result = json.loads(output_of("softmax", "1", "2.5", "-3", "--d-k", "4", "--temperature", "2",
                                  "--json", "--lang", "zh"))
    assert result["scores"] == [1, 2.5, -3]
    for side, divisor in (("raw", 2), ("scaled", 4)):
        logits = [score / divisor for score in result["scores"]]
        assert result[side]["logits"] == pytest.approx(logits)
        weights = judge.softmax(logits)
        assert result[side]["weights"] == pytest.approx(list(weights))
        assert result[side]["largest"] == pytest.approx(max(weights))
        assert result[side]["entropy"] == pytest.approx(judge.entropy(weights))
        for order in (1, 2):
            assert result[side][f"effective_keys_{order}"] == pytest.approx(
                judge.effective_keys(weights, order=order))


def test_without_d_k_there_is_one_side():
    assert "scaled" not in output_of("softmax", "1", "2")
    assert "scaled" not in json.loads(output_of("softmax", "1", "2", "--json"))


@pytest.mark.parametrize("number", ["-1.2", "-1e3", "-.5", "-2E-3", "-7"])
def test_negative_scores_are_scores(number):
    result = json.loads(output_of("softmax", number, "3", "--json"))
    assert result["scores"] == [float(number), 3]


def test_sharpness_json_is_what_the_library_gives():
    result = json.loads(output_of("sharpness", "--d-k", "4", "64", "--keys", "8", "3",
                                  "--draws", "200", "--seed", "7", "--json"))
    assert (result["draws"], result["seed"]) == (200, 7)
    assert [(c["keys"], c["d_k"]) for c in result["cells"]] == [(8, 4), (8, 64), (3, 4), (3, 64)]
    for cell in result["cells"]:
        both = sharpness(cell["d_k"], cell["keys"], 200, 7)
        for side in ("raw", "scaled"):
            expected = {name: {"value": value, "se": se}
                        for name, (value, se) in getattr(both, side)._asdict().items()}
            assert cell[side] == expected


def test_sharpness_table():
    english = output_of("sharpness", "--d-k", "64", "--keys", "8", "64", "--draws", "200")
    chinese = output_of("sharpness", "--d-k", "64", "--keys", "8", "64", "--draws", "200",
                        "--lang", "zh")
    lines = english.splitlines()
    assert lines[0].split()[:2] == ["keys", "d_k"]
    assert [line.split()[:3] for line in lines[1:6]] == [
        ["8", "64", "raw"], ["8", "64", "scaled"], [], ["64", "64", "raw"], ["64", "64", "scaled"]]
    assert "200 rows" in english and "seed 0" in english and "标准误" in chinese
    assert len({width(line) for line in chinese.splitlines()[:6] if line}) == 1
    assert numbers_in("\n".join(chinese.splitlines()[1:6])) == numbers_in("\n".join(lines[1:6]))


@pytest.mark.parametrize("arguments, message", [
    ((), "missing: COMMAND"),
    (("softmin", "1"), "there is no 'softmin'; choose from "),
    (("softmax",), "missing: SCORE"),
    (("softmax", "two"), "argument SCORE: must be a finite number, not 'two'"),
    (("softmax", "nan"), "must be a finite number, not 'nan'"),
    (("softmax", "-inf", "1"), "must be a finite number, not '-inf'"),
    (("softmax", "1e999"), "must be a finite number, not '1e999'"),
    (("softmax", "1", "--temperature", "0"), "--temperature: must be a finite number above 0"),
    (("softmax", "1", "--temperature", "-1e-3"), "above 0, not '-1e-3'"),
    (("softmax", "1", "--d-k", "0"), "argument --d-k: must be a whole number from 1 to"),
    (("softmax", "1", "--d-k"), "argument --d-k: needs a value"),
    (("softmax", "1", "--temp", "2"), "not understood: --temp 2"),
    (("softmax", "1e308", "--temperature", "1e-300"), "1e+308 / 1e-300 is beyond the largest number"),
    (("softmax", "1", "--json=yes"), "argument --json: takes no value"),
    (("softmax", "1", "--lang", "fr"), "argument --lang: there is no 'fr'"),
    (("softmax", "1", "--lang"), "argument --lang: needs a value"),
    (("sharpness", "--keys"), "argument --keys: needs at least one value"),
    (("sharpness", "--keys", "1000001"), "from 1 to 1000000, not '1000001'"),
    (("sharpness", "--d-k", "6.5"), "must be a whole number from 1 to 1000000000, not '6.5'"),
    (("sharpness", "--draws", "1"), "must be a whole number from 2"),
    (("sharpness", "--seed", "-1"), "must be a whole number from 0"),
    (("sharpness", "64"), "not understood: 64"),
])
def test_bad_input_ends_with_code_2_and_one_line(arguments, message):
    run = sqrtdk(*arguments)
    assert run.returncode == 2
    assert run.stdout == ""
    assert message in run.stderr
    assert run.stderr.startswith("sqrtdk") and run.stderr.count("\n") == 1


@pytest.mark.parametrize("arguments, message", [
    ((), "缺少：COMMAND"),
    (("softmin",), "没有 'softmin' 这一项，可选："),
    (("softmax", "二"), "参数 SCORE：应为有限的数，而不是 '二'"),
    (("softmax", "1", "--d-k"), "参数 --d-k：需要一个值"),
    (("sharpness", "--keys"), "参数 --keys：至少需要一个值"),
    (("softmax", "1", "--temp", "2"), "无法识别：--temp 2"),
    (("softmax", "1", "--json=1"), "参数 --json：不带值"),
])
def test_errors_in_chinese(arguments, message):
    run = sqrtdk(*arguments, LC_ALL="zh_CN.UTF-8")
    assert run.returncode == 2
    assert "错误：" in run.stderr and message in run.stderr and run.stderr.count("\n") == 1


def test_help_has_examples_that_run():
    whole = output_of("--help")
    for command in COMMANDS:
        text = output_of(command, "--help")
        examples = [line.split()[1:] for line in text.splitlines() if line.startswith("  sqrtdk ")]
        assert len(examples) >= 2
        for example in examples:
            assert example[0] == command
            assert "  sqrtdk " + " ".join(example) in whole.splitlines()
            if command != "train":  # which takes minutes, and has tests of its own
                quick = ["--draws", "2"] if command == "sharpness" else []
                output_of(*example, *quick)


def test_help_in_chinese_has_no_english_of_argparse():
    for arguments in (("--help",), ("softmax", "--help"), ("sharpness", "--help")):
        text = output_of(*arguments, "--lang", "zh")
        for left in ("usage", "options", "arguments", "show this", "default"):
            assert left not in text
        assert "用法：" in text and "示例：" in text


def test_both_languages_have_the_same_words():
    assert EN.keys() == ZH.keys()
    for key in EN:
        assert type(EN[key]) is type(ZH[key])
        if key.endswith("_examples"):
            assert EN[key] == ZH[key]
    for command in COMMANDS:
        assert {f"{command}_summary", f"{command}_examples"} <= EN.keys()


def test_language_follows_lang_then_locale(monkeypatch):
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "zh_TW.UTF-8")
    assert chosen_language([]) == "zh"
    monkeypatch.setenv("LC_MESSAGES", "de_DE.UTF-8")
    assert chosen_language(["softmax", "1"]) == "en"
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert chosen_language(["softmax", "1"]) == "zh"
    assert chosen_language(["--lang", "en", "softmax", "1"]) == "en"
    assert chosen_language(["softmax", "1", "--lang=en"]) == "en"
    assert chosen_language(["softmax", "1", "--lang"]) == "zh"
    monkeypatch.delenv("LC_ALL"), monkeypatch.delenv("LC_MESSAGES"), monkeypatch.delenv("LANG")
    monkeypatch.setattr("locale.getlocale", lambda _: ("Chinese (Simplified)_China", "936"))
    assert chosen_language([]) == "zh"
    monkeypatch.setattr("locale.getlocale", lambda _: (None, None))
    assert chosen_language([]) == "en"


def test_closed_pipe_is_quiet():
    for arguments in ("sharpness --draws 5 --json", "--help", "softmax 1 2"):
        with subprocess.Popen(
                [sys.executable, "-m", "sqrtdk", *arguments.split()], env=environment(),
                stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
            program.stdout.close()
            assert program.stderr.read() == b""
        assert program.returncode == 141  # 128 + SIGPIPE, as a shell sees it


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_full_disk_is_one_line():
    with open("/dev/full", "w") as full:
        run = subprocess.run([sys.executable, "-m", "sqrtdk", "softmax", "1"], stdout=full,
                             stderr=subprocess.PIPE, text=True, env=environment())
    assert run.returncode == 1
    assert run.stderr.startswith("sqrtdk: ") and run.stderr.count("\n") == 1


def _hear_ctrl_c():
    """A suite that runs in the background is deaf to Ctrl-C, and its children would be too."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def run_in_terminal(*arguments, interrupt_after=None):
    """Exit code and what a terminal on stderr was sent."""
    ours, theirs = pty.openpty()
    with subprocess.Popen([sys.executable, "-m", "sqrtdk", *arguments], env=environment(),
                          stdout=subprocess.DEVNULL, stderr=theirs,
                          preexec_fn=_hear_ctrl_c) as program:
        os.close(theirs)
        sent = b""
        while True:
            try:
                sent += os.read(ours, 4096)
            except OSError:  # the other side has closed
                break
            if interrupt_after and interrupt_after in sent:
                program.send_signal(signal.SIGINT)
                interrupt_after = None
    os.close(ours)
    return program.returncode, sent


def test_long_runs_show_their_progress_and_ctrl_c_is_quiet():
    code, sent = run_in_terminal("sharpness", "--draws", "100000000", interrupt_after=b"%")
    assert code == 130
    assert b"Traceback" not in sent
    assert sent.endswith(b" \r")  # the bar is wiped


def test_short_runs_show_no_progress():
    code, sent = run_in_terminal("sharpness", "--draws", "10")
    assert (code, sent) == (0, b"")


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_waits_a_second_and_redraws_ten_times_a_second():
    now = [0.0]
    stream = Terminal()
    with Progress(100, stream, clock=lambda: now[0]) as progress:
        for seconds in (0.5, 0.99, 1.0, 1.05, 1.2):
            now[0] = seconds
            progress(20)
    drawings = [text for text in stream.getvalue().split("\r") if "%" in text]
    assert [text.split()[-1] for text in drawings] == ["60%", "100%"]
    assert stream.getvalue().endswith("\r")


def test_no_progress_where_there_is_no_terminal():
    stream = io.StringIO()
    now = iter(range(100))
    with Progress(2, stream, clock=lambda: next(now)) as progress:
        progress(1), progress(1)
    assert stream.getvalue() == ""


def test_torch_and_scipy_are_not_imported():
    program = ("import sys; from sqrtdk.__main__ import main; code = main(sys.argv[1:]);"
               "print([m for m in ('torch', 'scipy', 'matplotlib') if m in sys.modules]);"
               "sys.exit(code)")
    for arguments in (["--help"], ["softmax", "1", "--d-k", "4"], ["sharpness", "--draws", "2"]):
        run = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True,
                             text=True, env=environment(), check=True)
        assert run.stdout.splitlines()[-1] == "[]"


def test_commands_are_light_until_they_run():
    program = ("import sys; from sqrtdk.cli.program import run\n"
               "try: run(['--help'])\n"
               "except SystemExit: print('numpy' in sys.modules)")
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                         env=environment(), check=True)
    assert run.stdout.splitlines()[-1] == "False"
    for name in COMMANDS:
        module = import_module(f"sqrtdk.cli.commands.{name}")
        assert callable(module.add_arguments) and callable(module.run)


def test_table_counts_chinese_characters_twice():
    assert width("熵 (nat)") == 8 and width("Σp² ± √") == 7
    assert table([["键数", "a"], [], ["8", "熵"]]) == "键数   a\n\n   8  熵"


def test_weights_and_estimates_as_text():
    texts = ["0.00000", "4.9e-06", "0.00001", "0.50000"]
    assert [weight(x) for x in (0, 4.9e-6, 5e-6, 0.5)] == texts
    assert estimate(0.87654, 0.0007) == "0.8765 ± 0.0007"
    assert estimate(0.87654, 0.0014) == "0.8765 ± 0.0014"
    assert estimate(313.26, 0.32) == "313.3 ± 0.3"
    assert estimate(2083.7, 11.77) == "2084 ± 12"
    assert estimate(0.0, 0.0) == "0" and estimate(1.0, 0.0) == "1"


def test_it_is_installed_under_its_name():
    script = os.path.join(os.path.dirname(sys.executable), "sqrtdk")
    started = time.monotonic()
    run = subprocess.run([script, "softmax", "1", "2", "3"], capture_output=True, text=True,
                         env=environment(), check=True)
    assert "0.66524" in run.stdout and time.monotonic() - started < 30
