"""Checked numbers: every result in a sentence is compared with the code that gives it.

In a page: `0.665`{ calc="softmax([1, 2, 3])[2]" }. `marks` finds them, `calculator` evaluates
the expression, `shown` reads and writes the text, `pages` compares the two, `extension` puts
them on the built page, `lint` finds results that have no expression.
"""
