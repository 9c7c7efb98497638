#include "stance_core/assembly/schedule.hpp"

#include <algorithm>
#include <string>

namespace stance {
namespace {

// The bodies that closures and gears act on: handles to the last.
std::vector<char> bodies_in_rows(const Model& model, const Tree& tree,
                                 std::span<const Closure> closures) {
  std::vector<char> in_rows(static_cast<std::size_t>(model.body_count), 0);
  for (const Closure& closure : closures) {
    if (closure.a.body.valid()) in_rows[closure.a.body] = 1;
    if (closure.b.body.valid()) in_rows[closure.b.body] = 1;
  }
  for (int k = 0; k < model.mimic_count; ++k) {
    for (const JointId joint : {model.mimics[k].joint, model.mimics[k].leader}) {
      in_rows[joint] = 1;
      in_rows[model.bodies[joint].parent] = 1;
    }
  }
  (void)tree;
  return in_rows;
}

// The body that the walk enters through the joint.
BodyId entered(const Model& model, const Tree& tree, JointId joint) {
  if (joint == JointId(0)) return tree.root;
  const BodyId child(joint);
  return tree.links[child].joint == joint ? child : model.bodies[child].parent;
}

JointId entering(const Tree& tree, BodyId body) {
  return tree.links[body].joint.valid() ? tree.links[body].joint : JointId(0);
}

}  // namespace

Schedule chain_schedule(const Model& model, const Tree& tree, std::span<const Closure> closures) {
  std::vector<char> carries = bodies_in_rows(model, tree, closures);  // a body of a closure
  const auto bodies = tree.bodies();
  for (std::size_t k = bodies.size(); k-- > 1;) {
    if (carries[bodies[k]]) carries[tree.links[bodies[k]].parent] = 1;
  }
  Schedule schedule;
  for (std::size_t k = bodies.size(); k-- > 1;) {
    if (!carries[bodies[k]]) schedule.joints.push_back(entering(tree, bodies[k]));
  }
  schedule.joints.push_back(JointId(0));
  for (std::size_t k = 1; k < bodies.size(); ++k) {
    if (carries[bodies[k]]) schedule.joints.push_back(entering(tree, bodies[k]));
  }
  return schedule;
}

Schedule balanced_schedule(const Model& model, const Tree& tree) {
  const auto n = static_cast<std::size_t>(model.body_count);
  Schedule schedule;
  std::vector<int> part(n, 0);  // which piece a body is in
  struct Piece {
    int id;
    bool split;
    JointId by;
  };
  // pieces are split from the top; the joint that splits one is added after both halves are done, so it goes on the stack
  // again below them
  std::vector<Piece> stack{{0, false, JointId()}};
  int next = 1;
  bool supported = false;  // the support is split off first of all: it is added last
  std::vector<int> below(n);
  while (!stack.empty()) {
    const Piece piece = stack.back();
    stack.pop_back();
    if (piece.split) {
      schedule.joints.push_back(piece.by);
      continue;
    }
    if (!supported) {
      supported = true;
      stack.push_back({0, true, JointId(0)});
      stack.push_back({0, false, JointId()});
      continue;
    }
    // bodies of the piece that hang below each of its joints
    int size = 0;
    std::fill(below.begin(), below.end(), 0);
    const auto bodies = tree.bodies();
    for (std::size_t k = bodies.size(); k-- > 0;) {
      const BodyId i = bodies[k];
      if (part[i] != piece.id) continue;
      ++size, ++below[i];
      const BodyId parent = tree.links[i].parent;
      if (parent.valid() && part[parent] == piece.id) below[parent] += below[i];
    }
    if (size == 1) continue;
    BodyId best;
    for (const BodyId i : bodies) {
      const BodyId parent = tree.links[i].parent;
      if (part[i] != piece.id || !parent.valid() || part[parent] != piece.id) continue;
      if (!best.valid() ||
          std::max(below[i], size - below[i]) < std::max(below[best], size - below[best])) {
        best = i;
      }
    }
    for (const BodyId i : bodies) {  // parents come first
      const BodyId parent = tree.links[i].parent;
      if (part[i] == piece.id && (i == best || (parent.valid() && part[parent] == next)))
        part[i] = next;
    }
    stack.push_back({0, true, entering(tree, best)});
    stack.push_back({piece.id, false, JointId()});
    stack.push_back({next++, false, JointId()});
  }
  return schedule;
}

Result<Plan> make_plan(const Model& model, const Tree& tree, std::span<const Closure> closures,
                       const Schedule& schedule) {
  const int n = model.body_count;
  const auto name = [&](JointId joint) {
    return joint == JointId(0) ? std::string("the support")
                               : "joint '" + std::string(model.joints[joint].name.view()) + "'";
  };
  std::vector<int> uses(static_cast<std::size_t>(n), 0);
  for (const JointId joint : schedule.joints) {
    if (!joint.valid() || joint >= n)
      return Error{ErrorCode::kStructure, "schedule", "names a joint that the robot does not have"};
    if (++uses[joint] > 1) {
      return Error{ErrorCode::kStructure, "schedule",
                   name(joint) + " comes twice; each joint is added once"};
    }
  }
  for (int j = 0; j < n; ++j) {
    if (uses[j] == 0) {
      return Error{ErrorCode::kStructure, "schedule",
                   name(JointId(j)) + " is missing; every joint that moves is added once"};
    }
  }

  Plan plan;
  plan.root = tree.root;
  // joints and closures still to come, by body
  std::vector<int> to_come(static_cast<std::size_t>(n), 0);
  const std::vector<char> in_rows = bodies_in_rows(model, tree, closures);
  for (int i = 0; i < n; ++i) {
    to_come[i] += in_rows[i];
    ++to_come[i];  // the joint that enters it
    if (tree.links[i].parent.valid()) ++to_come[tree.links[i].parent];
  }
  plan.floats = tree.support.kind == JointKind::kFree;
  if (plan.floats) --to_come[tree.root];
  // the subchain that each body is in: the side that stands for it, and its handles
  struct Subchain {
    Side side;
    bool inertia_form = true;
    std::vector<BodyId> handles, bodies;
    bool has_world = false;
    int depth = 0;
  };
  std::vector<Subchain> subchains(static_cast<std::size_t>(n) + 1);
  std::vector<int> member(static_cast<std::size_t>(n) + 1);
  for (int i = 0; i < n; ++i) {
    subchains[i] = {{Side::kLink, i}, true, {BodyId(i)}, {BodyId(i)}, false, 0};
    member[i] = i;
  }
  const int world = n;
  subchains[world] = {{Side::kWorld, 0}, false, {}, {}, true, 0};
  member[world] = world;

  const auto add_blocks = [&](PlanNode& node, const std::vector<BodyId>& handles) {
    node.first_handle = static_cast<int>(plan.handles.size());
    node.handle_count = static_cast<int>(handles.size());
    node.first_block = plan.block_count;
    plan.handles.insert(plan.handles.end(), handles.begin(), handles.end());
    if (!node.inertia_form) plan.block_count += node.handle_count * node.handle_count;
  };
  const auto invert = [&](Subchain& subchain) {
    PlanNode node;
    node.rule = JointRule::kInvert;
    node.body = subchain.handles.front();
    node.child = subchain.side;
    node.depth = subchain.depth;
    add_blocks(node, subchain.handles);
    subchain.side = {Side::kNode, static_cast<int>(plan.nodes.size())};
    subchain.inertia_form = false;
    plan.nodes.push_back(node);
  };

  int left = n - (plan.floats ? 1 : 0);
  for (const JointId joint : schedule.joints) {
    if (joint == JointId(0) && plan.floats) continue;
    --left;
    const BodyId body = entered(model, tree, joint);
    const BodyId parent = tree.links[body].parent;
    const int slot = parent.valid() ? member[parent] : member[world];
    Subchain& A = subchains[slot];
    Subchain& B = subchains[member[body]];
    --to_come[body];
    if (parent.valid()) --to_come[parent];
    PlanNode node;
    node.body = body;
    node.keeps_child = to_come[body] > 0;
    node.keeps_parent = parent.valid() && to_come[parent] > 0;
    // the last of all leaves a handle to let go from
    if (left == 0 && A.inertia_form && B.inertia_form && !node.keeps_child && !node.keeps_parent)
      node.keeps_parent = true, to_come[parent] = 1;
    if (A.inertia_form && B.inertia_form && node.keeps_child == node.keeps_parent) invert(A);
    node.parent = A.side, node.child = B.side;
    if (A.inertia_form && B.inertia_form) {
      node.rule = JointRule::kInertias;
      node.child_is_inertia = !node.keeps_child;
      node.inertia_form = true;
    } else if (A.inertia_form || B.inertia_form) {
      node.rule = JointRule::kMixed;
      node.child_is_inertia = B.inertia_form;
    } else {
      node.rule = JointRule::kResponses;
    }
    node.depth = 1 + std::max(A.depth, B.depth);
    Subchain C;
    for (const Subchain* side : {&A, &B}) {
      for (const BodyId h : side->handles) {
        if (to_come[h] > 0) C.handles.push_back(h);
      }
      C.bodies.insert(C.bodies.end(), side->bodies.begin(), side->bodies.end());
    }
    C.has_world = A.has_world || B.has_world;
    C.inertia_form = node.inertia_form;
    C.depth = node.depth;
    add_blocks(node, C.handles);
    C.side = {Side::kNode, static_cast<int>(plan.nodes.size())};
    plan.nodes.push_back(node);
    plan.depth = std::max(plan.depth, node.depth);
    for (const BodyId b : C.bodies) member[b] = slot;
    if (C.has_world) member[world] = slot;
    subchains[slot] = std::move(C);
  }
  Subchain& robot = subchains[member[tree.root]];
  if (robot.inertia_form) invert(robot);
  return plan;
}

}  // namespace stance
