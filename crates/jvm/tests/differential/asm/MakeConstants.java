import java.lang.invoke.MethodHandles;
import java.nio.file.Files;
import java.nio.file.Path;
import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.ConstantDynamic;
import jdk.internal.org.objectweb.asm.Handle;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;
import jdk.internal.org.objectweb.asm.Type;

/** Writes the class `Constants`, which loads what no Java source loads: dynamic constants, method handles and method types. */
public class MakeConstants implements Opcodes {
    static final String LOOKUP = "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;";

    static Object dynamic(String name, String type, String method, String more, Object... arguments) {
        return new ConstantDynamic(name, type, new Handle(H_INVOKESTATIC, "Boot", method, LOOKUP + more, false), arguments);
    }

    public static void main(String[] args) throws Exception {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        writer.visit(V17, ACC_PUBLIC, "Constants", null, "java/lang/Object", null);
        MethodVisitor code = writer.visitMethod(ACC_PUBLIC | ACC_STATIC, "main", "([Ljava/lang/String;)V", null, null);
        Object sum = dynamic("sum", "I", "sum", "[I)I", 3, 4, 5);
        Object[][] constants = {
            {sum, "I"}, {sum, "I"}, {dynamic("big", "J", "big", "JI)J", 1L << 40, 2), "J"},
            {dynamic("word", "Ljava/lang/String;", "word", "Ljava/lang/Class;I)Ljava/lang/String;", Type.getType("[I"), sum), "Ljava/lang/Object;"},
            {Type.getMethodType("(I[Ljava/lang/String;)J"), "Ljava/lang/Object;"},
        };
        for (Object[] constant : constants) {
            code.visitFieldInsn(GETSTATIC, "java/lang/System", "out", "Ljava/io/PrintStream;");
            code.visitLdcInsn(constant[0]);
            code.visitMethodInsn(INVOKEVIRTUAL, "java/io/PrintStream", "println", "(" + constant[1] + ")V", false);
        }
        code.visitFieldInsn(GETSTATIC, "java/lang/System", "out", "Ljava/io/PrintStream;");
        code.visitLdcInsn(new Handle(H_INVOKESTATIC, "java/lang/Integer", "parseInt", "(Ljava/lang/String;)I", false));
        code.visitLdcInsn("4711");
        code.visitMethodInsn(INVOKEVIRTUAL, "java/lang/invoke/MethodHandle", "invokeExact", "(Ljava/lang/String;)I", false);
        code.visitMethodInsn(INVOKEVIRTUAL, "java/io/PrintStream", "println", "(I)V", false);
        code.visitMethodInsn(INVOKESTATIC, "Boot", "check", "()V", false);
        code.visitInsn(RETURN);
        code.visitMaxs(0, 0);
        code.visitEnd();
        code = writer.visitMethod(ACC_PUBLIC | ACC_STATIC, "bad", "()I", null, null);
        code.visitLdcInsn(dynamic("bad", "I", "bad", ")I"));
        code.visitInsn(IRETURN);
        code.visitMaxs(0, 0);
        code.visitEnd();
        writer.visitEnd();
        Files.write(Path.of(args[0], "Constants.class"), writer.toByteArray());
    }
}

class Boot {
    static int sum(MethodHandles.Lookup lookup, String name, Class<?> type, int... numbers) {
        System.out.println("once " + name + " " + type + " " + lookup.lookupClass());
        return java.util.Arrays.stream(numbers).sum();
    }

    static long big(MethodHandles.Lookup lookup, String name, Class<?> type, long x, int y) {
        return x * y;
    }

    static String word(MethodHandles.Lookup lookup, String name, Class<?> type, Class<?> other, int sum) {
        return name + other + sum;
    }

    static void check() throws ReflectiveOperationException {
        try {
            Class.forName("Constants").getMethod("bad").invoke(null);
        } catch (java.lang.reflect.InvocationTargetException e) {
            System.out.println(e.getCause() + " " + e.getCause().getCause());
        }
    }

    static int bad(MethodHandles.Lookup lookup, String name, Class<?> type) {
        throw new IllegalStateException("no " + name);
    }
}
