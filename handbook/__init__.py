"""Pages of the documentation that data or the style space write: results by algorithm, axes, the picture of home."""
