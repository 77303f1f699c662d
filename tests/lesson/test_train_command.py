"""`sqrtdk train`: writes what came out, and never over a file without being told."""

import json
import sys
from pathlib import Path

import pytest

from sqrtdk.__main__ import main
from sqrtdk.cli import program
from sqrtdk.cli.words import WORDS


@pytest.fixture
def quick(monkeypatch):
    """One experiment that takes no time in place of training."""
    pytest.importorskip("torch")
    from sqrtdk.training import experiments

    monkeypatch.setitem(experiments.EXPERIMENTS, "control",
                        lambda progress: {"sgd": {"none": {"mean": [1.5, 0.2], "of": len(
                            list(progress([1, 2])))}}})


def test_writes_and_shows_the_results(quick, tmp_path, capsys):
    path = tmp_path / "control.json"
    assert main(["train", "control", "--out", str(path), "--lang", "en"]) == 0
    written = json.loads(path.read_text("utf-8"))
    assert written["control"] == {"sgd": {"none": {"mean": [1.5, 0.2], "of": 2}}}
    shown = capsys.readouterr().out
    assert "control sgd none  1.5 ± 0.2   2" in shown and f"Wrote {path}" in shown


def test_json_shows_what_was_written(quick, tmp_path, capsys):
    path = tmp_path / "control.json"
    assert main(["train", "control", "--out", str(path), "--json"]) == 0
    assert capsys.readouterr().out == path.read_text("utf-8")


def test_keeps_a_file_unless_forced(quick, tmp_path, capsys):
    path = tmp_path / "old.json"
    path.write_text("kept")
    assert main(["train", "control", "--out", str(path), "--lang", "en"]) == 2
    assert path.read_text() == "kept" and "--force" in capsys.readouterr().err
    assert main(["train", "control", "--out", str(path), "--force"]) == 0
    assert path.read_text() != "kept"


@pytest.mark.parametrize("lang", WORDS)
def test_says_what_to_install_without_torch(monkeypatch, capsys, lang):
    monkeypatch.setitem(sys.modules, "torch", None)
    assert main(["train", "table", "--lang", lang]) == 2
    told = capsys.readouterr().err
    assert "python -m pip install torch" in told and told.count("\n") == 1


def test_missing_folder_is_told_before_the_run(tmp_path, capsys):
    pytest.importorskip("torch")
    assert main(["train", "table", "--out", str(tmp_path / "no" / "a.json"), "--lang", "en"]) == 2
    assert "there is no folder" in capsys.readouterr().err


@pytest.mark.parametrize("lang", WORDS)
def test_what_cannot_be_written_is_told_before_the_run(tmp_path, capsys, lang):
    pytest.importorskip("torch")
    assert main(["train", "sweep", "--force", "--out", str(tmp_path), "--lang", lang]) == 2
    told = capsys.readouterr().err
    assert "--out" in told and str(tmp_path) in told and told.count("\n") == 1


def test_results_that_do_not_fit_on_the_disk_are_shown(quick, tmp_path, monkeypatch, capsys):
    def full(*_, **__):
        raise OSError("No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OSError, match="No space left"):
        program.run(["train", "control", "--out", str(tmp_path / "a.json")])
    assert json.loads(capsys.readouterr().out)["control"]["sgd"]["none"]["of"] == 2


@pytest.mark.parametrize("lang", WORDS)
def test_lists_every_experiment(lang):
    pytest.importorskip("torch")
    from sqrtdk.training.experiments import EXPERIMENTS

    assert list(WORDS[lang]["train_experiments"]) == [*EXPERIMENTS, "all", "sweep"]
