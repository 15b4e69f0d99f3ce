"""Commands that bench-explore runs, and why something is not measured."""

import subprocess


class Missing(Exception):
    """Why a program or a tool is not measured."""


def call(command, **more):
    """Runs a command to its end and gives what it prints; its complaint is the reason why a program is missing."""
    try:
        run = subprocess.run([str(c) for c in command], capture_output=True, text=True, stdin=subprocess.DEVNULL, **more)
    except FileNotFoundError:
        raise Missing(f"{command[0]} is not installed") from None
    if run.returncode != 0:
        lines = [line for line in run.stderr.splitlines() if line.startswith("E:") or "error" in line] or run.stderr.splitlines()
        raise Missing(f"{command[0]}: {lines[0] if lines else f'exit code {run.returncode}'}")
    return run.stdout
