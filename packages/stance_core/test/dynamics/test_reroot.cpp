// Re-rooting: the same robot seen from another body. Assumptions A1, A2 and A3 of Stepien over random trees.
#include "stance_core/dynamics/reroot.hpp"

#include <gtest/gtest.h>

#include "stance_core/dynamics/aba.hpp"
#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/dynamics/momentum.hpp"
#include "stance_core/dynamics/rnea.hpp"
#include "stance_core/hybrid/integrator.hpp"
#include "support/random_case.hpp"
#include "support/spatial_matrices.hpp"
#include "support/walkers.hpp"

namespace stance {
namespace {

using namespace test;

// Two texts of the same chain of at most ten transforms of unit size: rounding stays a hundred times below.
constexpr double kRounding = 1e-12;

Footing random_footing(Random& random, JointKind kind) {
  return {kind, random_vector(random), Mat3<double>(random_rotation(random)),
          kind == JointKind::kRoll ? 0.3 : 0};
}

// What the world sees of a robot.
struct Seen {
  std::vector<Transform<double>> pose;
  std::vector<Motion<double>> velocity;
  double kinetic, potential;
  Force<double> momentum;
  Vec3<double> center;
};

Seen see(const Model& model, const Tree& tree, const State& state, Workspace& w) {
  Seen seen;
  kinematics(model, tree, state, w);
  for (int f = 0; f < model.frame_count; ++f) {
    seen.pose.push_back(frame_pose(model, tree, w, FrameId(f)));
    seen.velocity.push_back(frame_velocity(model, tree, w, FrameId(f)));
  }
  seen.kinetic = kinetic_energy(tree, state, w);
  seen.potential = potential_energy(model, tree, w);
  seen.momentum = momentum(tree, w);
  seen.center = center_of_mass(tree, w);
  return seen;
}

double pose_difference(const Seen& a, const Seen& b) {
  double largest = distance(a.center.eigen(), b.center.eigen());
  for (std::size_t f = 0; f < a.pose.size(); ++f)
    largest = std::max(largest, distance(a.pose[f], b.pose[f]));
  return std::max(largest,
                  std::abs(a.potential - b.potential) / std::max(1.0, std::abs(a.potential)));
}

double motion_difference(const Seen& a, const Seen& b) {
  double largest = 0;
  for (std::size_t f = 0; f < a.velocity.size(); ++f)
    largest = std::max(largest, distance(a.velocity[f], b.velocity[f]));
  largest = std::max(largest, std::abs(a.kinetic - b.kinetic) / std::max(1.0, a.kinetic));
  return std::max(largest, distance(a.momentum, b.momentum) /
                               std::max(1.0, vector(a.momentum).cwiseAbs().maxCoeff()));
}

// Largest difference of coordinates and velocities; a quaternion and its negative are the same rotation.
double state_difference(const Model& model, const Tree& tree, const State& a, const State& b) {
  double largest = 0;
  const auto compare = [&](JointKind kind, int q, int v) {
    const Transform<double> X = joint_transform(kind, &a.q[q], tree.support.radius),
                            Y = joint_transform(kind, &b.q[q], tree.support.radius);
    largest = std::max(largest, distance(X, Y));
    for (int j = 0; j < dof_count(kind); ++j)
      largest = std::max(largest, std::abs(a.v[v + j] - b.v[v + j]));
  };
  compare(tree.support.kind, 0, 0);
  for (int i = 1; i < model.body_count; ++i) {
    const Joint& joint = model.joints[i];
    compare(joint.kind, joint.q_index, joint.v_index);
  }
  return largest;
}

void expect_same_tree(const Model& model, const Tree& a, const Tree& b) {
  EXPECT_EQ(a.root, b.root);
  EXPECT_EQ(a.support.kind, b.support.kind);
  EXPECT_EQ(a.support.X_WA, b.support.X_WA);
  EXPECT_EQ(a.support.X_HC, b.support.X_HC);
  EXPECT_EQ(a.support.radius, b.support.radius);
  EXPECT_EQ(a.body_count, b.body_count);
  ASSERT_EQ(a.dof_count, b.dof_count);
  for (int d = 0; d < a.dof_count; ++d) EXPECT_EQ(a.dof_parent[d], b.dof_parent[d]);
  for (int i = 0; i < model.body_count; ++i) {
    const Link &l = a.links[i], &m = b.links[i];
    EXPECT_EQ(a.order[i], b.order[i]);
    EXPECT_EQ(l.X_T, m.X_T);
    EXPECT_EQ(l.X_HB, m.X_HB);
    EXPECT_EQ(l.I.m, m.I.m);
    EXPECT_EQ(l.I.h, m.I.h);
    EXPECT_EQ(l.I.I, m.I.I);
    EXPECT_EQ(l.armature, m.armature);
    EXPECT_EQ(l.sign, m.sign);
    EXPECT_EQ(l.parent, m.parent);
    EXPECT_EQ(l.joint, m.joint);
    EXPECT_EQ(l.kind, m.kind);
    EXPECT_EQ(l.reversed, m.reversed);
    EXPECT_EQ(l.q_index, m.q_index);
    EXPECT_EQ(l.v_index, m.v_index);
    EXPECT_EQ(l.dof, m.dof);
    EXPECT_EQ(a.locked[i], b.locked[i]);
  }
}

RobotKind kind_of(int trial) {
  return {.bodies = 10, .mimic = trial % 2 == 0, .branching = trial % 3 == 0 ? 0.2 : 0.6};
}

// ---- A2 and A3

// Whatever the old support and the new one, wherever the new root and point: positions stay, and the joints' own
// coordinates are not touched.
TEST(Reroot, KeepsEveryFrameForAllSupports) {
  Random random(401);
  for (int trial = 0; trial < 72; ++trial) {
    const Case c = random_case(random, kind_of(trial), kSupports[trial % 6]);
    const Seen before = see(*c.model, *c.tree, c.state, *c.w);
    const auto tree = std::make_unique<Tree>(*c.tree);
    State state = c.state;
    const JointKind kind = kSupports[(trial / 6) % 6];
    const Footing footing = random_footing(random, kind);
    const BodyId root(pick(random, c.model->body_count));
    (void)reroot(*c.model, root, footing, *tree, state);
    const Seen after = see(*c.model, *tree, state, *c.w);
    EXPECT_LT(pose_difference(before, after), kRounding) << to_string(kind);
    for (int i = kSupportCoordinates; i < c.model->coordinate_count; ++i)
      EXPECT_EQ(state.q[i], c.state.q[i]);
    for (int i = kSupportDofs; i < c.model->dof_count; ++i) EXPECT_EQ(state.v[i], c.state.v[i]);
    EXPECT_EQ(state.time, c.state.time);
  }
}

// The body's contact point is where the footing says, and the support's origin has turned about it.
TEST(Reroot, PutsTheContactFrameAtThePoint) {
  Random random(402);
  for (const JointKind kind : {JointKind::kRevolute, JointKind::kBall, JointKind::kFixed}) {
    const Case c = random_case(random, kind_of(1), JointKind::kFree);
    const auto tree = std::make_unique<Tree>(*c.tree);
    State state = c.state;
    const Footing footing = random_footing(random, kind);
    const BodyId root(pick(random, c.model->body_count));
    const PoseTwist motion = body_motion(*c.model, *c.tree, c.state, root);
    const Motion<double> V_C = reroot(*c.model, root, footing, *tree, state);
    const Support& s = tree->support;
    EXPECT_LT(distance((motion.X_WH * s.X_HC.p).eigen(), footing.point_W.eigen()), kRounding);
    EXPECT_LT(distance(s.X_WA.p.eigen(), footing.point_W.eigen()), kRounding);
    // the velocity it returns is that of the material point
    const Vec3<double> v_W = motion.X_WH.R * (s.X_HC.R * V_C.v);
    const Vec3<double> expected = motion.X_WH.R * (motion.V_H.v + cross(motion.V_H.w, s.X_HC.p));
    EXPECT_LT(distance(v_W.eigen(), expected.eigen()), kRounding);
  }
}

// The support is written over the old one in place: nothing of it may be left, whichever it was.
TEST(Reroot, LeavesNothingOfTheOldSupport) {
  Random random(413);
  for (int trial = 0; trial < 72; ++trial) {
    const Case c = random_case(random, kind_of(trial), kSupports[trial % 6]);
    const auto tree = std::make_unique<Tree>(*c.tree);
    State state = c.state;
    const JointKind kind = kSupports[(trial / 6) % 6];
    const Footing footing = random_footing(random, kind);
    const BodyId root(pick(random, c.model->body_count));
    const Transform<double> X_WH = body_motion(*c.model, *c.tree, c.state, root).X_WH;
    (void)reroot(*c.model, root, footing, *tree, state);
    const Support expected = make_support(*c.model, root, X_WH, footing);
    EXPECT_EQ(tree->support.kind, expected.kind);
    EXPECT_EQ(tree->support.radius, expected.radius);
    EXPECT_LT(distance(tree->support.X_WA, expected.X_WA), kRounding) << to_string(kind);
    EXPECT_LT(distance(tree->support.X_HC, expected.X_HC), kRounding) << to_string(kind);
  }
}

// The text is compiled once per processor: each gives the same robot, and the same one whenever it is asked.
TEST(Reroot, IsTheSameOnEveryProcessor) {
  Random random(414);
  for (int trial = 0; trial < 36; ++trial) {
    const Case c = random_case(random, kind_of(trial), kSupports[trial % 6]);
    const Footing footing = random_footing(random, kSupports[(trial / 6) % 6]);
    const BodyId root(pick(random, c.model->body_count));
    const auto on = [&](Processor processor, Tree& tree) {
      const auto model = std::make_unique<Model>(*c.model);
      model->processor = processor;
      tree = *c.tree;
      State state = c.state;
      (void)reroot(*model, root, footing, tree, state);
      return state;
    };
    const auto tree = std::make_unique<Tree>(), other = std::make_unique<Tree>();
    const State state = on(Processor::kAny, *tree);
    const Seen seen = see(*c.model, *tree, state, *c.w);
    for (const Processor processor : {Processor::kAny, Processor::kAvx2, Processor::kAvx512}) {
      if (!runs_here(processor)) continue;
      const State there = on(processor, *other);
      const Seen seen_there = see(*c.model, *other, there, *c.w);
      EXPECT_LT(pose_difference(seen, seen_there), kRounding) << to_string(processor);
      EXPECT_LT(motion_difference(seen, seen_there), 4 * kRounding) << to_string(processor);
      EXPECT_EQ(other->root, root);
      const State again = on(processor, *tree);
      expect_same_tree(*c.model, *tree, *other);
      EXPECT_EQ(again.q, there.q);
      EXPECT_EQ(again.v, there.v);
    }
  }
}

TEST(Reroot, KeepsMotionEnergyAndMomentumInFlight) {
  Random random(403);
  for (int trial = 0; trial < 60; ++trial) {
    const Case c = random_case(random, kind_of(trial), kSupports[trial % 6]);
    const Seen before = see(*c.model, *c.tree, c.state, *c.w);
    const auto tree = std::make_unique<Tree>(*c.tree);
    State state = c.state;
    (void)reroot(*c.model, BodyId(pick(random, c.model->body_count)), {}, *tree, state);
    const Seen after = see(*c.model, *tree, state, *c.w);
    EXPECT_LT(pose_difference(before, after), kRounding);
    EXPECT_LT(motion_difference(before, after), 4 * kRounding);  // velocities of up to ten
  }
}

// Forward dynamics from every root: joint and body accelerations are equal when the support carries nothing.
TEST(Reroot, KeepsAccelerationsFromEveryRoot) {
  Random random(404);
  for (int trial = 0; trial < 24; ++trial) {
    Case c = random_case(random, kind_of(trial), JointKind::kFree);
    for (int j = 0; j < kSupportDofs; ++j) c.tau[j] = 0;
    DofVector a;
    ASSERT_EQ(aba(*c.model, *c.tree, c.state, c.tau, c.f_ext, *c.w, a), Status::kOk);
    kinematics(*c.model, *c.tree, c.state, *c.w);
    std::vector<Motion<double>> frame;
    double size = 1;
    for (int f = 0; f < c.model->frame_count; ++f) {
      frame.push_back(frame_acceleration(*c.model, *c.tree, *c.w, FrameId(f)));
      size = std::max(size, vector(frame.back()).cwiseAbs().maxCoeff());
    }
    const auto tree = std::make_unique<Tree>(*c.tree);
    State state = c.state;
    for (int b = 0; b < c.model->body_count; ++b) {
      (void)reroot(*c.model, BodyId(b), {}, *tree, state);
      DofVector b_aba, carried;
      ASSERT_EQ(aba(*c.model, *tree, state, c.tau, c.f_ext, *c.w, b_aba), Status::kOk);
      kinematics(*c.model, *tree, state, *c.w);
      // condition numbers of ten-body mass matrices reach 1e4
      EXPECT_LT(relative_difference(b_aba, a, c.model->dof_count, kSupportDofs), 1e-9);
      for (int f = 0; f < c.model->frame_count; ++f)
        EXPECT_LT(distance(frame_acceleration(*c.model, *tree, *c.w, FrameId(f)),
                           frame[static_cast<std::size_t>(f)]),
                  1e-9 * size);
      reroot_accelerations(*c.model, *c.tree, c.state, a, *tree, state, *c.w, carried);
      EXPECT_LT(relative_difference(b_aba, carried, c.model->dof_count), 1e-9);
    }
  }
}

// Section 7.1. A robot moves on its support; seen from any other body, free in the world, with the ground reaction as
// a force on the body that carries it, the same joint efforts solve the motion and no wrench is left at the root.
TEST(Reroot, KeepsTheEffortsThatSolveTheMotion) {
  Random random(405);
  for (int trial = 0; trial < 48; ++trial) {
    const Case c = random_case(random, kind_of(trial), kSupports[trial % 6]);
    DofVector a = random_dofs(random, *c.model, 3);
    for (int j = dof_count(c.tree->support.kind); j < kSupportDofs; ++j) a[j] = 0;
    for (int k = 0; k < c.model->mimic_count; ++k) {
      const Mimic& mimic = c.model->mimics[k];
      a[c.model->joints[mimic.joint].v_index] = mimic.multiplier *
                                                a[c.model->joints[mimic.leader].v_index];
    }
    DofVector tau, tau_free, a_free;
    ASSERT_EQ(rnea(*c.model, *c.tree, c.state, a, {}, *c.w, tau), Status::kOk);
    std::vector<Force<double>> reaction(static_cast<std::size_t>(c.model->body_count));
    const BodyId foot = c.tree->root;
    reaction[static_cast<std::size_t>(foot.value)] = to_parent(c.tree->links[foot].X_HB,
                                                               c.w->f[foot]);
    const auto tree = std::make_unique<Tree>(*c.tree);
    State state = c.state;
    (void)reroot(*c.model, BodyId(pick(random, c.model->body_count)), {}, *tree, state);
    reroot_accelerations(*c.model, *c.tree, c.state, a, *tree, state, *c.w, a_free);
    ASSERT_EQ(rnea(*c.model, *tree, state, a_free, reaction, *c.w, tau_free), Status::kOk);
    double size = 1;
    for (int d = 0; d < c.model->dof_count; ++d) size = std::max(size, std::abs(tau[d]));
    for (int j = 0; j < kSupportDofs; ++j) EXPECT_NEAR(tau_free[j], 0, 1e-11 * size);
    for (int d = kSupportDofs; d < c.model->dof_count; ++d)
      EXPECT_NEAR(tau_free[d], tau[d], 1e-11 * size);
  }
}

// Rows of limits, names and indices live in the Model, which re-rooting takes as const: nothing to change. What the
// walk keeps of a joint must still point at the same place of the state.
TEST(Reroot, KeepsTheJointsIndices) {
  Random random(406);
  const Case c = random_case(random, {.bodies = 12}, JointKind::kFree);
  for (int trial = 0; trial < 20; ++trial) {
    State state = c.state;
    (void)reroot(*c.model, BodyId(pick(random, c.model->body_count)),
                 random_footing(random, JointKind::kBall), *c.tree, state);
    int joints = 0;
    for (int i = 0; i < c.model->body_count; ++i) {
      const Link& link = c.tree->links[i];
      if (!link.joint.valid()) continue;
      ++joints;
      EXPECT_EQ(link.q_index, c.model->joints[link.joint].q_index);
      EXPECT_EQ(link.v_index, c.model->joints[link.joint].v_index);
      EXPECT_EQ(link.kind, c.model->joints[link.joint].kind);
    }
    EXPECT_EQ(joints, c.model->body_count - 1);
  }
}

// ---- A1

TEST(Reroot, ThereAndBackIsTheIdentity) {
  Random random(411);
  for (int trial = 0; trial < 60; ++trial) {
    const Case c = random_case(random, kind_of(trial), JointKind::kFree);
    const auto tree = std::make_unique<Tree>(*c.tree);
    State state = c.state;
    const BodyId home = c.tree->root;
    const Support support = c.tree->support;
    (void)reroot(*c.model, BodyId(pick(random, c.model->body_count)), {}, *tree, state);
    const PoseTwist motion = body_motion(*c.model, *tree, state, home);
    change_root(*c.model, home, support, *tree);
    set_root_motion(*tree, motion.X_WH, motion.V_H, state);
    expect_same_tree(*c.model, *tree, *c.tree);
    EXPECT_LT(state_difference(*c.model, *tree, state, c.state), kRounding);
  }
}

TEST(Reroot, ThereAndBackThroughEverySupportKeepsThePose) {
  Random random(412);
  for (int trial = 0; trial < 40; ++trial) {
    const Case c = random_case(random, kind_of(trial), JointKind::kFree);
    const auto tree = std::make_unique<Tree>(*c.tree);
    State state = c.state;
    constexpr JointKind kKinds[] = {JointKind::kRevolute, JointKind::kBall, JointKind::kFixed,
                                    JointKind::kRoll};
    (void)reroot(*c.model, BodyId(pick(random, c.model->body_count)),
                 random_footing(random, kKinds[trial % 4]), *tree, state);
    const BodyId home = c.tree->root;
    const PoseTwist motion = body_motion(*c.model, *tree, state, home);
    change_root(*c.model, home, c.tree->support, *tree);
    set_root_motion(*tree, motion.X_WH, motion.V_H, state);
    expect_same_tree(*c.model, *tree, *c.tree);
    state.v = c.state.v;  // the support took what it could not do
    EXPECT_LT(state_difference(*c.model, *tree, state, c.state), kRounding);
  }
}

// A random walk of rounding errors: 1e6 switches of some ten operations of 1e-16 each reach 1e-12, or 1e-9 if they
// all pull the same way.
TEST(Reroot, AMillionRandomSwitchesAreTheIdentity) {
  Random random(413);
  const Case c = random_case(random, {.bodies = 5}, JointKind::kFree);
  const auto tree = std::make_unique<Tree>(make_tree(*c.model));
  State state = random_state(random, *c.model, *tree);
  const auto first_tree = std::make_unique<Tree>(*tree);
  const State first = state;
  for (int k = 0; k < 1'000'000; ++k)
    (void)reroot(*c.model, BodyId(pick(random, c.model->body_count)), {}, *tree, state);
  (void)reroot(*c.model, BodyId(0), {}, *tree, state);
  expect_same_tree(*c.model, *tree, *first_tree);
  EXPECT_LT(state_difference(*c.model, *tree, state, first), 1e-9);
}

// A planar chain that moves, pinned again and again at the instantaneous centre of rotation of a random body: the
// only pins that change nothing of its motion.
TEST(Reroot, AMillionPinsAtCentresOfRotationAreTheIdentity) {
  Random random(414);
  Description robot;
  robot.name = "chain";
  for (int i = 0; i < 4; ++i) {
    InertialDescription inertial;
    inertial.mass = 1 + i;
    inertial.center = {0, 0, -0.2};
    inertial.inertia.diagonal() << 0.02, 0.03, 0.01;
    robot.links.push_back({"link" + std::to_string(i), inertial});
    if (i == 0) continue;
    JointDescription joint;
    joint.name = "joint" + std::to_string(i), joint.type = JointType::kContinuous;
    joint.parent = "link" + std::to_string(i - 1), joint.child = "link" + std::to_string(i);
    joint.origin.translation() = Eigen::Vector3d(0.05, 0, -0.4);
    joint.axis = Eigen::Vector3d::UnitY();
    robot.joints.push_back(joint);
  }
  const auto model = std::make_unique<Model>(*build_model(robot));
  const Mat3<double> axes = Ground{}.support_axes();
  const auto tree = std::make_unique<Tree>(make_tree(*model));
  State state = neutral_state(*model, *tree);
  state.v[1] = 1.5, state.v[3] = 0.3, state.v[5] = -0.2;
  for (int i = 1; i < 4; ++i) {
    state.q[model->joints[i].q_index] = uniform(random, -1, 1);
    state.v[model->joints[i].v_index] = uniform(random, -0.3, 0.3);  // every body turns at > 0.5
  }
  const auto w = std::make_unique<Workspace>();
  const Seen before = see(*model, *tree, state, *w);
  for (int k = 0; k < 1'000'000; ++k) {
    const BodyId body(pick(random, 4));
    const PoseTwist motion = body_motion(*model, *tree, state, body);
    const Vec3<double> w_W = motion.X_WH.R * motion.V_H.w, v_W = motion.X_WH.R * motion.V_H.v;
    const Vec3<double> center = motion.X_WH.p + cross(w_W, v_W) * (1 / dot(w_W, w_W));
    (void)reroot(*model, body, {JointKind::kRevolute, center, axes}, *tree, state);
  }
  const Seen after = see(*model, *tree, state, *w);
  EXPECT_LT(pose_difference(before, after), 1e-9);
  EXPECT_LT(motion_difference(before, after), 1e-9);
}

// The wheel's own switch: one body, pinned at one point of its rim after the other while it turns and travels. No part of
// the state may drift: the pose is known in closed form from the angles, and angles stay within half a turn.
TEST(Reroot, AMillionPinsOnOneBodyKeepItsPose) {
  Random random(416);
  const Case c = random_case(random, {.bodies = 3}, JointKind::kFree);
  const Mat3<double> axes(random_rotation(random));
  const auto tree = std::make_unique<Tree>(*c.tree);
  State state = c.state;
  const BodyId root(1);
  (void)reroot(*c.model, root, {JointKind::kRevolute, random_vector(random), axes}, *tree, state);
  const Transform<double> X_WH = body_motion(*c.model, *tree, state, root).X_WH;
  double turned = 0;
  for (int k = 0; k < 1'000'000; ++k) {
    state.q[0] += 0.5;  // binary fractions: the sum is exact
    turned += 0.5;
    const Transform<double> X = body_motion(*c.model, *tree, state, root).X_WH;
    const Vec3<double> point_W = X * Vec3<double>{uniform(random, -1, 1), 0, 1};
    (void)reroot(*c.model, root, {JointKind::kRevolute, point_W, axes}, *tree, state);
    ASSERT_LE(std::abs(state.q[0]), M_PI);
  }
  const Transform<double> X = body_motion(*c.model, *tree, state, root).X_WH;
  const Transform<double> turn = joint_transform(JointKind::kRevolute, &turned);
  const Mat3<double> R = axes * turn.R * transpose(axes) * X_WH.R;
  EXPECT_LT(distance(X.R.eigen(), R.eigen()),
            1e-9);  // as above: 1e-12, or 1e-9 if all errors agree
}

// A body that is the root on a pin already goes a shorter way: it must arrive where all others do.
TEST(Reroot, MovingAPinEqualsANewOne) {
  Random random(417);
  for (int trial = 0; trial < 40; ++trial) {
    const Case c = random_case(random, kind_of(trial), JointKind::kFree);
    const Mat3<double> axes(random_rotation(random));
    const BodyId root(pick(random, c.model->body_count));
    const auto moved = std::make_unique<Tree>(*c.tree);
    State moved_state = c.state;
    (void)reroot(*c.model, root, {JointKind::kRevolute, random_vector(random), axes}, *moved,
                 moved_state);
    const auto anew = std::make_unique<Tree>(*moved);
    State anew_state = moved_state;
    (void)reroot(*c.model, root, {}, *anew, anew_state);  // by way of flight
    const Footing next{JointKind::kRevolute, random_vector(random), axes};
    const Motion<double> V_moved = reroot(*c.model, root, next, *moved, moved_state);
    const Motion<double> V_anew = reroot(*c.model, root, next, *anew, anew_state);
    EXPECT_LT(distance(V_moved, V_anew), kRounding);
    EXPECT_LT(distance(moved->support.X_HC, anew->support.X_HC), kRounding);
    EXPECT_LT(distance(moved->support.X_WA, anew->support.X_WA), kRounding);
    EXPECT_LT(state_difference(*c.model, *moved, moved_state, anew_state), kRounding);
    EXPECT_NEAR(moved_state.q[0], anew_state.q[0], kRounding);
    const auto scratch = std::make_unique<Tree>(make_tree(*c.model, root, moved->support));
    expect_same_tree(*c.model, *moved, *scratch);
  }
}

// The bind pose's x axis along the pin: no angle about the pin is any better than another, and the pose stays.
TEST(Reroot, PinAlongTheAxisThatTellsItsAngle) {
  const auto model = compass();
  const auto tree = std::make_unique<Tree>(make_tree(*model));
  State state = neutral_state(*model, *tree);
  state.q[4] = std::sqrt(0.5), state.q[6] = std::sqrt(0.5);  // a quarter turn about y: x becomes -z
  const Transform<double> X_WH = body_motion(*model, *tree, state, BodyId(0)).X_WH;
  (void)reroot(*model, BodyId(0), {JointKind::kRevolute, {0.1, 0, 2}}, *tree, state);
  EXPECT_LT(distance(body_motion(*model, *tree, state, BodyId(0)).X_WH, X_WH), kRounding);
}

TEST(Reroot, ChangeInPlaceEqualsATreeFromScratch) {
  Random random(415);
  for (int trial = 0; trial < 20; ++trial) {
    const Case c = random_case(random, kind_of(trial), JointKind::kFree);
    for (int hop = 0; hop < 10; ++hop) {
      const BodyId root(pick(random, c.model->body_count));
      const Support support = random_support(random, kSupports[pick(random, 6)]);
      change_root(*c.model, root, support, *c.tree);
      const auto scratch = std::make_unique<Tree>(make_tree(*c.model, root, support));
      expect_same_tree(*c.model, *c.tree, *scratch);
    }
  }
}

// ---- with time

// Flow then re-root = re-root then flow. RK4 at 1 ms over 50 ms, velocities of 1 to 10 and accelerations of up to 1e3
// on random trees: each side is within 1e-6 of the truth, which is what Dormand-Prince at 1e-11 then sharpens.
TEST(Reroot, CommutesWithTheFlow) {
  Random random(421);
  for (int trial = 0; trial < 12; ++trial) {
    const Case c = random_case(random, {.bodies = 5, .mimic = trial % 2 == 0}, JointKind::kFree);
    DofVector tau = random_dofs(random, *c.model, 1);
    for (int j = 0; j < kSupportDofs; ++j) tau[j] = 0;
    const IntegratorSettings settings{Method::kDormandPrince, 1e-12, 10000};
    const BodyId root(pick(random, c.model->body_count));
    const auto tree_a = std::make_unique<Tree>(*c.tree), tree_b = std::make_unique<Tree>(*c.tree);
    State a = c.state, b = c.state;
    ASSERT_EQ(integrate(*c.model, *tree_a, tau, settings, 0.05, a, *c.w), Status::kOk);
    (void)reroot(*c.model, root, {}, *tree_a, a);
    (void)reroot(*c.model, root, {}, *tree_b, b);
    ASSERT_EQ(integrate(*c.model, *tree_b, tau, settings, 0.05, b, *c.w), Status::kOk);
    // at most some hundred sub-steps of 1e-12 (1 + |value|), grown by the flow's own sensitivity
    EXPECT_LT(state_difference(*c.model, *tree_a, a, b), 1e-8);
  }
}

TEST(Reroot, CommutesWithRungeKuttaAtItsOrder) {
  Random random(422);
  const Case c = random_case(random, {.bodies = 4}, JointKind::kFree);
  DofVector tau{};
  const auto difference = [&](int steps) {
    const auto tree_a = std::make_unique<Tree>(*c.tree), tree_b = std::make_unique<Tree>(*c.tree);
    State a = c.state, b = c.state;
    (void)reroot(*c.model, BodyId(3), {}, *tree_b, b);
    for (int k = 0; k < steps; ++k) {
      EXPECT_EQ(integrate(*c.model, *tree_a, tau, {}, 0.2 / steps, a, *c.w), Status::kOk);
      EXPECT_EQ(integrate(*c.model, *tree_b, tau, {}, 0.2 / steps, b, *c.w), Status::kOk);
    }
    (void)reroot(*c.model, BodyId(3), {}, *tree_a, a);
    return state_difference(*c.model, *tree_a, a, b);
  };
  const double coarse = difference(40), fine = difference(80);
  EXPECT_LT(coarse, 1e-4);
  EXPECT_GT(std::log2(coarse / fine), 3.5);  // fourth order
}

// ---- supports one by one

// In the plane q[0] of a pin is the angle of the body from the bind pose, for every body of the robot.
TEST(Reroot, PinAngleIsTheTurnFromTheBindPose) {
  const auto model = compass();
  const auto tree = std::make_unique<Tree>(make_tree(*model));
  State state = neutral_state(*model, *tree);
  const double trunk = 0.3, hip = -0.8;
  state.q[4] = std::sin(trunk / 2), state.q[6] = std::cos(trunk / 2);  // about +y
  state.q[kSupportCoordinates] = hip;
  const Mat3<double> axes = Ground{}.support_axes();
  (void)reroot(*model, BodyId(1), {JointKind::kRevolute, {0.4, 0, -1}, axes}, *tree, state);
  EXPECT_NEAR(state.q[0], trunk + hip, 1e-15);
  (void)reroot(*model, BodyId(0), {JointKind::kRevolute, {0.1, 0, 2}, axes}, *tree, state);
  EXPECT_NEAR(state.q[0], trunk, 1e-15);
}

// A disc rolls many turns: where it touches, how far it went and its pose stay together, and re-rooting on the way
// changes nothing of its path.
TEST(Reroot, RollKeepsItsContactOverManyTurns) {
  Description robot;
  robot.name = "disc";
  InertialDescription inertial;
  inertial.mass = 2;
  inertial.inertia.diagonal() << 0.1, 0.2, 0.1;
  robot.links = {{"disc", inertial}};
  const auto model = std::make_unique<Model>(*build_model(robot));
  const Ground ground = sloped_ground(0.1);
  const double rho = 0.5;
  const Footing first{JointKind::kRoll, {}, ground.support_axes(), rho};
  const auto tree = std::make_unique<Tree>(make_tree(*model));
  State state = neutral_state(*model, *tree);
  const Vec3<double> start = ground.normal * rho;
  state.q[0] = start.x, state.q[1] = start.y, state.q[2] = start.z;
  (void)reroot(*model, BodyId(0), first, *tree, state);
  const auto w = std::make_unique<Workspace>();
  double turned = 0, last = state.q[0];
  for (int k = 0; k < 8000; ++k) {
    ASSERT_EQ(integrate(*model, *tree, {}, {}, 1e-3, state, *w), Status::kOk);
    turned += state.q[0] - last;
    const Transform<double> X = body_motion(*model, *tree, state, BodyId(0)).X_WH;
    // rolled without slip: the centre is one radius above the plane and radius * angle along it
    ASSERT_NEAR(ground.height(X.p), rho, 1e-11);
    ASSERT_NEAR(dot(ground.forward(), X.p), rho * turned, 1e-10);
    if (k % 500 == 499) {
      const double rate = state.v[0];
      const Footing again{JointKind::kRoll, X.p - ground.normal * rho, ground.support_axes(), rho};
      (void)reroot(*model, BodyId(0), again, *tree, state);
      EXPECT_NEAR(state.v[0], rate, 1e-12);
      const Transform<double> Y = body_motion(*model, *tree, state, BodyId(0)).X_WH;
      EXPECT_LT(distance(X, Y), 1e-12);
    }
    last = state.q[0];
  }
  EXPECT_GT(turned, 4 * 2 * M_PI);
  // sin(slope) g / (1 + I/(m rho²)) along the plane
  EXPECT_NEAR(rho * turned, 0.5 * 9.81 * std::sin(0.1) / (1 + 0.2 / (2 * rho * rho)) * 64, 1e-7);
}

TEST(Reroot, LockedJointsStayLockedAndReleaseRestores) {
  Random random(431);
  for (int trial = 0; trial < 20; ++trial) {
    const Case c = random_case(random, {.bodies = 8, .only_revolute = true}, JointKind::kFree);
    State state = c.state;
    const JointId joint(1 + pick(random, c.model->body_count - 1));
    const int q = c.model->joints[joint].q_index, v = c.model->joints[joint].v_index;
    state.v[v] = 0;
    const Seen before = see(*c.model, *c.tree, state, *c.w);
    const auto tree = std::make_unique<Tree>(*c.tree);
    lock_joint(*c.model, joint, state.q[q], *tree);
    EXPECT_EQ(tree->dof_count, c.tree->dof_count - 1);
    Seen after = see(*c.model, *tree, state, *c.w);
    EXPECT_LT(pose_difference(before, after), kRounding);
    EXPECT_LT(motion_difference(before, after), kRounding);
    // through other roots and back
    (void)reroot(*c.model, BodyId(pick(random, c.model->body_count)), {}, *tree, state);
    after = see(*c.model, *tree, state, *c.w);
    EXPECT_LT(pose_difference(before, after), kRounding);
    EXPECT_LT(motion_difference(before, after), 4 * kRounding);
    DofVector a;
    ASSERT_EQ(aba(*c.model, *tree, state, c.tau, {}, *c.w, a), Status::kOk);
    EXPECT_EQ(a[v], 0);
    (void)reroot(*c.model, c.tree->root, {}, *tree, state);
    release_joint(*c.model, joint, *tree);
    const auto scratch = std::make_unique<Tree>(make_tree(*c.model, c.tree->root));
    expect_same_tree(*c.model, *tree, *scratch);
  }
}

// ---- the paper's equations as printed

// A chain in the paper's terms: E_i and t_i of (5), joints that turn about z of the user's frame, r_i the pivot seen
// from the centre of mass.
struct PaperBody {
  Eigen::Matrix3d E;  // parent's coordinates to own, in the bind pose
  Eigen::Vector3d t;  // in the parent's frame
  Eigen::Vector3d r;  // in the own frame
  double q;
};
struct Absolute {
  Eigen::Matrix3d ori;  // absolute coordinates to own
  Eigen::Vector3d pos;
};

Eigen::Matrix3d turn(double q, const Eigen::Vector3d& axis) {
  return Eigen::AngleAxisd(q, axis).toRotationMatrix().transpose();
}

// (8) and (9) down a chain.
std::vector<Absolute> absolute(const std::vector<PaperBody>& chain, bool bind) {
  std::vector<Absolute> out;
  Absolute parent{Eigen::Matrix3d::Identity(), Eigen::Vector3d::Zero()};
  for (const PaperBody& body : chain) {
    const Eigen::Matrix3d E_J = turn(bind ? 0 : body.q, Eigen::Vector3d::UnitZ());
    parent = {E_J * body.E * parent.ori, parent.pos + parent.ori.transpose() * body.t};
    out.push_back(parent);
  }
  return out;
}

struct Violation {
  double position = 0;  // of joints, A2 by (12)
  double center = 0;    // of centres of mass, A2 by (19)
};

// Re-roots the chain at its last body and point g, with (12) and (19) as printed or as meant.
Violation paper_reroot(const std::vector<PaperBody>& chain, const Eigen::Vector3d& g,
                       bool as_printed) {
  const std::vector<Absolute> bind = absolute(chain, true), now = absolute(chain, false);
  const std::size_t n = chain.size(), top = n - 1;
  // (13) to (16)
  const Eigen::Vector3d g_T = bind[top].pos +
                              bind[top].ori.transpose() * (now[top].ori * (g - now[top].pos));
  std::vector<Absolute> nbind(n);  // (10), (17)
  std::vector<Eigen::Matrix3d> nE(n);
  for (std::size_t i = 0; i < n; ++i) nbind[i] = {bind[i].ori, i == top ? g_T : bind[i + 1].pos};
  for (std::size_t i = 0; i < n; ++i)  // (11); the top's parent is the base
    nE[i] = i == top ? nbind[i].ori : Eigen::Matrix3d(nbind[i].ori * nbind[i + 1].ori.transpose());

  Violation violation;
  Absolute parent{now[top].ori, g};  // (18), (21), (22)
  const auto check_center = [&](std::size_t i, const Absolute& body, const Eigen::Vector3d& nr) {
    const Eigen::Vector3d old_center = now[i].pos - now[i].ori.transpose() * chain[i].r;
    const Eigen::Vector3d new_center = body.pos - body.ori.transpose() * nr;
    violation.center = std::max(violation.center, distance(old_center, new_center));
  };
  check_center(top, parent, chain[top].r + now[top].ori * (g - now[top].pos));  // (20)
  for (std::size_t i = top; i-- > 0;) {
    const Eigen::Matrix3d& to_parent_frame = as_printed ? nE[i + 1] : nbind[i + 1].ori;
    const Eigen::Vector3d nt = to_parent_frame * (nbind[i].pos - nbind[i + 1].pos);  // (12)
    const Eigen::Matrix3d& to_body_frame = as_printed ? nE[i] : nbind[i].ori;
    const Eigen::Vector3d nr = chain[i].r + to_body_frame * (nbind[i].pos - bind[i].pos);  // (19)
    // the joint turns the other way about the same axis, which is z of its old user
    const Eigen::Matrix3d E_J = turn(-chain[i + 1].q, nE[i] * Eigen::Vector3d::UnitZ());
    parent = {E_J * nE[i] * parent.ori, parent.pos + parent.ori.transpose() * nt};
    EXPECT_LT(distance(parent.ori, now[i].ori), 1e-12);  // orientations are right either way
    violation.position = std::max(violation.position, distance(parent.pos, now[i + 1].pos));
    check_center(i, parent, nr);
  }
  return violation;
}

TEST(Reroot, PrintedEquations12And19ViolateA2) {
  Random random(441);
  std::vector<PaperBody> chain;
  chain.reserve(5);
  for (int i = 0; i < 5; ++i)
    chain.push_back({random_rotation(random), random_vector(random, 0.5).eigen(),
                     random_vector(random, 0.2).eigen(), uniform(random, -1, 1)});
  const Eigen::Vector3d g(0.3, -0.2, 0.1);

  const Violation printed = paper_reroot(chain, g, true), meant = paper_reroot(chain, g, false);
  EXPECT_GT(printed.position, 0.1);  // of the size of the robot
  EXPECT_GT(printed.center, 0.1);
  EXPECT_LT(meant.position, kRounding);
  EXPECT_LT(meant.center, kRounding);

  // two bodies do not show (12): the only parent is the top body, whose relative orientation is its absolute one
  const std::vector<PaperBody> two(chain.begin(), chain.begin() + 2);
  EXPECT_LT(paper_reroot(two, g, true).position, kRounding);

  // ours, on the same chain
  Description robot;
  robot.name = "paper";
  for (std::size_t i = 0; i < chain.size(); ++i) {
    InertialDescription inertial;
    inertial.mass = 1;
    inertial.center = -chain[i].r;
    inertial.inertia.diagonal() << 0.1, 0.1, 0.1;
    robot.links.push_back({"link" + std::to_string(i), inertial});
    if (i == 0) continue;
    JointDescription joint;
    joint.name = "joint" + std::to_string(i), joint.type = JointType::kContinuous;
    joint.parent = robot.links[i - 1].name, joint.child = robot.links[i].name;
    joint.origin.linear() = chain[i].E.transpose();
    joint.origin.translation() = chain[i].t;
    joint.axis = Eigen::Vector3d::UnitZ();
    robot.joints.push_back(joint);
  }
  const auto model = std::make_unique<Model>(*build_model(robot));
  const std::vector<Absolute> now = absolute(chain, false);
  const auto tree = std::make_unique<Tree>(make_tree(*model));
  State state = neutral_state(*model, *tree);
  for (std::size_t i = 1; i < chain.size(); ++i) state.q[model->joints[i].q_index] = chain[i].q;
  set_root_motion(*tree,
                  {Mat3<double>(Eigen::Matrix3d(now[0].ori.transpose())), Vec3<double>(now[0].pos)},
                  {}, state);
  (void)reroot(*model, BodyId(4), {JointKind::kBall, Vec3<double>(g)}, *tree, state);
  const auto w = std::make_unique<Workspace>();
  kinematics(*model, *tree, state, *w);
  for (int i = 0; i < 5; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Transform<double> X = frame_pose(*model, *tree, *w,
                                           find_frame(*model, "link" + std::to_string(i)));
    EXPECT_LT(distance(X.p.eigen(), now[k].pos), kRounding);
    EXPECT_LT(distance(X.R.eigen().transpose(), now[k].ori), kRounding);
    const RigidInertia<double>& I = tree->links[i].I;
    const Vec3<double> center = w->X_WB[i] * (I.h * (1 / I.m));
    EXPECT_LT(distance(center.eigen(), (now[k].pos - now[k].ori.transpose() * chain[k].r).eval()),
              kRounding);
  }
}

}  // namespace
}  // namespace stance
