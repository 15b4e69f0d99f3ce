// fails: Account$Overdrawn
import java.util.ArrayDeque;
import java.util.Deque;
import org.sosy_lab.sv_benchmarks.Verifier;

/** A deposit is undone after it was spent. */
public class Account {
    static class Overdrawn extends RuntimeException {
        Overdrawn(int balance) { super("balance " + balance); }
    }

    private int balance = 10;
    private final Deque<Integer> done = new ArrayDeque<>();

    void change(int amount) {
        if (amount < -balance) return;
        balance += amount;
        done.push(amount);
    }

    void undo(Integer amount) {
        if (amount != null) balance -= amount;
        if (balance < 0) throw new Overdrawn(balance);
    }

    public static void main(String[] args) {
        Account account = new Account();
        account.change(Verifier.nondetShort());
        account.change(Verifier.nondetShort());
        account.undo(Verifier.nondetBoolean() ? account.done.pollFirst() : account.done.pollLast());
    }
}
