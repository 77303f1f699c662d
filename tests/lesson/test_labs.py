"""What the labs show: the lesson's own numbers, in the reader's language, in the page's colours."""

import json
import re
import tomllib
from pathlib import Path

import numpy as np
import pytest
from numpy.random import default_rng

from sqrtdk.attention import attention_weights, scores
from sqrtdk.escape import escape_steps, escape_time
from sqrtdk.figures import style
from sqrtdk.gradients import draw_layer, layer_gradients
from sqrtdk.labs import results, sharpness, show, training
from sqrtdk.softmax import effective_keys, softmax

ROOT = Path(__file__).parents[2]
WORDS = ROOT / "src" / "sqrtdk" / "labs" / "words"


@pytest.fixture(autouse=True)
def english(monkeypatch):
    monkeypatch.setenv("SQRTDK_LANG", "en")


def number(text: str) -> float:
    return float(text.replace("−", "-").replace("\u202f", "").removesuffix(" %"))


def column(table, at: int) -> list[float]:
    return [number(row[at]) for row in table.rows]


# --- showing ---------------------------------------------------------------------------------

def test_the_words_have_the_same_keys_in_every_language():
    def keys(lang):
        tables = tomllib.loads((WORDS / f"{lang}.toml").read_text("utf-8"))
        # The places for numbers too: {raw:.2f} must not get lost in translation.
        return {name: {key: sorted(re.findall(r"\{.*?\}", text)) for key, text in table.items()}
                for name, table in tables.items()}
    assert keys("en") == keys("zh")


def test_the_language_is_the_variable_or_else_the_locale(monkeypatch):
    monkeypatch.setenv("SQRTDK_LANG", "zh")
    assert show.words("row_table")["largest"] == "最大权重"
    monkeypatch.delenv("SQRTDK_LANG")
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert show.language() == "zh"
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert show.language() == "en"


def test_a_plot_has_the_light_colours_of_the_site_where_there_is_no_site():
    tokens = (ROOT / "docs" / "theme" / "css" / "tokens.css").read_text("utf-8")
    for mine, (site, light) in show.COLOURS.items():
        assert f"{site}: light-dark({light}," in tokens
        assert f"{mine}: var({site});" in tokens
    assert set(show.COLOURS) == set(style.VARIABLES.values())


def test_a_plot_speaks_and_a_table_escapes():
    plot = sharpness.weights_plot([0.9, 0.1], [0.6, 0.4])
    data, metadata = plot._repr_mimebundle_()
    assert data["image/svg+xml"].count("<svg ") == 1 and 'role="img"' in data["image/svg+xml"]
    assert data["text/plain"] == repr(plot) == (
        "The weights of one query on 2 keys as bars. "
        "Without the factor the largest is 0.90, with it 0.60.")
    assert metadata["image/svg+xml"] == {"needs_background": "light"}
    table = show.Table(["", ("raw", "a < b")], [["x & y", "1"]])
    assert table._repr_html_() == (
        '<table><thead><tr><th scope="col"></th><th scope="col"><strong class="raw">a &lt; b'
        '</strong></th></tr></thead><tbody><tr><th scope="row">x &amp; y</th><td>1</td></tr>'
        "</tbody></table>")
    assert repr(table) == "  a < b\nx & y  1"


@pytest.mark.parametrize("value, text", [
    (7.4, "7"), (15041, "15\u202f041"), (999_999, "999\u202f999"), (4_313_000, "4.3×10⁶"),
    (6e17, "6.0×10¹⁷"), (2e20, "2.0×10²⁰")])
def test_counts(value, text):
    assert show.count(value) == text


def test_there_is_no_minus_zero():
    assert [show.decimals(x) for x in (-0.001, -0.344, 7)] == ["0.00", "−0.34", "7.00"]


# --- the lab on sharpness ------------------------------------------------------------------------

Q, K = default_rng(1).standard_normal((2, 16, 64))


def test_the_score_table_holds_both_spreads():
    raw, scaled = (column(sharpness.score_table(Q, K), side) for side in (1, 2))
    both = scores(Q, K)
    assert raw == pytest.approx([both.mean(), both.std(), abs(both).max()], abs=0.005)
    assert scaled == pytest.approx(np.array(raw) / 8, abs=0.006)    # rounded twice


