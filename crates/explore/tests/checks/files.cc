// Files as programs have them: std::filesystem, folders, mapped memory, and the clock's time zone.
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;

static void expect(bool holds) {
    if (!holds) abort();
}

static void paths() {
    const fs::path path = "/a/b/./c/../d.tar.gz";
    expect(path.filename() == "d.tar.gz" && path.stem() == "d.tar" && path.extension() == ".gz");
    expect(path.parent_path() == "/a/b/./c/.." && path.is_absolute());
    expect(path.lexically_normal() == "/a/b/d.tar.gz");
    expect(path.lexically_relative("/a/x") == "../b/./c/../d.tar.gz");
    expect(fs::path("/a/b").lexically_relative("/a/c/d") == "../../b");
    expect(fs::path(".bashrc").extension().empty() && fs::path("..").stem() == "..");
    expect(fs::path("x/").filename().empty() && fs::path("x/").parent_path() == "x");
    expect(fs::path("/").parent_path() == "/" && fs::path("a/../..").lexically_normal() == "..");
    expect(fs::path("x.c").replace_extension("o") == "x.o" && fs::path("a") / "/b" == "/b");
    std::string parts;
    for (const auto &part : fs::path("/u/v/")) parts += "<" + part.string() + ">";
    expect(parts == "</><u><v><>");
    auto end = fs::path("p/q").end();
    const fs::path two = "p/q";
    expect(*--two.end() == "q" && two < fs::path("p/r") && fs::path("p//q") == two);
}

static void folders() {
    expect(fs::exists("data/in.txt") && fs::file_size("data/in.txt") == 6 && fs::is_directory("data"));
    expect(fs::create_directories("out/deep") && !fs::create_directory("out"));
    std::ofstream("out/deep/f.txt") << "text";
    fs::rename("out/deep/f.txt", "out/g.txt");
    std::set<std::string> seen;
    for (const auto &entry : fs::recursive_directory_iterator(".")) seen.insert(entry.path().lexically_normal().string());
    expect(seen == std::set<std::string>{"data", "data/in.txt", "out", "out/deep", "out/g.txt"});
    expect(fs::copy_file("out/g.txt", "out/h.txt") && fs::file_size("out/h.txt") == 4);
    expect(fs::remove("out/h.txt") && !fs::remove("out/h.txt") && fs::remove_all("out") == 3 && !fs::exists("out"));
    std::error_code error;
    fs::file_size("missing", error);
    expect(error == std::errc::no_such_file_or_directory);
    try {
        fs::copy_file("missing", "x");
        abort();
    } catch (const fs::filesystem_error &e) {
        expect(e.path1() == "missing" && std::strstr(e.what(), "missing"));
    }
    DIR *folder = opendir("data");
    expect(folder);
    int names = 0;
    while (readdir(folder)) names++;
    closedir(folder);
    expect(names == 3);
}

static int mapped() {
    int file = open("data/in.txt", O_RDONLY), count = 0;
    struct stat info;
    expect(fstat(file, &info) == 0 && info.st_size == 6);
    char *text = static_cast<char *>(mmap(nullptr, 6, PROT_READ, MAP_PRIVATE, file, 0)), found[3];
    expect(text != MAP_FAILED);
    for (int i = 0; i < 6; i++)
        if (text[i] == '#') found[count++] = '#'; // ! index-out-of-bounds ! stack-buffer-overflow
    munmap(text, 6);
    close(file);
    return count;
}

int main() {
    time_t now = time(nullptr);
    std::tm *local = std::localtime(&now);
    expect(local && local->tm_year > 100 && std::mktime(local) == now);
    try {
        std::string("abc").at(static_cast<size_t>(local->tm_year));
        abort();
    } catch (const std::out_of_range &) {
    }
    int count = mapped();
    // Once is enough: these do the same for every input.
    if (count == 0) {
        paths();
        folders();
    }
    return count;
}
