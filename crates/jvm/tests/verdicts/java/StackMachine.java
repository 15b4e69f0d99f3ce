// fails: StackMachine$Underflow
import org.sosy_lab.sv_benchmarks.Verifier;

/** A subtraction with one operand on the stack. */
public class StackMachine {
    static class Underflow extends RuntimeException {}

    private final int[] cells = new int[8];
    private int top;

    void push(int value) { cells[top++] = value; }

    int pop() {
        if (top == 0) throw new Underflow();
        return cells[--top];
    }

    public static void main(String[] args) {
        StackMachine machine = new StackMachine();
        for (int i = 0; i < 3; i++) {
            switch (Verifier.nondetInt()) {
                case 1 -> machine.push(i);
                case 2 -> {
                    if (machine.top >= 1) machine.push(machine.pop() - machine.pop());
                }
                default -> {}
            }
        }
    }
}
