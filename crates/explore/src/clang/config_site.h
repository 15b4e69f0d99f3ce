/* The configuration of Debian's C++ library for WebAssembly. It leaves out threads and files, which soundline has: threads.cc, files.cc.
   These know the library's insides, so they are for the release that they were written for. */
#ifndef SOUNDLINE_CONFIG_SITE
#define SOUNDLINE_CONFIG_SITE
#include_next <__config_site>
#if __clang_major__ == 14
#ifdef _LIBCPP_HAS_NO_THREADS
#undef _LIBCPP_HAS_NO_THREADS
#define _LIBCPP_HAS_THREAD_API_PTHREAD
#endif
#undef _LIBCPP_HAS_NO_FILESYSTEM_LIBRARY
#endif
#endif
