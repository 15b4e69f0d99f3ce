"""Soundline beside fuzzers and KLEE, on the same harnesses: the part of bench-explore behind --against.

Every tool gets the same harness (parsers/input.h with -DHARNESS, below a function of the name that fuzzers call), the same first file, the same longest input, and the same processor time,
which is read from the system while it runs: compilers and native replays do not count. What a tool leaves is a folder of raw files. One
native build with clang's coverage mapping runs all of them, and branches are counted there, in the library's own files.
"""

import ctypes
import json
import math
import os
import shutil
import signal
import statistics
import struct
import subprocess
import time
from pathlib import Path

from commands import Missing, call
from valid_inputs import VALID

HERE = Path(__file__).resolve().parent
# The longest input of every tool.
LONGEST = 256
TICK = os.sysconf("SC_CLK_TCK")
CLANG = "clang-14"
# What is no part of the library: the harness, and what runs it.
OWN = "bench-explore\\.d/(judge\\.c|parsers/)|/harness(-main\\.h|\\.c)"


def processor_time(group, alone):
    """The seconds that a group of processes used: their own, and their dead children's unless only the first process counts."""
    total = 0
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == group and not (alone and int(folder.name) != group):
            total += sum(int(field) for field in fields[11:13 if alone else 15])
    return total / TICK


