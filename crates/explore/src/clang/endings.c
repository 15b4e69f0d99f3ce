/* Ways in which a program ends by itself. */
__attribute__((import_module("soundline"), import_name("__wrap_abort"), noreturn)) void world_abort(void);
_Noreturn void abort(void) { world_abort(); }
