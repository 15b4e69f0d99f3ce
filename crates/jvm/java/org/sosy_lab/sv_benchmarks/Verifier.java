package org.sosy_lab.sv_benchmarks;

import soundline.Symbolic;

/** The names that programs of SV-COMP use. */
public final class Verifier {
    private Verifier() {}
    public static void assume(boolean condition) { Symbolic.assume(condition); }
    public static boolean nondetBoolean() { return Symbolic.booleanInput("nondet"); }
    public static byte nondetByte() { return Symbolic.byteInput("nondet"); }
    public static char nondetChar() { return Symbolic.charInput("nondet"); }
    public static short nondetShort() { return Symbolic.shortInput("nondet"); }
    public static int nondetInt() { return Symbolic.intInput("nondet"); }
    public static long nondetLong() { return Symbolic.longInput("nondet"); }
    public static float nondetFloat() { return Symbolic.floatInput("nondet"); }
    public static double nondetDouble() { return Symbolic.doubleInput("nondet"); }
    public static String nondetString() { return Symbolic.stringInput("nondet", 8); }
}
