// Bug: an overflow was not found when the program did not use what it read.
// Cause: the optimiser removed the load. Accesses that could leave their object are made volatile before it runs.
// Run: explore {file} --stdin 1 --time-limit 8 --no-native --json
// Exit: 1
// Expect: "kind": "stack-buffer-overflow"
#include <stdio.h>
int main(void) {
    char line[4] = "abc";
    int at = getchar();
    if (at > 4 || at < 0) return 0;
    (void)line[at];
    return 0;
}
