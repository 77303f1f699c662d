"""What a reader sees of all this: the notices, the fallback pages and the translation status."""

import re
from functools import cached_property
from html import escape

from sqrtdk_docs.project import Project, page_file
from sqrtdk_docs.translation.corpus import SITE, WORDS, Corpus, Pair, Part
from sqrtdk_docs.translation.lock import Lock
from sqrtdk_docs.translation.markup import META, TOP
from sqrtdk_docs.translation.states import GONE, Standing, State, standings
from sqrtdk_docs.translation.words import language_name, load_words

BEHIND, BOTH = "behind", "both"


class Translations:
    """The state of all languages when it was made; one for a build of the site."""

    def __init__(self, project: Project):
        self.corpus = Corpus(project)
        self.corpus.languages            # a slip in a configuration is told before all else
        self.root = project.root

    @cached_property
    def _lock(self) -> Lock:
        return Lock.load(self.root)

    def other(self, lang: str) -> str:
        """The language that notices on `lang`'s pages point to."""
        return self.corpus.pair_of(lang).other(lang)

    def notices(self, lang: str) -> dict[str, dict[str, str]]:
        """Page name -> section id -> `behind` or `both`, for what needs a notice in `lang`.

        The section `top` is what stands before the first heading. A page wholly in step is not
        in it.
        """
        found: dict[str, dict[str, str]] = {}
        for each in standings(self.corpus, self._lock, self.corpus.pair_of(lang)):
            behind = each.state is State.BEHIND and each.lang == lang
            if (behind or each.state is State.BOTH) and not _has_no_place(each):
                found.setdefault(each.page, {})[each.section] = BEHIND if behind else BOTH
        return found

    def notice(self, lang: str, state: str, href: str) -> str:
        """The notice as HTML, in `lang`; `href` leads to the same section of the other language."""
        words, other = load_words(self.root, lang), self.other(lang)
        name = language_name(other, lang)
        return (f'<p class="translation-notice translation-notice--{state}" role="note" '
                f'data-search-exclude>{escape(words[state].format(other=name))} '
                f'<a href="{escape(href)}" hreflang="{other}">'
                f'{escape(words["look"].format(other=name))}</a></p>')

    def fallbacks(self, lang: str) -> dict[str, str]:
        """Page name -> the language whose text is to be shown for it, for what `lang` lacks.

        Empty for a language that leads: there a missing page is an error.
        """
        pair = self.corpus.pair_of(lang)
        if not pair.leads:
            return {}
        return {page: pair.first for page in self.corpus.pages(pair.first)
                if page not in (SITE, *WORDS) and not self.corpus.parts(lang, page)}

    def fallback(self, lang: str, content: str, href: str) -> str:
        """The HTML of a page that `lang` lacks: a notice in `lang`, the text marked as what it is.

        `content` is the page in the language it is taken from, `href` leads to it there.
        """
        words, other = load_words(self.root, lang), self.other(lang)
        name = language_name(other, lang)
        return (f'<p class="translation-notice translation-notice--fallback" role="note">'
                f'{escape(words["fallback"].format(other=name))} '
                f'<a href="{escape(href)}" hreflang="{other}">'
                f'{escape(words["look"].format(other=name))}</a></p>\n'
                f'<div lang="{other}">\n{content}\n</div>')

    def words_language(self, lang: str, page: str, words: str) -> str:
        """The language in which `figures`, `properties` or `labs` on a page of `lang` are to speak.

        It is the language that `lang` follows, where the page is taken from there or where
        `lang` has no such words yet.
        """
        if page in self.fallbacks(lang) or not self.corpus.parts(lang, words):
            return self.corpus.pair_of(lang).first if self.corpus.pair_of(lang).leads else lang
        return lang

    def marked(self, lang: str, page: str, content: str, href: str) -> str:
        """The HTML of a page with all its notices; as it is if the page is wholly in step.

        `content` is what Markdown made of it, `href` leads from it to the page in the language
        of `other`. A notice stands after its section's heading, that of `top` before all else.
        """
        if page in self.fallbacks(lang):
            return self.fallback(lang, content, href)
        for section, state in self.notices(lang).get(page, {}).items():
            notice = self.notice(lang, state, href + _anchor(section))
            if section == TOP:
                content = f"{notice}\n{content}"
                continue
            heading = rf'(<h([1-6])\b[^>]*\bid="{re.escape(section)}"[^>]*>.*?</h\2>)'
            content = re.sub(heading, lambda found, notice=notice: f"{found[0]}\n{notice}",
                             content, count=1, flags=re.S)
        return content

    def status_page(self, lang: str) -> str:
        """The translation status page in `lang`, as Markdown for the top folder of its pages."""
        words, pair = load_words(self.root, lang), self.corpus.pair_of(lang)
        other = pair.other(lang)
        every = standings(self.corpus, self._lock, pair)
        rows = [self._row(lang, page, words, [each for each in every if each.page == page])
                for page in self.corpus.pages(*pair.languages)]
        beside = words["beside"].format(other=language_name(other, lang))
        return "\n".join([
            "---", f"title: {words['title']}", f"description: {words['description']}", "---", "",
            f"# {words['title']} {{#translation}}", "", words["intro"], "",
            f"## {beside} {{#beside-{other}}}", "",
            f"| {words['page']} | {words['in_step']} | {words['to_do']} |",
            "| --- | --- | --- |", *rows, ""])

    def _row(self, lang: str, page: str, words: dict[str, str], every: list[Standing]) -> str:
        live = [each for each in every if each.state not in GONE]
        done = sum(each.state is State.IN_STEP for each in live)
        to_do = "<br>".join(self._summary(lang, page, words, live))
        count = words["count"].format(done=done, all=len(live))
        return f"| {self._page_link(lang, page, words)} | {count} | {to_do or '–'} |"

    def _page_link(self, lang: str, page: str, words: dict[str, str]) -> str:
        if page in (SITE, *WORDS):
            return words[page]
        return f"[{_cell(self._part(lang, page, META).title)}]({page_file(page)})"

    def _summary(self, lang: str, page: str, words: dict[str, str], every: list[Standing]):
        """What is to be done on a page: one line a state, with links to the sections."""
        by_state: dict[str, list[str]] = {}
        for each in every:
            if each.state is not State.IN_STEP:
                by_state.setdefault(self._state(lang, each, words), []).append(each.section)
        for state, sections in by_state.items():
            whole = len(sections) == len(every)
            links = [] if whole else [self._link(lang, page, id_, words) for id_ in sections]
            yield words["at"].format(state=state, sections=" · ".join(links)) if links else state

    @staticmethod
    def _state(lang: str, each: Standing, words: dict[str, str]) -> str:
        if each.state is State.BEHIND and each.lang != lang:
            return words["other_behind"].format(other=language_name(each.lang, lang))
        return words[{State.BEHIND: "this_behind", State.BOTH: "changed", State.NEW: "new",
                      State.MISSING: "missing"}[each.state]]

    def _link(self, lang: str, page: str, section: str, words: dict[str, str]) -> str:
        name = words.get(section) if section in (META, TOP) else None
        name = _cell(name or self._part(lang, page, section).title or section)
        here = page not in (SITE, *WORDS) and section in self.corpus.parts(lang, page)
        return f"[{name}]({page_file(page)}{_anchor(section)})" if here else name

    def _part(self, lang: str, page: str, section: str) -> Part:
        """The section in `lang`, or else in the language it is beside."""
        pair: Pair = self.corpus.pair_of(lang)
        mine, theirs = (self.corpus.parts(each, page) for each in (lang, pair.other(lang)))
        return mine.get(section) or theirs[section]


def _has_no_place(each: Standing) -> bool:
    """True for what is not a section of a page's text."""
    return each.section == META or each.page in (SITE, *WORDS)


def _anchor(section: str) -> str:
    return "" if section in (META, TOP) else f"#{section}"


def _cell(text: str) -> str:
    """Words that can stand in a table and in a link."""
    return text.replace("|", "\\|").replace("[", "\\[").replace("]", "\\]")
