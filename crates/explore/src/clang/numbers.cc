// Numbers from strings. The library's own functions end the program where they are to throw: it was compiled without exceptions.
#include <cerrno>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <string>

namespace {
template <class Result, class Read> Result number(const char *name, const std::string &text, size_t *end, Read read) {
    char *stop = nullptr;
    int saved = errno;
    errno = 0;
    auto value = read(text.c_str(), &stop);
    bool wide = errno == ERANGE;
    errno = saved;
    if (stop == text.c_str()) throw std::invalid_argument(std::string(name) + ": no conversion");
    using limits = std::numeric_limits<Result>;
    if (wide || (limits::is_integer && (value < limits::lowest() || value > limits::max())))
        throw std::out_of_range(std::string(name) + ": out of range");
    if (end) *end = static_cast<size_t>(stop - text.c_str());
    return static_cast<Result>(value);
}
}

#define WHOLE(name, type, suffix, read) \
    extern "C" type __wrap__ZNSt3__2##suffix##ERKNS_12basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEEEPmi( \
        const std::string &text, size_t *end, int base) { \
        return number<type>(#name, text, end, [base](const char *at, char **stop) { return read(at, stop, base); }); \
    }
#define REAL(name, type, suffix, read) \
    extern "C" type __wrap__ZNSt3__2##suffix##ERKNS_12basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEEEPm( \
        const std::string &text, size_t *end) { \
        return number<type>(#name, text, end, [](const char *at, char **stop) { return read(at, stop); }); \
    }
WHOLE(stoi, int, 4stoi, strtol)
WHOLE(stol, long, 4stol, strtol)
WHOLE(stoul, unsigned long, 5stoul, strtoul)
WHOLE(stoll, long long, 5stoll, strtoll)
WHOLE(stoull, unsigned long long, 6stoull, strtoull)
REAL(stof, float, 4stof, strtof)
REAL(stod, double, 4stod, strtod)
REAL(stold, long double, 5stold, strtold)
