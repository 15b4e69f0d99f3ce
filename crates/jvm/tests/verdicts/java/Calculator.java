// fails: java.lang.ArithmeticException
// stdin: 3
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** A calculator by recursive descent divides by zero. */
public class Calculator {
    private final String text;
    private int at;

    Calculator(String text) { this.text = text; }

    int peek() { return at < text.length() ? text.charAt(at) : -1; }

    int sum() {
        int value = product();
        while (peek() == '+' || peek() == '-') value = text.charAt(at++) == '+' ? value + product() : value - product();
        return value;
    }

    int product() {
        int value = atom();
        while (peek() == '*' || peek() == '/') value = text.charAt(at++) == '*' ? value * atom() : value / atom();
        return value;
    }

    int atom() {
        if (peek() == '(') {
            at++;
            int value = sum();
            at++;
            return value;
        }
        if (!Character.isDigit(peek())) throw new IllegalArgumentException("digit expected at " + at);
        return text.charAt(at++) - '0';
    }

    public static void main(String[] args) throws IOException {
        String text = new String(System.in.readAllBytes(), StandardCharsets.ISO_8859_1);
        try {
            System.out.println(new Calculator(text).sum());
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
