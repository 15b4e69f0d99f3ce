/* Ways in which a program ends by itself. */
__attribute__((import_module("soundline"), import_name("__wrap_abort"), noreturn)) void world_abort(void);
_Noreturn void abort(void) { world_abort(); }

/* There is one time zone. The C library's own function writes through a pointer that its callers leave null. */
void __wrap___secs_to_zone(long long time, int local, int *summer, long *offset, long *other, const char **name) {
    (void)time, (void)local;
    *summer = 0;
    *offset = 0;
    if (other) *other = 0;
    *name = "UTC";
}
