"""What a reader does: switch language, copy, search, choose a scheme, use the keyboard."""

import pytest

OTHER = {"en": "zh", "zh": "en"}
each_language = pytest.mark.parametrize("lang", ["en", "zh"])


# --- two languages -----------------------------------------------------------------------


@each_language
@pytest.mark.parametrize("base", ["address", "address_below"])
def test_the_switch_keeps_page_and_section(visit, request, base, lang):
    url = request.getfixturevalue(base)
    page = visit(f"{url}/{lang}/why/scaling/#where", lang=lang)
    page.locator(".site-language").click()
    page.wait_for_url(f"{url}/{OTHER[lang]}/why/scaling/#where")
    assert page.locator("html").get_attribute("lang") == OTHER[lang]
    assert page.locator("#where").is_visible(), "the section is there in the other language too"
    page.locator(".site-language").click()
    page.wait_for_url(f"{url}/{lang}/why/scaling/#where")


@each_language
def test_the_switch_keeps_the_page_without_javascript(visit, address_below, lang):
    page = visit(f"{address_below}/{lang}/why/scaling/", lang=lang, java_script_enabled=False)
    page.locator(".site-language").click()
    assert page.url == f"{address_below}/{OTHER[lang]}/why/scaling/"


@each_language
def test_the_root_page_sends_on_by_the_browsers_language(visit, address, lang):
    page = visit(lang=lang)
    page.goto("about:blank")
    page.goto(f"{address}/")
    page.wait_for_url(f"{address}/{lang}/")
    page.go_back()
    assert page.url == "about:blank", "the back button leads out, not in a circle"


def test_the_root_page_remembers_a_choice(visit, address):
    page = visit(f"{address}/en/", lang="en")
    page.locator(".site-language").click()
    page.wait_for_url(f"{address}/zh/")
    page.goto(f"{address}/")
    page.wait_for_url(f"{address}/zh/")


def test_a_choice_can_be_made_again(visit, address):
    page = visit(f"{address}/zh/", lang="zh")
    page.locator(".site-colophon a", has_text="语言").click()
    page.wait_for_url(f"{address}/?choose")
    page.get_by_role("link", name="English").click()
    page.wait_for_url(f"{address}/en/")
    page.goto(f"{address}/")
    page.wait_for_url(f"{address}/en/")


def test_the_root_page_offers_both_without_javascript(visit, address_below):
    page = visit(f"{address_below}/", java_script_enabled=False)
    assert page.url == f"{address_below}/"
    page.get_by_role("link", name="中文").click()
    assert page.url == f"{address_below}/zh/"


# --- code --------------------------------------------------------------------------------


@each_language
def test_the_copy_button_copies_the_blocks_code(visit, address, lang):
    page = visit(f"{address}/{lang}/why/scaling/", lang=lang,
                 permissions=["clipboard-read", "clipboard-write"])
    block = page.locator("div.block").first
    code = block.locator(":scope > .highlight pre > code").text_content()
    block.locator(":scope > .highlight .md-code__button").first.click()
    page.wait_for_function("navigator.clipboard.readText().then(text => text != '')")
    assert page.evaluate("navigator.clipboard.readText()").strip() == code.strip()
    assert block.locator(".output .md-code__button").count() == 0, "an output is not to be copied"


# --- search ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lang", "query", "first"),
    [
        ("zh", "方差", "why/growth/"),
        ("zh", "梯度", "why/training/"),
        ("zh", "softmax", "softmax/"),
        ("en", "variance", "why/growth/"),
        ("en", "gradient", "why/training/"),
    ],
)
def test_search_finds_the_right_page_first(visit, address, lang, query, first):
    page = visit(f"{address}/{lang}/", lang=lang)
    page.wait_for_function("""() => {
        const words = JSON.parse(document.getElementById("__config").textContent).translations;
        const says = document.querySelector(".md-search-result__meta").textContent.trim();
        return says == words["search.result.placeholder"];     // the index has been read
    }""")
    page.keyboard.press("/")
    page.locator(".md-search__input").fill(query)
    page.keyboard.press("End")                     # the theme searches when a key comes up
    result = page.locator(".md-search-result__link").first
    result.wait_for()
    assert result.get_attribute("href").startswith(f"{address}/{lang}/{first}")


# --- colour scheme -----------------------------------------------------------------------


def paper(page) -> str:
    return page.evaluate("getComputedStyle(document.body).backgroundColor")


def test_the_scheme_follows_the_system_until_the_reader_chooses(visit, address):
    page = visit(f"{address}/en/", scheme="dark")
    dark = paper(page)
    page.emulate_media(color_scheme="light")
    light = paper(page)
    assert light != dark
    button = page.locator(".site-scheme")
    assert button.get_attribute("aria-label") == "Colour scheme: automatic"
    button.click()
    button.click()
    assert button.get_attribute("aria-label") == "Colour scheme: dark"
    assert paper(page) == dark
    page.goto(f"{address}/en/why/scaling/")
    assert paper(page) == dark, "the choice goes along to the next page"
    page.locator(".site-scheme").click()
    assert paper(page) == light


@each_language
def test_the_scheme_follows_the_system_without_javascript(visit, address, lang):
    schemes = [paper(visit(f"{address}/{lang}/", lang=lang, scheme=scheme,
                           java_script_enabled=False)) for scheme in ("light", "dark")]
    assert schemes[0] != schemes[1]


# --- keyboard ----------------------------------------------------------------------------


@each_language
def test_the_first_tab_stop_skips_to_the_text(visit, address, lang):
    page = visit(f"{address}/{lang}/why/scaling/", lang=lang)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.matches('.md-skip')")
    page.keyboard.press("Enter")
    assert page.url.endswith("#" + page.locator("h1").get_attribute("id"))


@each_language
@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_on_a_phone_the_menu_opens_by_keyboard(visit, address, lang, key):
    page = visit(f"{address}/{lang}/", lang=lang, width=360, height=640)
    link = page.locator(".site-nav a").nth(1)
    assert not link.is_visible(), "a closed menu takes no focus"
    page.locator(".site-menu").focus()
    page.keyboard.press(key)
    link.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"{address}/{lang}/why/growth/")


SCROLLERS = ".formula, .table, .highlight pre > code"


@each_language
def test_what_scrolls_sideways_takes_focus_and_has_a_name(visit, address, lang):
    page = visit(f"{address}/{lang}/why/scaling/", lang=lang, width=360, height=640)
    page.wait_for_timeout(200)
    seen = page.evaluate("""(selector) => [...document.querySelectorAll(selector)]
        .filter(e => e.checkVisibility())
        .map(e => [e.scrollWidth > e.clientWidth + 1, e.tabIndex == 0,
                   Boolean(e.getAttribute('aria-label'))])""", SCROLLERS)
    assert any(wide for wide, *_ in seen), "the code of this page is wider than a phone"
    assert [row for row in seen if len(set(row)) > 1] == []


# --- the first screen --------------------------------------------------------------------


@each_language
def test_formula_answer_and_way_on_fit_a_phones_first_screen(visit, address, lang):
    page = visit(f"{address}/{lang}/", lang=lang, width=360, height=640)
    formula = page.locator(".hero .formula")
    assert formula.evaluate("e => e.scrollWidth <= e.clientWidth"), "the whole formula shows"
    bottoms = page.locator(".hero .way").evaluate_all(
        "all => all.map(e => e.getBoundingClientRect().bottom)")
    assert len(bottoms) >= 2 and max(bottoms) <= 640
