"""Memory bugs that were found in old releases of small C libraries, by others: are they found again? The group `cves` of bench-explore.

The sources are old releases as they lie in crates and npm packages. A bug counts as found if a crash is reported within the function named
here, with one of the kinds named here. Where a valid file is easily had, it is the first input, as a user would begin.
"""

import bz2
import json
import subprocess
import zlib
from dataclasses import dataclass, field
from pathlib import Path

from commands import Missing
from vorbis_file import vorbis

HERE = Path(__file__).resolve().parent / "cves"

# A library's name: a crate, or a package of npm, with its version.
SOURCES = {
    "old-zlib": ("libz-sys", "1.1.8"),
    "old-bzip2": ("bzip2-sys", "0.1.7"),
    "old-libyaml": ("npm:libyaml", "0.2.2"),
    "old-stb-vorbis": ("raylib-sys", "3.7.0"),
    "old-lz4": ("lz4-sys", "1.9.2"),
    "old-stb-image": ("stb_image", "0.2.5"),
    "old-miniz": ("miniz-sys", "0.1.12"),
}


@dataclass
class Bug:
    """A known bug: its name, where it is, and how it shows."""

    name: str
    source: str
    driver: str
    include: list
    files: list
    functions: list
    kinds: list
    stdin: int = 64
    flags: list = field(default_factory=list)
    first: bytes = b""


def within(folder, names):
    return [f"{folder}/{name}.c" for name in names.split()]


def prefixed(prefix, names):
    return [prefix + name for name in names.split()]


# What it is to touch memory that is not the object's.
MEMORY = [
    "heap-buffer-overflow", "heap-use-after-free", "stack-buffer-overflow", "stack-buffer-underflow", "global-buffer-overflow", "null-dereference",
    "wild-pointer", "memcpy-param-overlap",
]

YAML = "deps/yaml/src"
VORBIS = "raylib/src/external"

BUGS = [
    Bug(
        "CVE-2022-37434", "old-zlib", "zlib", ["src/zlib"], within("src/zlib", "inflate inffast inftrees adler32 crc32 zutil"),
        ["inflate"], MEMORY,
    ),
    Bug(
        "CVE-2019-12900", "old-bzip2", "bzip2", ["bzip2-1.0.6"], within("bzip2-1.0.6", "bzlib decompress crctable randtable huffman compress blocksort"),
        ["BZ2_decompress"], [*MEMORY, "index-out-of-bounds"], stdin=4096, flags=["-DBZ_NO_STDIO"],
        first=bz2.compress(b"a valid file, as a user has one\n"),
    ),
    Bug(
        "CVE-2014-2525", "old-libyaml", "libyaml", [f"{YAML}/include", f"{YAML}/src"], within(f"{YAML}/src", "api reader scanner parser"),
        ["yaml_parser_scan_uri_escapes", "yaml_parser_scan_tag_uri"], MEMORY,
        flags=["-DYAML_VERSION_MAJOR=0", "-DYAML_VERSION_MINOR=1", "-DYAML_VERSION_PATCH=4", '-DYAML_VERSION_STRING="0.1.4"'],
        stdin=160, first=b"--- !<tag:%41%42> a\n",
    ),
    Bug(
        "CVE-2019-13217..13223", "old-stb-vorbis", "stb-vorbis", [VORBIS], [],
        prefixed("stbv_", "start_decoder compute_codewords lookup1_values predict_point get_window draw_line compute_accelerated_huffman"),
        [*MEMORY, "undefined-division", "integer divide by zero", "assertion failed", "index-out-of-bounds"], stdin=256, first=vorbis(),
    ),
    Bug("CVE-2021-3520", "old-lz4", "lz4", ["liblz4/lib"], ["liblz4/lib/lz4.c"], ["LZ4_decompress_generic", "LZ4_decompress_safe"], MEMORY, stdin=32),
    Bug("CVE-2018-12913", "old-miniz", "miniz-inflate", ["."], [], ["tinfl_decompress"], ["hang"], stdin=48, first=zlib.compress(b"a valid file")),
    Bug("stb_image 2.06 (fixed until 2.10)", "old-stb-image", "stb-image", ["src"], [], ["stbi__"], MEMORY, stdin=96),
]


def fits(crash, bug):
    """Whether a crash is the bug that was looked for."""
    kind, frames = crash["kind"], crash["stack"]
    names = [str(frame).split(" at ")[0] for frame in frames]
    return (not bug.kinds or kind in bug.kinds) and any(name.startswith(f) for name in names[:4] for f in bug.functions)


def find_again(library, options, say):
    """Explores every old library and says what came out; gives the rows."""
    rows = []
    say(f"\nold bugs, {options.seconds:g} s each\n{'':<36}{'found':<7}{'kind':<26}where")
    for bug in BUGS:
        if options.program and bug.name not in options.program:
            continue
        try:
            crashes = explored(bug, library.folder(bug.source), options)
        except Missing as reason:
            say(f"{bug.name:<36}not measured: {reason}")
            continue
        hits = [crash for crash in crashes if fits(crash, bug)]
        rows.append(dict(bug=bug.name, found=bool(hits), crashes=crashes))
        shown = hits[0] if hits else None
        say(f"{bug.name:<36}{'yes' if hits else 'no':<7}{shown['kind'] if shown else '':<26}{place(shown) if shown else ''}")
        for crash in crashes:
            if crash is not shown:
                say(f"{'':<36}{'also':<7}{crash['kind']:<26}{place(crash)}")
    say(f"    found again: {sum(row['found'] for row in rows)} of {len(rows)}")
    return rows


def place(crash):
    return str(crash["stack"][0]) if crash["stack"] else ""


def explored(bug, source, options):
    """The crashes of an exploration."""
    out = options.out / "cves" / bug.driver
    out.mkdir(parents=True, exist_ok=True)
    (out / "first").write_bytes(bug.first)
    flags = ["-w", *(f"-I{source / folder}" for folder in bug.include), f"-I{HERE.parent}", *bug.flags]
    command = [
        options.soundline, "explore", HERE / f"{bug.driver}.c", *(source / file for file in bug.files), "--stdin", bug.stdin, "--seeds", out / "first", "--seed", options.seeds[0],
        "--time-limit", options.seconds, "--json", "--no-native", "--", *flags,
    ]
    done = subprocess.run([str(c) for c in command], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        lines = done.stderr.splitlines() or ["no message"]
        raise Missing(next((line for line in lines if "error:" in line), lines[0]))
    return json.loads(done.stdout)["crash_list"]
