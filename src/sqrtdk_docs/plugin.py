"""The MkDocs plugin: one command builds the root page and every language below it.

`mkdocs build` is strict: any slip ends it, and nothing half built stays. `mkdocs serve` shows
the slip, in the log and on the page, and carries on.
"""

import html
import logging
import os
from pathlib import Path
from urllib.parse import urljoin

import jieba
from mkdocs import utils
from mkdocs.commands.build import build as build_site
from mkdocs.config.base import load_config
from mkdocs.exceptions import Abort, PluginError
from mkdocs.plugins import BasePlugin, event_priority
from mkdocs.structure.files import File
from mkdocs.utils import get_relative_url

from sqrtdk_docs import (
    blocks, figures, labs, maths, notebooks, proof, property_table, results, terms)
from sqrtdk_docs.numbers import pages as checked
from sqrtdk_docs.numbers.calculator import Calculator
from sqrtdk_docs.numbers.extension import NumbersExtension, disclosure, unseen
from sqrtdk_docs.project import Project, ProjectError, page_file
from sqrtdk_docs.translation.notices import Translations

log = logging.getLogger("mkdocs.plugins.sqrtdk")

# Names without which a page cannot be told apart or spoken of, by language.
OUTPUT_LABEL = {"en": "Output", "zh": "输出"}


# What a page writes as ![](table:normalisers).
TABLE = '<p><img alt="" src="table:normalisers" /></p>'


def _name(page) -> str:
    """`why/growth` of a page, whatever its language."""
    return page.file.src_uri.rpartition(".")[0]


def _is_lab(page) -> bool:
    return page.file.src_uri.endswith(".py")


