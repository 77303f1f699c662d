"""The figures, one module each: `data()` is pure and tested, `draw(data, words)` draws it.

`words/LANG.toml` holds every word of every figure; the title (the figure's message), the caption
and the description stand on the page as text, so the drawing carries only axes and labels.
"""
