/* The strings of the C++ library, compiled with the program: what Debian's library has of them ends the program where it is to throw. */
#include <__config>
#pragma push_macro("_LIBCPP_EXTERN_TEMPLATE")
#undef _LIBCPP_EXTERN_TEMPLATE
#define _LIBCPP_EXTERN_TEMPLATE(...)
#include_next <string>
#pragma pop_macro("_LIBCPP_EXTERN_TEMPLATE")
