"""Make stix-two-math.woff2 from STIXTwoMath-Regular.ttf: `python subset.py PATH_TO_TTF`.

Keeps the characters of stix-two-math.unicodes.txt, and makes the tall radical signs as narrow
as the ordinary one: Chromium keeps room for the widest of them behind every root, so that √d_k
would be followed by a gap of 0.4 em.
"""

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

HERE = Path(__file__).parent
RADICAL = 0x221A


def radical_signs(font: TTFont) -> tuple[str, set[str]]:
    """The ordinary radical sign, and the taller ones and parts of ones that stand in for it."""
    plain = font.getBestCmap()[RADICAL]
    variants = font["MATH"].table.MathVariants
    signs = variants.VertGlyphConstruction[variants.VertGlyphCoverage.glyphs.index(plain)]
    taller = {record.VariantGlyph for record in signs.MathGlyphVariantRecord}
    parts = {part.glyph for part in signs.GlyphAssembly.PartRecords}
    return plain, (taller | parts) - {plain}


def narrow(font: TTFont, name: str, width: int) -> None:
    """Squeeze a glyph sideways until its advance is `width`."""
    advance, bearing = font["hmtx"][name]
    factor = width / advance
    glyph = font["glyf"][name]
    glyph.coordinates.scale((factor, 1))
    glyph.coordinates.toInt()
    glyph.recalcBounds(font["glyf"])
    font["hmtx"][name] = (width, glyph.xMin)


def main(source: str) -> None:
    options = subset.Options()
    options.layout_features = ["ssty", "ccmp", "mark", "dtls"]
    options.flavor = "woff2"
    options.hinting = False
    font = subset.load_font(source, options)
    subsetter = subset.Subsetter(options)
    lines = (HERE / "stix-two-math.unicodes.txt").read_text("utf-8").splitlines()
    kept = ",".join(line for line in lines if not line.startswith("#"))
    subsetter.populate(unicodes=subset.parse_unicodes(kept))
    subsetter.subset(font)
    plain, others = radical_signs(font)
    for name in others:
        narrow(font, name, font["hmtx"][plain][0])
    subset.save_font(font, str(HERE / "stix-two-math.woff2"), options)


if __name__ == "__main__":
    main(sys.argv[1])
