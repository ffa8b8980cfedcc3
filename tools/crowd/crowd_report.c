// SPDX-License-Identifier: MIT
// crowd_report.c - what `acre crowd` says at the end: a table, and JSON.
#include "crowd_report.h"

#include "json_writer.h"

#include <inttypes.h>
#include <stdio.h>

const char *const crowd_phase_names[CROWD_PHASES] = {"list", "steer", "begin", "take", "apply"};

void crowd_report_print(const crowd_figures *figures)
{
    printf("%u walkers, %u ticks, %u parts, %u workers\n", (unsigned)figures->walkers,
           (unsigned)figures->ticks, (unsigned)figures->parts, (unsigned)figures->workers);
    printf("ms a tick: median %.2f, least %.2f, most %.2f\n", figures->median, figures->least,
           figures->most);
    printf("ms of phases, mean:");
    for (int i = 0; i < CROWD_PHASES; i++) {
        printf("%s %s %.2f", i > 0 ? "," : "", crowd_phase_names[i], figures->phases[i]);
    }
    printf("\na part and tick: %.1f ghosts, %.1f kB sent, %.1f walkers migrate\n", figures->ghosts,
           figures->kilobytes_sent, figures->migrate);
    printf("largest part / mean: %.3f; %u recuts\n", figures->imbalance, (unsigned)figures->recuts);
    printf("content %016" PRIx64 "\n", figures->content);
}

bool crowd_report_write_json(const crowd_figures *figures, const char *path, char *message,
                             size_t message_size)
{
    char content[20];
    json_writer writer = {.ok = true};
    cJSON *const root = cJSON_CreateObject();
    json_add_number(&writer, root, "walkers", figures->walkers);
    json_add_number(&writer, root, "ticks", figures->ticks);
    json_add_number(&writer, root, "parts", figures->parts);
    json_add_number(&writer, root, "workers", figures->workers);
    cJSON *const times = json_add_object(&writer, root, "milliseconds_a_tick");
    json_add_number(&writer, times, "median", figures->median);
    json_add_number(&writer, times, "min", figures->least);
    json_add_number(&writer, times, "max", figures->most);
    cJSON *const phases = json_add_object(&writer, times, "phases");
    for (int i = 0; i < CROWD_PHASES; i++) {
        json_add_number(&writer, phases, crowd_phase_names[i], figures->phases[i]);
    }
    cJSON *const part = json_add_object(&writer, root, "a_part_and_tick");
    json_add_number(&writer, part, "ghosts", figures->ghosts);
    json_add_number(&writer, part, "kilobytes_sent", figures->kilobytes_sent);
    json_add_number(&writer, part, "migrate", figures->migrate);
    json_add_number(&writer, root, "largest_part_by_mean", figures->imbalance);
    json_add_number(&writer, root, "recuts", figures->recuts);
    snprintf(content, sizeof content, "%016" PRIx64, figures->content);
    json_add_text(&writer, root, "content", content);
    char *const text = writer.ok ? cJSON_Print(root) : NULL;
    cJSON_Delete(root);
    return json_write_file(text, path, message, message_size);
}
