"""Figures: drawn by `results`, one SVG a language, and set into the page as inline SVG.

A page names a figure by `![](figure:NAME)`. Title, caption and description come from the words
of the figure and stand on the page as text; the drawing has the description as its name.
"""

import html
import importlib
import pkgutil
import re
from pathlib import Path

from sqrtdk_docs.project import Project, ProjectError, read_text, read_toml

LEFT = re.compile(r'<img\b[^>]*\bsrc="figure:([^"]*)"')
IMAGE = re.compile(r'<p>\s*<img alt="" src="figure:([\w-]+)"\s*/?>\s*</p>')
ROOM = ("style", "words", "labs")       # in the room, but none of the pages' figures


def names() -> list[str]:
    """The figures there are: the modules of `sqrtdk.figures` that draw one."""
    package = importlib.import_module("sqrtdk.figures")
    return sorted(module.name for module in pkgutil.iter_modules(package.__path__)
                  if module.name not in ROOM)


def figure_words(project: Project, lang: str) -> dict:
    path = project.source / "sqrtdk" / "figures" / "words" / f"{lang}.toml"
    return read_toml(path)


def figure_data(name: str, measured) -> dict:
    """What a figure shows. `measured(NAME)` gives the committed measurements it builds on."""
    module = importlib.import_module(f"sqrtdk.figures.{name}")
    return module.data(*(measured(need) for need in getattr(module, "NEEDS", ())))


def drawings(project: Project, name: str, measured, langs) -> dict[Path, str]:
    """The SVG of one figure in each language, by the path where it belongs."""
    from sqrtdk.figures import style    # matplotlib: only where something is drawn

    module = importlib.import_module(f"sqrtdk.figures.{name}")
    data = figure_data(name, measured)
    return {project.results / "figures" / lang / f"{name}.svg":
            style.svg(module.draw, data, _own_words(project, lang, name)) for lang in langs}


def _own_words(project: Project, lang: str, name: str) -> dict:
    try:
        return figure_words(project, lang)[name]
    except KeyError:
        raise ProjectError(f"src/sqrtdk/figures/words/{lang}.toml: no words for figure {name!r}")


def place(content: str, project: Project, lang: str, where: str, tested=None) -> str:
    """Replace each named figure by its drawing. `tested(NAME)` gives the link to its test."""
    content = IMAGE.sub(lambda found: _figure(project, lang, found[1], where, tested), content)
    if left := LEFT.search(content):
        raise ProjectError(f"{where}: figure {left[1]}: write ![](figure:{left[1]}), without words, "
                           "in a paragraph of its own")
    return content


def _figure(project: Project, lang: str, name: str, where: str, tested) -> str:
    path = project.results / "figures" / lang / f"{name}.svg"
    if not path.is_file():
        raise ProjectError(f"{where}: figure {name}: no drawing yet; "
                           "run `python -m sqrtdk_docs results`")
    words = _own_words(project, lang, name)
    link = tested(name) if tested else ""
    return (
        f'<figure class="plot" id="figure-{name}" data-search-exclude>'
        f'<p class="plot-title">{_text(words["title"])}</p>'
        f'{_inline(read_text(path), name, words["description"])}'
        f'<figcaption>{_text(words["caption"])}{link}</figcaption></figure>'
    )


def _inline(svg: str, name: str, description: str) -> str:
    """One page holds many drawings: make ids its own, and give the drawing a name to speak."""
    svg = own_ids(svg.strip(), name)
    return svg.replace("<svg ", f'<svg role="img" aria-label="{html.escape(description)}" ', 1)


def own_ids(svg: str, name: str) -> str:
    """The drawing with `name` before each id in it."""
    return re.sub(r'\b(id="|xlink:href="#|url\(#)', rf"\g<1>{name}-", svg)


def _text(words: str) -> str:
    """d_k as it is written in formulas."""
    return re.sub(r"d_k", "<i>d</i><sub>k</sub>", html.escape(words, quote=False))
