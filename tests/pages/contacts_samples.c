// SPDX-License-Identifier: MIT
// contacts_samples.c - what the sample of modules/contacts/README.md uses.
#include "must.h"

#include <acre/entity_pairs.h>
#include <acre/scene.h>

void update_contacts(acre_scene *scene, const acre_culling *culling, acre_entity_contacts *contacts,
                     const uint32_t *meets);
void update_contacts(acre_scene *scene, const acre_culling *culling, acre_entity_contacts *contacts,
                     const uint32_t *meets)
{
#include "contacts_1.inc"
}
