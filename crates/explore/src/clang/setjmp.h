/* setjmp and longjmp as soundline's machine provides them. */
#ifndef SOUNDLINE_SETJMP_H
#define SOUNDLINE_SETJMP_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct { unsigned number; } jmp_buf[1];
typedef jmp_buf sigjmp_buf;

__attribute__((import_module("soundline"), import_name("setjmp"), returns_twice)) int setjmp(jmp_buf);
__attribute__((import_module("soundline"), import_name("longjmp"), noreturn)) void longjmp(jmp_buf, int);
#define setjmp(buffer) setjmp(buffer)
#define _setjmp(buffer) setjmp(buffer)
#define _longjmp(buffer, value) longjmp(buffer, value)
#define sigsetjmp(buffer, mask) setjmp(buffer)
#define siglongjmp(buffer, value) longjmp(buffer, value)

#ifdef __cplusplus
}
#endif

#endif
