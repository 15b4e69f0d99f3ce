/* A table of thirty words: each leads to code of its own. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const words[] = {
    "abstract", "boolean", "break",   "continue", "default", "double",    "else",      "extends",  "final",      "float",
    "foreach",  "goto",    "import",  "instance", "integer", "interface", "long",      "native",   "package",    "private",
    "protected", "public",  "return",  "short",    "static",  "super",     "switch",    "volatile", "while",      "yield",
};

int main(void) {
    char text[17] = {0};
    if (read(0, text, 16) <= 0) return 2;
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(text, words[i]) == 0) {
            printf("%s\n", words[i]);
            return 0;
        }
    puts("none");
    return 1;
}
