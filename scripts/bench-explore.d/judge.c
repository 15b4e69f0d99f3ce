/* Runs a fuzzer's harness on files, each in a process of its own, and keeps what they covered, however a run ends. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);
int __llvm_profile_write_file(void);

static void leave(int signal) {
    __llvm_profile_write_file();
    _exit(1);
}

static void run(const char *name) {
    static unsigned char buffer[1 << 16];
    FILE *file = fopen(name, "rb");
    if (!file)
        _exit(2);
    size_t size = fread(buffer, 1, sizeof buffer, file);
    unsigned char *data = malloc(size ? size : 1);
    for (size_t i = 0; i < size; i++)
        data[i] = buffer[i];
    const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM};
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        signal(fatal[i], leave);
    alarm(2);
    LLVMFuzzerTestOneInput(data, size);
    exit(0);
}

int main(int count, char **names) {
    for (int i = 1; i < count; i++) {
        pid_t child = fork();
        if (child == 0)
            run(names[i]);
        if (child < 0)
            return 1;
        waitpid(child, NULL, 0);
    }
    /* What this process itself executed is nothing of the harness. */
    _exit(0);
}
