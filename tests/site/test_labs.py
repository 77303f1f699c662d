"""The built labs: run, light, in one language, and with a notebook to take home."""

import gzip
import json
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import nbformat
import pytest
from selectolax.lexbor import LexborHTMLParser as HTMLParser

from sqrtdk_docs import notebooks
from sqrtdk_docs.notebooks import CODE
from sqrtdk_docs.numbers.marks import find
from sqrtdk_docs.project import Project

PROJECT = Project(Path(__file__).parents[2])
CHINESE = re.compile(r"[㐀-鿿]")
EVERY_LAB = [(lang, path.stem) for lang in ("en", "zh") for path in PROJECT.labs(lang)]
every_lab = pytest.mark.parametrize("lang, name", EVERY_LAB)


def source(lang: str, name: str) -> Path:
    return PROJECT.docs / lang / "lab" / f"{name}.py"


def code_cells(lang: str, name: str) -> list[str]:
    return [cell.text for cell in notebooks.cells(source(lang, name).read_text("utf-8"))
            if cell.kind == CODE]


def built(site: Path, lang: str, name: str) -> str:
    return (site / lang / "lab" / name / "index.html").read_text("utf-8")


def article(site: Path, lang: str, name: str):
    return HTMLParser(built(site, lang, name)).css_first("article")


def test_both_labs_are_there_in_both_languages():
    assert EVERY_LAB == [(lang, name) for lang in ("en", "zh") for name in ("sharpness", "training")]


@every_lab
def test_each_cell_is_followed_by_what_it_gave(site, lang, name):
    shown = article(site, lang, name).css("div.lab-cell")
    cells = code_cells(lang, name)
    assert [node.css_first(".highlight code").text().strip() for node in shown] == cells
    for node, cell in zip(shown, cells):
        gives = cell.splitlines()[-1].startswith(("lab.", ")"))
        assert len(node.css(".output > figure, .output > table")) == gives, cell
    assert 2 <= len(article(site, lang, name).css(".lab-cell figure svg")) <= 4


@every_lab
def test_a_page_is_light_and_free_of_jupyterlab(site, lang, name):
    text = built(site, lang, name)
    assert len(gzip.compress(text.encode())) < 80_000
    for foreign in ("jp-", "jupyter-wrapper", "cdnjs", "requirejs", "require.min", "MathJax",
                    "mermaid", "clipboard-copy"):
        assert foreign not in text, foreign
    assert HTMLParser(text).css("style") == []


@every_lab
def test_a_page_speaks_one_language_in_tables_and_drawings_too(site, lang, name):
    node = article(site, lang, name)
    words = " ".join(each.text() for each in node.css(".output th, .output svg text"))
    described = [each.attributes["aria-label"] for each in node.css('.output svg[role="img"]')]
    assert all(bool(CHINESE.search(text)) == (lang == "zh") for text in [words, *described])
    assert len(described) == len(node.css(".output svg"))
    if lang == "zh":
        assert not re.search(r"\b(the|of|and|weight|gap|steps|raw|scaled)\b", words)


@every_lab
def test_drawings_follow_the_scheme_and_ids_are_unique(site, lang, name):
    node = article(site, lang, name)
    for svg in node.css(".output svg"):
        drawn = re.sub(r'style="--fig[^"]*"', "", svg.html, count=1)    # for use elsewhere
        assert "var(--fig-" in drawn and not re.search(r"#[0-9a-fA-F]{6}\b", drawn)
    ids = [each.attributes["id"] for each in node.css("[id]")]
    assert len(ids) == len(set(ids))


@every_lab
def test_words_are_those_of_a_page(site, lang, name):
    node, markdown = article(site, lang, name), notebooks.read(source(lang, name))
    written = re.findall(r"^(#+) .*\{#([\w-]+)\}$", markdown, re.M)
    shown = [("#" * int(each.tag[1]), each.attributes["id"]) for each in node.css("h1, h2, h3")]
    assert shown == written
    assert len(node.css("data.checked")) == len(find(markdown)) > 0
    assert node.css("details.checked-numbers") and node.css("a.term") and node.css("span.symbol")
    assert len(node.css("math")) == len(re.findall(r"\$[^$\n]+\$|^\$\$$", re.sub(
        r"(?ms)^\$\$$.*?^\$\$$", "$$", markdown), re.M))
    for code in node.css("pre, code, annotation"):
        code.decompose()
    for raw in ("{#", "{ calc", "\\frac", "$", "<!--", "# %%"):
        assert raw not in node.text(), raw


