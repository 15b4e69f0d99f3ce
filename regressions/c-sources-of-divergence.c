// Bug: a run that the end of the exploration cut off was written as a test, and its replay diverged.
// Cause: what was cut off by the clock looked like a run that had ended. It is neither a test nor a divergence.
// Run: explore {file} --stdin 2 --time-limit 3 --fuel 4000000000 --json
// Expect: "divergences": 0
#include <stdio.h>
int main(void) {
    int n = getchar();
    unsigned sum = 0;
    for (unsigned i = 0; i < 4000000000u; i++) {
        sum += i ^ (unsigned)n;
        if (sum == 12345u && n == 'x') return 1;
    }
    return (int)(sum & 1);
}
