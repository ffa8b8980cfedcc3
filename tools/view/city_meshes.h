// SPDX-License-Identifier: MIT
// city_meshes.h - the meshes of a scene file: buildings, ribbons of streets, the car, the ground.
//
// A slot's key is the number of its mesh. Streets lie on the ground in layers, each drawn over the
// last: key is the sidewalk's, key + street_count the asphalt's, key + 2 street_count the lines'.
#ifndef ACRE_TOOLS_CITY_MESHES_H
#define ACRE_TOOLS_CITY_MESHES_H

#include "mesh_store.h"
#include "run_world.h"

enum { CITY_CAR_LODS = 3, CITY_MESH_CAR = 0, CITY_MESH_GROUND = CITY_CAR_LODS };
enum { CITY_STREET_LAYERS = 3 };

typedef struct city_meshes {
    mesh_store store;
    uint32_t *keys; // by slot
    uint32_t first_street, street_count;
} city_meshes;

// Also gives streets' entities the boxes of their ribbons; the next commit has them. Returns false
// where memory is short; *out is to be freed all the same.
bool city_meshes_create(city_meshes *out, run_world *world);
void city_meshes_free(city_meshes *meshes);

// A car that looks along +z, inside run_car_box. Adds to the mesh begun last. lod: 0 to
// CITY_CAR_LODS - 1.
void car_mesh_add(mesh_store *store, int lod);

#endif
