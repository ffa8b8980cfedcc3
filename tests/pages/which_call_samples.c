// SPDX-License-Identifier: MIT
// which_call_samples.c - what the samples of tools/docs/which_call.md use.
#include "must.h"

#include <acre/casters.h>
#include <acre/interest.h>
#include <acre/quadtree_neighbors.h>
#include <acre/quadtree_pairs.h>

#include <math.h>

enum { LAYER_PLAYERS = 1, LAYER_UNITS = 2 };

void wake(uint32_t monster, uint32_t player);
void aim(uint32_t unit, uint32_t enemy);
void dot(uint32_t item);
void enter(uint32_t zone, uint32_t unit);
void steer(size_t bird, const uint32_t *others, uint32_t count);
void spawn(acre_observer player, uint32_t item);
void despawn(acre_observer player, uint32_t item);
void load(uint32_t item);
void unload(uint32_t item);

static acre_quadtree *tree;
static acre_neighbor_row *rows;
static uint32_t *room, *items;
static size_t capacity, count;

void ask_for_fog(size_t unit_count, uint32_t all_teams, float sight, uint32_t *seen_by);
void ask_for_fog(size_t unit_count, uint32_t all_teams, float sight, uint32_t *seen_by)
{
#include "which_call_1.inc"
}

void ask_for_aggro(const uint32_t *monsters, size_t monster_count, float reach);
void ask_for_aggro(const uint32_t *monsters, size_t monster_count, float reach)
{
#include "which_call_2.inc"
}

void ask_for_enemies(size_t unit_count, const uint32_t *enemies);
void ask_for_enemies(size_t unit_count, const uint32_t *enemies)
{
#include "which_call_3.inc"
}

void ask_for_map(float west, float east, float north, float south);
void ask_for_map(float west, float east, float north, float south)
{
#include "which_call_4.inc"
}

void ask_for_lasso(acre_camera camera, float left, float top, float right, float bottom);
void ask_for_lasso(acre_camera camera, float left, float top, float right, float bottom)
{
#include "which_call_5.inc"
}

void ask_for_pick(acre_camera camera, float mouse_x, float mouse_y);
void ask_for_pick(acre_camera camera, float mouse_x, float mouse_y)
{
#include "which_call_6.inc"
}

void ask_for_zones(acre_contacts *contacts, const acre_quadtree *zones);
void ask_for_zones(acre_contacts *contacts, const acre_quadtree *zones)
{
#include "which_call_7.inc"
}

void ask_for_flock(size_t bird_count);
void ask_for_flock(size_t bird_count)
{
#include "which_call_8.inc"
}

void ask_for_players(acre_interest *interest, acre_observer player);
void ask_for_players(acre_interest *interest, acre_observer player)
{
#include "which_call_9.inc"
}

void ask_for_casters(const acre_culling *culling, acre_receivers *receivers, acre_cascade cascade,
                     acre_aabb ground, uint32_t *casters);
void ask_for_casters(const acre_culling *culling, acre_receivers *receivers, acre_cascade cascade,
                     acre_aabb ground, uint32_t *casters)
{
#include "which_call_10.inc"
}

void ask_for_tiles(acre_interest *streaming, acre_observer observer, float x, float z);
void ask_for_tiles(acre_interest *streaming, acre_observer observer, float x, float z)
{
#include "which_call_11.inc"
}