@every_lab
def test_the_notebook_can_be_taken_home(site, lang, name):
    link = article(site, lang, name).css_first(".lab-download a")
    assert "download" in link.attributes
    path = site / lang / "lab" / name / link.attributes["href"]
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert [cell.source for cell in notebook.cells if cell.cell_type == "code"] == \
        code_cells(lang, name)
    links = [link for cell in notebook.cells for link in re.findall(r"\]\((.*?)\)", cell.source)
             if cell.cell_type == "markdown"]
    assert links and all(link.startswith(f"http://127.0.0.1:8000/{lang}/") for link in links)
    for link in links:
        place, _, section = link.removeprefix("http://127.0.0.1:8000/").partition("#")
        page = HTMLParser((site / place / "index.html").read_text("utf-8"))
        assert not section or page.css(f'[id="{section}"]'), link


@every_lab
def test_labs_are_in_menu_and_search_and_their_source_is_not_published(site, lang, name):
    assert article(site, lang, name) and f"../{name}/" in built(site, lang, "sharpness" if
                                                                  name == "training" else "training")
    entries = json.loads((site / lang / "search" / "search_index.json").read_text("utf-8"))["docs"]
    mine = [entry for entry in entries if entry["location"].startswith(f"lab/{name}/")]
    assert mine and not any("<svg" in entry["text"] or "var(--" in entry["text"] for entry in mine)
    assert not list((site / lang).rglob("*.py"))


LAB = """\
# ---
# title: Lab
# description: To plant slips in.
# ---

# %% [markdown]
# # Lab {#lab}
#
# It is `0.67`{ calc="softmax([1, 2, 3])[2]" }.

# %%
print("hello".upper())
"""


@pytest.fixture
def with_lab(small_site):
    done = small_site.run("sqrtdk_docs", "results", "--page", "index")
    assert done.returncode == 0, done.stderr
    for lang in ("en", "zh"):
        config = small_site.root / "docs" / f"mkdocs.{lang}.yml"
        small_site.edit(config, "  - Home: index.md\n", "  - Home: index.md\n  - Lab: lab/small.py\n")
        lab = small_site.root / "docs" / lang / "lab" / "small.py"
        lab.parent.mkdir()
        lab.write_text(LAB, "utf-8")
    return small_site


def test_a_lab_is_built_and_run_anew_when_its_cells_change(with_lab):
    page = with_lab.root / "site" / "en" / "lab" / "small" / "index.html"
    assert with_lab.build().returncode == 0 and "HELLO" in page.read_text("utf-8")
    with_lab.edit(with_lab.root / "docs/en/lab/small.py", '"hello"', '"other"')
    assert with_lab.build().returncode == 0 and "OTHER" in page.read_text("utf-8")


@pytest.mark.parametrize("old, new, told", [
    ('print("hello"', 'print(1 / 0, "hello"',
     "docs/en/lab/small.py:12: a cell of the lab failed: ZeroDivisionError"),
    ("`0.67`", "`0.66`", "docs/en/lab/small.py:9:7: `0.66`"),
    ("# It is", "It is", "small.py:9: words of a lab stand in comments"),
], ids=["failing cell", "wrong number", "not in a comment"])
def test_a_slip_in_a_lab_ends_the_build_and_nothing_is_published(with_lab, old, new, told):
    with_lab.edit(with_lab.root / "docs/en/lab/small.py", old, new)
    done = with_lab.build()
    assert done.returncode != 0 and told in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert not list((with_lab.root / "site").rglob("*.html"))


def test_serve_runs_a_lab_again_only_when_it_must(with_lab):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    lab, kept = with_lab.root / "docs/en/lab/small.py", with_lab.root / ".cache" / "labs" / "en"

    def run():
        return {path.name: path.stat().st_mtime_ns for path in kept.rglob("*.json")}

    with subprocess.Popen(
            [sys.executable, "-m", "mkdocs", "serve", "-a", f"127.0.0.1:{port}"],
            cwd=with_lab.root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            address = f"http://127.0.0.1:{port}/en"
            eventually(f"{address}/lab/small/", lambda page: "HELLO" in page)
            before = run()
            with_lab.edit(with_lab.page, "is a formula", "is a short formula")
            eventually(f"{address}/", lambda page: "a short formula" in page)
            with_lab.edit(lab, "It is", "It was")
            eventually(f"{address}/lab/small/", lambda page: "It was" in page and "HELLO" in page)
            assert run() == before, "words do not run a lab"
            with_lab.edit(lab, "print(", "print(1 / 0, ")
            eventually(f"{address}/lab/small/", lambda page: "ZeroDivisionError" in page)
            with_lab.edit(lab, 'print(1 / 0, "hello"', 'print("other"')
            eventually(f"{address}/lab/small/", lambda page: "OTHER" in page)
        finally:
            server.terminate()


def eventually(address: str, holds, seconds: float = 120) -> None:
    """Wait until the page at `address` holds what it should."""
    end, page = time.monotonic() + seconds, ""
    while time.monotonic() < end:
        try:
            page = urllib.request.urlopen(address, timeout=seconds).read().decode("utf-8")
            if holds(page):
                return
        except (urllib.error.URLError, ConnectionError):
            pass
        time.sleep(0.3)
    raise AssertionError(f"not in {seconds} s; the page was:\n{page[:2000]}")
