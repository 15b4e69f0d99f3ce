// Threads of C++, one after the other: a consumer that was created first gets what its producer made, and what a thread throws or leaves
// for its end arrives.
#include <condition_variable>
#include <cstdlib>
#include <future>
#include <mutex>
#include <queue>
#include <shared_mutex>
#include <stdexcept>
#include <thread>
#include <unistd.h>
#include <vector>

static void expect(bool holds) {
    if (!holds) abort();
}

static int work(int c) {
    if (c == 'x') throw std::runtime_error("work");
    return c + 1;
}

static int queue(int c) {
    std::queue<int> items;
    std::mutex lock;
    std::condition_variable there;
    bool done = false;
    int sum = 0, table[4] = {1, 2, 3, 4};
    std::thread consumer([&] {
        std::unique_lock<std::mutex> own(lock);
        for (;;) {
            there.wait(own, [&] { return done || !items.empty(); });
            if (items.empty()) return;
            sum += table[items.front()]; // ! index-out-of-bounds ! stack-buffer-overflow
            items.pop();
        }
    });
    std::thread producer([&] {
        for (int i = 0; i < 2; i++) {
            std::lock_guard<std::mutex> own(lock);
            items.push(c == 'q' ? 3 + i : i);
            there.notify_one();
        }
        std::lock_guard<std::mutex> own(lock);
        done = true;
        there.notify_all();
    });
    consumer.join();
    producer.join();
    return sum;
}

int main() {
    unsigned char in[2];
    if (read(0, in, 2) != 2) return 0;
    int c = in[1];
    switch (in[0]) {
    case 1: expect(queue(c) == 3); return 0;
    case 2: {
        auto later = std::async(std::launch::async, work, c);
        try {
            expect(later.get() == c + 1 && c != 'x');
        } catch (const std::runtime_error &) {
            expect(c == 'x');
        }
        return 0;
    }
    case 3: {
        std::promise<void> ready;
        std::thread waits([future = ready.get_future()]() mutable { future.get(); }); // ! exception int
        if (c == 'b') ready.set_exception(std::make_exception_ptr(1));
        else ready.set_value();
        waits.join();
        return 0;
    }
    case 4: {
        std::shared_mutex lock;
        static thread_local int own;
        std::vector<std::thread> all;
        for (int i = 0; i < 3; i++)
            all.emplace_back([&lock] {
                std::shared_lock<std::shared_mutex> shared(lock);
                own++;
            });
        for (auto &one : all) one.join();
        expect(lock.try_lock());
        return 0;
    }
    }
    return 0;
}
