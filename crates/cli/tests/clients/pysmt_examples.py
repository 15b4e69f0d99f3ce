"""Runs the example formulae that pysmt ships through `soundline solve`, spoken to by pysmt itself.

Usage: pysmt_examples.py SOUNDLINE

Prints a line for every example that is answered wrongly or not at all, and a summary. Exit code 1 if one is wrong.
"""
import sys

from pysmt.exceptions import SolverReturnedUnknownResultError
from pysmt.logics import LRA, PYSMT_LOGICS, QF_UFLIRA
from pysmt.shortcuts import (GE, LT, And, Equals, Int, Not, Plus, Real, Symbol, get_env)
from pysmt.test.examples import get_example_formulae
from pysmt.typing import INT, REAL


def examples(name):
    """Every example, in the logic that pysmt gives it."""
    wrong, unknown, solved = [], [], 0
    for at, example in enumerate(list(get_example_formulae())[:20]):
        # Quantified and string examples take too long here.
        if not example.logic.quantifier_free or example.logic.theory.strings:
            continue
        with get_env().factory.Solver(name=name, logic=example.logic) as solver:
            solver.add_assertion(example.expr)
            try:
                answer = solver.solve()
            except SolverReturnedUnknownResultError:
                unknown.append(at)
                print("unknown: example %d (%s): %s" % (at, example.logic, example.expr.serialize()[:120]))
                continue
            if answer != example.is_sat:
                wrong.append(at)
                print("wrong: example %d (%s): %s" % (at, example.logic, example.expr.serialize()[:200]))
            else:
                solved += 1
    return solved, unknown, wrong


def conversation(name):
    """Levels, values and models, as programs use them. Values come last: pysmt leaves the end of the line behind them unread, and takes it
    for the next answer, whatever the solver."""
    x, y = Symbol("asked_x", INT), Symbol("asked_y", INT)
    with get_env().factory.Solver(name=name, logic=QF_UFLIRA, random_seed=7) as solver:
        solver.add_assertion(GE(x, Int(3)))
        assert solver.solve()
        solver.push()
        solver.add_assertion(LT(Plus(x, y), Int(0)))
        assert solver.solve()
        solver.push()
        solver.add_assertion(Equals(y, Int(4)))
        assert not solver.solve()
        solver.pop()
        assert solver.solve()
        model = solver.get_model()
        assert model.get_value(y).constant_value() < -3
    with get_env().factory.Solver(name=name, logic=QF_UFLIRA) as solver:
        solver.add_assertion(GE(x, Int(3)))
        solver.push()
        solver.add_assertion(LT(x, Int(0)))
        assert not solver.solve()
        solver.pop()
        solver.add_assertion(LT(x, Int(4)))
        assert solver.solve()
        assert solver.get_value(x).constant_value() == 3
    with get_env().factory.Solver(name=name, logic=QF_UFLIRA) as solver:
        solver.add_assertion(LT(x, x))
        solver.reset_assertions()
        assert solver.solve()
    r = Symbol("asked_r", REAL)
    with get_env().factory.Solver(name=name, logic=LRA, solver_options={":timeout": "5000"}) as solver:
        solver.add_assertion(And(LT(Real(0), r), Not(GE(r, Real((1, 3))))))
        assert solver.solve()
        assert 0 < solver.get_value(r).constant_value() < 1


def main():
    get_env().factory.add_generic_solver("soundline", [sys.argv[1], "solve", "--time-limit", "1"], list(PYSMT_LOGICS))
    conversation("soundline")
    solved, unknown, wrong = examples("soundline")
    print("solved %d unknown %d wrong %d" % (solved, len(unknown), len(wrong)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
