// SPDX-License-Identifier: MIT
// fuzz_main.c - drives a fuzz target without a fuzzer: the inputs given, then mutations of them.
//
//     program [--seed N] [--runs N] [--seconds N] [--print] [--save FILE] FILE or FOLDER ...
//
// Run number n of a seed is always the same input. On a finding the input goes to the file named by
// --save, and the seed and the run are told. --seconds ends the mutations earlier.
#include "fuzz.h"
#include "test.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct bytes {
    uint8_t *data;
    size_t size;
} bytes;

enum { MAX_SIZE = 4096 }; // of a mutated input

static struct {
    bytes *inputs;
    size_t count, room;
    uint64_t seed, runs, run;
    double seconds;
    const char *save; // NULL: nowhere
    bytes current;
    bool is_dying;
} driver = {.runs = 1000};

// ---- findings ----

static void die(void)
{
    if (driver.is_dying) {
        return;
    }
    driver.is_dying = true;
    fprintf(stderr, "finding: --seed %llu, run %llu, %zu bytes\n", (unsigned long long)driver.seed,
            (unsigned long long)driver.run, driver.current.size);
    FILE *const file = driver.save ? fopen(driver.save, "wb") : NULL;
    if (file) {
        fwrite(driver.current.data, 1, driver.current.size, file);
        fclose(file);
    }
    if (fuzz_at_death) {
        fuzz_at_death();
    }
}

