"""A progress bar for runs that take more than a second."""

import sys
import time

WAIT, REDRAW = 1.0, 0.1  # seconds before the bar appears, and between two drawings
CELLS = 40


class Progress:
    """Call it with the amount of work done since the last call.

    It draws on stderr, only if that is a terminal, and wipes the bar at the end.
    """

    def __init__(self, total, stream=None, clock=time.monotonic):
        self.total, self.done = total, 0
        self.stream, self.clock = stream or sys.stderr, clock
        self.next_drawing = clock() + WAIT if self.stream and self.stream.isatty() else None
        self.drawn = ""

    def __enter__(self):
        return self

    def __call__(self, amount):
        self.done += amount
        if self.next_drawing is not None and self.clock() >= self.next_drawing:
            self.next_drawing = self.clock() + REDRAW
            share = self.done / self.total
            self._write(f"[{'#' * int(CELLS * share):<{CELLS}}] {share:4.0%}")

    def __exit__(self, *_):
        if self.drawn:
            self._write(" " * len(self.drawn))
            self._write("")

    def _write(self, text):
        self.drawn = text
        self.stream.write("\r" + text)
        self.stream.flush()
