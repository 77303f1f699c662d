"""What the labs call: functions that show what the lesson's functions give, in the reader's language.

A lab is a notebook of calls only. `sharpness` and `training` have a function for each thing that a
lab shows; it takes what the lesson computed, or a few numbers that a reader may change, and gives
a `Table` or a `Plot` of `show`, which a notebook displays. The words are in `words/LANG.toml`.
"""
