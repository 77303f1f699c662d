"""Drawings of the labs: `draw(data, words)` only, since a lab brings the data itself."""
