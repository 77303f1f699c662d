"""What must hold on each page, whatever it says."""

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe

from sqrtdk_docs.project import Project

PROJECT = Project(Path(__file__).parents[2])
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}


def paths() -> list[str]:
    """Every page: those written, those the build adds to the menu, the root, the wrong address."""
    found = ["/?choose", "/404.html"]
    for lang in ("en", "zh"):
        menu = (PROJECT.docs / f"mkdocs.{lang}.yml").read_text("utf-8")
        names = {PROJECT.page_name(path) for path in PROJECT.sources(lang)}
        names |= set(re.findall(r":\s*([\w/-]+)\.md\s*$", menu, re.M))
        found += [f"/{lang}/404.html"]
        found += [f"/{lang}/" if name == "index" else f"/{lang}/{name.removesuffix('/index')}/"
                  for name in sorted(names)]
    return found


def language(path: str) -> str:
    return "zh" if path.startswith("/zh/") else "en"


@pytest.fixture(scope="module", params=paths())
def seen(request, address, new_context):
    """A page, opened once for all the tests below, with what it asked for and complained of."""
    context = new_context(lang=language(request.param), width=360, height=740)
    page = context.new_page()
    page.asked, page.complaints = [], []
    page.on("request", lambda sent: page.asked.append(sent.url))
    page.on("response", lambda reply: reply.status >= 400 and page.complaints.append(reply.url))
    page.on("console", lambda line: line.type in ("error", "warning")
            and page.complaints.append(line.text))
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.goto(address + request.param, wait_until="load")
    page.wait_for_timeout(300)                     # what scripts ask for once the page is there
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    yield page
    context.close()


def test_nothing_is_asked_of_another_host(seen, address):
    hosts = {urlsplit(url).netloc for url in seen.asked if not url.startswith("data:")}
    assert hosts == {urlsplit(address).netloc}


def test_the_page_makes_no_complaint(seen):
    assert seen.complaints == []


def test_a_phone_need_not_scroll_sideways(seen):
    assert seen.evaluate("document.documentElement.scrollWidth") <= 360
    # The page itself clips what stands out, so look at each element that nothing clips.
    assert seen.evaluate("""() => [...document.querySelectorAll('main *')]
        .filter(e => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth + 1)
        .filter(e => { for (let up = e.parentElement; up.localName != 'body'; up = up.parentElement)
            if (getComputedStyle(up).overflowX != 'visible') return false; return true; })
        .filter(e => !e.closest('.md-sidebar'))
        .map(e => e.outerHTML.slice(0, 120))""") == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(seen, scheme):
    seen.emulate_media(color_scheme=scheme)
    violations = Axe().run(seen, options=RULES).response["violations"]
    assert [(rule["id"], rule["nodes"][0]["html"][:200]) for rule in violations] == []


def test_formulas_use_only_letters_that_the_font_has(seen, font_has):
    drawn = seen.evaluate("""() => [...document.querySelectorAll('math :is(mi, mn, mo)')]
        .map(e => [e.textContent, e.localName == 'mi'])""")
    missing = {letter for text, is_name in drawn for letter in text
               if not font_has(letter, italic=is_name and len(text) == 1)}
    assert missing == set()


@pytest.fixture(scope="session")
def font_has():
    """Whether the formulas' font has a letter, as the italic that a one-letter name becomes."""
    from fontTools.ttLib import TTFont

    font = TTFont(PROJECT.theme / "fonts" / "stix-two-math.woff2").getBestCmap()
    return lambda letter, italic: ord(italic_of(letter) if italic else letter) in font


def italic_of(letter: str) -> str:
    """The letter that MathML Core draws for a name of one letter."""
    for first, last, italic in [("A", "Z", 0x1D434), ("a", "z", 0x1D44E), ("α", "ω", 0x1D6FC)]:
        if first <= letter <= last and letter != "h":
            return chr(italic + ord(letter) - ord(first))
    return "ℎ" if letter == "h" else letter
