// std::filesystem for the world of a run: Debian's C++ library for WebAssembly is built without it. There are no symbolic links, no
// permissions and no working folder but the root; what would need them fails as it fails on a file system without them.
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <dirent.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace std {
inline namespace _LIBCPP_ABI_NAMESPACE {
inline namespace __fs {
namespace filesystem {

namespace {
using view = string_view;

// Where a path's last name begins, and where the folder before it ends.
size_t last_name(view path) {
    size_t slash = path.rfind('/');
    return slash == view::npos ? 0 : slash + 1;
}
size_t root(view path) { return path.empty() || path[0] != '/' ? 0 : 1; }
size_t behind_root(view path) {
    size_t at = 0;
    while (at < path.size() && path[at] == '/') at++;
    return at;
}
size_t dot(view name) {
    if (name == "." || name == "..") return name.size();
    size_t at = name.rfind('.');
    return at == view::npos || at == 0 ? name.size() : at;
}

// The elements of a path: its root, names, and an empty one behind a slash at the end.
vector<view> elements(view path) {
    vector<view> found;
    size_t at = behind_root(path);
    if (at) found.push_back(path.substr(0, 1));
    while (at < path.size()) {
        size_t end = path.find('/', at);
        if (end == view::npos) end = path.size();
        found.push_back(path.substr(at, end - at));
        at = end;
        while (at < path.size() && path[at] == '/') at++;
        if (at == path.size() && path.back() == '/') found.push_back(path.substr(path.size()));
    }
    return found;
}

// The error of a call: by exception, or where the caller wants it.
void fail(int error, const char *what, error_code *out, const path *first = nullptr, const path *second = nullptr) {
    error_code code(error, generic_category());
    if (out) {
        *out = code;
        return;
    }
    string text = string("in ") + what;
    if (first && second) throw filesystem_error(text, *first, *second, code);
    if (first) throw filesystem_error(text, *first, code);
    throw filesystem_error(text, code);
}
void clear(error_code *out) {
    if (out) out->clear();
}

file_type type_of(const struct stat &info) {
    if (S_ISREG(info.st_mode)) return file_type::regular;
    if (S_ISDIR(info.st_mode)) return file_type::directory;
    if (S_ISCHR(info.st_mode)) return file_type::character;
    return file_type::unknown;
}
bool look(const path &where, struct stat &info) { return ::stat(where.empty() ? "" : where.c_str(), &info) == 0; }
perms usual(file_type type) { return type == file_type::directory ? perms(0755) : perms(0644); }
}

view path::__root_name() const { return view(__pn_).substr(0, 0); }
view path::__root_directory() const { return view(__pn_).substr(0, root(__pn_)); }
view path::__root_path_raw() const { return __root_directory(); }
view path::__relative_path() const { return view(__pn_).substr(behind_root(__pn_)); }
view path::__filename() const { return view(__pn_).substr(max(last_name(__pn_), behind_root(__pn_))); }
view path::__parent_path() const {
    view all = __pn_;
    size_t first = behind_root(all), end = last_name(all);
    if (first == all.size()) return all;
    while (end > first && all[end - 1] == '/') end--;
    return all.substr(0, end <= first ? root(all) : end);
}
view path::__stem() const {
    view name = __filename();
    return name.substr(0, dot(name));
}
view path::__extension() const {
    view name = __filename();
    return name.substr(dot(name));
}
path &path::replace_extension(const path &other) {
    __pn_.resize(__pn_.size() - __extension().size());
    if (!other.empty()) {
        if (other.native()[0] != '.') __pn_ += '.';
        __pn_ += other.native();
    }
    return *this;
}
int path::__compare(view other) const {
    auto own = elements(__pn_), theirs = elements(other);
    bool rooted = root(__pn_), others = root(other);
    if (rooted != others) return rooted ? 1 : -1;
    for (size_t i = 0; i < own.size() && i < theirs.size(); i++)
        if (int order = own[i].compare(theirs[i])) return order;
    return own.size() < theirs.size() ? -1 : own.size() > theirs.size();
}
path path::lexically_normal() const {
    if (empty()) return *this;
    vector<view> kept;
    bool rooted = root(__pn_), folder = false;
    auto all = elements(__pn_);
    for (size_t i = rooted; i < all.size(); i++) {
        folder = all[i].empty() || all[i] == ".";
        if (folder) continue;
        if (all[i] == "..") {
            folder = !kept.empty() && kept.back() != "..";
            if (folder) kept.pop_back();
            else if (!rooted) kept.push_back(all[i]);
        } else kept.push_back(all[i]);
    }
    std::string out = rooted ? "/" : "";
    for (size_t i = 0; i < kept.size(); i++) {
        if (i) out += '/';
        out += kept[i];
    }
    if (folder && !kept.empty() && kept.back() != "..") out += '/';
    return out.empty() ? path(".") : path(out);
}
path path::lexically_relative(const path &base) const {
    if (root(__pn_) != root(base.__pn_)) return {};
    auto own = elements(__pn_), theirs = elements(base.__pn_);
    size_t same = 0;
    while (same < own.size() && same < theirs.size() && own[same] == theirs[same]) same++;
    if (same == own.size() && same == theirs.size()) return ".";
    int up = 0;
    for (size_t i = same; i < theirs.size(); i++) {
        if (theirs[i] == "..") up--;
        else if (!theirs[i].empty() && theirs[i] != ".") up++;
    }
    if (up < 0) return {};
    if (up == 0 && (same == own.size() || own[same].empty())) return ".";
    path out;
    while (up-- > 0) out /= "..";
    for (size_t i = same; i < own.size(); i++) out /= own[i];
    return out;
}

path::iterator path::begin() const {
    iterator at;
    at.__path_ptr_ = this;
    auto all = elements(__pn_);
    at.__state_ = all.empty() ? iterator::_AtEnd : iterator::_InFilenames;
    at.__entry_ = all.empty() ? view(__pn_.data() + __pn_.size(), 0) : all[0];
    // The end lies behind the last byte, where an empty last element would lie too.
    if (all.empty()) at.__entry_ = view(__pn_.data() + __pn_.size() + 1, 0);
    at.__stashed_elem_.__assign_view(at.__entry_);
    return at;
}
path::iterator path::end() const {
    iterator at;
    at.__path_ptr_ = this;
    at.__state_ = iterator::_AtEnd;
    at.__entry_ = view(__pn_.data() + __pn_.size() + 1, 0);
    return at;
}
path::iterator &path::iterator::__increment() {
    auto all = elements(__path_ptr_->native());
    for (size_t i = 0; i < all.size(); i++) {
        if (all[i].data() != __entry_.data()) continue;
        if (i + 1 == all.size()) return *this = __path_ptr_->end();
        __entry_ = all[i + 1];
        break;
    }
    __stashed_elem_.__assign_view(__entry_);
    return *this;
}
path::iterator &path::iterator::__decrement() {
    auto all = elements(__path_ptr_->native());
    size_t i = all.size();
    if (__state_ != _AtEnd)
        for (i = 0; i < all.size() && all[i].data() != __entry_.data();) i++;
    __state_ = _InFilenames;
    __entry_ = all[i - 1];
    __stashed_elem_.__assign_view(__entry_);
    return *this;
}
size_t hash_value(const path &of) noexcept {
    size_t mixed = 0;
    for (view element : elements(of.native())) mixed = mixed * 31 + hash<view>()(element);
    return mixed;
}

filesystem_error::~filesystem_error() {}
void filesystem_error::__create_what(int paths) {
    string &text = __storage_->__what_;
    text = string("filesystem error: ") + system_error::what();
    if (paths > 0) text += " [\"" + __storage_->__p1_.native() + "\"]";
    if (paths > 1) text += " [\"" + __storage_->__p2_.native() + "\"]";
}

file_status __status(const path &of, error_code *out) {
    struct stat info;
    clear(out);
    if (look(of, info)) {
        file_type type = type_of(info);
        return file_status(type, usual(type));
    }
    int error = errno;
    if (out) out->assign(error, generic_category());
    if (error == ENOENT || error == ENOTDIR) return file_status(file_type::not_found);
    if (!out) fail(error, "status", out, &of);
    return file_status(file_type::none);
}
file_status __symlink_status(const path &of, error_code *out) { return __status(of, out); }
uintmax_t __file_size(const path &of, error_code *out) {
    struct stat info;
    clear(out);
    int error = !look(of, info) ? errno : S_ISDIR(info.st_mode) ? EISDIR : !S_ISREG(info.st_mode) ? ENOTSUP : 0;
    if (!error) return static_cast<uintmax_t>(info.st_size);
    fail(error, "file_size", out, &of);
    return static_cast<uintmax_t>(-1);
}
uintmax_t __hard_link_count(const path &of, error_code *out) {
    struct stat info;
    clear(out);
    if (look(of, info)) return 1;
    fail(errno, "hard_link_count", out, &of);
    return static_cast<uintmax_t>(-1);
}
bool __fs_is_empty(const path &of, error_code *out) {
    auto status = __status(of, out);
    if (status.type() != file_type::directory) return __file_size(of, out) == 0;
    error_code ignored;
    return directory_iterator(of, ignored) == directory_iterator();
}
bool __equivalent(const path &a, const path &b, error_code *out) {
    struct stat one, two;
    clear(out);
    if (!look(a, one) || !look(b, two)) {
        fail(errno, "equivalent", out, &a, &b);
        return false;
    }
    return __absolute(a).lexically_normal() == __absolute(b).lexically_normal();
}
path __current_path(error_code *out) {
    clear(out);
    return "/";
}
void __current_path(const path &to, error_code *out) {
    clear(out);
    if (__absolute(to).lexically_normal() != path("/")) fail(ENOTSUP, "current_path", out, &to);
}
path __absolute(const path &of, error_code *out) {
    clear(out);
    return root(of.native()) ? of : path("/") / of;
}
path __weakly_canonical(const path &of, error_code *out) { return __absolute(of, out).lexically_normal(); }
path __canonical(const path &of, error_code *out) {
    struct stat info;
    clear(out);
    if (look(of, info)) return __absolute(of).lexically_normal();
    fail(errno, "canonical", out, &of);
    return {};
}
path __temp_directory_path(error_code *out) {
    clear(out);
    return "/";
}
bool __create_directory(const path &at, error_code *out) {
    clear(out);
    if (::mkdir(at.c_str(), 0777) == 0) return true;
    int error = errno;
    error_code ignored;
    if (!is_directory(__status(at, &ignored))) fail(error, "create_directory", out, &at);
    return false;
}
bool __create_directory(const path &at, const path &, error_code *out) { return __create_directory(at, out); }
bool __create_directories(const path &at, error_code *out) {
    bool made = false;
    path so_far;
    for (const path &element : at) {
        so_far /= element;
        error_code ignored;
        if (!element.empty() && !is_directory(__status(so_far, &ignored))) made = __create_directory(so_far, out);
    }
    return made;
}
bool __remove(const path &at, error_code *out) {
    clear(out);
    if (::remove(at.c_str()) == 0) return true;
    if (errno != ENOENT) fail(errno, "remove", out, &at);
    return false;
}
uintmax_t __remove_all(const path &at, error_code *out) {
    error_code error;
    uintmax_t count = 0;
    if (is_directory(__status(at, &error)))
        for (const directory_entry &entry : directory_iterator(at, error)) count += __remove_all(entry.path(), out);
    return count + __remove(at, out);
}
void __rename(const path &from, const path &to, error_code *out) {
    clear(out);
    if (::rename(from.c_str(), to.c_str()) != 0) fail(errno, "rename", out, &from, &to);
}
void __resize_file(const path &at, uintmax_t size, error_code *out) {
    clear(out);
    if (::truncate(at.c_str(), static_cast<off_t>(size)) != 0) fail(errno, "resize_file", out, &at);
}
bool __copy_file(const path &from, const path &to, copy_options options, error_code *out) {
    clear(out);
    error_code ignored;
    if (exists(__status(to, &ignored))) {
        if ((options & copy_options::skip_existing) != copy_options::none) return false;
        auto over = copy_options::overwrite_existing | copy_options::update_existing;
        if ((options & over) == copy_options::none) {
            fail(EEXIST, "copy_file", out, &from, &to);
            return false;
        }
    }
    FILE *source = ::fopen(from.c_str(), "rb");
    FILE *target = source ? ::fopen(to.c_str(), "wb") : nullptr;
    int error = source && target ? 0 : errno;
    char part[512];
    for (size_t size; !error && (size = ::fread(part, 1, sizeof part, source)) > 0;)
        if (::fwrite(part, 1, size, target) != size) error = errno;
    if (source) ::fclose(source);
    if (target) ::fclose(target);
    if (error) fail(error, "copy_file", out, &from, &to);
    return !error;
}
void __copy(const path &from, const path &to, copy_options options, error_code *out) {
    error_code ignored;
    if (!is_directory(__status(from, &ignored))) {
        __copy_file(from, is_directory(__status(to, &ignored)) ? to / from.filename() : to, options, out);
        return;
    }
    __create_directory(to, out);
    for (const directory_entry &entry : directory_iterator(from, ignored))
        if (!entry.is_directory() || (options & copy_options::recursive) != copy_options::none)
            __copy(entry.path(), to / entry.path().filename(), options, out);
}
file_time_type __last_write_time(const path &of, error_code *out) {
    struct stat info;
    clear(out);
    if (look(of, info)) return file_time_type(chrono::seconds(info.st_mtim.tv_sec));
    fail(errno, "last_write_time", out, &of);
    return file_time_type::min();
}
void __last_write_time(const path &of, file_time_type, error_code *out) { __last_write_time(of, out); }
void __permissions(const path &of, perms, perm_options, error_code *out) {
    struct stat info;
    clear(out);
    if (!look(of, info)) fail(errno, "permissions", out, &of);
}
space_info __space(const path &of, error_code *out) {
    fail(ENOTSUP, "space", out, &of);
    return {static_cast<uintmax_t>(-1), static_cast<uintmax_t>(-1), static_cast<uintmax_t>(-1)};
}
path __read_symlink(const path &of, error_code *out) {
    fail(EINVAL, "read_symlink", out, &of);
    return {};
}
void __copy_symlink(const path &from, const path &to, error_code *out) { fail(EINVAL, "copy_symlink", out, &from, &to); }
void __create_symlink(const path &to, const path &at, error_code *out) { fail(EPERM, "create_symlink", out, &to, &at); }
void __create_directory_symlink(const path &to, const path &at, error_code *out) { fail(EPERM, "create_directory_symlink", out, &to, &at); }
void __create_hard_link(const path &to, const path &at, error_code *out) { fail(EPERM, "create_hard_link", out, &to, &at); }

error_code directory_entry::__do_refresh() noexcept {
    error_code error;
    __data_.__reset();
    struct stat info;
    if (!look(__p_, info)) {
        error.assign(errno, generic_category());
        return error;
    }
    __data_.__cache_type_ = _RefreshNonSymlink;
    __data_.__type_ = type_of(info);
    __data_.__non_sym_perms_ = __data_.__sym_perms_ = usual(__data_.__type_);
    __data_.__size_ = static_cast<uintmax_t>(info.st_size);
    __data_.__nlink_ = 1;
    __data_.__write_time_ = file_time_type(chrono::seconds(info.st_mtim.tv_sec));
    return error;
}

class __dir_stream {
public:
    DIR *stream;
    path folder;
    directory_entry entry;
    __dir_stream(const path &at) : stream(::opendir(at.c_str())), folder(at) {}
    ~__dir_stream() {
        if (stream) ::closedir(stream);
    }
    bool next() {
        while (dirent *found = ::readdir(stream)) {
            view name = found->d_name;
            if (name == "." || name == "..") continue;
            entry = directory_entry(folder / name);
            return true;
        }
        return false;
    }
};
directory_iterator::directory_iterator(const path &at, error_code *out, directory_options) {
    clear(out);
    auto stream = make_shared<__dir_stream>(at);
    if (!stream->stream) fail(errno, "directory_iterator::directory_iterator(...)", out, &at);
    else if (stream->next()) __imp_ = stream;
}
directory_iterator &directory_iterator::__increment(error_code *out) {
    clear(out);
    if (!__imp_->next()) __imp_.reset();
    return *this;
}
const directory_entry &directory_iterator::__dereference() const { return __imp_->entry; }

struct recursive_directory_iterator::__shared_imp {
    vector<__dir_stream *> folders;
    directory_options options;
    ~__shared_imp() {
        for (auto *folder : folders) delete folder;
    }
};
recursive_directory_iterator::recursive_directory_iterator(const path &at, directory_options options, error_code *out)
    : __imp_(nullptr), __rec_(true) {
    clear(out);
    auto *first = new __dir_stream(at);
    if (!first->stream || !first->next()) {
        int error = first->stream ? 0 : errno;
        delete first;
        if (error) fail(error, "recursive_directory_iterator", out, &at);
        return;
    }
    __imp_ = make_shared<__shared_imp>();
    __imp_->options = options;
    __imp_->folders.push_back(first);
}
directory_options recursive_directory_iterator::options() const { return __imp_->options; }
int recursive_directory_iterator::depth() const { return static_cast<int>(__imp_->folders.size()) - 1; }
const directory_entry &recursive_directory_iterator::__dereference() const { return __imp_->folders.back()->entry; }
bool recursive_directory_iterator::__try_recursion(error_code *) {
    error_code ignored;
    const path at = __dereference().path();
    if (!is_directory(__status(at, &ignored))) return false;
    auto *inner = new __dir_stream(at);
    if (inner->stream && inner->next()) {
        __imp_->folders.push_back(inner);
        return true;
    }
    delete inner;
    return false;
}
void recursive_directory_iterator::__advance(error_code *) {
    auto &folders = __imp_->folders;
    while (!folders.empty() && !folders.back()->next()) {
        delete folders.back();
        folders.pop_back();
    }
    if (folders.empty()) __imp_.reset();
}
recursive_directory_iterator &recursive_directory_iterator::__increment(error_code *out) {
    clear(out);
    if (!__rec_ || !__try_recursion(out)) {
        __rec_ = true;
        __advance(out);
    }
    return *this;
}
void recursive_directory_iterator::__pop(error_code *out) {
    clear(out);
    delete __imp_->folders.back();
    __imp_->folders.pop_back();
    __rec_ = true;
    if (__imp_->folders.empty()) __imp_.reset();
    else __advance(out);
}

}
}
}
}
