"""Files are whole, or as they were."""

import errno
from pathlib import Path

import pytest

from generator.files import replace_text


def test_a_file_that_cannot_be_written_stays_as_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("before")

    def fill(path: Path, text: str, encoding: str) -> None:
        path.open("w", encoding=encoding).write(text[:3])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", fill)
    with pytest.raises(OSError, match="No space left on device") as caught:
        replace_text(page, "after")
    assert caught.value.filename == str(page)
    assert [(path, path.read_text()) for path in tmp_path.iterdir()] == [(page, "before")]


def test_what_is_written_keeps_links_and_permissions(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("before")
    page.chmod(0o600)
    (tmp_path / "link.md").symlink_to(page)
    replace_text(tmp_path / "link.md", "after")
    assert (page.read_text(), page.stat().st_mode & 0o777) == ("after", 0o600)
    assert (tmp_path / "link.md").is_symlink()
    replace_text(Path("/dev/null"), "after")
    assert not Path("/dev/null").is_file()
