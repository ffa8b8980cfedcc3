// SPDX-License-Identifier: MIT
// occluders_samples.c - what the sample of tools/docs/occluders.md uses.
#include "must.h"

#include <acre/culling.h>
#include <acre/horizon.h>
#include <acre/import.h>

void hide_behind_nodes(const acre_import_model *model, const acre_entity *entities,
                       acre_culling *culling, acre_horizon *horizon, acre_camera camera,
                       acre_view view, uint32_t *slots, size_t capacity, size_t count);
void hide_behind_nodes(const acre_import_model *model, const acre_entity *entities,
                       acre_culling *culling, acre_horizon *horizon, acre_camera camera,
                       acre_view view, uint32_t *slots, size_t capacity, size_t count)
{
#include "occluders_1.inc"
}
