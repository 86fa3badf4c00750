// SPDX-License-Identifier: GPL-2.0
// Exceptions thrown through functions: a uretprobe on one of them aborts the program.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

namespace shop {

template <typename T> struct Basket {
    std::vector<T> items;
    __attribute__((noinline)) int price(int n) const;
    __attribute__((noinline)) int operator[](int n) const { return items[n % items.size()]; }
};

__attribute__((noipa)) int check(int n)
{
    if (n % 3 == 0)
        throw std::runtime_error("sold out");
    return n;
}

template <typename T> int Basket<T>::price(int n) const
{
    std::string name = "item" + std::to_string(n);
    return check(n) + name.size();
}

__attribute__((noipa)) int visit(const Basket<int> &basket, int n)
{
    try {
        return basket.price(n) + basket[n];
    } catch (const std::exception &e) {
        return -1;
    }
}

} // namespace shop

extern "C" __attribute__((noipa)) int plain_c(int n)
{
    return n + 1;
}

int main(int argc, char **argv)
{
    shop::Basket<int> basket{{1, 2, 3}};
    int total = 0, rounds = argc > 2 ? std::atoi(argv[2]) : 30;

    for (int n = 0; n < rounds; n++)
        total += shop::visit(basket, n) + plain_c(n);
    std::printf("%d\n", total);
    if (argc > 1)
        std::getchar();
}
