/* Reads a record "<name;number>" from standard input; a name that begins with "!" and the number 42 is its undoing. */
#include <stdio.h>
#include <string.h>

struct record {
    char name[4];
    int number;
};

static int parse(const char *text, struct record *record) {
    if (*text++ != '<')
        return 1;
    int length = 0;
    while (*text && *text != ';') {
        if (length == 3)
            return 2;
        record->name[length++] = *text++;
    }
    record->name[length] = 0;
    if (*text++ != ';')
        return 3;
    record->number = 0;
    while (*text >= '0' && *text <= '9')
        record->number = 10 * record->number + (*text++ - '0');
    return *text == '>' ? 0 : 4;
}

int main(void) {
    char text[8];
    struct record record;
    size_t size = fread(text, 1, 7, stdin);
    text[size] = 0;
    int error = parse(text, &record);
    if (error)
        return error;
    if (record.name[0] == '!' && record.number == 42) {
        int *nowhere = (int *)0xfffffff0u;
        *nowhere = record.number;
    }
    return 0;
}
