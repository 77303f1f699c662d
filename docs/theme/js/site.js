// What the pages do beyond showing themselves. Without it they read just as well.

(() => {
  "use strict";

  const root = document.documentElement;
  const words = JSON.parse(document.getElementById("site-words").textContent);

  // Storage may be blocked; then a choice lasts as long as the page.
  const remember = (key, value) => {
    try {
      if (value) localStorage.setItem(key, value);
      else localStorage.removeItem(key);
    } catch (blocked) { /* nothing to do */ }
  };

  // The scheme: automatic, light, dark, and round again.
  const SCHEMES = ["auto", "light", "dark"];

  function schemeButton(button) {
    const show = () => {
      const scheme = root.dataset.scheme || "auto";
      const label = `${words.scheme}: ${words[scheme]}`;
      button.setAttribute("aria-label", label);
      button.title = label;
      button.dataset.shows = scheme;
    };
    button.addEventListener("click", () => {
      const now = SCHEMES.indexOf(root.dataset.scheme || "auto");
      const next = SCHEMES[(now + 1) % SCHEMES.length];
      if (next === "auto") delete root.dataset.scheme;
      else root.dataset.scheme = next;
      remember("sqrtdk.scheme", next === "auto" ? null : next);
      show();
    });
    show();
    button.hidden = false;
  }

  // A language link leads to the same page; keep the section too, and remember the choice.
  function languageLink(link) {
    link.addEventListener("click", () => {
      remember("sqrtdk.language", link.dataset.language);
      link.hash = location.hash;
    });
  }

  // The labels that open menu and search work by mouse alone. (The theme answers Enter on a
  // label that has the focus.)
  function openByKeyboard(label) {
    label.tabIndex = 0;
    label.setAttribute("role", "button");
    label.setAttribute("aria-label", label.title);
    label.addEventListener("keydown", (event) => {
      if (event.key !== " ") return;
      event.preventDefault();
      label.click();
    });
  }

  // What is wider than its place scrolls inside itself, and only then can take focus.
  const SCROLLERS = {
    ".highlight pre > code": "code",
    ".table": "table",
    ".formula": "formula",
  };

  function scroller(element, kind) {
    const name = element.closest(".output") ? "output" : kind;
    const update = () => {
      if (element.scrollWidth > element.clientWidth) {
        element.tabIndex = 0;
        element.setAttribute("role", "group");
        element.setAttribute("aria-label", words[name]);
      } else {
        for (const mark of ["tabindex", "role", "aria-label"]) element.removeAttribute(mark);
      }
    };
    new ResizeObserver(update).observe(element);
  }

  // A table gets a place to scroll in (its class keeps the theme from making another).
  function tableInItsPlace(table) {
    const place = document.createElement("div");
    place.className = "table";
    table.className = "data";
    table.replaceWith(place);
    place.append(table);
  }

  document.querySelectorAll(".md-typeset table:not([class])").forEach(tableInItsPlace);
  document.querySelectorAll(".site-scheme").forEach(schemeButton);
  document.querySelectorAll(".site-header label.md-header__button").forEach(openByKeyboard);
  document.querySelectorAll("a[data-language]").forEach(languageLink);
  for (const [selector, kind] of Object.entries(SCROLLERS)) {
    document.querySelectorAll(selector).forEach((element) => scroller(element, kind));
  }
})();
