"""From result files to one DataFrame with a row for every job, and back to one compact file.

A results directory holds `*.jsonl` files, one JSON object a job, and `sessions/*.json` with the circumstances of
each run; committed data is the same records in a parquet file, with the sessions beside it. Both load into the same
frame.
"""

import json
import math
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from os import PathLike
from pathlib import Path, PurePosixPath
from statistics import fmean, median
from typing import Any, TypeAlias

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from analysis.defaults import V1
from analysis.errors import MOVE_IT, AnalysisError, RecordWarning
from analysis.measured import sessions, today
from analysis.styles import axes, style_of
from generator.files import replacing
from generator.manifest import DIGITS
from runner.machine.words import equals_counted, machine_in_words

StrPath: TypeAlias = str | PathLike[str]

EFFORT = ("reps", "warmup", "budget")
"""Parameters that say how often a job was measured, and not what."""

_OF_A_SESSION = ("fingerprint", "memory_gib", "gpus")
"""What sessions on the same machine may see differently of it."""

JOB = ("program", "graph", "machine", "setting")
"""What names a job: of several records that agree on these, only the newest counts, however often it was measured."""

COUNTS = ("rounds", "vertices", "edges", "peak_memory_bytes", "gpu_memory_bytes", "items_sent", "bytes_sent")
MEASURES = ("imbalance", "computing_s", "communicating_s", "waiting_s")
"""What programs for several GPUs are measured by beside their time."""

CONDITIONS = ("sm_mhz", "temperature_c", "power_w")
"""What the GPU was like just after the job."""

_HASHES = ("source_sha256", "graph_sha256", "build_sha256")
_WORDS = ("program", "graph", "machine", "parameters", "session", "status", "device", "reason", "includes", *_HASHES)
_WORD = pa.dictionary(pa.int32(), pa.string())
SCHEMA = pa.schema(
    [
        *((word, _WORD) for word in _WORDS),
        ("samples_s", pa.list_(pa.float32())),  # seven digits: finer than any timer's noise, half the size of doubles
        ("turns", pa.list_(pa.int16())),
        ("wall_s", pa.float32()),
        *((count, pa.int64()) for count in COUNTS),
        *((measure, pa.float32()) for measure in (*MEASURES, *CONDITIONS)),
        ("phases_s", pa.map_(pa.string(), pa.float32())),
    ]
)
"""What is measured, and so all that is kept in a file; every other column follows from it."""


_SHORTEST_S, _LONGEST_S = 1e-12, 1e9
"""What is no time between these was measured by no clock."""

GRAPH_SUFFIXES = {".egr", ".gr", ".mtx", ".el", ".wel", ".sg", ".wsg", ".txt", ".gz"}


def load(paths: StrPath | Iterable[StrPath]) -> pd.DataFrame:
    """Loads every job below the given paths.

    Of several records of one job only the newest counts: that of the last session (their names begin with the time of
    their start) and, within it, the last line. Lines that are no records (torn by a kill, or written by something else)
    are left out with a `RecordWarning` that counts them and names the first, and so are tables of `violet records`, in
    which parameters are columns. Jobs on another graph of the same name than the newest, which would be taken for the
    same, get a name of their own, with a `RecordWarning`, too. So do machines where, as their sessions say, programs in
    one model were compiled in several ways. Records of a job from before its program changed are left out, but for
    those of older compact files, which do not tell its hash. So are, of the files in `defaults.V1`, records of
    programs that have changed until today.

    Args:
        paths: Directories searched for `*.jsonl` and `*.parquet` files, or such files themselves.

    Returns:
        One row a job, with

        - the columns of `SCHEMA` but those that tell what program and graph were: `samples_s` in seconds, `turns` with
          how many of them each turn took (empty where there was one turn), `edges` directed, `graph` without directory
          and file suffix, `machine` in words where a session describes it, `parameters` as JSON text with sorted keys;
        - of programs for several GPUs, from a repetition apart from the timed ones: `items_sent` and `bytes_sent` in
          messages between parts, `gpu_memory_bytes` of the GPU that holds most, `imbalance` (edges of the largest part
          over the mean), and the means over parts of `computing_s`, `communicating_s` and `waiting_s`; missing where
          nobody knows them;
        - one categorical column an axis, NaN where the axis does not exist for the program;
        - `setting`, the parameters that a time depends on, such as the threads, and of these `gpus`: how many, 1 for
          CUDA programs, missing for those of CPUs; `latency_us`, injected wherever parts meet, 0 where none is; and
          `partition_file`, the name and the hash of the file that divided the graph, empty where the program did;
        - `n_samples`, `median_s`, `noise` (the range of the samples over their median, NaN of one sample), and
          `throughput` in giga-edges/s, the paper's unit (Section 5). A result that was not verified has no throughput;
          one that timed out has a `throughput_bound`, which it stayed below;
        - `by_session`, the throughput that the job had in each session that verified it, by the session.

    Raises:
        AnalysisError: A path does not exist, or there is no record at all.
    """
    roots = _paths(paths)
    frame = pd.DataFrame.from_records(_records(roots, stale=False), columns=SCHEMA.names)
    frame = frame.drop(columns=["includes", "build_sha256"])
    told = sessions.read(roots)
    frame["machine"] = frame["machine"].replace(_machines(told)).map(equals_counted)
    frame["machine"] = _compilers_told_apart(frame, told)
    hashes = _graph_hashes(told)
    places = zip(frame["session"], frame["graph"], strict=True)
    of_sessions = pd.Series([hashes.get(place) for place in places], dtype=object)
    frame["graph_sha256"] = frame["graph_sha256"].fillna(of_sessions)
    frame["setting"] = frame["parameters"].map({text: _setting(text) for text in frame["parameters"].unique()})
    frame = frame.sort_values("session", kind="stable")  # equal sessions keep the order of their lines
    frame = _programs_as_they_are(_graphs_told_apart(frame))
    frame = _derive(frame.drop_duplicates([*JOB, "session"], keep="last", ignore_index=True))
    return _newest(frame)


