// Threads of C++ on those of threads.c. Debian's C++ library for WebAssembly is built without threads: its headers have all of them once
// its configuration says so (see __config_site), and what they leave to the library is here.
#include <condition_variable>
#include <future>
#include <mutex>
#include <shared_mutex>
#include <system_error>
#include <thread>

namespace std {
inline namespace _LIBCPP_ABI_NAMESPACE {

namespace {
void need(int error, const char *what) {
    if (error) __throw_system_error(error, what);
}
}

mutex::~mutex() noexcept { __libcpp_mutex_destroy(&__m_); }
void mutex::lock() { need(__libcpp_mutex_lock(&__m_), "mutex lock failed"); }
bool mutex::try_lock() noexcept { return __libcpp_mutex_trylock(&__m_); }
void mutex::unlock() noexcept { __libcpp_mutex_unlock(&__m_); }

recursive_mutex::recursive_mutex() { need(__libcpp_recursive_mutex_init(&__m_), "recursive_mutex constructor failed"); }
recursive_mutex::~recursive_mutex() { __libcpp_recursive_mutex_destroy(&__m_); }
void recursive_mutex::lock() { need(__libcpp_recursive_mutex_lock(&__m_), "recursive_mutex lock failed"); }
bool recursive_mutex::try_lock() noexcept { return __libcpp_recursive_mutex_trylock(&__m_); }
void recursive_mutex::unlock() noexcept { __libcpp_recursive_mutex_unlock(&__m_); }

condition_variable::~condition_variable() { __libcpp_condvar_destroy(&__cv_); }
void condition_variable::notify_one() noexcept { __libcpp_condvar_signal(&__cv_); }
void condition_variable::notify_all() noexcept { __libcpp_condvar_broadcast(&__cv_); }
void condition_variable::wait(unique_lock<mutex> &lock) noexcept {
    if (!lock.owns_lock()) __throw_system_error(EPERM, "condition_variable::wait: mutex not locked");
    __libcpp_condvar_wait(&__cv_, lock.mutex()->native_handle());
}
void condition_variable::__do_timed_wait(
    unique_lock<mutex> &lock, chrono::time_point<chrono::system_clock, chrono::nanoseconds> until) noexcept {
    if (!lock.owns_lock()) __throw_system_error(EPERM, "condition_variable::timed wait: mutex not locked");
    auto whole = chrono::duration_cast<chrono::seconds>(until.time_since_epoch());
    timespec at = {};
    at.tv_sec = static_cast<time_t>(whole.count());
    at.tv_nsec = static_cast<long>((until.time_since_epoch() - whole).count());
    __libcpp_condvar_timedwait(&__cv_, lock.mutex()->native_handle(), &at);
}
void notify_all_at_thread_exit(condition_variable &condition, unique_lock<mutex> lock) {
    __thread_local_data()->notify_all_at_thread_exit(&condition, lock.release());
}

timed_mutex::timed_mutex() : __locked_(false) {}
timed_mutex::~timed_mutex() {}
void timed_mutex::lock() {
    unique_lock<mutex> own(__m_);
    while (__locked_) __cv_.wait(own);
    __locked_ = true;
}
bool timed_mutex::try_lock() noexcept {
    if (__locked_) return false;
    return __locked_ = true;
}
void timed_mutex::unlock() noexcept {
    __locked_ = false;
    __cv_.notify_one();
}

recursive_timed_mutex::recursive_timed_mutex() : __count_(0), __id_{} {}
recursive_timed_mutex::~recursive_timed_mutex() {}
void recursive_timed_mutex::lock() {
    unique_lock<mutex> own(__m_);
    auto id = this_thread::get_id();
    while (__count_ != 0 && !(id == __id_)) __cv_.wait(own);
    __count_++;
    __id_ = id;
}
bool recursive_timed_mutex::try_lock() noexcept {
    auto id = this_thread::get_id();
    if (__count_ != 0 && !(id == __id_)) return false;
    __count_++;
    __id_ = id;
    return true;
}
void recursive_timed_mutex::unlock() noexcept {
    if (--__count_ == 0) {
        __id_.__reset();
        __cv_.notify_one();
    }
}

__shared_mutex_base::__shared_mutex_base() : __state_(0) {}
void __shared_mutex_base::lock() {
    unique_lock<mutex> own(__mut_);
    while (__state_ != 0) __gate1_.wait(own);
    __state_ = __write_entered_;
}
bool __shared_mutex_base::try_lock() {
    if (__state_ != 0) return false;
    __state_ = __write_entered_;
    return true;
}
void __shared_mutex_base::unlock() {
    __state_ = 0;
    __gate1_.notify_all();
}
void __shared_mutex_base::lock_shared() {
    unique_lock<mutex> own(__mut_);
    while (__state_ & __write_entered_) __gate1_.wait(own);
    __state_++;
}
bool __shared_mutex_base::try_lock_shared() {
    if (__state_ & __write_entered_) return false;
    __state_++;
    return true;
}
void __shared_mutex_base::unlock_shared() {
    __state_--;
    __gate1_.notify_all();
}
shared_timed_mutex::shared_timed_mutex() {}
void shared_timed_mutex::lock() { __base.lock(); }
bool shared_timed_mutex::try_lock() { return __base.try_lock(); }
void shared_timed_mutex::unlock() { __base.unlock(); }
void shared_timed_mutex::lock_shared() { __base.lock_shared(); }
bool shared_timed_mutex::try_lock_shared() { return __base.try_lock_shared(); }
void shared_timed_mutex::unlock_shared() { __base.unlock_shared(); }

thread::~thread() {
    if (!__libcpp_thread_isnull(&__t_)) terminate();
}
void thread::join() {
    if (__libcpp_thread_isnull(&__t_)) __throw_system_error(EINVAL, "thread::join failed");
    need(__libcpp_thread_join(&__t_), "thread::join failed");
    __t_ = _LIBCPP_NULL_THREAD;
}
void thread::detach() {
    if (__libcpp_thread_isnull(&__t_)) __throw_system_error(EINVAL, "thread::detach failed");
    need(__libcpp_thread_detach(&__t_), "thread::detach failed");
    __t_ = _LIBCPP_NULL_THREAD;
}
unsigned thread::hardware_concurrency() noexcept { return 2; }

namespace this_thread {
void sleep_for(const chrono::nanoseconds &time) {
    if (time > chrono::nanoseconds::zero()) __libcpp_thread_sleep_for(time);
}
}

// What a thread leaves for its end.
class __thread_struct_imp {
    struct Note {
        condition_variable *condition;
        mutex *held;
        __assoc_sub_state *state;
        Note *before;
    };
    Note *notes = nullptr;

public:
    void note(condition_variable *condition, mutex *held, __assoc_sub_state *state) { notes = new Note{condition, held, state, notes}; }
    ~__thread_struct_imp() {
        while (Note *last = notes) {
            notes = last->before;
            if (last->state) {
                last->state->__make_ready();
                last->state->__release_shared();
            } else {
                last->condition->notify_all();
                last->held->unlock();
            }
            delete last;
        }
    }
};

__thread_struct::__thread_struct() : __p_(new __thread_struct_imp) {}
__thread_struct::~__thread_struct() { delete __p_; }
void __thread_struct::notify_all_at_thread_exit(condition_variable *condition, mutex *held) { __p_->note(condition, held, nullptr); }
void __thread_struct::__make_ready_at_thread_exit(__assoc_sub_state *state) {
    state->__add_shared();
    __p_->note(nullptr, nullptr, state);
}
__thread_specific_ptr<__thread_struct> &__thread_local_data() {
    static __thread_specific_ptr<__thread_struct> data;
    return data;
}

namespace {
struct FutureCategory : error_category {
    const char *name() const noexcept override { return "future"; }
    string message(int code) const override {
        switch (static_cast<future_errc>(code)) {
            case future_errc::broken_promise: return "The associated promise has been destructed prior to the associated state becoming ready.";
            case future_errc::future_already_retrieved: return "The future has already been retrieved from the promise or packaged_task.";
            case future_errc::promise_already_satisfied: return "The state of the promise has already been set.";
            case future_errc::no_state: return "Operation not permitted on an object without an associated state.";
        }
        return "unspecified future_errc value";
    }
};
}
const error_category &future_category() noexcept {
    static FutureCategory category;
    return category;
}
future_error::future_error(error_code code) : logic_error(code.message()), __ec_(code) {}
future_error::~future_error() noexcept {}

void __assoc_sub_state::__on_zero_shared() noexcept { delete this; }
void __assoc_sub_state::__make_ready() {
    unique_lock<mutex> own(__mut_);
    __state_ |= ready;
    __cv_.notify_all();
}
void __assoc_sub_state::set_value() {
    unique_lock<mutex> own(__mut_);
    if (__has_value()) __throw_future_error(future_errc::promise_already_satisfied);
    __state_ |= __constructed | ready;
    __cv_.notify_all();
}
void __assoc_sub_state::set_value_at_thread_exit() {
    unique_lock<mutex> own(__mut_);
    if (__has_value()) __throw_future_error(future_errc::promise_already_satisfied);
    __state_ |= __constructed;
    __thread_local_data()->__make_ready_at_thread_exit(this);
}
void __assoc_sub_state::set_exception(exception_ptr thrown) {
    unique_lock<mutex> own(__mut_);
    if (__has_value()) __throw_future_error(future_errc::promise_already_satisfied);
    __exception_ = thrown;
    __state_ |= ready;
    __cv_.notify_all();
}
void __assoc_sub_state::set_exception_at_thread_exit(exception_ptr thrown) {
    unique_lock<mutex> own(__mut_);
    if (__has_value()) __throw_future_error(future_errc::promise_already_satisfied);
    __exception_ = thrown;
    __thread_local_data()->__make_ready_at_thread_exit(this);
}
void __assoc_sub_state::__sub_wait(unique_lock<mutex> &own) {
    if (__is_ready()) return;
    if (__state_ & static_cast<unsigned>(deferred)) {
        __state_ &= ~static_cast<unsigned>(deferred);
        own.unlock();
        __execute();
        return;
    }
    while (!__is_ready()) __cv_.wait(own);
}
void __assoc_sub_state::wait() {
    unique_lock<mutex> own(__mut_);
    __sub_wait(own);
}
void __assoc_sub_state::copy() {
    unique_lock<mutex> own(__mut_);
    __sub_wait(own);
    if (__exception_ != nullptr) rethrow_exception(__exception_);
}
void __assoc_sub_state::__execute() { __throw_future_error(future_errc::no_state); }

future<void>::future(__assoc_sub_state *state) : __state_(state) { __state_->__attach_future(); }
future<void>::~future() {
    if (__state_) __state_->__release_shared();
}
void future<void>::get() {
    unique_ptr<__shared_count, __release_shared_count> released(__state_);
    __assoc_sub_state *state = __state_;
    __state_ = nullptr;
    state->copy();
}

promise<void>::promise() : __state_(new __assoc_sub_state) {}
promise<void>::~promise() {
    if (!__state_) return;
    if (!__state_->__has_value() && __state_->use_count() > 1)
        __state_->set_exception(make_exception_ptr(future_error(make_error_code(future_errc::broken_promise))));
    __state_->__release_shared();
}
future<void> promise<void>::get_future() {
    if (!__state_) __throw_future_error(future_errc::no_state);
    return future<void>(__state_);
}
void promise<void>::set_value() {
    if (!__state_) __throw_future_error(future_errc::no_state);
    __state_->set_value();
}
void promise<void>::set_exception(exception_ptr thrown) {
    if (!__state_) __throw_future_error(future_errc::no_state);
    __state_->set_exception(thrown);
}
void promise<void>::set_value_at_thread_exit() {
    if (!__state_) __throw_future_error(future_errc::no_state);
    __state_->set_value_at_thread_exit();
}
void promise<void>::set_exception_at_thread_exit(exception_ptr thrown) {
    if (!__state_) __throw_future_error(future_errc::no_state);
    __state_->set_exception_at_thread_exit(thrown);
}

shared_future<void>::~shared_future() {
    if (__state_) __state_->__release_shared();
}
shared_future<void> &shared_future<void>::operator=(const shared_future &other) {
    if (other.__state_) other.__state_->__add_shared();
    if (__state_) __state_->__release_shared();
    __state_ = other.__state_;
    return *this;
}

}
}
