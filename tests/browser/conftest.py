"""A browser, and the built site served the way a plain static host would serve it."""

import functools
import http.server
import os
import shutil
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync"]
LOCALES = {"en": "en-GB", "zh": "zh-CN"}


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


@contextmanager
def serving(folder: Path):
    """The address at which `folder` is served."""
    handler = functools.partial(Handler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="session")
def browser():
    """The system's Chromium. Without one the tests skip; where CI=true they fail."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        complaint = f"no browser: none of {', '.join(BROWSERS)} is installed"
        if os.environ.get("CI") == "true":
            pytest.fail(complaint)
        pytest.skip(complaint)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def address(site):
    """Where the site is served: a port that it was not built for."""
    with serving(site) as url:
        yield url


@pytest.fixture(scope="session")
def address_below(site, tmp_path_factory):
    """The same site under a project path, as hosts of many projects serve it."""
    host = tmp_path_factory.mktemp("host")
    (host / "name").symlink_to(site, target_is_directory=True)
    with serving(host) as url:
        yield f"{url}/name"


@pytest.fixture(scope="session")
def new_context(browser):
    """A reader's browser: `new_context(lang="zh", width=360, scheme="dark", …)`."""

    def make(lang="en", width=1280, height=800, scheme="light", **options):
        return browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme,
            locale=LOCALES[lang], reduced_motion="reduce", **options)

    return make


@pytest.fixture
def visit(new_context):
    """Open a page in a fresh browser: `visit(url, lang="zh", …)`."""
    contexts = []

    def open_page(url=None, **options):
        contexts.append(new_context(**options))
        page = contexts[-1].new_page()
        if url:
            page.goto(url)
        return page

    yield open_page
    for context in contexts:
        context.close()
