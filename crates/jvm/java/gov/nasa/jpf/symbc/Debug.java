package gov.nasa.jpf.symbc;

import soundline.Symbolic;

/** The names that programs for Symbolic PathFinder use. */
public final class Debug {
    private Debug() {}
    public static void assume(boolean condition) { Symbolic.assume(condition); }
    public static int makeSymbolicInteger(String name) { return Symbolic.intInput(name); }
    public static long makeSymbolicLong(String name) { return Symbolic.longInput(name); }
    public static short makeSymbolicShort(String name) { return Symbolic.shortInput(name); }
    public static byte makeSymbolicByte(String name) { return Symbolic.byteInput(name); }
    public static char makeSymbolicChar(String name) { return Symbolic.charInput(name); }
    public static boolean makeSymbolicBoolean(String name) { return Symbolic.booleanInput(name); }
    public static double makeSymbolicReal(String name) { return Symbolic.doubleInput(name); }
    public static String makeSymbolicString(String name) { return Symbolic.stringInput(name, 8); }
}
