"""Tables and progress on a terminal, drawn by rich; apart from plain text, as rich takes a while to load."""

from collections.abc import Iterable

import rich.console
from rich.console import ConsoleOptions, RenderableType
from rich.segment import Segment

from generator.terminal import plain


class Console(rich.console.Console):
    """Rich's console for text that may come from anywhere: escape codes are its own only."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Does what rich's own does, with plain text."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=plain(segment.text))
