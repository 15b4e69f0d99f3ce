/* Insertion sort of four numbers: 24 orders, and every test's result is in order. */
#include "soundline.h"

static void sort(int *numbers, int count) {
    for (int i = 1; i < count; i++) {
        int number = numbers[i], j = i;
        while (j > 0 && numbers[j - 1] > number) {
            numbers[j] = numbers[j - 1];
            j--;
        }
        numbers[j] = number;
    }
}

int main(void) {
    int numbers[4];
    sl_symbolic(numbers, sizeof numbers, "numbers");
    sort(numbers, 4);
    for (int i = 0; i < 3; i++)
        sl_assert(numbers[i] <= numbers[i + 1]);
    return 0;
}
