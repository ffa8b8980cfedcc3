// SPDX-License-Identifier: MIT
// cpp_samples.cpp - what the sample of modules/cpp/README.md uses.
#include <acre/acre.hpp>

int report(const char *text);
int sample();
int sample()
{
#include "cpp_1.inc"
    return 0;
}
