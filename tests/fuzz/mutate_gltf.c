// SPDX-License-Identifier: MIT
// mutate_gltf.c - glTF files that are wrong, but still JSON: numbers, names and pieces are changed.
//
//     mutate_gltf RUNS SEED FILE...
//
// Most of what fuzz_gltf makes is no JSON any more, and is refused at the first wrong byte. Here
// the text is cut into its words, and words change places or become others that tell: 0, -1, 255,
// 2^32, 1e39, null. Each file is read in this process; the sanitizers and gltf_outcome_fault judge.
// No file may take a second. Exit status 1 with a finding, which is printed.
#include "gltf_outcome.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_WORDS = 4096, MOST_BYTES = 65536, MOST_FILES = 256 };

typedef struct word {
    const char *start;
    size_t size;
} word;

typedef struct seed_file {
    char *text;
    word *words;
    size_t count;
} seed_file;

static seed_file files[MOST_FILES];
static size_t file_count;

static bool is_in(char letter, const char *letters)
{
    return letter != '\0' && strchr(letters, letter) != NULL;
}

// Strings, numbers and names of one word each; every other letter alone.
static size_t word_size(const char *at)
{
    size_t size = 1;
    if (*at == '"') {
        while (at[size] != '\0' && at[size] != '"') {
            size++;
        }
        return at[size] == '"' ? size + 1 : size;
    }
    static const char parts[] = "+-.0123456789Eaeflnrstu";
    while (is_in(*at, parts) && is_in(at[size], parts)) {
        size++;
    }
    return size;
}

static bool add_file(const char *path)
{
    FILE *const file = fopen(path, "rb");
    seed_file *const made = &files[file_count];
    made->text = calloc(1, MOST_BYTES);
    made->words = calloc(MOST_WORDS, sizeof *made->words);
    if (!file || !made->text || !made->words) {
        fprintf(stderr, "cannot read %s\n", path);
        return false;
    }
    made->text[fread(made->text, 1, MOST_BYTES - 1, file)] = '\0';
    fclose(file);
    for (const char *at = made->text; *at != '\0' && made->count < MOST_WORDS;) {
        word *const next = &made->words[made->count++];
        *next = (word){at, word_size(at)};
        at += next->size;
    }
    file_count++;
    return true;
}

static word random_word(test_random *random)
{
    const seed_file *const from = &files[random_below(random, (uint32_t)file_count)];
    return from->words[random_below(random, (uint32_t)from->count)];
}

static bool is_number(word which)
{
    return is_in(*which.start, "-0123456789");
}

// Another word of the same kind, mostly.
static word other_word(test_random *random, word old)
{
    static const char *const telling[] = {
        "0",    "1",     "2",     "3",          "-1",         "4",
        "12",   "255",   "256",   "65535",      "65536",      "0.5",
        "1e39", "-1e39", "1e-45", "2147483647", "4294967295", "9007199254740992",
        "1e99", "null",  "{}",    "[]",         "\"\"",       "true",
        "5120", "5121",  "5123",  "5126"};
    if (random_below(random, 3) == 0) {
        const char *const text = telling[random_below(random, sizeof telling / sizeof *telling)];
        return (word){text, strlen(text)};
    }
    word found = random_word(random);
    for (int trial = 0; trial < 20 && (is_number(found) != is_number(old) ||
                                       (*found.start == '"') != (*old.start == '"'));
         trial++) {
        found = random_word(random);
    }
    return found;
}

// Writes a file with some of its words changed. @return its size
static size_t mutate(test_random *random, char *out)
{
    const seed_file *const from = &files[random_below(random, (uint32_t)file_count)];
    static word words[MOST_WORDS];
    memcpy(words, from->words, from->count * sizeof *words);
    for (uint32_t edits = 1 + random_below(random, 4); edits > 0; edits--) {
        size_t at = random_below(random, (uint32_t)from->count);
        const uint32_t kind = random_below(random, 16);
        while (kind > 1 && at + 1 < from->count && !is_number(words[at]) &&
               *words[at].start != '"') {
            at++;
        }
        if (kind == 0) {
            words[at].size = 0;
        } else {
            words[at] = other_word(random, words[at]);
        }
    }
    size_t size = 0;
    for (size_t i = 0; i < from->count && size + words[i].size < MOST_BYTES; i++) {
        memcpy(out + size, words[i].start, words[i].size);
        size += words[i].size;
    }
    if (random_below(random, 8) == 0 && size > 0) { // in the bytes of a buffer, perhaps
        out[random_below(random, (uint32_t)size)] = (char)(' ' + random_below(random, 95));
    }
    return size;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: mutate_gltf RUNS SEED FILE...\n");
        return 2;
    }
    for (int i = 3; i < argc && file_count < MOST_FILES; i++) {
        if (!add_file(argv[i])) {
            return 2;
        }
    }
    const unsigned long long runs = strtoull(argv[1], NULL, 10);
    test_random random = {strtoull(argv[2], NULL, 10)};
    static char text[MOST_BYTES];
    unsigned long long taken = 0;
    double slowest = 0.0;
    for (unsigned long long run = 0; run < runs; run++) {
        const size_t size = mutate(&random, text);
        char *const copy = malloc(size > 0 ? size : 1); // of its exact size, for the sanitizer
        if (!copy) {
            return 2;
        }
        memcpy(copy, text, size);
        bool was_taken;
        const clock_t start = clock();
        const char *const fault = gltf_outcome_fault(copy, size, &was_taken);
        const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        free(copy);
        slowest = seconds > slowest ? seconds : slowest;
        taken += was_taken;
        if (fault != NULL || seconds > 1.0) {
            printf("run %llu: %s, %.3f s\n%.*s\n", run, fault != NULL ? fault : "too slow", seconds,
                   (int)size, text);
            return 1;
        }
    }
    printf("%llu files of seed %s: %llu read, %llu refused, the slowest in %.1f ms\n", runs,
           argv[2], taken, runs - taken, 1e3 * slowest);
    return taken == 0 || taken == runs;
}
