/* Soundline's coverage runtime: link it into a solver built with -fsanitize-coverage, and every run that finds the variable
 * SOUNDLINE_COVERAGE in its environment counts executed edges or blocks in the file of that name.
 *
 * The file is mapped into memory and shared, so that the counts survive a solver that is killed at its time limit, which
 * is the run one wants to know about. Compile this file itself without -fsanitize-coverage.
 *
 * Two interfaces of the compilers are served:
 *   Clang  -fsanitize-coverage=trace-pc-guard   a counter for each edge
 *   GCC    -fsanitize-coverage=trace-pc         a hash table from block addresses to counters
 *
 * Layout, all words 64 bits in the machine's order: magic, kind (1 guards, 2 blocks), how many counters or slots, how many
 * hits found no slot; then for kind 1 a counter a guard, for kind 2 an (address, count) pair a slot. Addresses are relative
 * to this file's own code: link solver and runtime into one static program, or they differ from run to run.
 * Increments are not atomic: a multi-threaded solver loses some, which a search can live with. */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAGIC UINT64_C(0x31564f434c444e53) /* "SNDLCOV1" but for the byte order */
#define MOST_GUARDS (UINT64_C(1) << 22)
#define SLOTS (UINT64_C(1) << 19)
#define PROBES 64

static uint64_t *header;   /* the mapped file; 0 while there is none */
static int off;            /* nobody asked for counts, or the file cannot be had */
static uint32_t guards;    /* guards numbered so far */

static void start(uint64_t kind, uint64_t words, uint64_t count) {
    const char *path = getenv("SOUNDLINE_COVERAGE");
    off = 1;
    if (!path || !*path) return;
    int file = open(path, O_RDWR | O_CREAT, 0600);
    if (file < 0) return;
    size_t bytes = (4 + words) * sizeof(uint64_t);
    if (ftruncate(file, (off_t)bytes) == 0) {
        void *memory = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (memory != MAP_FAILED) {
            header = memory;
            header[0] = MAGIC;
            header[1] = kind;
            header[2] = count;
            off = 0;
        }
    }
    close(file);
}

/* Clang: called once a module (more often from a static program); guards that have a number keep it. */
void __sanitizer_cov_trace_pc_guard_init(uint32_t *first, uint32_t *end) {
    if (first == end || *first) return;
    if (!header && !off) start(1, MOST_GUARDS, 0);
    for (uint32_t *guard = first; guard < end; guard++)
        *guard = guards + 1 < MOST_GUARDS ? ++guards : 0;
    if (header) header[2] = guards;
}

void __sanitizer_cov_trace_pc_guard(uint32_t *guard) {
    if (header && *guard) header[3 + *guard]++;
}

/* GCC: the block is known by the address to which this function returns. */
void __sanitizer_cov_trace_pc(void) {
    if (!header) {
        if (off) return;
        start(2, 2 * SLOTS, SLOTS);
        if (!header) return;
    }
    uint64_t key = (uint64_t)(uintptr_t)__builtin_return_address(0) - (uint64_t)(uintptr_t)&start;
    if (!key) key = 1;
    uint64_t at = (key * UINT64_C(0x9e3779b97f4a7c15)) >> 45;
    for (int probe = 0; probe < PROBES; probe++) {
        uint64_t *slot = header + 4 + 2 * ((at + (uint64_t)probe) & (SLOTS - 1));
        if (!slot[0]) slot[0] = key;
        if (slot[0] == key) {
            slot[1]++;
            return;
        }
    }
    header[3]++;
}
