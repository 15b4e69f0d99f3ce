// holds
import soundline.Symbolic;

/** A template keeps its lines, whatever is put in for a name of letters. */
public class TextTemplate {
    public static void main(String[] args) {
        String name = Symbolic.stringInput("name", 2);
        Symbolic.assume(name.chars().allMatch(c -> c >= 'a' && c <= 'z'));
        String text = """
            Dear $NAME,
              welcome.
            """.replace("$NAME", name);
        assert text.startsWith("Dear " + name + ",");
        assert text.lines().count() == 2;
        assert text.length() == 18 + name.length();
    }
}
