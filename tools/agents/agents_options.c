// SPDX-License-Identifier: MIT
// agents_options.c - the command line of `acre agents`.
#include "agents_options.h"

#include "option_values.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: acre agents [options]\n"
    "\n"
    "Boxes of 0.5 to 1.5 m move over the ground and bounce off each other and off four walls, in\n"
    "one thread. Ends with frames a second, bytes and pairs.\n"
    "\n"
    "  --agents N         1 to 10000000 (default 100000)\n"
    "  --frames N         frames of 1/60 s, 1 to 1000000 (default 600)\n"
    "  --seed N           where the agents start and how fast (default 1)\n"
    "  --area A           square metres of ground per agent, 4 to 1000000 (default 6)\n"
    "  --size M           metres from wall to wall, instead of --area\n"
    "  --shuffle          agents that are neighbours have numbers far apart at the start, instead "
    "of\n"
    "                     numbers row by row\n"
    "  --churn P          per cent of the agents that are removed and inserted anew in each "
    "frame,\n"
    "                     0 to 100, instead of being refreshed (default 0)\n"
    "  --node-capacity N  a leaf of more agents splits, 1 to 65536 (default: as fits the area)\n"
    "  --kernel NAME      scalar, sse4, avx2 or avx512 (default: the widest there is)\n"
    "  --check K          compare the pairs of every Kth frame and of the last one with those "
    "that\n"
    "                     a plain grid finds; 0: never (default 60)\n"
    "  --svg FOLDER       a picture of every 60th frame as SVG (default: none)\n"
    "  --png FOLDER       the same as PNG\n"
    "  --picture-every K  another number of frames, 1 to 1000000\n"
    "  --view M           pictures show the middle M metres, 1 to 1000000 (default: all)\n"
    "  --json FILE        the figures as JSON\n"
    "  --csv FILE         the figures as comma-separated values\n"
    "  --help             this text\n"
    "\n"
    "Exit status: 0 all well, 1 a failure or pairs that differ, 2 bad arguments.\n";

enum {
    OPTION_AGENTS = 256,
    OPTION_FRAMES,
    OPTION_SEED,
    OPTION_AREA,
    OPTION_SIZE,
    OPTION_SHUFFLE,
    OPTION_CHURN,
    OPTION_CAPACITY,
    OPTION_KERNEL,
    OPTION_CHECK,
    OPTION_SVG,
    OPTION_PNG,
    OPTION_EVERY,
    OPTION_VIEW,
    OPTION_JSON,
    OPTION_CSV
};

static const struct option long_options[] = {
    {"agents", required_argument, NULL, OPTION_AGENTS},
    {"frames", required_argument, NULL, OPTION_FRAMES},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"area", required_argument, NULL, OPTION_AREA},
    {"size", required_argument, NULL, OPTION_SIZE},
    {"shuffle", no_argument, NULL, OPTION_SHUFFLE},
    {"churn", required_argument, NULL, OPTION_CHURN},
    {"node-capacity", required_argument, NULL, OPTION_CAPACITY},
    {"kernel", required_argument, NULL, OPTION_KERNEL},
    {"check", required_argument, NULL, OPTION_CHECK},
    {"svg", required_argument, NULL, OPTION_SVG},
    {"png", required_argument, NULL, OPTION_PNG},
    {"picture-every", required_argument, NULL, OPTION_EVERY},
    {"view", required_argument, NULL, OPTION_VIEW},
    {"json", required_argument, NULL, OPTION_JSON},
    {"csv", required_argument, NULL, OPTION_CSV},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

typedef struct agents_parser {
    agents_options *out;
    double size; // metres; 0: not given
    char *message;
    size_t message_size;
} agents_parser;

static bool set_count(agents_parser *parser, const char *value, const number_range *range,
                      uint32_t *out)
{
    uint64_t number = 0;
    const bool is_good =
        option_parse_number(value, range, &number, parser->message, parser->message_size);
    *out = is_good ? (uint32_t)number : *out;
    return is_good;
}

// Digits and at most one point.
static bool set_decimal(agents_parser *parser, const char *name, const char *value, double most,
                        double *out)
{
    const char *const point = strchr(value, '.');
    const bool is_decimal = strspn(value, "0123456789.") == strlen(value) &&
                            strpbrk(value, "0123456789") && !(point && strchr(point + 1, '.'));
    const double number = is_decimal ? strtod(value, NULL) : 0.0;
    if (!is_decimal || number <= 0.0 || number > most) {
        snprintf(parser->message, parser->message_size,
                 "%s takes a number above 0 and up to %.0f, not '%s'", name, most, value);
        return false;
    }
    *out = number;
    return true;
}

static bool set_area(agents_parser *parser, const char *value)
{
    double area = 0.0;
    if (!set_decimal(parser, "--area", value, (double)AGENTS_MOST_AREA, &area)) {
        return false;
    }
    if (area < (double)AGENTS_LEAST_AREA) {
        snprintf(parser->message, parser->message_size,
                 "--area takes at least %.0f square metres, not '%s'", (double)AGENTS_LEAST_AREA,
                 value);
        return false;
    }
    parser->out->def.area = (float)area;
    return true;
}

