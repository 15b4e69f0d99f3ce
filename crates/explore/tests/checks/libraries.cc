// Errors within what a library's headers compile into the program belong to the line that uses them; and an object is deleted as what it is.
#include <cstdio>
#include <map>
#include <string>
#include <vector>

struct Base {
    int kind = 1;
};
struct Large : Base {
    int more[8] = {};
};
struct Open {
    virtual ~Open() = default;
};
struct Derived : Open {
    int more[8] = {};
};

int main() {
    int which = getchar(), c = getchar();
    if (c == EOF) return 0;
    switch (which) {
    case 1: {
        std::map<int, int> counts{{1, 1}, {2, 2}, {c, 3}};
        for (auto at = counts.begin(); at != counts.end(); ++at) // ! heap-use-after-free
            if (at->first == 7) counts.erase(at);
        return 0;
    }
    case 2: {
        std::vector<std::string> words{"a text that needs a block of its own", "b"};
        const std::string &first = words[0];
        if (c == 'w') words.emplace_back("c");
        return first.size() == 7; // ! heap-use-after-free
    }
    case 3: {
        Base *base = c == 'l' ? new Large : new Base;
        delete base; // ! new-delete-type-mismatch
        return 0;
    }
    case 5: {
        auto *texts = new std::string[3];
        texts[c & 3] = "t"; // ! heap-buffer-overflow
        delete[] texts;
        return 0;
    }
    case 4: {
        Open *open = c == 'd' ? new Derived : new Open;
        delete open;
        return 0;
    }
    }
    return 0;
}
