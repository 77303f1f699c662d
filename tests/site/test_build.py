"""`mkdocs build` is strict and publishes all or nothing; `mkdocs serve` carries on."""

import os
import resource
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

import pytest

ENCODED = "utf-8"
SLIP = 'class="slip"'


def ready(small_site):
    """The small site with its results written."""
    done = small_site.run("sqrtdk_docs", "results", "--page", "index")
    assert done.returncode == 0, done.stderr
    return small_site


def test_a_clean_site_is_built_in_both_languages(small_site):
    done = ready(small_site).build()
    assert done.returncode == 0, done.stderr
    for lang in ("en", "zh"):
        text = (small_site.root / "site" / lang / "index.html").read_text(ENCODED)
        assert "hello" in text and "<math" in text and '<data class="checked"' in text


@pytest.mark.parametrize("plant, told", [
    (lambda s: s.edit(s.page, "small.py:show", "small.py:absent"),
     "docs/en/index.md:10: src/small.py has no section 'absent'"),
    (lambda s: s.edit(s.source, "# --8<-- [end:show]", ""),
     "section 'show' of src/small.py must be opened once and closed once"),
    (lambda s: s.output.unlink(),
     "docs/en/index.md:10: block small-show: no output yet; run `python -m sqrtdk_docs results`"),
    (lambda s: s.output.write_text(s.output.read_text().splitlines()[0] + "\n"),
     "docs/en/index.md:10: block small-show: its output is empty"),
    (lambda s: s.edit(s.source, "hello", "other"),
     "docs/en/index.md:10: block small-show: its code has changed since it was run"),
    (lambda s: s.edit(s.page, "`0.67`", "`0.66`"),
     "docs/en/index.md:8:23: `0.66` calc=\"softmax([1, 2, 3])[2]\": the value is 0.66524"),
    (lambda s: s.edit(s.page, "$x^2$", r"$\nosuchcommand$"), "nosuchcommand"),
    (lambda s: s.edit(s.page, "$x^2$ is", "[x](absent.md) is"), "absent.md"),
    (lambda s: s.edit(s.page, "$x^2$ is a formula.", "so on.\n\n![](figure:absent)"),
     "figure absent: no drawing yet"),
    (lambda s: s.edit(s.page, "The largest", "<!-- to do\n\nThe largest"),
     "docs/en/index.md:8: a comment begins here and is never closed"),
    (lambda s: s.page.write_bytes(s.page.read_bytes() + b"\xff"),
     "docs/en/index.md:13: is not UTF-8"),
    (lambda s: s.edit(s.root / "docs" / "mkdocs.zh.yml", "lang: zh", "lang: en"),
     "docs/mkdocs.zh.yml: needs `extra: {lang: zh, lang_name: …}`"),
    (lambda s: s.edit(s.root / "docs" / "translation" / "terms.csv", "term,", "word,"),
     "docs/translation/terms.csv:2: has no term"),
], ids=["missing section", "unclosed section", "missing output", "empty output", "stale output",
        "wrong number", "bad TeX", "broken link", "missing figure", "open comment", "not UTF-8",
        "language without its id", "broken list of terms"])
def test_a_slip_ends_the_build_and_nothing_is_published(small_site, plant, told):
    plant(ready(small_site))
    done = small_site.build()
    assert done.returncode != 0
    assert told in done.stdout + done.stderr
    assert "Traceback" not in done.stderr, "a plain message, not a stack trace"
    assert not list((small_site.root / "site").rglob("*.html"))


def test_serve_shows_a_slip_and_carries_on(small_site):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    ready(small_site)
    small_site.edit(small_site.page, "`0.67`", "`0.66`")
    with subprocess.Popen(
            [sys.executable, "-m", "mkdocs", "serve", "-a", f"127.0.0.1:{port}"],
            cwd=small_site.root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            address = f"http://127.0.0.1:{port}/en/"
            assert "the value is 0.66524" in eventually(address, lambda page: SLIP in page)
            small_site.edit(small_site.page, "`0.66`", "`0.67`")
            assert "0.67" in eventually(address, lambda page: SLIP not in page)
            small_site.edit(small_site.page, "small.py:show", "small.py:absent")
            eventually(address, lambda page: "has no section" in page)
            small_site.edit(small_site.page, "small.py:absent", "small.py:show")
            eventually(address, lambda page: "hello" in page and SLIP not in page)
        finally:
            server.terminate()


def eventually(address: str, holds, seconds: float = 90) -> str:
    """The page at `address`, once it holds what it should."""
    end, page = time.monotonic() + seconds, ""
    while time.monotonic() < end:
        try:
            page = urllib.request.urlopen(address, timeout=seconds).read().decode(ENCODED)
            if holds(page):
                return page
        except (urllib.error.URLError, ConnectionError):
            pass
        time.sleep(0.3)
    raise AssertionError(f"not in {seconds} s; the page was:\n{page[:2000]}")


@pytest.mark.skipif(not hasattr(os, "wait4"), reason="CPU time of a child needs POSIX")
def test_the_site_is_built_in_little_time(site, tmp_path):
    """Under 15 s of CPU. `site` was built before, so what is cached is cached."""
    if "SQRTDK_SITE" in os.environ:
        pytest.skip("SQRTDK_SITE is set: nothing was built")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, "-m", "mkdocs", "build", "-q", "--site-dir",
                           str(tmp_path)], env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 15
