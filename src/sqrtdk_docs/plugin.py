"""The MkDocs plugin: one command builds the root page and every language below it.

`mkdocs build` is strict: any slip ends it, and nothing half built stays. `mkdocs serve` shows
the slip, in the log and on the page, and carries on.
"""

import logging
import os
from pathlib import Path
from urllib.parse import urljoin

import jieba
from mkdocs import utils
from mkdocs.commands.build import build as build_site
from mkdocs.config import config_options
from mkdocs.config.base import Config, load_config
from mkdocs.exceptions import Abort, PluginError
from mkdocs.plugins import BasePlugin, event_priority
from mkdocs.utils import get_relative_url

from sqrtdk_docs import blocks, figures, maths, results
from sqrtdk_docs.project import Project, ProjectError

log = logging.getLogger("mkdocs.plugins.sqrtdk")

# Names without which a page cannot be told apart or spoken of, by language.
OUTPUT_LABEL = {"en": "Output", "zh": "输出"}


class Options(Config):
    languages = config_options.ListOfItems(config_options.Type(str), default=[])


class LessonPlugin(BasePlugin[Options]):
    serving = False

    def on_startup(self, *, command: str, dirty: bool) -> None:
        self.serving = command == "serve"
        jieba.setLogLevel(logging.WARNING)

    # --- configuration -------------------------------------------------------------------

    @event_priority(100)
    def on_config(self, config):
        self.project = Project.find(Path(config.config_file_path).parent)
        self.lang = config.extra.get("lang")           # None: the root page
        if not self.lang:
            self.site_dir = config.site_dir
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

    # --- pages ---------------------------------------------------------------------------

    def on_page_markdown(self, text, *, page, config, files):
        path = Path(page.file.abs_src_path)
        try:
            for block in blocks.find_blocks(self.project, path):
                self._check_output(block)
        except ProjectError as slip:
            return self._slip(str(slip))
        return text

    def on_page_content(self, content, *, page, config, files):
        where = self.project.shown(Path(page.file.abs_src_path))
        try:
            content = maths.replace(content, where)
            return figures.place(content, self.project, self.lang, where)
        except ProjectError as slip:
            return self._slip(str(slip)) + content

    def _check_output(self, block) -> None:
        try:
            self.outputs(block)
        except ProjectError as slip:
            self._slip(f"{block.where}: {slip}")   # not strict: the formatter shows it in place

    def _slip(self, text: str) -> str:
        """Ends a strict build; else stands on the page instead of what could not be made."""
        if self.strict:
            raise PluginError(text)
        log.error(text)
        return f'<div class="slip" role="alert">{text}</div>'

    def on_page_context(self, context, *, page, config, nav):
        context["other_languages"] = [
            {"lang": lang, "name": name, "url": self._peer_url(lang, page)}
            for lang, name in self._language_names().items() if lang != self.lang
        ] if self.lang else []
        return context

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

    def _language_names(self) -> dict[str, str]:
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
        for lang in self.config.languages:
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
