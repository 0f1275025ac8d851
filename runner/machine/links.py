"""How GPUs are joined to each other."""

import re
import subprocess
from itertools import combinations

_GPU = re.compile(r"GPU\d+")
_COLOURS = re.compile(r"\x1b\[[\d;]*m")


def read_links() -> dict[str, str]:
    """Returns the kind of link of every two GPUs, such as {"0-1": "NV18"}, in the words of `nvidia-smi topo`.

    NV stands for NVLink, with how many of them; the other words say which bridges PCIe goes through. Empty where there
    are fewer than two GPUs or no answer. GPUs are numbered as nvidia-smi does, whichever of them programs can see.
    """
    try:
        command = ["nvidia-smi", "topo", "-m"]
        printed = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return {}
    table = [line.split() for line in _COLOURS.sub("", printed).splitlines() if line.strip()]
    heads = [word for words in table[:1] for word in words if _GPU.fullmatch(word)]
    rows = {words[0]: dict(zip(heads, words[1:], strict=False)) for words in table[1:] if words[0] in heads}
    return {f"{a[3:]}-{b[3:]}": rows[a][b] for a, b in combinations(heads, 2) if b in rows.get(a, {})}
