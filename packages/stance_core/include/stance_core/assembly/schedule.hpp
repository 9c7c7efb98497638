// In which order the joints are added: a binary tree over joints (Yamane and Nakamura, section 5.1 and Fig. 6).
//
// A Schedule is that order as a list. A joint joins the two subchains that its links are in by then, so that joints whose
// subchains do not touch may stand in either order: the tree is what the list leaves once that freedom is taken out.
// JointId(0) is the support: the joint between the root and the world. Where it is free it holds nothing, and its place
// does not matter. Closures come last, all at once (see assemble.hpp).
//
// A Plan is what follows from a schedule for a model and a tree: which subchains meet at each joint, which handles stay,
// in which form, and where their numbers are. It is made at load, or again when the root has moved.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "stance_core/base/result.hpp"
#include "stance_core/constraint/closure.hpp"
#include "stance_core/model/tree.hpp"

namespace stance {

struct Schedule {
  std::vector<JointId> joints;  // every joint of the model once, and JointId(0)
};

// One after the other, for one processor: subtrees without closures from their tips inwards, which is the articulated-body
// algorithm; then from the world outwards to the bodies of the closures, so that no link's own inertia is inverted.
Schedule chain_schedule(const Model& model, const Tree& tree, std::span<const Closure> closures);

// Always in halves: the joint that splits what it joins most evenly is the last of them. As many processors as there are.
Schedule balanced_schedule(const Model& model, const Tree& tree);

enum class JointRule : unsigned char {
  kInertias,  // both sides in inertia form, one of them closed by this joint: the articulated-body step
  kMixed,      // one side in inertia form, the other a response, or the world
  kResponses,  // both sides responses: Yamane (36) to (50)
  kInvert,     // no joint: the response of a subchain in inertia form
};

// Where a side of a joint comes from: a node before this one, a link by itself, or the world.
struct Side {
  enum Kind : unsigned char { kWorld, kLink, kNode } kind = kWorld;
  int index = 0;  // of the body or node
};

struct PlanNode {
  JointRule rule{};
  BodyId body;  // the joint that enters it in the walk; for kInvert the handle
  Side parent,
      child;  // the subchains the joint joins: with body's parent, and with body. kInvert has `child` alone
  bool child_is_inertia =
      false;  // kInertias, kMixed: the side that is eliminated has `body`; else it has the parent
  bool keeps_parent = false, keeps_child = false;  // handles afterwards
  bool inertia_form = false;                       // of the result
  int first_handle = 0,
      handle_count = 0;  // in Plan::handles; for a result in inertia form the one handle
  int first_block =
      0;  // in AssemblyMemory::Lambda: handle_count² blocks, row by row; a0 is at first_handle
  std::int16_t processor = 0;  // that takes it: see find_schedule.hpp
  int depth = 1;               // joints on the longest way down, this one included
};

struct Plan {
  std::vector<PlanNode> nodes;  // in the order of the schedule, children first
  std::vector<BodyId> handles;
  int block_count = 0;
  int depth = 0;
  int processors = 1;
  BodyId root;          // of the tree it was made for
  bool floats = false;  // the support is free: no node
};

// Whether a plan is of this tree: it has another when the root moves, or the support comes or goes.
inline bool fits(const Plan& plan, const Tree& tree) noexcept {
  return plan.root == tree.root && plan.floats == (tree.support.kind == JointKind::kFree);
}

// Refuses, by name, a schedule that does not have each joint once.
Result<Plan> make_plan(const Model& model, const Tree& tree, std::span<const Closure> closures,
                       const Schedule& schedule);

}  // namespace stance
