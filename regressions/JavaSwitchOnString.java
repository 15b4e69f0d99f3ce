// Bug: none was seen; this holds that a switch over strings is explored case by case, through the hash that javac compiles it to.
// Cause: the hash is computed by the JDK's own code on terms, and the comparison behind it decides.
// Run: explore {file} --arg 3 --time-limit 60 --json
// Exit: 1
// Expect: "crashes": 1
public class JavaSwitchOnString {
    public static void main(String[] args) {
        switch (args[0]) {
            case "abc": throw new IllegalStateException("found");
            case "xyz": System.out.println("other"); break;
            default: break;
        }
    }
}
