"""The built pages hold what the source says: the same blocks, outputs, headings, links."""

import json
import re
from urllib.parse import urljoin, urlsplit

import pytest
from selectolax.lexbor import LexborHTMLParser as HTMLParser

from sqrtdk_docs.blocks import find_blocks
from sqrtdk_docs.project import Project
from sqrtdk_docs.results import Outputs

from pathlib import Path

PROJECT = Project(Path(__file__).parents[2])
PEERS = ["en", "zh"]
MAIN_PATH = ["index", "why/growth", "why/sharpness", "why/training", "why/scaling",
             "softmax/role", "softmax/formula", "softmax/alternatives", "softmax/temperature"]
HEADING = re.compile(r"^(#{1,6}) .*\{\s*#([a-z0-9-]+)\s*\}\s*$", re.M)


def built(site, lang: str, name: str) -> Path:
    folder = "" if name == "index" else name.removesuffix("/index")
    return site / lang / folder / "index.html"


def tree(site, lang: str, name: str) -> HTMLParser:
    return HTMLParser(built(site, lang, name).read_text("utf-8"))


def article(site, lang: str, name: str):
    return tree(site, lang, name).css_first("article")


def pages(lang: str) -> list[str]:
    return [PROJECT.page_name(path) for path in PROJECT.pages(lang)]


EVERY_PAGE = [(lang, name) for lang in PEERS for name in pages(lang)]
every_page = pytest.mark.parametrize("lang, name", EVERY_PAGE)


@pytest.mark.parametrize("lang", PEERS)
def test_the_main_path_is_complete(site, lang):
    for name in MAIN_PATH:
        assert built(site, lang, name).is_file(), f"{lang}/{name}"


@every_page
def test_blocks_and_outputs_are_the_sources(site, lang, name):
    source = find_blocks(PROJECT, PROJECT.docs / lang / f"{name}.md")
    outputs = Outputs(PROJECT.results / "outputs")
    shown = article(site, lang, name).css("div.block")
    assert [node.attributes["id"] for node in shown] == [block.id for block in source]
    for node, block in zip(shown, source):
        code, output = node.css("pre > code")
        assert code.text().rstrip("\n") == block.code.rstrip("\n"), block.id
        assert output.text().rstrip("\n") == outputs(block).rstrip("\n"), block.id


@every_page
def test_headings_have_the_ids_of_the_source(site, lang, name):
    text = (PROJECT.docs / lang / f"{name}.md").read_text("utf-8")
    text = re.sub(r"^\s*```.*?^\s*```", "", text, flags=re.M | re.S)
    written = [(len(marks), id_) for marks, id_ in HEADING.findall(text)]
    shown = [(int(node.tag[1]), node.attributes.get("id"))
             for node in article(site, lang, name).css("h1, h2, h3, h4, h5, h6")
             if "admonition-title" not in (node.attributes.get("class") or "")]
    assert shown == written


@every_page
def test_nothing_raw_is_left(site, lang, name):
    node = article(site, lang, name)
    for code in node.css("pre, code, annotation"):
        code.decompose()
    text = node.text()
    for raw in ("--8<--", "\\(", "\\[", "\\frac", "\\text", "$$", "{#", "{ calc", "![]("):
        assert raw not in text, f"{raw!r} is left on {lang}/{name}"
    assert not re.search(r"\$[^$\n]+\$", text)


@every_page
def test_formulas_are_mathml(site, lang, name):
    source = (PROJECT.docs / lang / f"{name}.md").read_text("utf-8")
    blocks = source.count("$$") // 2
    assert len(article(site, lang, name).css('math[display="block"]')) == blocks


@pytest.mark.parametrize("path", ["index.html", "404.html", "en/404.html", "zh/404.html",
                                  *(f"{lang}/{name}" for lang, name in EVERY_PAGE)])
def test_nothing_is_loaded_from_another_host(site, path):
    lang, _, name = path.partition("/")
    file = site / path if path.endswith(".html") else built(site, lang, name)
    node = HTMLParser(file.read_text("utf-8"))
    own = urlsplit("http://127.0.0.1:8000/")
    loaded = [item.attributes.get("src") for item in node.css("[src]")]
    loaded += [item.attributes.get("href") for item in node.css("link[href]")
               if item.attributes.get("rel") != "canonical"]
    for url in loaded:
        parts = urlsplit(url or "")
        assert parts.scheme in ("", "data") or parts.netloc == own.netloc, url


@pytest.mark.parametrize("file", sorted(PROJECT.theme.rglob("*.css"), key=str), ids=str)
def test_style_sheets_ask_no_other_host(file):
    assert not re.search(r"url\(\s*['\"]?(https?:)?//|@import", file.read_text("utf-8"))


@every_page
def test_a_page_links_to_itself_in_the_other_language(site, lang, name):
    [other] = [peer for peer in PEERS if peer != lang]
    links = tree(site, lang, name).css(f'a[hreflang="{other}"]')
    assert links, "no link to the other language without JavaScript"
    here = built(site, lang, name)
    for link in links:
        target = urljoin(here.as_uri(), link.attributes["href"])
        assert urljoin(target, "index.html") == built(site, other, name).as_uri()


@pytest.mark.parametrize("lang, own, foreign", [
    ("en", r"[A-Za-z]{3}", r"[一-鿿]{8}"), ("zh", r"[一-鿿]", r"(?:[A-Za-z]{3,} ){8}")])
def test_a_search_index_holds_one_language(site, lang, own, foreign):
    index = json.loads((site / lang / "search" / "search_index.json").read_text("utf-8"))
    texts = [re.sub(r"<[^>]+>", " ", entry["text"]).replace("​", "")
             for entry in index["docs"]]
    assert sum(bool(re.search(own, text)) for text in texts) > 0.8 * len(texts)
    assert [text for text in texts if re.search(foreign, text)] == []


@pytest.mark.parametrize("lang", PEERS)
def test_formulas_stay_out_of_the_search_index(site, lang):
    index = (site / lang / "search" / "search_index.json").read_text("utf-8")
    assert "\\\\frac" not in index and "operatorname" not in index


def test_the_sitemaps_pair_the_languages(site):
    for lang in PEERS:
        text = (site / lang / "sitemap.xml").read_text("utf-8")
        for name in MAIN_PATH[1:]:
            for peer in PEERS:
                assert f'hreflang="{peer}" href="http://127.0.0.1:8000/{peer}/{name}/"' in text
        assert 'hreflang="x-default" href="http://127.0.0.1:8000/"' in text
