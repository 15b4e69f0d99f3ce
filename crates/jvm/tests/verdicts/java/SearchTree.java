// holds
import org.sosy_lab.sv_benchmarks.Verifier;

/** A binary search tree of three keys is walked in order and has no key twice. */
public class SearchTree {
    static class Node {
        final int key;
        Node left, right;

        Node(int key) { this.key = key; }
    }

    Node root;
    int size;

    void insert(int key) {
        Node node = new Node(key);
        if (root == null) {
            root = node;
            size = 1;
            return;
        }
        for (Node at = root;;) {
            if (key == at.key) return;
            Node next = key < at.key ? at.left : at.right;
            if (next == null) {
                if (key < at.key) at.left = node;
                else at.right = node;
                size++;
                return;
            }
            at = next;
        }
    }

    long last = Long.MIN_VALUE;

    int walk(Node at) {
        if (at == null) return 0;
        int count = walk(at.left);
        assert last < at.key;
        last = at.key;
        return count + 1 + walk(at.right);
    }

    public static void main(String[] args) {
        SearchTree tree = new SearchTree();
        for (int i = 0; i < 3; i++) tree.insert(Verifier.nondetInt());
        assert tree.walk(tree.root) == tree.size;
    }
}
