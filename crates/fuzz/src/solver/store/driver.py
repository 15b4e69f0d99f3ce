"""Makes a command of a solver that comes as a Python module: reads SMT-LIB from a file or from standard input, a command at
a time, and answers each at once.

    driver.py MODULE FOLDER [--option[=value]]... [FILE]

Ends like the solvers' own programs: code 1 after a script that it cannot read.
"""

import os
import re
import sys

MODULE, FOLDER = sys.argv[1:3]


def fail(message, code=2):
    print(message, file=sys.stderr)
    sys.exit(code)


def load(folder):
    sys.path.insert(0, folder)
    try:
        return __import__(MODULE)
    except ImportError as error:
        built = [name for _, _, names in os.walk(folder) for name in names if ".cpython-" in name]
        version = built[0].split(".cpython-")[1].split("-")[0] if built else "?"
        fail(
            f"cannot load {MODULE}: {error} (built for CPython {version}, this is "
            f"{sys.version_info[0]}{sys.version_info[1]}; remove the release and add it again)"
        )


def options(words):
    """Long options as (name, value or None), and the file."""
    found, file = [], None
    for word in words:
        if word.startswith("--"):
            name, equals, value = word[2:].partition("=")
            found.append((name, value if equals else None))
        elif file is None and not word.startswith("-"):
            file = word
        else:
            fail(f"the driver takes long options and a file, not {word}")
    return found, file


class Cvc5:
    # These concern the program around the solver, which this is.
    HARMLESS = {"quiet", "lang"}

    def __init__(self, module, found):
        if not hasattr(module, "InputParser"):
            fail("the module of this release has no parser for SMT-LIB; releases from 1.1.0 on have one")
        self.module = module
        self.found = [(n, v) for n, v in found if n not in self.HARMLESS]
        self.reset()

    def version(self):
        if hasattr(self.module, "__version__"):
            return self.module.__version__
        return self.solver.getVersion().decode()

    def reset(self):
        # A solver that is gone must go before its term manager. Releases before 1.2.0 have none: the solver is its own.
        self.parser = self.symbols = self.solver = None
        if hasattr(self.module, "TermManager"):
            manager = self.module.TermManager()
            self.solver = self.module.Solver(manager)
        else:
            self.solver = manager = self.module.Solver()
        for name, value in self.found:
            if value is None:
                name, value = (name[3:], "false") if name.startswith("no-") else (name, "true")
            self.solver.setOption(name, value)
        self.symbols = self.module.SymbolManager(manager)
        self.parser = self.module.InputParser(self.solver, self.symbols)

    def execute(self, text, head):
        # The symbols stay; a parser that has come to the end of a text takes no more of it.
        self.parser.setStringInput(self.module.InputLanguage.SMT_LIB_2_6, text, "<stdin>")
        while True:
            command = self.parser.nextCommand()
            if command.isNull():
                return
            sys.stdout.write(command.invoke(self.solver, self.symbols))

    def finish(self):
        """Nothing waits."""


class Bitwuzla:
    HARMLESS = {"quiet"}

    def __init__(self, module, found):
        self.module = module
        self.words = ["--" + n if v is None else f"--{n}={v}" for n, v in found if n not in self.HARMLESS]
        self.reset()

    def version(self):
        return self.module.version()

    def reset(self):
        settings = self.module.Options()
        if self.words:
            settings.set_args(*self.words)
        self.parser = self.module.Parser(self.module.TermManager(), settings)
        self.pending, self.depth = [], 0

    def execute(self, text, head):
        # Between two calls the parser forgets how many levels are open: what belongs together is given together.
        self.pending.append(text)
        if head in (b"push", b"pop"):
            number = re.search(r"[0-9]+", text)
            levels = int(number.group()) if number else 1
            self.depth += levels if head == b"push" else -levels
        elif head == b"echo" and self.depth <= 0:
            self.finish()

    def finish(self):
        text, self.pending = "\n".join(self.pending), []
        if text:
            self.parser.parse(text, False, False)


SPECIAL = re.compile(rb'[()|";]')
HEAD = re.compile(rb"\(\s*([^\s()]*)")


def commands(source):
    """The complete commands of a stream, as they arrive."""
    text, at, start, depth = b"", 0, None, 0
    inside = None
    while True:
        if inside is not None:
            end = text.find(inside, at)
            if end >= 0:
                at, inside = end + 1, None
                continue
            at = len(text)
        else:
            found = SPECIAL.search(text, at)
            if found:
                byte = found.group()
                at = found.end()
                if byte == b"(":
                    if depth == 0:
                        start = found.start()
                    depth += 1
                elif byte == b")":
                    depth -= 1
                    if depth <= 0:
                        yield text[start if start is not None else found.start() : at]
                        text, at, start, depth = text[at:], 0, None, 0
                else:
                    inside = b"\n" if byte == b";" else byte
                continue
            at = len(text)
        more = os.read(source, 1 << 16)
        if not more:
            if start is not None:
                yield text[start:]
            return
        text += more


def main():
    module = load(FOLDER)
    found, file = options(sys.argv[3:])
    if ("version", None) in found:
        kind = {"cvc5": Cvc5, "bitwuzla": Bitwuzla}[MODULE]
        print(kind(module, []).version())
        return 0
    try:
        solver = {"cvc5": Cvc5, "bitwuzla": Bitwuzla}[MODULE](module, found)
    except Exception as error:
        fail(f"{MODULE}: {error}")
    source = 0 if file is None else os.open(file, os.O_RDONLY)
    try:
        for command in commands(source):
            match = HEAD.match(command)
            head = match.group(1) if match else b""
            if head == b"exit":
                break
            if head == b"reset":
                solver.finish()
                solver.reset()
            else:
                solver.execute(command.decode("utf-8", "surrogateescape"), head)
            sys.stdout.flush()
        solver.finish()
    except Exception as error:
        message = str(error).replace('"', '""')
        print(f'(error "{message}")')
        return 1
    return 0


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    # The modules' own tidying up takes longer than many tests, and can crash.
    os._exit(code)
