"""What mkdocs does besides (a hook of mkdocs.yml): anchors are as forges make them, and no link leaves the site."""

from __future__ import annotations

import re
from typing import Any


def on_config(config: Any) -> Any:
    """Has headings get the anchors that they have on a forge, so that links work on both."""
    config.mdx_configs["toc"]["slugify"] = _anchor
    return config


def on_page_markdown(markdown: str, page: Any, **_: object) -> str:
    """Keeps the text of links to files of the repository that are no pages."""
    above = "../" * (page.file.src_uri.count("/") + 1)
    return re.sub(rf"\[([^\]]*)\]\({re.escape(above)}[^)\s]*\)", r"\1", markdown)


def _anchor(heading: str, separator: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", separator)
