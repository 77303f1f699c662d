"""The commands, in the order in which the help lists them.

A command NAME is the module `sqrtdk.cli.commands.NAME` with two functions:
`add_arguments(parser, words)`, and `run(arguments, words)`, which prints. Its words,
among them `NAME_summary` and `NAME_examples`, stand in `sqrtdk.cli.words`. Whatever
takes long to import is imported in `run`: the help of all commands loads all modules.
"""

COMMANDS = ("softmax", "sharpness", "train")
