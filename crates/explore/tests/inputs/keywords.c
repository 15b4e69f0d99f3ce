/* A chain of thirty words: each leads to code of its own. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    char text[17] = {0};
    if (read(0, text, 16) <= 0) return 2;
    if (strcmp(text, "abstract") == 0) return puts("abstract");
    if (strcmp(text, "boolean") == 0) return puts("boolean");
    if (strcmp(text, "break") == 0) return puts("break");
    if (strcmp(text, "continue") == 0) return puts("continue");
    if (strcmp(text, "default") == 0) return puts("default");
    if (strcmp(text, "double") == 0) return puts("double");
    if (strcmp(text, "else") == 0) return puts("else");
    if (strcmp(text, "extends") == 0) return puts("extends");
    if (strcmp(text, "final") == 0) return puts("final");
    if (strcmp(text, "float") == 0) return puts("float");
    if (strcmp(text, "foreach") == 0) return puts("foreach");
    if (strcmp(text, "goto") == 0) return puts("goto");
    if (strcmp(text, "import") == 0) return puts("import");
    if (strcmp(text, "instance") == 0) return puts("instance");
    if (strcmp(text, "integer") == 0) return puts("integer");
    if (strcmp(text, "interface") == 0) return puts("interface");
    if (strcmp(text, "long") == 0) return puts("long");
    if (strcmp(text, "native") == 0) return puts("native");
    if (strcmp(text, "package") == 0) return puts("package");
    if (strcmp(text, "private") == 0) return puts("private");
    if (strcmp(text, "protected") == 0) return puts("protected");
    if (strcmp(text, "public") == 0) return puts("public");
    if (strcmp(text, "return") == 0) return puts("return");
    if (strcmp(text, "short") == 0) return puts("short");
    if (strcmp(text, "static") == 0) return puts("static");
    if (strcmp(text, "super") == 0) return puts("super");
    if (strcmp(text, "switch") == 0) return puts("switch");
    if (strcmp(text, "volatile") == 0) return puts("volatile");
    if (strcmp(text, "while") == 0) return puts("while");
    if (strcmp(text, "yield") == 0) return puts("yield");
    puts("none");
    return 1;
}
