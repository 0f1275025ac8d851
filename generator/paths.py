"""Where things are in a checkout."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TEMPLATES = ROOT / "templates"
ALGORITHMS = TEMPLATES / "algorithms"
GENERATED = ROOT / "generated"
