"""A small site in two languages, to be changed at will."""

import shutil
import subprocess
from pathlib import Path

import pytest

from sqrtdk_docs import __main__ as entry
from sqrtdk_docs.project import Project
from sqrtdk_docs.translation.checks import Problem, problems
from sqrtdk_docs.translation.corpus import Corpus
from sqrtdk_docs.translation.lock import Lock
from sqrtdk_docs.translation.notices import Translations
from sqrtdk_docs.translation.states import standings

ROOT = Path(__file__).parents[2]

CONFIG = {
    "en": """\
INHERIT: ../mkdocs.yml
site_name: Why
site_url: !ENV [SITE_URL, "http://127.0.0.1:8000/"]
docs_dir: en
theme: {language: en}
extra: {lang: en, lang_name: English}
nav:
  - The answer: index.md
  - Reasons:
      - Growth: why/growth.md
""",
    "zh": """\
INHERIT: ../mkdocs.yml
site_name: 为什么
site_url: !ENV [SITE_URL, "http://127.0.0.1:8000/"]
docs_dir: zh
theme: {language: zh}
extra: {lang: zh, lang_name: 中文}
nav:
  - 答案: index.md
  - 理由:
      - 增长: why/growth.md
""",
}

INDEX = {
    "en": """\
---
title: The answer
description: What the factor is for.
---
# The answer {#answer}

Long vectors have large dot products. See [growth](why/growth.md#spread).
""",
    "zh": """\
---
title: 答案
description: 这个因子有什么用。
---
# 答案 {#answer}

向量越长，点积越大。见[增长](why/growth.md#spread)。
""",
}

GROWTH = {
    "en": """\
---
title: Growth
description: Scores spread out.
---
# Growth {#growth}

The score is a sum of $d_k$ products.

## Spread {#spread}

Its spread is `8`{ calc="sqrt(64)" }, since $\\sqrt{64} = 8$ and $d_k$ is 64.

$$
\\sigma = \\sqrt{d_k} \\quad \\text{for unit variance}
$$

```{.py #growth-spread title="Spread"}
--8<-- "sqrtdk/examples/spread.py:show"
```

| d_k | **raw**{.raw} |
| --- | ---: |
| 64 | `8`{ calc="sqrt(64)" } |

??? deeper "Deeper: why"

    The proof is in [the paper](https://arxiv.org/abs/1706.03762).

## Questions {#questions}

??? question "What if it doubles?"

    The spread grows.
""",
    "zh": """\
---
title: 增长
description: 分数越来越分散。
---
# 增长 {#growth}

分数是 $d_k$ 个乘积之和。

## 分散程度 {#spread}

因为 $\\sqrt{64} = 8$，所以分散程度是 `8`{ calc="sqrt(64)" }，这里 $d_k$ 是 64。

$$
\\sigma = \\sqrt{d_k} \\quad \\text{方差为 1 时}
$$

```{.py #growth-spread title="分散程度"}
--8<-- "sqrtdk/examples/spread.py:show"
```

| d_k | **原始**{.raw} |
| --- | ---: |
| 64 | `8`{ calc="sqrt(64)" } |

??? deeper "深入：为什么"

    证明见[论文](https://arxiv.org/abs/1706.03762)。

## 问题 {#questions}

??? question "翻倍会怎样？"

    分散程度变大。
""",
}


class Tree:
    """A project in a folder of its own, with what the tests ask of it."""

    def __init__(self, root: Path):
        self.root = root

    @property
    def project(self) -> Project:
        return Project(self.root)

    @property
    def corpus(self) -> Corpus:
        return Corpus(self.project)

    @property
    def lock(self) -> Lock:
        return Lock.load(self.root)

    @property
    def site(self) -> Translations:
        return Translations(self.project)

    def write(self, path: str, text: str, newline: str = "\n") -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8", newline=newline)

    def edit(self, path: str, old: str, new: str) -> None:
        """Change what stands in a file; it must stand there."""
        text = (self.root / path).read_text("utf-8")
        assert old in text, f"{old!r} is not in {path}"
        self.write(path, text.replace(old, new))

    def states(self, lang: str = "zh") -> dict[str, str]:
        """`page#section` -> state in words, for all that is not in step."""
        corpus = self.corpus
        return {each.where: str(each)
                for each in standings(corpus, self.lock, corpus.pair_of(lang))
                if each.state != "in step"}

    def problems(self) -> list[Problem]:
        return problems(self.corpus, self.lock)

    def failures(self) -> list[str]:
        return [str(each) for each in self.problems() if each.fails]

    def git(self, *arguments: str) -> None:
        subprocess.run(["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *arguments],
                       cwd=self.root, check=True, capture_output=True)

    def commit(self) -> None:
        if not (self.root / ".git").exists():
            self.git("init", "-q")
        self.git("add", ".")
        self.git("commit", "-q", "-m", "as it is")


@pytest.fixture
def tree(tmp_path, monkeypatch) -> Tree:
    """Two pages in English and Chinese, built alike; nothing accepted yet."""
    made = Tree(tmp_path)
    made.write("mkdocs.yml", "site_name: root\ntheme: {name: material}\n")
    for lang in ("en", "zh"):
        made.write(f"docs/mkdocs.{lang}.yml", CONFIG[lang])
        made.write(f"docs/{lang}/index.md", INDEX[lang])
        made.write(f"docs/{lang}/why/growth.md", GROWTH[lang])
    (tmp_path / "docs/translation").mkdir()
    shutil.copy(ROOT / "docs/translation/words.toml", tmp_path / "docs/translation")
    monkeypatch.chdir(tmp_path)
    return made


@pytest.fixture
def run(tree, capsys, monkeypatch):
    """Run `python -m sqrtdk_docs …` in the tree: exit code and all that it printed."""
    monkeypatch.setattr(entry, "COMMANDS", ["sqrtdk_docs.translation.command"])

    def command(*arguments: str) -> tuple[int, str]:
        code = entry.main(list(arguments))
        printed = capsys.readouterr()
        return code, printed.out + printed.err
    return command


@pytest.fixture
def accepted(tree, run) -> Tree:
    """The tree with all of it accepted."""
    for page in ("index", "why/growth", "site"):
        code, printed = run("translate", "accept", page, "--yes")
        assert code == 0, printed
    return tree