def die_with_parent():
    """An interrupted bench leaves no fuzzer behind."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def spend(command, seconds, log, env=None, alone=False):
    """Runs a command until it ends or has used its processor time; gives what it used."""
    used, ended = 0.0, None
    with open(log, "ab") as out:
        child = subprocess.Popen(
            [str(c) for c in command], stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True,
            env={**os.environ, **(env or {})}, preexec_fn=die_with_parent,
        )
        try:
            while child.poll() is None:
                used = max(used, processor_time(child.pid, alone))
                if used >= seconds and ended is None:
                    os.kill(child.pid, signal.SIGINT)
                    ended = time.monotonic()
                if ended is not None and time.monotonic() - ended > 60:
                    break
                time.sleep(0.2)
        finally:
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            child.wait()
    return used, child.returncode


HARNESS = '''#include "{driver}"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {{
    return harness(data, size);
}}

#include "harness-main.h"
'''


class Program:
    """What all tools compile."""

    def __init__(self, program, library, options, out):
        source = library.folder(program.source)
        drivers = HERE / program.group
        folders = [*(source / folder for folder in program.include), drivers, HERE, HERE / "config"]
        self.name, self.out, self.options = program.name, out, options
        self.driver = out / "harness.c"
        sizes = [flag for flag in program.flags if not flag.startswith("-DSIZE")]
        self.flags = ["-w", "-DHARNESS", *(f"-I{folder}" for folder in folders), *sizes]
        self.files = [str(source / file) for file in program.files]
        self.first = out / "first"
        shutil.rmtree(out, ignore_errors=True)
        self.first.mkdir(parents=True)
        self.driver.write_text(HARNESS.format(driver=drivers / f"{program.driver}.c"))
        (self.first / "first").write_bytes(VALID[program.name] if options.valid else b"\n")
        self.judge = out / "judge"
        call([
            CLANG, "-O0", "-g", "-fprofile-instr-generate", "-fcoverage-mapping", *self.flags, self.driver, *self.files,
            HERE / "judge.c", "-lm", "-o", self.judge,
        ])

    def judged(self, files):
        """The branches that files cover, and how many there are."""
        profiles = self.out / "profiles"
        shutil.rmtree(profiles, ignore_errors=True)
        profiles.mkdir()
        env = {**os.environ, "LLVM_PROFILE_FILE": str(profiles / "%m.profraw")}
        files = [str(file) for file in files]
        for at in range(0, len(files), 500):
            call([self.judge, *files[at:at + 500]], env=env)
        data = self.out / "judged.profdata"
        call(["llvm-profdata-14", "merge", "-o", data, *profiles.iterdir()])
        text = call([
            "llvm-cov-14", "export", "--summary-only", f"--ignore-filename-regex={OWN}", f"--instr-profile={data}", self.judge,
        ])
        branches = json.loads(text)["data"][0]["totals"]["branches"]
        return branches["covered"], branches["count"]


def below(*folders):
    return sorted(file for folder in folders if folder.exists() for file in folder.rglob("*") if file.is_file())


def soundline(program, seed, folder):
    corpus = folder / "corpus"
    command = [
        program.options.soundline, "explore", program.driver, *program.files, "--stdin", LONGEST, "--seeds", program.first, "--seed", seed,
        "--corpus", corpus, "--no-native", "--time-limit", 100 * program.options.seconds, "--out", folder / "out",
        "--", *program.flags,
    ]
    used, code = spend(command, program.options.seconds, folder / "log", alone=True)
    if code not in (0, 1, 130):
        lines = (folder / "log").read_text(errors="replace").splitlines()
        raise Missing(f"soundline ended with {code}: {lines[-1] if lines else 'no message'}")
    return used, below(corpus, program.first)


def libfuzzer(program, seed, folder):
    fuzzer = program.out / "libfuzzer"
    if not fuzzer.exists():
        call([CLANG, "-O2", "-g", "-fsanitize=fuzzer", *program.flags, program.driver, *program.files, "-lm", "-o", fuzzer])
    corpus, found = folder / "corpus", folder / "found"
    corpus.mkdir()
    found.mkdir()
    used, turn = 0.0, 0
    # It ends at a crash, and goes on from its corpus.
    while used < program.options.seconds and turn < 1000:
        command = [
            fuzzer, f"-seed={seed * 1000 + turn + 1}", f"-max_len={LONGEST}", f"-artifact_prefix={found}/", "-timeout=2",
            "-rss_limit_mb=2048", "-malloc_limit_mb=512", corpus, program.first,
        ]
        more, _ = spend(command, program.options.seconds - used, folder / "log")
        used, turn = used + max(more, 0.05), turn + 1
    return used, below(corpus, found, program.first)


def afl(program, seed, folder):
    fuzzer = program.out / "afl"
    if not fuzzer.exists():
        call(
            ["afl-clang-fast", "-O2", "-g", "-fsanitize=fuzzer", *program.flags, program.driver, *program.files, "-lm", "-o", fuzzer],
            env={**os.environ, "AFL_QUIET": "1"},
        )
    env = {
        "AFL_NO_UI": "1", "AFL_NO_AFFINITY": "1", "AFL_SKIP_CPUFREQ": "1", "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1",
        "AFL_QUIET": "1",
    }
    command = ["afl-fuzz", "-i", program.first, "-o", folder / "out", "-s", seed, "-G", LONGEST, "-m", "none", "--", fuzzer]
    used, _ = spend(command, program.options.seconds, folder / "log", env)
    default = folder / "out" / "default"
    if not default.exists():
        lines = [line for line in (folder / "log").read_text(errors="replace").splitlines() if "[-]" in line or "ABORT" in line]
        raise Missing(f"afl-fuzz: {lines[0] if lines else 'it did not start'}")
    files = below(default / "queue", default / "crashes", default / "hangs", program.first)
    return used, [file for file in files if ".state" not in file.parts and file.name != "README.txt"]


def klee(program, seed, folder):
    if shutil.which("klee") is None:
        raise Missing("klee is not on PATH")
    bitcode = program.out / "klee"
    if not bitcode.exists():
        bitcode.mkdir()
        units = [program.driver, *program.files, HERE / "klee-main.c"]
        for number, unit in enumerate(units):
            call([CLANG, "-O1", "-g", "-emit-llvm", "-c", *program.flags, unit, "-o", bitcode / f"{number}.bc"])
        call(["llvm-link-14", *sorted(bitcode.glob("*.bc")), "-o", bitcode / "all.bc"])
    command = [
        "klee", f"--output-dir={folder / 'out'}", "--libc=uclibc", "--posix-runtime", "--only-output-states-covering-new",
        f"--rng-initial-seed={seed}", bitcode / "all.bc",
    ]
    used, _ = spend(command, program.options.seconds, folder / "log")
    raw = folder / "raw"
    raw.mkdir()
    for test in sorted((folder / "out").glob("*.ktest")):
        objects = ktest(test.read_bytes())
        size = min(int.from_bytes(objects.get("size", b"\0"), "little"), LONGEST)
        (raw / test.stem).write_bytes(objects.get("input", b"")[:size])
    return used, below(raw, program.first)


def ktest(data):
    """The objects of a test of KLEE: a header, arguments, then names and bytes, all numbers big-endian."""
    at = 9
    def number():
        nonlocal at
        at += 4
        return struct.unpack(">I", data[at - 4:at])[0]
    def blob():
        nonlocal at
        size = number()
        at += size
        return data[at - size:at]
    for _ in range(number()):
        blob()
    number(), number()
    return {blob().decode(): blob() for _ in range(number())}


TOOLS = dict(soundline=soundline, klee=klee, afl=afl, libfuzzer=libfuzzer)


def geometric(values):
    return math.exp(statistics.fmean(math.log(value) for value in values))


def measure(program, library, options, out):
    """The branches that each tool covers in a program, by seed, and how many there are."""
    made = Program(program, library, options, out)
    covered, count = {}, 0
    for tool in ["soundline", *options.against]:
        if tool in options.absent:
            continue
        try:
            covered[tool] = []
            for seed in options.seeds:
                folder = out / f"{tool}-{seed}"
                folder.mkdir()
                used, files = TOOLS[tool](made, seed, folder)
                branches, count = made.judged(files)
                covered[tool].append(branches)
                options.details.append(dict(
                    program=program.name, tool=tool, seed=seed, seconds=round(used, 2), files=len(files), branches=branches, of=count,
                ))
        except Missing as reason:
            del covered[tool]
            if str(reason).endswith("is not on PATH"):
                options.absent[tool] = str(reason)
            else:
                options.failed.append(f"{program.name}, {tool}: {reason}")
    if not options.keep:
        shutil.rmtree(out)
    return covered, count


def compare(programs, library, options, half, say):
    """Measures all programs and says what came out; gives the figures of every run."""
    options.details, options.absent, options.failed = [], {}, []
    tools = ["soundline", *options.against]
    first = "a valid file" if options.valid else "a newline"
    say(f"\nbranches of the library, {options.seconds:g} s of processor time, seeds {options.seeds}, from {first}, {LONGEST} bytes at most")
    say(f"{'':<12}{'half':<10}" + "".join(f"{tool:>11}" for tool in tools) + f"{'of':>8}")
    rows = []
    for program in programs:
        try:
            covered, count = measure(program, library, options, options.out / "against" / program.name)
        except Missing as reason:
            say(f"{program.name:<12}not measured: {reason}")
            continue
        means = {tool: statistics.fmean(values) for tool, values in covered.items() if values}
        rows.append((program.name, half(program.name), means))
        cells = "".join(f"{means[tool]:>11.1f}" if tool in means else f"{'-':>11}" for tool in tools)
        say(f"{program.name:<12}{half(program.name):<10}{cells}{count:>8}")
    for part in ("chosen", "reported"):
        own = [means for _, which, means in rows if which == part and "soundline" in means]
        for tool in options.against:
            quotients = [max(m["soundline"], 1) / max(m[tool], 1) for m in own if tool in m]
            if quotients:
                say(f"    {part:<9} soundline / {tool}: {geometric(quotients):.2f} (geometric mean over {len(quotients)})")
        low = [
            f"{name} ({means['soundline'] / max(means.values()):.2f})" for name, which, means in rows
            if which == part and "soundline" in means and means["soundline"] < 0.8 * max(means.values())
        ]
        if own and options.against:
            say(f"    {part:<9} less than 0.8 of the best: {', '.join(low) or 'none'}")
    for tool, reason in options.absent.items():
        say(f"    {tool} is left out: {reason}")
    for reason in options.failed:
        say(f"    not measured: {reason}")
    return options.details
