/* A harness for a fuzzer. A line that goes wrong for some input ends with its kind; no other line does.
   stdin: 8 */
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 4 || data[0] != 'f') return 0;
    return data[data[1] & 15] == 1; // ! heap-buffer-overflow
}
