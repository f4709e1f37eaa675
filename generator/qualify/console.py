"""One console for reports: as wide as the terminal, and wide enough for a table where there is none."""

from rich.console import Console

WIDTH = 160


def wide_console() -> Console:
    console = Console()
    return console if console.is_terminal else Console(width=WIDTH)
