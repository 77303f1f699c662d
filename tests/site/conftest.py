"""A small site of two languages and one page, to plant slips in."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = {
    "en": """\
---
title: Small
description: A page to plant slips in.
---

# Small {#small}

The largest weight is `0.67`{ calc="softmax([1, 2, 3])[2]" }, and $x^2$ is a formula.

```{.py #small-show}
--8<-- "small.py:show"
```
""",
    "zh": """\
---
title: 小页面
description: 用来埋错误的页面。
---

# 小页面 {#small}

最大的权重是 `0.67`{ calc="softmax([1, 2, 3])[2]" }，$x^2$ 是公式。

```{.py #small-show}
--8<-- "small.py:show"
```
""",
}
SOURCE = '# --8<-- [start:show]\nprint("hello")\n# --8<-- [end:show]\n'


class SmallSite:
    """A repository in miniature, with the commands an author would type."""

    def __init__(self, root: Path):
        self.root = root
        self.page = root / "docs" / "en" / "index.md"
        self.source = root / "src" / "small.py"
        self.output = root / "docs" / "results" / "outputs" / "small-show.txt"

    def run(self, module: str, *arguments: str) -> subprocess.CompletedProcess:
        return subprocess.run([sys.executable, "-m", module, *arguments], cwd=self.root,
                              capture_output=True, encoding="utf-8")

    def build(self) -> subprocess.CompletedProcess:
        return self.run("mkdocs", "build", "--site-dir", "site")

    def edit(self, path: Path, old: str, new: str) -> None:
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new), "utf-8")


@pytest.fixture
def small_site(tmp_path, monkeypatch) -> SmallSite:
    monkeypatch.setenv("NO_MKDOCS_2_WARNING", "1")
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    shutil.copytree(ROOT / "docs" / "theme", tmp_path / "docs" / "theme")
    shutil.copytree(ROOT / "docs" / "root", tmp_path / "docs" / "root")
    shutil.copytree(ROOT / "docs" / "translation", tmp_path / "docs" / "translation",
                    ignore=shutil.ignore_patterns("lock.toml"))
    (tmp_path / "src").mkdir()
    (tmp_path / "tests" / "lesson").mkdir(parents=True)
    (tmp_path / "docs" / "results" / "data").mkdir(parents=True)
    for lang, text in PAGE.items():
        config = (ROOT / "docs" / f"mkdocs.{lang}.yml").read_text("utf-8")
        head = config[:config.index("\nnav:")]
        (tmp_path / "docs" / f"mkdocs.{lang}.yml").write_text(
            head + "\nnav:\n  - Home: index.md\n  - Glossary: glossary.md\n"
                   "  - Tests: tests.md\n  - Status: translation.md\n", "utf-8")
        (tmp_path / "docs" / lang).mkdir()
        (tmp_path / "docs" / lang / "index.md").write_text(text, "utf-8")
    small = SmallSite(tmp_path)
    small.source.write_text(SOURCE)
    words = tmp_path / "src" / "sqrtdk" / "figures" / "words"
    words.mkdir(parents=True)
    for lang in PAGE:
        (words / f"{lang}.toml").write_text("")
    return small