static void on_signal(int number)
{
    die();
    signal(number, SIG_DFL);
    raise(number);
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(HAS_SANITIZER)
void __sanitizer_set_death_callback(void (*callback)(void));
#endif

static void watch_for_death(void)
{
    signal(SIGABRT, on_signal);
#if defined(__SANITIZE_ADDRESS__) || defined(HAS_SANITIZER)
    __sanitizer_set_death_callback(die);
#else
    signal(SIGSEGV, on_signal);
    signal(SIGFPE, on_signal);
#endif
}

// Each input stands in a block of its own size, so that reading beyond it is noticed.
static void run_one(const uint8_t *data, size_t size)
{
    uint8_t *const copy = malloc(size ? size : 1);
    if (!copy) {
        fprintf(stderr, "no memory\n");
        exit(2);
    }
    if (size > 0) {
        memcpy(copy, data, size);
    }
    driver.current = (bytes){copy, size};
    LLVMFuzzerTestOneInput(copy, size);
    driver.current = (bytes){NULL, 0};
    free(copy);
}

// ---- inputs ----

static bool add_file(const char *path)
{
    FILE *const file = fopen(path, "rb");
    if (!file) {
        return false;
    }
    bytes made = {NULL, 0};
    size_t got = 0, room = 0;
    do {
        made.size += got;
        room = made.size + 65536;
        uint8_t *const grown = realloc(made.data, room);
        if (!grown) {
            exit(2);
        }
        made.data = grown;
        got = fread(made.data + made.size, 1, room - made.size, file);
    } while (got > 0);
    fclose(file);
    if (driver.count == driver.room) {
        driver.room = driver.room ? 2 * driver.room : 64;
        bytes *const grown = realloc(driver.inputs, driver.room * sizeof *grown);
        if (!grown) {
            exit(2);
        }
        driver.inputs = grown;
    }
    driver.inputs[driver.count++] = made;
    return true;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

// The files of a folder, by name; or the file itself.
static bool add_path(const char *path)
{
    DIR *const folder = opendir(path);
    if (!folder) {
        return add_file(path);
    }
    char **names = NULL;
    size_t count = 0;
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        if (entry->d_name[0] == '.') {
            continue;
        }
        const size_t room = strlen(path) + strlen(entry->d_name) + 2;
        char *const name = malloc(room);
        char **const grown = realloc(names, (count + 1) * sizeof *grown);
        if (!name || !grown) {
            exit(2);
        }
        snprintf(name, room, "%s/%s", path, entry->d_name);
        names = grown;
        names[count++] = name;
    }
    closedir(folder);
    bool ok = true;
    if (count > 0) {
        qsort(names, count, sizeof *names, compare_names);
    }
    for (size_t i = 0; i < count; i++) {
        ok &= add_file(names[i]);
        free(names[i]);
    }
    free(names);
    return ok;
}

// ---- mutations ----

static size_t random_size(test_random *random, size_t bound)
{
    return bound ? (size_t)(random_bits(random) % bound) : 0;
}

// Copies a piece of another input, or of this one, over a place or in between.
static size_t splice(test_random *random, uint8_t *data, size_t size)
{
    const bytes *const from = &driver.inputs[random_size(random, driver.count)];
    size_t length = random_size(random, from->size < 64 ? from->size + 1 : 64);
    const size_t start = random_size(random, from->size - length + 1);
    const size_t at = random_size(random, size + 1);
    const bool inserts = random_below(random, 2);
    length = length < MAX_SIZE - (inserts ? size : at) ? length : MAX_SIZE - (inserts ? size : at);
    if (inserts) {
        memmove(data + at + length, data + at, size - at);
        size += length;
    }
    memcpy(data + at, from->data + start, length);
    return size > at + length ? size : at + length;
}

static size_t mutate_once(test_random *random, uint8_t *data, size_t size)
{
    static const uint8_t telling[] = {0, 1, 2, 127, 128, 192, 224, 248, 254, 255};
    const uint32_t kind = random_below(random, 7);
    if (kind == 0 || size == 0) {
        return splice(random, data, size);
    }
    const size_t at = random_size(random, size);
    switch (kind) {
    case 1:
        data[at] ^= (uint8_t)(1u << random_below(random, 8));
        return size;
    case 2:
        data[at] = (uint8_t)random_bits(random);
        return size;
    case 3:
        data[at] = telling[random_below(random, sizeof telling)];
        return size;
    case 4:
        data[at] = (uint8_t)(data[at] + (random_below(random, 2) ? 1u : 255u));
        return size;
    case 5: { // some bytes less
        const size_t length = 1 + random_size(random, size - at < 32 ? size - at : 32);
        memmove(data + at, data + at + length, size - at - length);
        return size - length;
    }
    default: { // new bytes at the end
        size_t length = 1 + random_size(random, 48);
        for (; length > 0 && size < MAX_SIZE; length--) {
            data[size++] = (uint8_t)random_bits(random);
        }
        return size;
    }
    }
}

static void run_mutation(uint64_t number)
{
    static uint8_t data[MAX_SIZE];
    test_random mixer = {driver.seed};
    test_random random = {random_bits(&mixer) ^ number};
    const bytes *const from = &driver.inputs[random_size(&random, driver.count)];
    size_t size = from->size < MAX_SIZE ? from->size : MAX_SIZE;
    if (size > 0) {
        memcpy(data, from->data, size);
    }
    for (uint32_t i = 1 + random_below(&random, 16); i > 0; i--) {
        size = mutate_once(&random, data, size);
    }
    run_one(data, size);
}

// ---- main ----

static bool read_arguments(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *const value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--print") == 0) {
            fuzz_prints = true;
        } else if (argv[i][0] != '-') {
            if (!add_path(argv[i])) {
                fprintf(stderr, "cannot read %s\n", argv[i]);
                return false;
            }
        } else if (value && strcmp(argv[i], "--seed") == 0) {
            driver.seed = strtoull(argv[++i], NULL, 10);
        } else if (value && strcmp(argv[i], "--runs") == 0) {
            driver.runs = strtoull(argv[++i], NULL, 10);
        } else if (value && strcmp(argv[i], "--seconds") == 0) {
            driver.seconds = strtod(argv[++i], NULL);
        } else if (value && strcmp(argv[i], "--save") == 0) {
            driver.save = argv[++i];
        } else {
            fprintf(stderr, "unknown argument %s\n", argv[i]);
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    if (!read_arguments(argc, argv)) {
        return 2;
    }
    watch_for_death();
    const size_t given = driver.count;
    for (size_t i = 0; i < given; i++) {
        run_one(driver.inputs[i].data, driver.inputs[i].size);
    }
    if (given == 0) { // something to grow from
        driver.inputs = calloc(1, sizeof *driver.inputs);
        driver.count = driver.inputs ? 1 : 0;
    }
    const time_t start = time(NULL);
    for (driver.run = 1; driver.count > 0 && driver.run <= driver.runs; driver.run++) {
        run_mutation(driver.run);
        if (driver.seconds > 0.0 && difftime(time(NULL), start) >= driver.seconds) {
            break;
        }
    }
    printf("%zu inputs, %llu mutations of seed %llu\n", given,
           (unsigned long long)(driver.run <= driver.runs ? driver.run : driver.runs),
           (unsigned long long)driver.seed);
    for (size_t i = 0; i < driver.count; i++) {
        free(driver.inputs[i].data);
    }
    free(driver.inputs);
    return 0;
}