static bool set_kernel(agents_parser *parser, const char *value)
{
    for (int kernel = ACRE_KERNEL_SCALAR; kernel < ACRE_KERNEL_COUNT_; kernel++) {
        if (strcmp(value, acre_kernel_name((acre_kernel)kernel)) == 0) {
            parser->out->def.kernel = (acre_kernel)kernel;
            return true;
        }
    }
    snprintf(parser->message, parser->message_size, "--kernel does not take '%s'", value);
    return false;
}

// Options whose values are whole numbers.
static bool set_number(agents_parser *parser, int option, const char *value)
{
    static const number_range agents = {"--agents", 1, AGENTS_MAX};
    static const number_range frames = {"--frames", 1, AGENTS_MAX_FRAMES};
    static const number_range seed = {"--seed", 0, UINT64_MAX};
    static const number_range churn = {"--churn", 0, 100};
    static const number_range capacity = {"--node-capacity", 1, 65536};
    static const number_range check = {"--check", 0, AGENTS_MAX_FRAMES};
    static const number_range every = {"--picture-every", 1, AGENTS_MAX_FRAMES};
    static const number_range view = {"--view", 1, 1000000};
    agents_options *const out = parser->out;
    switch (option) {
    case OPTION_AGENTS:
        return set_count(parser, value, &agents, &out->def.count);
    case OPTION_FRAMES:
        return set_count(parser, value, &frames, &out->frames);
    case OPTION_SEED:
        return option_parse_number(value, &seed, &out->def.seed, parser->message,
                                   parser->message_size);
    case OPTION_CHURN:
        return set_count(parser, value, &churn, &out->def.churn_percent);
    case OPTION_CAPACITY:
        return set_count(parser, value, &capacity, &out->def.node_capacity);
    case OPTION_CHECK:
        return set_count(parser, value, &check, &out->check_every);
    case OPTION_EVERY:
        return set_count(parser, value, &every, &out->picture_every);
    default: // OPTION_VIEW
        return set_count(parser, value, &view, &out->view);
    }
}

// An empty name is no place to write to.
static bool set_path(agents_parser *parser, const char *value, const char **out)
{
    if (value[0] == '\0') {
        snprintf(parser->message, parser->message_size, "a name of a file or folder is empty");
        return false;
    }
    *out = value;
    return true;
}

static bool set_option(agents_parser *parser, int option, const char *value)
{
    switch (option) {
    case OPTION_AREA:
        return set_area(parser, value);
    case OPTION_SIZE:
        return set_decimal(parser, "--size", value, 1.0e6, &parser->size);
    case OPTION_SHUFFLE:
        parser->out->def.is_shuffled = true;
        return true;
    case OPTION_KERNEL:
        return set_kernel(parser, value);
    case OPTION_SVG:
        return set_path(parser, value, &parser->out->svg_folder);
    case OPTION_PNG:
        return set_path(parser, value, &parser->out->png_folder);
    case OPTION_JSON:
        return set_path(parser, value, &parser->out->json_path);
    case OPTION_CSV:
        return set_path(parser, value, &parser->out->csv_path);
    default:
        return set_number(parser, option, value);
    }
}

// The size becomes an area when the number of agents is known.
static bool apply_size(agents_parser *parser)
{
    agents_options *const out = parser->out;
    if (parser->size <= 0.0) {
        return true;
    }
    if (out->def.area > 0.0f) {
        snprintf(parser->message, parser->message_size,
                 "--area and --size are two ways to say one thing");
        return false;
    }
    const double area = parser->size * parser->size / (double)out->def.count;
    const double least = (double)AGENTS_LEAST_AREA, most = (double)AGENTS_MOST_AREA;
    if (!(area >= least && area <= most)) {
        snprintf(parser->message, parser->message_size,
                 "--size takes %.1f to %.0f metres for %u agents", sqrt(least * out->def.count),
                 sqrt(most * out->def.count), (unsigned)out->def.count);
        return false;
    }
    out->def.area = (float)area;
    return true;
}

bool agents_options_parse(int argc, char **argv, agents_options *out, char *message,
                          size_t message_size)
{
    *out = (agents_options){
        .def = {.count = 100000, .seed = 1}, .frames = 600, .check_every = 60, .picture_every = 60};
    agents_parser parser = {.out = out, .message = message, .message_size = message_size};
    int option;
    optind = 0; // starts anew, also where it is called twice
    while ((option = getopt_long(argc, argv, ":h", long_options, NULL)) != -1) {
        if (option == 'h') {
            out->help = true;
        } else if (option == '?' || option == ':') {
            return option_complain(option, argv, message, message_size);
        } else if (!set_option(&parser, option, optarg)) {
            return false;
        }
    }
    if (optind < argc) {
        snprintf(message, message_size, "there is no use for '%s'", argv[optind]);
        return false;
    }
    return apply_size(&parser);
}

const char *agents_options_help(void)
{
    return help;
}