def test_the_row_table_holds_the_means_over_rows():
    raw, scaled = softmax(scores(Q, K)), attention_weights(Q, K)
    table = sharpness.row_table(raw, scaled)
    for side, rows in ((1, raw), (2, scaled)):
        shown = column(table, side)
        assert shown[0] == pytest.approx(rows.max(axis=-1).mean(), abs=0.005)
        assert shown[2] == pytest.approx(effective_keys(rows).mean(), abs=0.005)
        assert shown[3] <= shown[2], "order 2 is never larger"
    assert column(table, 2)[2] > 3 * column(table, 1)[2]


def test_the_temperatures_of_raw_and_scaled_are_one_and_the_root():
    plot = sharpness.temperature_plot(scores(Q, K), 64)
    raw, scaled = (effective_keys(rows).mean() for rows in
                   (softmax(scores(Q, K)), attention_weights(Q, K)))
    assert f"they are {raw:.1f};" in repr(plot) and f"with it, {scaled:.1f}." in repr(plot)


def test_plots_of_other_sizes_are_drawn_too():
    assert "At 32 " in repr(sharpness.spread_plot([2, 32], draws=500, seed=1))
    plot = sharpness.sweep_plot(d_k=[4, 64], n_keys=[5], draws=200, seed=1)
    assert "With 5 keys at head dimension 64" in repr(plot)


# --- the lab on training ---------------------------------------------------------------------------

def test_the_escape_table_is_closed_form_beside_simulation():
    [row] = training.escape_table([6], 0.1).rows
    assert [number(cell) for cell in row] == pytest.approx(
        [6, escape_time(6) / 0.1, escape_steps(6, "sgd", 0.1), escape_steps(6, "adam", 0.01),
         escape_steps(6, "sgd", 0.1, loss="weight")], abs=0.5)


def test_the_typical_gap_grows_like_the_root_and_stays_where_it_is_when_divided():
    table = training.start_table([16, 64, 256], n_keys=16, learning_rate=0.1, seed=1)
    raw, scaled = column(table, 1), column(table, 2)
    assert raw[1] / raw[0] == pytest.approx(2, rel=0.06)
    # The median of 20 000 gaps is known to about 1 %; its small-d_k trend is a few percent.
    assert max(scaled) / min(scaled) < 1.08
    assert "×10" in table.rows[1][3] and number(table.rows[1][4]) < 100


def test_the_gradient_table_shows_a_larger_whole_and_a_steeper_split():
    layer = draw_layer(64, d_k=64, rng=default_rng(1))
    raw, scaled = (column(training.gradient_table(layer), side) for side in (1, 2))
    assert raw[0] == pytest.approx(layer_gradients(layer, 1.0).w_q, abs=0.005)
    assert scaled[0] == pytest.approx(layer_gradients(layer, 1 / 8).w_q, abs=0.005)
    assert raw[0] > 5 * scaled[0] and raw[3] > 1.5 * scaled[3]


def test_the_results_are_shown_as_they_were_committed():
    committed = results.read("training")
    table = training.steps_table(committed, "sgd")
    assert [row[0] for row in table.rows] == list(committed["table"]["sgd"])
    for row, by_factor in zip(table.rows, committed["table"]["sgd"].values()):
        for cell, factor in zip(row[1:], ("none", "sqrt", "inverse")):
            run = by_factor[factor]
            assert number(cell.split(" ± ")[0]) == pytest.approx(run["mean"][0], abs=0.5)
            assert (f"({run['reached']}/{run['of']})" in cell) == (run["reached"] < run["of"])
    start = committed["curves"]["adam"]["none"]["start_entropy"][0]
    assert f"at {start:.2f} without the factor" in repr(training.curves_plot(committed, "adam"))


def test_every_plot_is_small():
    layer = draw_layer(64, d_k=64, rng=default_rng(1))
    plots = [training.queries_plot(layer), training.curves_plot(results.read("training"), "sgd"),
             training.escape_plot([1, 2, 4], 0.1, d_k=8, n_keys=4, seed=1)]
    for plot in plots:
        assert len(plot.svg.encode()) < 30_000


def test_results_are_looked_for_in_the_repository_and_then_here(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert results.read("escape") == json.loads(
        (ROOT / "docs/results/data/escape.json").read_text("utf-8"))
    with pytest.raises(FileNotFoundError, match="mine.json: neither in docs/results/data"):
        results.read("mine")
    (tmp_path / "mine.json").write_text('{"a": 1}')
    assert results.read("mine") == {"a": 1}
