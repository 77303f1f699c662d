"""Two languages in step: what matches what, what has moved, and what a translator does next.

`markup` cuts a page into sections, `fingerprint` says when two texts count as the same,
`corpus` holds all sections of all languages, `lock` remembers which were said to match, `states`
compares the two, `structure` tells where two pages are built differently. The rest is told to
people: `notices` on the site, `command` on the command line.
"""
