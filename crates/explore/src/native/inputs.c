/* The inputs of one test, from a folder whose path is compiled in: objects.bin holds the sizes (four bytes, least significant
   first) and contents of what the program asks for; files lies beside it and holds the files that the program finds. */
#include <string.h>
#include <unistd.h>

static FILE *objects;

static void next_input(void *target, size_t size) {
    unsigned char head[4] = {0};
    memset(target, 0, size);
    if (!objects || fread(head, 1, 4, objects) != 4)
        return;
    size_t left = head[0] | head[1] << 8 | head[2] << 16 | (size_t)head[3] << 24;
    size_t wanted = left < size ? left : size;
    if (fread(target, 1, wanted, objects) == wanted)
        fseek(objects, (long)(left - wanted), SEEK_CUR);
}

__attribute__((constructor)) static void begin(int count, char **values) {
    static char name[] = "program";
    objects = fopen(SOUNDLINE_FOLDER "/objects.bin", "rb");
    if (!objects || chdir(SOUNDLINE_FOLDER "/files") != 0) {
        perror(SOUNDLINE_FOLDER);
        _exit(2);
    }
    if (count > 0)
        values[0] = name;
}

/* A program may have these itself. */
__attribute__((weak)) void reach_error(void) { fputs("error reached\n", stderr); abort(); }
__attribute__((weak)) void __VERIFIER_error(void) { fputs("error reached\n", stderr); abort(); }

/* What a sanitizer finds ends the program by a signal, as other crashes do. Leaks are no crashes. */
const char *__asan_default_options(void) {
    return "abort_on_error=1:detect_leaks=0:allocator_may_return_null=1:detect_stack_use_after_return=1";
}

const char *__ubsan_default_options(void) {
    return "abort_on_error=1:halt_on_error=1";
}