def _records(roots: Sequence[Path], *, stale: bool) -> list[dict[str, Any]]:
    """Returns all records below paths, those of a session in the order of their lines.

    Args:
        roots: Paths.
        stale: Whether also those of programs that have changed since, where they are to be left out.

    Raises:
        AnalysisError: A path does not exist, or there is no record at all.
    """
    records = []
    for file in _files(roots):
        found = _read(file)
        records += found if stale or V1 not in file.resolve().parents else _of_today(file, found)
    if not records:
        raise AnalysisError(f"no results in {', '.join(map(str, roots))}")
    return records


def _of_today(file: Path, records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Leaves out records of programs that have changed."""
    kept = [record for record in records if today.has_text_of_today(record) is not False]
    if left_out := len(records) - len(kept):
        message = f"{file}: {left_out} of {len(records)} jobs left out: their programs have changed since"
        warnings.warn(message, RecordWarning, stacklevel=4)
    return kept


def _graph_hashes(told: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str], str]:
    """Returns the hashes of graphs, by session and name, that sessions tell: old compact files have none."""
    found = {}
    for session in told:
        for graph in graphs if isinstance(graphs := session.get("graphs"), list) else []:
            match graph:
                case {"name": str(name), "sha256": str(sha256)}:
                    found[str(session.get("id")), graph_name(name)] = sha256
    return found


def _graphs_told_apart(frame: pd.DataFrame) -> pd.DataFrame:
    """Leaves out records of a job from before its graph changed, and names apart different graphs of one name.

    What a graph is, its hash says, or its size where that is all that is known.

    Args:
        frame: The oldest records first, with a column `graph_sha256`, which goes.
    """
    content = ["vertices", "edges", "graph_sha256"]

    def differ(groups: list[str]) -> pd.Series:
        """Says of each record whether it is about another graph than the newest of its group."""
        newest = frame.groupby(groups, sort=False)[content].transform("last")  # that is known
        return (frame[content].notna() & newest.notna() & (frame[content] != newest)).any(axis=1)

    if not differ(["graph"]).any():
        return frame.drop(columns="graph_sha256")
    frame = frame[~differ(list(JOB))]
    others = differ(["graph"])
    for name, found in frame[others].groupby("graph", sort=True):
        names = [f"{name} ({_in_words(*known)})" for known in found[content].itertuples(index=False, name=None)]
        frame.loc[found.index, "graph"] = names
        message = f"different graphs are called {name}; the {len(found)} jobs of earlier ones are now of "
        warnings.warn(message + ", ".join(sorted(set(names))), RecordWarning, stacklevel=3)
    return frame.drop(columns="graph_sha256")


def _programs_as_they_are(frame: pd.DataFrame) -> pd.DataFrame:
    """Leaves out records of a job from before its program changed: no pair is to go back to a session that has them.

    Args:
        frame: The oldest records first, with a column `source_sha256`, which goes.
    """
    known = frame["source_sha256"]
    newest = frame.groupby(list(JOB), sort=False)["source_sha256"].transform("last")  # that is known
    changed = known.notna() & newest.notna() & (known != newest)
    return frame[~changed].drop(columns="source_sha256")


def _compilers_told_apart(frame: pd.DataFrame, told: Iterable[Mapping[str, Any]]) -> pd.Series:
    """Returns the machines of records, with the compiler where programs in one model had several there.

    Args:
        frame: Records, their machines in words.
        told: Their sessions.
    """
    known = {
        (str(session.get("id")), str(model)): sessions.compiler_in_words(compiler)
        for session in told
        if isinstance(toolchain := session.get("toolchain"), Mapping)
        for model, compiler in toolchain.items()
    }
    models = frame["program"].map({name: style_of(name)["model"] for name in frame["program"].unique()})
    compilers = [known.get(key, "") for key in zip(frame["session"], models, strict=True)]
    # an exported file may have them in its words already
    plain = [name.removesuffix(f", {of}") for name, of in zip(frame["machine"], compilers, strict=True)]
    found = pd.DataFrame({"machine": plain, "model": models, "compiler": compilers}, index=frame.index)
    apart = found.groupby(["machine", "model"])["compiler"].transform(lambda names: len(set(names) - {""}) > 1)
    for (machine, model), names in found[apart].groupby(["machine", "model"])["compiler"]:
        message = f"{machine}: no ratio is formed of {model} programs compiled by "
        warnings.warn(message + " and by ".join(sorted(set(names) - {""})), RecordWarning, stacklevel=3)
    return found["machine"].where(~apart | (found["compiler"] == ""), found["machine"] + ", " + found["compiler"])


def _in_words(vertices: float | None, edges: float | None, sha256: str | None) -> str:
    """Returns what tells a graph from others of its name: the start of its hash, or what is known of its size."""
    if isinstance(sha256, str):
        return sha256[:6]
    sizes = {"vertices": vertices, "edges": edges}
    return ", ".join(f"{size:.0f} {what}" for what, size in sizes.items() if size is not None and not math.isnan(size))


def _newest(frame: pd.DataFrame) -> pd.DataFrame:
    """Returns the newest record of each job, with the throughputs of all of the job's sessions."""
    older = frame.duplicated(list(JOB), keep="last")
    known: defaultdict[tuple[str, ...], dict[str, float]] = defaultdict(dict)
    for *job, session, throughput in _jobs(frame.dropna(subset="throughput")):
        known[tuple(job)][session] = throughput
    newest = frame[~older].reset_index(drop=True)
    by_session = [known.get(tuple(job), {session: throughput}) for *job, session, throughput in _jobs(newest)]
    newest["by_session"] = pd.Series(by_session, index=newest.index, dtype=object)
    return newest


def _jobs(frame: pd.DataFrame) -> Iterator[tuple[Any, ...]]:
    """Yields what tells the job of each row, its session and its throughput."""
    return frame[[*JOB, "session", "throughput"]].itertuples(index=False, name=None)


def export(results: StrPath | Iterable[StrPath], out: StrPath) -> Path:
    """Writes the records below paths to one compact parquet file, and their sessions beside it.

    `load` makes the same of the file as of the paths, alone or among others, to the seven digits that are kept of a
    time: nothing is left out but lines that are no records, and what is there twice. It is fit to be published: no
    reason of a failure names a folder, and of sessions `sessions.PUBLIC` is written.

    Args:
        results: Paths that `load` takes.
        out: The file to write; its directory is made if need be.

    Returns:
        The file written.

    Raises:
        AnalysisError: A path does not exist, there is no record at all, or the file has another suffix, so that `load`
            would not find it.
    """
    target = Path(out)
    if target.suffix != ".parquet":
        raise AnalysisError(f"{target}: an export ends in .parquet")
    roots = _paths(results)
    records = pa.Table.from_pylist(_records(roots, stale=True), schema=SCHEMA).to_pylist()
    last = {json.dumps(record): record for record in reversed(records)}  # the order says which is the newest
    table = pa.Table.from_pylist(list(last.values())[::-1], schema=SCHEMA)
    told = sessions.read(roots)
    target.parent.mkdir(parents=True, exist_ok=True)
    with replacing(target) as place, place.open("wb") as file:  # of a path, pyarrow removes what it could not write
        pq.write_table(table, file, compression="zstd")
        sessions.export(told, target)
    return target


def _paths(paths: StrPath | Iterable[StrPath]) -> list[Path]:
    return [Path(path) for path in ([paths] if isinstance(paths, str | PathLike) else paths)]


def _files(roots: Sequence[Path]) -> Iterator[Path]:
    for root in roots:
        if root.is_dir():
            yield from sorted(f for f in root.rglob("*") if f.suffix in {".jsonl", ".parquet"} and f.is_file())
        elif root.is_file():
            yield root
        else:
            raise AnalysisError(f"no such file or directory: {root}")


def _machines(told: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Returns the machines that sessions describe: fingerprint to words for a figure.

    Sessions that see more or fewer of the same GPUs (`CUDA_VISIBLE_DEVICES`) are of one machine, and its words are
    those of where they see most.
    """
    kinds = {}  # all that is said of a machine but for the number of its GPUs, by fingerprint
    seen_most: dict[str, tuple[int, str]] = {}
    for session in told:
        match session:
            case {"machine": {"fingerprint": str(identity), "gpus": list(gpus)} as machine}:
                with suppress(KeyError, TypeError):
                    words = machine_in_words(machine)
                    rest = {key: value for key, value in machine.items() if key not in _OF_A_SESSION}
                    cards = sorted({json.dumps(gpu, sort_keys=True) for gpu in gpus})
                    kind = json.dumps([rest, *cards], sort_keys=True)
                    kinds[identity] = kind
                    seen_most[kind] = max(seen_most.get(kind, (0, "")), (len(gpus), words))
    return {identity: seen_most[kind][1] for identity, kind in kinds.items()}


def _read(file: Path) -> list[dict[str, Any]]:
    candidates = _parquet_rows(file) if file.suffix == ".parquet" else _json_lines(file)
    cleaned = {number: _clean(candidate) for number, candidate in candidates.items()}
    if others := [number for number, record in cleaned.items() if record is None]:
        message = f"{file}:{others[0]}: not a result; {len(others)} of {len(cleaned)} lines are none and left out"
        warnings.warn(message, RecordWarning, stacklevel=3)
    return [record for record in cleaned.values() if record is not None]


def _parquet_rows(file: Path) -> dict[int, object]:
    try:
        table = pq.read_table(file)
        if any(name.startswith("parameters.") for name in table.column_names):
            message = f"{file} is left out: `violet records` wrote it for other tools; give the folder that it is of"
            warnings.warn(message, RecordWarning, stacklevel=4)
            return {}
        return dict(enumerate(table.to_pylist(), start=1))
    except pa.ArrowInvalid as error:
        raise AnalysisError(f"{file} is not a parquet file: {MOVE_IT}") from error
    except OSError as error:
        said = " ".join(str(error).split())
        raise AnalysisError(f"{file} cannot be read: {said}: {MOVE_IT}") from error


def _json_lines(file: Path) -> dict[int, object]:
    """Returns what the lines hold, by their numbers."""
    lines = file.read_bytes().split(b"\n")
    return {number: _parse(line) for number, line in enumerate(lines, start=1) if line.strip()}


def _parse(line: bytes) -> object:
    try:
        return sessions.text_alone(json.loads(line))
    except (ValueError, RecursionError):  # torn JSON, bytes that are not even UTF-8, or nested too deeply
        return None


def _clean(candidate: object) -> dict[str, Any] | None:
    """Returns what SCHEMA keeps of a record, in one spelling; None if this is no record."""
    if not isinstance(candidate, Mapping):
        return None
    program, graph, status = (candidate.get(field) for field in ("program", "graph", "status"))
    if not (isinstance(program, str) and isinstance(graph, str) and isinstance(status, str)):
        return None
    try:
        style_of(program)
    except ValueError:
        return None
    candidate = {**candidate, **_of_parts(candidate.get("parts")), **_of_gpu(candidate.get("conditions"))}
    return {
        "program": program,
        "graph": graph_name(graph),
        "graph_sha256": _text(candidate.get("graph_sha256")) or None,
        **{name: _text(candidate.get(name))[:DIGITS] or None for name in ("source_sha256", "build_sha256")},
        "includes": _words(candidate.get("includes")),
        "machine": _text(candidate.get("machine")),
        "parameters": _parameters(candidate),
        "status": status,
        "samples_s": (samples := _samples(candidate.get("samples_s"))),
        "turns": _turns(candidate.get("turns"), samples),
        "wall_s": _seconds(candidate.get("wall_s")),
        **{name: _text(candidate.get(name)) for name in ("session", "device")},
        "reason": sessions.without_folders(_text(candidate.get("reason"))),
        **{name: _count(candidate.get(name)) for name in COUNTS},
        **{name: _number(candidate.get(name), math.nan) for name in (*MEASURES, *CONDITIONS)},
        "phases_s": _phases(candidate.get("phases_s")),
    }


def _of_parts(parts: object) -> dict[str, Any]:
    """Returns the columns that follow from what a record says of each part of a graph; none if it does not."""
    if not isinstance(parts, Mapping):
        return {}
    try:
        memory: Counter[int] = Counter()
        for gpu, held in zip(parts["gpu"], parts["memory_bytes"], strict=True):
            memory[gpu] += held
        lists = {name: values for name, values in parts.items() if isinstance(values, list)}
        sums = {name: sum(lists[name]) for name in ("items_sent", "bytes_sent") if name in lists}
        means = {name: fmean(lists[name]) for name in MEASURES if name in lists}
        return {"gpu_memory_bytes": max(memory.values()), "imbalance": parts["imbalance"], **sums, **means}
    except (KeyError, TypeError, ValueError, OverflowError):
        return {}


def _of_gpu(conditions: object) -> dict[str, Any]:
    """Returns the columns of `CONDITIONS` that a record's own conditions tell."""
    match conditions:
        case {"gpu": {} as gpu}:
            return {name: gpu.get(name) for name in CONDITIONS}
    return {}


def _words(value: object) -> str | None:
    """Returns a list of words as one text, in which a compact file has it."""
    words = value if isinstance(value, list) else [value]
    return " ".join(word for word in words if isinstance(word, str)) or None


def _phases(value: object) -> list[tuple[str, float]]:
    """Returns the seconds of phases, by name: of an object, or of the pairs of a compact file."""
    pairs = list(value.items()) if isinstance(value, Mapping) else value if isinstance(value, list) else []
    found = [
        (pair[0], _number(pair[1], math.nan)) for pair in pairs if isinstance(pair, list | tuple) and len(pair) == 2
    ]
    return [(name, seconds) for name, seconds in found if isinstance(name, str) and not math.isnan(seconds)]


@cache
def graph_name(graph: str) -> str:
    """Returns a graph's name, given that or its path: no directory, no file suffix.

    Only suffixes of graph formats go, since a name may hold dots of its own (`2d-2e20.sym`).
    """
    path = PurePosixPath(graph)
    while path.suffix in GRAPH_SUFFIXES:
        path = path.with_suffix("")
    return path.name


def _parameters(candidate: Mapping[str, Any]) -> str:
    """Returns what a job was run with; the thread count belongs to it wherever the record states it."""
    stated = candidate.get("parameters")
    if isinstance(stated, str):  # as in a compact file
        return stated
    given = stated if isinstance(stated, Mapping) else {}
    parameters = {name: value for name, value in given.items() if value is not None}
    if candidate.get("threads") is not None:
        parameters.setdefault("threads", candidate["threads"])
    return json.dumps(parameters, sort_keys=True)


def _text(value: object) -> str:
    """Returns text as it is and anything structured as canonical JSON, so that equal means equal."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True)


def _samples(value: object) -> list[float]:
    """Returns the samples if each is a time in seconds; one that is not spoils them all."""
    samples = [_seconds(sample) for sample in value] if isinstance(value, list) else []
    return [] if any(math.isnan(sample) for sample in samples) else samples


def _turns(value: object, samples: Sequence[float]) -> list[int]:
    """Returns how many of the samples each turn took, if that is what the numbers say."""
    turns = value if isinstance(value, list) and all(_count(turn) and turn < 2**15 for turn in value) else []
    return turns if sum(turns) == len(samples) else []


def _seconds(value: object) -> float:
    """Returns a time, NaN for anything that is none."""
    return float(value) if isinstance(value, int | float) and _SHORTEST_S <= value <= _LONGEST_S else math.nan


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63 else None


def _derive(records: pd.DataFrame) -> pd.DataFrame:
    """Adds the columns that follow from a record: its style and its throughput."""
    programs = records["program"].unique()
    styles = pd.DataFrame([style_of(program) for program in programs], index=programs, columns=list(axes()))
    styles = styles.astype({axis: pd.CategoricalDtype(list(values)) for axis, values in axes().items()})
    frame = records.join(styles, on="program")
    frame = frame.astype(dict.fromkeys(COUNTS, "Int64"))
    given = frame["setting"].map({text: _count(_options(text).get("gpus")) for text in frame["setting"].unique()})
    frame["gpus"] = given.where(frame["model"] == "multigpu", (frame["model"] == "cuda").map({True: 1, False: None}))
    frame = frame.astype({"gpus": "Int64"})
    injected = {text: _number(_options(text).get("latency"), 0.0) for text in frame["setting"].unique()}
    frame["latency_us"] = frame["setting"].map(injected)
    frame["partition_file"] = frame["parameters"].map({text: _partition(text) for text in frame["parameters"].unique()})
    frame["n_samples"] = frame["samples_s"].map(len)
    frame["median_s"] = [float(median(samples)) if samples else math.nan for samples in frame["samples_s"]]
    frame["noise"] = [
        (max(samples) - min(samples)) / middle if len(samples) > 1 else math.nan
        for samples, middle in zip(frame["samples_s"], frame["median_s"], strict=True)
    ]
    throughput = frame["edges"].astype(float) / frame["median_s"] / 1e9
    frame["throughput"] = throughput.where(frame["status"] == "verified")
    bound = frame["edges"].astype(float) / _shortest_s(frame) / 1e9
    frame["throughput_bound"] = bound.where((frame["status"] == "timeout") & (frame["n_samples"] == 0))
    return frame


def _shortest_s(frame: pd.DataFrame) -> pd.Series:
    """Returns the seconds that one repetition of a job which was stopped must have taken at least.

    A program warms up w times, then repeats r times, or fewer once it has been solving for the budget B, but at least
    once; a warm-up as long as the budget counts as the repetition. With t seconds a solution it is done after t if
    t >= B, else after min((w + r) t, max((w + 1) t, B + t)). So one that was not done after T has t > T, or t < B and
    t > T / (w + r) and t > min(T / (w + 1), T - B). Loading and checking are neglected.
    """
    given = frame["parameters"].map({text: _options(text) for text in frame["parameters"].unique()})
    warmup, reps, budget = (
        given.map(lambda options, name=name, default=default: _number(options.get(name), default))
        for name, default in (("warmup", 1.0), ("reps", 9.0), ("budget", math.inf))
    )
    stopped = frame["wall_s"]
    several = pd.concat([stopped / (warmup + 1), stopped - budget], axis=1).min(axis=1).clip(stopped / (warmup + reps))
    return several.where((warmup < 1) | (several < budget), stopped)


def _setting(parameters: str) -> str:
    """Returns the parameters that a time depends on: all but those that say how often it was measured.

    Where nothing was asked, older records have no query, and newer ones an empty one. A partition from a file is its
    content, whatever the file is called.
    """
    given = _options(parameters)
    options = {name: value for name, value in given.items() if name not in EFFORT and (name, value) != ("query", {})}
    if isinstance(partition := options.get("partition"), Mapping):
        options["partition"] = partition.get("sha256")
    return json.dumps(options, sort_keys=True)


def settings_but_for(jobs: pd.DataFrame, name: str) -> "pd.Series[str]":
    """Returns the settings of jobs without one parameter, as JSON text with sorted keys."""
    known = {text: json.loads(text) for text in jobs["setting"].unique()}
    others = {text: {each: value for each, value in options.items() if each != name} for text, options in known.items()}
    return jobs["setting"].map({text: json.dumps(options, sort_keys=True) for text, options in others.items()})


def _partition(parameters: str) -> str:
    """Returns the name of the file that divided a graph, and the start of its hash; nothing if there was none."""
    match _options(parameters).get("partition"):
        case {"name": str(name), "sha256": str(sha256)}:
            return f"{name} ({sha256[:8]})"
        case None:
            return ""
        case other:
            return _text(other)


def _options(parameters: str) -> Mapping[str, Any]:
    try:
        options = json.loads(parameters)
    except (ValueError, RecursionError):
        return {}
    return options if isinstance(options, Mapping) else {}


def _number(value: object, default: float) -> float:
    return float(value) if isinstance(value, int | float) and 0 <= value < 2**63 else default