class LessonPlugin(BasePlugin):
    serving = False

    def on_startup(self, *, command: str, dirty: bool) -> None:
        self.serving = command == "serve"
        jieba.setLogLevel(logging.WARNING)

    # --- configuration -------------------------------------------------------------------

    @event_priority(100)
    def on_config(self, config):
        self.project = Project.find(Path(config.config_file_path).parent)
        self.lang = config.extra.get("lang")           # None: the root page
        if not self.lang:                              # it comes first, the languages follow
            self.site_dir = config.site_dir
            self.proof = proof.Proof(self.project, config.repo_url)
            self.language_names = self._read_language_names()
        if self.serving:
            self._be_lenient(config)
        self.strict = config.strict
        config.theme.dirs.insert(0, str(self.project.theme))
        for template in ("404.html", "sitemap.xml"):
            config.theme.static_templates.add(template)
        self.outputs = results.Outputs(self.project.results / "outputs")
        label = OUTPUT_LABEL.get(self.lang, OUTPUT_LABEL["en"])
        options = config.mdx_configs
        options["pymdownx.snippets"] = blocks.snippet_options(self.project)
        options["pymdownx.superfences"] = blocks.fence_options(
            blocks.BlockFormatter(self.outputs, label))
        jupyter = config.plugins.get("mkdocs-jupyter")
        self.labs = labs.Labs(self.project, jupyter.config if jupyter else {})
        self.calculator = Calculator(self.project.results / "data")
        self.numbers = NumbersExtension(self.calculator)
        config.markdown_extensions.append(self.numbers)
        self.translations = Translations(self.project)
        self.terms = terms.read_terms(self.project)
        self.first_uses = terms.FirstUses(self.terms, self.lang or "en")
        self.slips: list[str] = []
        return config

    @staticmethod
    def _be_lenient(config) -> None:
        """`serve` carries on: MkDocs has hung its strict counter on the log before we are asked."""
        config.strict = False
        logger = logging.getLogger("mkdocs")
        for handler in list(logger.handlers):
            if isinstance(handler, utils.CountHandler):
                logger.removeHandler(handler)

    def on_serve(self, server, *, config, builder):
        for folder in (self.project.docs, self.project.source):
            server.watch(str(folder))
        return server

    # --- pages that no author writes -----------------------------------------------------

    @event_priority(50)                        # before mkdocs-jupyter looks for notebooks
    def on_files(self, files, *, config):
        """Add the translation status, and the pages that a third language still lacks."""
        self.borrowed = {}                     # src_uri of a page -> the language it is taken from
        if self.lang:
            try:
                for file in self._made(config):
                    files.append(file)
            except ProjectError as slip:       # without these pages there is no site to show it on
                raise PluginError(str(slip)) from slip
        return files

    def _made(self, config):
        made = {"translation.md": self.translations.status_page(self.lang),
                "glossary.md": terms.glossary(self.terms, self.lang),
                f"{proof.PAGE}.md": self.proof.page(self.lang)}
        for name, lang in self.translations.fallbacks(self.lang).items():
            uri = page_file(name)
            self.borrowed[uri] = lang
            if uri.endswith(".md"):
                made[uri] = (self.project.docs / lang / uri).read_text("utf-8")
            else:                              # a notebook stays a file, to be found by its kind
                yield File(uri, str(self.project.docs / lang), config.site_dir,
                           config.use_directory_urls)
        for uri, text in made.items():
            yield File.generated(config, uri, content=text)

    def _source(self, page) -> Path | None:
        """The file whose Markdown a page shows; None where the text is made here."""
        if page.file.generated_by is None:
            return Path(page.file.abs_src_path)
        lang = self.borrowed.get(page.file.src_uri)
        return self.project.docs / lang / page.file.src_uri if lang else None

    @event_priority(-100)                      # after mkdocs-jupyter has set its own rendering
    def on_pre_page(self, page, *, config, files):
        """A lab is rendered as any page: of mkdocs-jupyter's work we take the page and the run."""
        if _is_lab(page):
            page.__dict__.pop("render", None)
        return page

    def on_page_read_source(self, *, page, config):
        """The Markdown of a lab; None for any other page, which MkDocs reads itself."""
        if not _is_lab(page):
            return None
        return self._guard(lambda: notebooks.read(Path(page.file.abs_src_path))) or ""

    # --- pages ---------------------------------------------------------------------------

    def on_page_markdown(self, text, *, page, config, files):
        """Hold the page to its sources before it is shown."""
        self.slips, self.found, self.blocks, self.cells = [], [], [], []
        source = self._source(page)
        if not self.lang or source is None:
            return text
        if page.file.src_uri in self.borrowed:
            page.meta["search"] = {"exclude": True}
        self.blocks = self._guard(lambda: blocks.find_blocks(self.project, source))
        if self.blocks is None:
            self.blocks = []
            return ""                          # Markdown would stumble over the same include
        for block in self.blocks:
            self._check_output(block)
        self._guard(lambda: checked.require(notebooks.read(source), self.project.shown(source),
                                            self.calculator))
        self.found = checked.find(notebooks.read(source))
        if not _is_lab(page):
            return text
        self.cells = self.labs.cells(source)
        return labs.page_markdown(self.cells)

    def on_page_content(self, content, *, page, config, files):
        if not self.lang:
            return content
        source = self._source(page)
        where = self.project.shown(source) if source else page.file.src_uri
        for number in unseen(self.found, self.numbers):
            self._slip(f"{where}:{number.line}: Markdown does not see the number `{number.text}`")
        for step in (
            lambda text: self._with_cells(text, page, source) if self.cells else text,
            lambda text: maths.replace(text, where),
            lambda text: self._with_terms(text, page) if source else text,
            lambda text: figures.place(
                text, self.project, self._words(page, "figures"), where,
                lambda name: self._tested(self.proof.of_figure(name), page)),
            lambda text: self._with_tests(text, page),
            lambda text: self._with_table(text, page),
            lambda text: text + disclosure(self.found, self.lang, lambda expression: self._address(
                self.proof.of_expression(expression), page)),
            lambda text: self._with_notices(text, page),
        ):
            content = self._guard(lambda: step(content)) or content
        return "".join(self.slips) + content

    def _with_cells(self, content: str, page, source: Path) -> str:
        lang = self._words(page, "labs")
        outputs = self._guard(lambda: self.labs.outputs(source, lang)) or []
        label = OUTPUT_LABEL.get(self.lang, OUTPUT_LABEL["en"])
        return labs.with_cells(content, self.cells, outputs, self.lang, label, source.stem)

    def _address(self, test, page) -> str | None:
        to_page = get_relative_url(f"{proof.PAGE}/", page.url)
        return self.proof.address(test, to_page) if test else None

    def _tested(self, test, page) -> str:
        """A link from a block or a figure to its test, as HTML."""
        return self.proof.link(test, get_relative_url(f"{proof.PAGE}/", page.url), self.lang)

    def _with_tests(self, content: str, page) -> str:
        for block in self.blocks:
            link = self._tested(self.proof.of_block(block), page)
            content = content.replace(blocks.proof_place(block.id), link)
        return content

    def _words(self, page, of: str) -> str:
        """The language of a page's figures or table: its own, or the one it is borrowed from."""
        return self.translations.words_language(self.lang, _name(page), of)

    def _with_table(self, content: str, page) -> str:
        if TABLE not in content:
            return content
        return content.replace(TABLE, property_table.render(self._words(page, "properties")))

    def _with_terms(self, content: str, page) -> str:
        return self.first_uses.mark(content, get_relative_url("glossary/", page.url))

    def _with_notices(self, content: str, page) -> str:
        other = self.translations.other(self.lang)
        return self.translations.marked(self.lang, _name(page), content, self._peer_url(other, page))

    def _check_output(self, block) -> None:
        try:
            self.outputs(block)
        except ProjectError as slip:
            self._slip(f"{block.where}: {slip}")

    def _guard(self, step):
        """The step's result; None after a slip."""
        try:
            return step()
        except ProjectError as slip:
            self._slip(str(slip))

    def _slip(self, text: str) -> None:
        """Ends a strict build; else is logged and shown on the page."""
        if self.strict:
            raise PluginError(text)
        log.error(text)
        self.slips.append(f'<p class="slip" role="alert">{html.escape(text)}</p>\n')

    def on_page_context(self, context, *, page, config, nav):
        if source := self.borrowed.get(page.file.src_uri):
            page.canonical_url = urljoin(config.site_url, f"../{source}/{page.url}")
        context["other_languages"] = [
            {"lang": lang, "name": name, "url": self._peer_url(lang, page)}
            for lang, name in self.language_names.items() if lang != self.lang
        ] if self.lang else []
        return context

    def on_post_page(self, output, *, page, config):
        """Put the notebook beside the page of a lab."""
        if self.lang and _is_lab(page):
            source = self._source(page)
            text = labs.for_readers(self.labs.cells(source), _name(page), config.site_url)
            beside = Path(page.file.abs_dest_path).with_name(f"{source.stem}.ipynb")
            utils.write_file(text.encode(), str(beside))
        return output

    def on_env(self, env, *, config, files):
        env.globals["peers"] = lambda page: self._sitemap_peers(config.site_url, page)
        return env

    def _sitemap_peers(self, site_url: str, page) -> list[dict]:
        """Whole addresses of a page in every language, and the root page as `x-default`."""
        if not self.lang:
            return []
        root = urljoin(site_url, "../")
        peers = [{"lang": lang, "url": urljoin(root, f"{lang}/{page.url}")}
                 for lang in self.project.languages]
        return [*peers, {"lang": "x-default", "url": root}]

    def _read_language_names(self) -> dict[str, str]:
        """The languages' own names, from their configurations."""
        names = {}
        for lang in self.project.languages:
            path = self.project.docs / f"mkdocs.{lang}.yml"
            with path.open(encoding="utf-8") as file:
                names[lang] = utils.yaml.yaml_load(file)["extra"]["lang_name"]
        return names

    def _peer_url(self, lang: str, page) -> str:
        """The same page in another language, relative to this page: right under any address."""
        return get_relative_url(f"{lang}/{page.url}", f"{self.lang}/{page.url}")

    # --- the languages -------------------------------------------------------------------

    @event_priority(-100)
    def on_post_build(self, *, config) -> None:
        if self.lang:
            return
        project, serving = self.project, self.serving
        for lang in project.languages:
            self._build_language(project, lang, config, serving)

    def _build_language(self, project: Project, lang: str, root, serving: bool) -> None:
        language = load_config(
            config_file=str(project.docs / f"mkdocs.{lang}.yml"),
            site_dir=os.path.join(root.site_dir, lang),
            site_url=urljoin(root.site_url or "", f"{lang}/"),
            strict=root.strict,
        )
        try:
            build_site(language, serve_url=language.site_url if serving else None)
        except (Abort, PluginError) as slip:
            if not serving:
                raise
            log.error("%s could not be built: %s", lang, slip)

    def on_build_error(self, *, error) -> None:
        """Nothing half built stays behind."""
        if not self.serving:
            utils.clean_directory(self.site_dir)
