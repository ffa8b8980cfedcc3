// SPDX-License-Identifier: MIT
// bullet_motion.cpp - Bullet moves, Acre culls: each motion state writes into the scene.
//
// Bullet calls setWorldTransform for bodies that moved, and for no other. So what sleeps costs Acre
// nothing: a commit computes only the entities that were written.
#include <acre/acre.hpp>

#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

namespace
{

constexpr int body_count = 500;
constexpr int frame_count = 240;

// The door between the two: a body's place becomes the entity's local transform.
class entity_motion : public btMotionState
{
  public:
    entity_motion(acre::scene &scene, acre_entity entity, const btTransform &start)
        : scene_(scene), entity_(entity), place_(start)
    {
    }
    void getWorldTransform(btTransform &out) const override
    {
        out = place_; // Bullet asks once, when the body is made
    }
    void setWorldTransform(const btTransform &to) override
    {
        place_ = to;
        const btVector3 &place = to.getOrigin();
        const btQuaternion turn = to.getRotation();
        acre_transform local = ACRE_TRANSFORM_IDENTITY;
        for (int k = 0; k < 3; k++) {
            local.translation[k] = static_cast<float>(place[k]);
            local.rotation[k] = static_cast<float>(turn[k]);
        }
        local.rotation[3] = static_cast<float>(turn.w());
        failed_ = scene_.set_local(entity_, local);
        moves++;
    }
    acre::error failed() const
    {
        return failed_;
    }
    static size_t moves; // of all bodies, in this frame

  private:
    acre::scene &scene_;
    acre_entity entity_;
    btTransform place_;
    acre::error failed_;
};

size_t entity_motion::moves;

// Crates that fall onto a plane.
struct world {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld bullet{&dispatcher, &broadphase, &solver, &configuration};
    btStaticPlaneShape plane{btVector3(0, 1, 0), 0};
    btBoxShape crate{btVector3(0.5f, 0.5f, 0.5f)};
    btRigidBody ground{0, nullptr, &plane};
    acre::scene scene;
    acre::culling culling;
    std::vector<std::unique_ptr<entity_motion>> motions;
    std::vector<std::unique_ptr<btRigidBody>> bodies;

    ~world()
    {
        for (const auto &body : bodies) {
            bullet.removeRigidBody(body.get());
        }
        bullet.removeRigidBody(&ground);
    }
};

btTransform start_of(int i)
{
    const btVector3 place(btScalar(i % 10 * 4 - 20), btScalar(1 + i / 100 * 2),
                          btScalar(i / 10 % 10 * 4 - 20));
    return btTransform(btQuaternion(btScalar(i), 0.3f, 0.1f), place);
}

acre::error add_crate(world &world, int i)
{
    const acre_aabb box = {{-0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 0.5f}};
    acre_entity_def def{};
    def.bounds = &box;
    acre_entity entity{};
    acre::error failed = world.scene.create_entity(def, entity);
    if (failed) {
        return failed;
    }
    world.motions.push_back(std::make_unique<entity_motion>(world.scene, entity, start_of(i)));
    world.motions.back()->setWorldTransform(start_of(i));
    btVector3 inertia;
    world.crate.calculateLocalInertia(1, inertia);
    const btRigidBody::btRigidBodyConstructionInfo info(1, world.motions.back().get(), &world.crate,
                                                        inertia);
    world.bodies.push_back(std::make_unique<btRigidBody>(info));
    world.bullet.addRigidBody(world.bodies.back().get());
    return world.motions.back()->failed();
}

acre::error create(world &world)
{
    acre_culling_def def{};
    def.register_all = true;
    acre::error failed = world.scene.create();
    failed = failed ? failed : world.culling.create(world.scene, def);
    world.bullet.addRigidBody(&world.ground);
    for (int i = 0; i < body_count && !failed; i++) {
        failed = add_crate(world, i);
    }
    return failed;
}

// The scene's boxes are those that Bullet computes of the crates where it put them last.
bool boxes_agree(const world &world)
{
    const acre_scene_view view = world.scene.view();
    float worst = 0;
    for (size_t i = 0; i < world.motions.size(); i++) {
        btTransform at;
        btVector3 min, max;
        world.motions[i]->getWorldTransform(at);
        world.crate.getAabb(at, min, max);
        for (int k = 0; k < 3; k++) {
            const float low = view.world_bounds[i].min[k] - static_cast<float>(min[k]);
            const float high = view.world_bounds[i].max[k] - static_cast<float>(max[k]);
            worst = std::fmax(worst, std::fmax(std::fabs(low), std::fabs(high)));
        }
    }
    std::printf("boxes differ by rounding alone: %s\n", worst < 1e-4f ? "yes" : "no");
    return worst < 1e-4f;
}

acre::error step(world &world, const acre_camera &camera, int frame, std::vector<uint32_t> &room)
{
    entity_motion::moves = 0;
    world.bullet.stepSimulation(1.0f / 60, 1, 1.0f / 60);
    acre::error failed;
    for (const auto &motion : world.motions) {
        failed = failed ? failed : motion->failed();
    }
    failed = failed ? failed : world.scene.commit();
    size_t visible = 0;
    failed = failed ? failed : world.culling.query_into(camera, room, visible);
    if (frame % 60 == 59) {
        std::printf("frame %3d: %zu crates moved, %zu are in view\n", frame + 1,
                    entity_motion::moves, visible);
    }
    return failed;
}

} // namespace

int main()
{
    world world;
    acre_camera camera{};
    const float eye[3] = {0, 8, 40}, target[3] = {0, 0, 0}, up[3] = {0, 1, 0};
    acre::error failed = create(world);
    failed = failed
                 ? failed
                 : acre_camera_perspective(&camera, 0.6f, 1.5f, 0.1f, 200, ACRE_CLIP_ZERO_TO_ONE);
    failed = failed ? failed : acre_camera_look_at(&camera, eye, target, up);
    std::vector<uint32_t> room;
    for (int frame = 0; frame < frame_count && !failed; frame++) {
        failed = step(world, camera, frame, room);
    }
    if (failed) {
        std::fprintf(stderr, "bullet_motion: %s\n", failed.text());
        return 1;
    }
    return boxes_agree(world) ? 0 : 1;
}
