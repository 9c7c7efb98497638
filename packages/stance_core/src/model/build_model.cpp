// The order of work: names and connections, numbers, lumping along fixed joints, indices, mimics, and last the
// inertia of each moving body, and the one that each joint sees. What must be physical is the body that moves: a flaw
// of a link that is lumped into it is a remark.
#include "stance_core/model/build_model.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>

#include "stance_core/model/state.hpp"

namespace stance {
namespace {

std::string quoted(const char* what, const std::string& name) {
  return std::string(what) + " '" + name + "'";
}
std::string of_link(const LinkDescription& link) { return quoted("link", link.name); }
std::string of_joint(const JointDescription& joint) { return quoted("joint", joint.name); }

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", x);
  return text;
}

// Files print six digits. An entry of the tensor is then off by 5e-7 of the largest moment, a principal moment by three
// times that, and what the triangle inequality compares by less than ten times. So much is rounding.
constexpr double kRounding = 5e-6;
// A radius of gyration below a nanometre is rounding too: the body is a point mass.
constexpr double kPointRadius = 1e-9;

Eigen::Vector3d principal_moments(const Eigen::Matrix3d& inertia) {
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(inertia).eigenvalues();  // smallest first
}

bool is_point(double mass, const Eigen::Vector3d& moments) {
  return moments.cwiseAbs().maxCoeff() <= mass * kPointRadius * kPointRadius;
}

// No body has a moment below zero.
bool is_negative(double mass, const Eigen::Vector3d& moments) {
  return moments[0] < -kRounding * moments.cwiseAbs().maxCoeff() && !is_point(mass, moments);
}

using Problem = std::optional<Error>;

class Builder {
 public:
  Builder(const Description& description, const BuildOptions& options, std::vector<Remark>* remarks)
      : in_(description), options_(options), remarks_(remarks) {}

  Problem build(Model& model) {
    for (auto stage : {&Builder::check_names, &Builder::check_connections, &Builder::check_links,
                       &Builder::check_joints, &Builder::check_capacity, &Builder::check_mimics}) {
      if (Problem problem = (this->*stage)()) return problem;
    }
    model.name = Name(in_.name);
    model.gravity = options_.gravity;
    model.coordinate_count = kSupportCoordinates;
    model.dof_count = kSupportDofs;
    place_links(model);
    finish_joints(model);
    resolve_mimics(model);
    if (Problem problem = check_bodies(model)) return problem;
    if (Problem problem = check_inertia_seen_by_joints(model)) return problem;
    if (remarks_) remarks_->insert(remarks_->end(), in_.remarks.begin(), in_.remarks.end());
    return std::nullopt;
  }

 private:
  // ---- names and connections

  Problem check_names() {
    if (in_.links.empty()) {
      return Error{ErrorCode::kStructure, quoted("robot", in_.name),
                   "has no link; give it at least one <link>"};
    }
    if (!in_.name.empty()) {
      if (Problem problem = check_name(quoted("robot", in_.name), in_.name)) return problem;
    }
    for (const LinkDescription& link : in_.links) {
      if (Problem problem = check_name(of_link(link), link.name)) return problem;
      if (!links_.emplace(link.name, &link).second) {
        return Error{ErrorCode::kStructure, of_link(link),
                     "is defined twice; rename one of the two"};
      }
    }
    for (const JointDescription& joint : in_.joints) {
      if (Problem problem = check_name(of_joint(joint), joint.name)) return problem;
      if (!joints_.emplace(joint.name, &joint).second) {
        return Error{ErrorCode::kStructure, of_joint(joint),
                     "is defined twice; rename one of the two"};
      }
    }
    return std::nullopt;
  }

  static Problem check_name(const std::string& element, const std::string& name) {
    if (name.empty()) return Error{ErrorCode::kStructure, element, "has no name; give it one"};
    if (name.size() > kMaxNameLength) {
      return Error{ErrorCode::kCapacity, element,
                   "its name has " + std::to_string(name.size()) + " characters, and " +
                       std::to_string(kMaxNameLength) + " fit; shorten it"};
    }
    return std::nullopt;
  }

  Problem check_connections() {
    std::map<std::string, const JointDescription*> parent_joint;
    for (const JointDescription& joint : in_.joints) {
      for (const auto& [role, name] :
           {std::pair{"parent", joint.parent}, std::pair{"child", joint.child}}) {
        if (!links_.contains(name)) {
          return Error{ErrorCode::kStructure, of_joint(joint),
                       std::string("its ") + role + " link '" + name +
                           "' does not exist; add the link or correct the name"};
        }
      }
      if (joint.parent == joint.child) {
        return Error{
            ErrorCode::kStructure, of_joint(joint),
            "connects link '" + joint.child + "' to itself; its parent and child must differ"};
      }
      const auto [other, inserted] = parent_joint.emplace(joint.child, &joint);
      if (!inserted) {
        return Error{ErrorCode::kStructure, quoted("link", joint.child),
                     "is the child of two joints, '" + other->second->name + "' and '" +
                         joint.name + "'; a URDF is a tree, so remove one of them"};
      }
      children_[joint.parent].push_back(&joint);
    }
    std::vector<std::string> roots;
    for (const LinkDescription& link : in_.links) {
      if (!parent_joint.contains(link.name)) roots.push_back(link.name);
    }
    if (roots.empty()) {
      return Error{ErrorCode::kStructure, quoted("robot", in_.name),
                   "has no root: every link is the child of a joint, so the joints form a cycle; "
                   "remove the joint "
                   "that closes it"};
    }
    if (roots.size() > 1) {
      return Error{ErrorCode::kStructure, quoted("robot", in_.name),
                   "has " + std::to_string(roots.size()) + " root links, '" + roots[0] + "' and '" +
                       roots[1] +
                       "' among them; connect them with a joint or remove what is left over"};
    }
    root_ = roots[0];
    if (root_ == "world") {  // some tools take the name for a weld
      remark(Remark::Kind::kIgnored, quoted("link", root_),
             "the root's name welds nothing: the base is free unless you say that it is fixed");
    }
    // links that the root does not reach hang in a cycle of their own
    std::set<std::string> reached;
    std::vector<std::string> open{root_};
    while (!open.empty()) {
      const std::string name = open.back();
      open.pop_back();
      reached.insert(name);
      for (const JointDescription* joint : children_[name]) open.push_back(joint->child);
    }
    for (const LinkDescription& link : in_.links) {
      if (!reached.contains(link.name)) {
        return Error{ErrorCode::kStructure, of_link(link),
                     "is part of a cycle of joints that never reaches the root link '" + root_ +
                         "'; a URDF is a tree, so remove the joint that closes the cycle"};
      }
    }
    return std::nullopt;
  }

  // ---- numbers

  Problem check_links() {
    for (const LinkDescription& link : in_.links) {
      if (!link.inertial) {
        remark(Remark::Kind::kInertiaMissing, of_link(link),
               "has no <inertial>: it counts as massless");
        continue;
      }
      if (Problem problem = check_inertial(link)) return problem;
    }
    return std::nullopt;
  }

  static constexpr const char* kHarmless =
      "; used as it is, since with what it is fixed to it makes a body that can be";

  // Whether a link can be by itself is only told here: check_bodies decides.
  Problem check_inertial(const LinkDescription& link) {
    const InertialDescription& b = *link.inertial;
    if (!std::isfinite(b.mass) || !b.center.allFinite() || !b.rotation.allFinite() ||
        !b.inertia.allFinite()) {
      return Error{ErrorCode::kValue, of_link(link),
                   "its <inertial> has a number that is not finite; correct it"};
    }
    const Eigen::Vector3d moments = principal_moments(b.inertia);
    if (b.mass < 0) {
      remark(Remark::Kind::kTriangleInequality, of_link(link),
             "its mass is " + number(b.mass) + " kg, which no body has" + kHarmless);
    } else if (is_negative(b.mass, moments)) {
      remark(Remark::Kind::kTriangleInequality, of_link(link),
             "its inertia has the negative principal moment " + number(moments[0]) +
                 " kg m², which no body has" + kHarmless);
    } else if (b.mass > 0 && is_point(b.mass, moments)) {
      remark(Remark::Kind::kPointMass, of_link(link),
             "has mass " + number(b.mass) + " kg and a zero inertia tensor: a point mass");
    } else if (b.mass == 0 && !b.inertia.isZero(0)) {
      remark(Remark::Kind::kTriangleInequality, of_link(link),
             "has an inertia tensor but no mass; both are used as they are");
    } else if (moments[0] + moments[1] < moments[2] * (1 - kRounding)) {
      const auto rounded = [&](double x) {
        return number(std::abs(x) < kRounding * moments[2] ? 0 : x);
      };
      remark(Remark::Kind::kTriangleInequality, of_link(link),
             "its principal moments " + rounded(moments[0]) + " " + rounded(moments[1]) + " " +
                 rounded(moments[2]) +
                 " kg m² break the triangle inequality: no rigid body has them; they are used as "
                 "they are");
    }
    return std::nullopt;
  }

  Problem check_joints() {
    for (const JointDescription& joint : in_.joints) {
      if (Problem problem = check_joint(joint)) return problem;
    }
    return std::nullopt;
  }

  static Problem check_joint(const JointDescription& joint) {
    const std::string element = of_joint(joint);
    const LimitsDescription& limits = joint.limits;
    const double finite[] = {limits.lower.value_or(0),
                             limits.upper.value_or(0),
                             limits.velocity.value_or(0),
                             limits.effort.value_or(0),
                             joint.damping,
                             joint.friction,
                             joint.armature};
    if (!joint.origin.matrix().allFinite() || !joint.axis.allFinite() ||
        !std::all_of(std::begin(finite), std::end(finite),
                     [](double x) { return std::isfinite(x); })) {
      return Error{ErrorCode::kValue, element, "has a number that is not finite; correct it"};
    }
    const bool one_axis = joint.type == JointType::kRevolute ||
                          joint.type == JointType::kContinuous ||
                          joint.type == JointType::kPrismatic;
    if ((one_axis || joint.type == JointType::kPlanar) && joint.axis.stableNorm() < 1e-9) {
      return Error{ErrorCode::kValue, element,
                   "its axis is " + number(joint.axis.x()) + " " + number(joint.axis.y()) + " " +
                       number(joint.axis.z()) +
                       ", which points nowhere; give a direction such as \"0 1 0\""};
    }
    if (limits.lower && limits.upper && *limits.lower > *limits.upper) {
      return Error{ErrorCode::kLimits, element,
                   "its lower limit " + number(*limits.lower) + " is above its upper limit " +
                       number(*limits.upper) + "; exchange them"};
    }
    for (const auto& [what, value] :
         {std::pair{"velocity limit", limits.velocity.value_or(0)},
          std::pair{"effort limit", limits.effort.value_or(0)}, std::pair{"damping", joint.damping},
          std::pair{"friction", joint.friction}, std::pair{"armature", joint.armature}}) {
      if (value < 0) {
        return Error{
            ErrorCode::kValue, element,
            std::string("its ") + what + " is " + number(value) + "; it must be zero or positive"};
      }
    }
    if (joint.armature > 0 && !one_axis && joint.type != JointType::kBall) {
      return Error{ErrorCode::kUnsupported, element,
                   "has an armature, which only revolute, continuous, prismatic and ball joints "
                   "can have; remove it"};
    }
    if (joint.mimic && !one_axis) {
      return Error{ErrorCode::kUnsupported, element,
                   "mimics another joint, which only revolute, continuous and prismatic joints can "
                   "do; remove its "
                   "<mimic>"};
    }
    return std::nullopt;
  }

  Problem check_mimics() {
    for (const JointDescription& joint : in_.joints) {
      if (!joint.mimic) continue;
      if (!std::isfinite(joint.mimic->multiplier) || !std::isfinite(joint.mimic->offset)) {
        return Error{ErrorCode::kValue, of_joint(joint),
                     "its <mimic> has a number that is not finite; correct it"};
      }
      const JointDescription* leader = &joint;
      for (std::size_t steps = 0; leader->mimic; ++steps) {
        const auto found = joints_.find(leader->mimic->joint);
        if (found == joints_.end()) {
          return Error{ErrorCode::kMimic, of_joint(*leader),
                       "mimics joint '" + leader->mimic->joint +
                           "', which does not exist; correct the name"};
        }
        leader = found->second;
        if (steps > in_.joints.size()) {
          return Error{
              ErrorCode::kMimic, of_joint(joint),
              "its <mimic> comes back to itself; let one joint of the cycle move on its own"};
        }
      }
      if (leader->type != JointType::kRevolute && leader->type != JointType::kContinuous &&
          leader->type != JointType::kPrismatic) {
        return Error{ErrorCode::kMimic, of_joint(joint),
                     "mimics joint '" + leader->name +
                         "', which is not revolute, continuous or prismatic; remove its <mimic>"};
      }
    }
    return std::nullopt;
  }

  Problem check_capacity() {
    int bodies = 1, dofs = kSupportDofs, mimics = 0;
    for (const JointDescription& joint : in_.joints) {
      if (joint.type != JointType::kFixed) ++bodies;
      dofs += dof_count(kind_of(joint.type));
      if (joint.mimic && options_.mimic) ++mimics;
    }
    const auto too_many = [&](int count, int room, const char* what,
                              const char* setting) -> Problem {
      if (count <= room) return std::nullopt;
      return Error{ErrorCode::kCapacity, quoted("robot", in_.name),
                   "has " + std::to_string(count) + " " + what + " and this build holds " +
                       std::to_string(room) + "; raise " + setting +
                       " in colcon.meta and build again"};
    };
    if (Problem p = too_many(bodies, kMaxBodies, "moving bodies", "STANCE_MAX_BODIES")) return p;
    if (Problem p = too_many(dofs, kMaxDofs, "degrees of freedom (six of them the base's)",
                             "STANCE_MAX_DOFS"))
      return p;
    if (Problem p = too_many(static_cast<int>(in_.links.size()), kMaxFrames, "links",
                             "STANCE_MAX_FRAMES"))
      return p;
    return too_many(mimics, kMaxMimics, "mimic joints", "STANCE_MAX_MIMICS");
  }

  // ---- lumping: one walk over the links, those behind fixed joints stay in their body

  static JointKind kind_of(JointType type) {
    switch (type) {
      case JointType::kFixed: return JointKind::kFixed;
      case JointType::kRevolute:
      case JointType::kContinuous: return JointKind::kRevolute;
      case JointType::kPrismatic: return JointKind::kPrismatic;
      case JointType::kBall: return JointKind::kBall;
      case JointType::kPlanar: return JointKind::kPlanar;
      case JointType::kFloating: return JointKind::kFree;
    }
    return JointKind::kFixed;
  }

  // A link on its way into a body: first where its parent link is, then where it is itself.
  struct Placed {
    std::string link;
    const JointDescription* joint;  // none for the root
    BodyId body;
    Transform<double> X_HL;
  };

  // Depth first in the file's order, so that parents are numbered before their children.
  void place_links(Model& model) {
    std::vector<Placed> open{{root_, nullptr, BodyId(), {}}};
    while (!open.empty()) {
      Placed placed = open.back();
      open.pop_back();
      if (placed.joint) {
        cross_joint(model, placed);
      } else {
        placed.body = add_body(model, BodyId());
      }
      add_link(model, placed);
      const auto& children = children_[placed.link];
      for (auto joint = children.rbegin(); joint != children.rend(); ++joint) {
        open.push_back({(*joint)->child, *joint, placed.body, placed.X_HL});
      }
    }
  }

  // From the parent link to the child link: the same body behind a fixed joint, a new one behind any other.
  void cross_joint(Model& model, Placed& placed) {
    const JointDescription& joint = *placed.joint;
    const Transform<double> X_parent_child{
        Mat3<double>(Eigen::Matrix3d(joint.origin.linear())),
        Vec3<double>(Eigen::Vector3d(joint.origin.translation()))};
    const Transform<double> X_H_child = placed.X_HL * X_parent_child;
    if (joint.type == JointType::kFixed) {
      const Name& into = model.frames[model.bodies[placed.body].link].name;
      remark(Remark::Kind::kLumped, quoted("link", joint.child),
             "is fixed by joint '" + joint.name + "' and lumped into link '" +
                 std::string(into.view()) + "'");
      placed.X_HL = X_H_child;
      return;
    }
    // the home frame has the joint's axis as its z
    const bool has_axis = joint.type != JointType::kBall && joint.type != JointType::kFloating;
    const Mat3<double> R_child_home = has_axis ? z_onto(Vec3<double>(Eigen::Vector3d(
                                                     joint.axis.stableNormalized())))
                                               : Mat3<double>::identity();
    placed.body = add_body(model, placed.body);
    placed.X_HL = {transpose(R_child_home), {}};

    Joint& out = model.joints[placed.body];
    out.name = Name(joint.name);
    out.kind = kind_of(joint.type);
    out.continuous = joint.type == JointType::kContinuous;
    out.X_PN = X_H_child * Transform<double>{R_child_home, {}};
    out.damping = joint.damping;
    out.friction = joint.friction;
    out.armature = options_.armature ? joint.armature : 0;
    const double none = std::numeric_limits<double>::infinity();
    out.limits = {joint.limits.lower.value_or(-none), joint.limits.upper.value_or(none),
                  joint.limits.velocity.value_or(none), joint.limits.effort.value_or(none)};
    out.q_index = model.coordinate_count;
    out.v_index = model.dof_count;
    model.coordinate_count += coordinate_count(out.kind);
    model.dof_count += dof_count(out.kind);
  }

  // The next link to be added gives the body its name.
  static BodyId add_body(Model& model, BodyId parent) {
    const BodyId id(model.body_count++);
    model.bodies[id].parent = parent;
    model.bodies[id].link = FrameId(model.frame_count);
    return id;
  }

  void add_link(Model& model, const Placed& placed) const {
    model.frames[model.frame_count++] = {Name(placed.link), placed.body, placed.X_HL};
    const auto& inertial = links_.at(placed.link)->inertial;
    if (!inertial) return;
    const RigidInertia<double> at_center{inertial->mass, {}, symmetric<double>(inertial->inertia)};
    const Transform<double> X_LC{Mat3<double>(inertial->rotation), Vec3<double>(inertial->center)};
    model.bodies[placed.body].I += to_parent(placed.X_HL * X_LC, at_center);
  }

  // the parent body as seen from the joint, once every link is in its body
  static void finish_joints(Model& model) {
    model.bodies[0].R_bind = Mat3<double>::identity();
    for (int i = 1; i < model.body_count; ++i) {
      Joint& joint = model.joints[i];
      joint.I_near = to_parent(inverse(joint.X_PN), model.bodies[model.bodies[i].parent].I);
      const Mat3<double>& R_parent = model.bodies[model.bodies[i].parent].R_bind;
      model.bodies[i].R_bind = R_parent * joint.X_PN.R;
    }
  }

  void resolve_mimics(Model& model) const {
    if (!options_.mimic) return;
    for (int i = 1; i < model.body_count; ++i) {
      const JointDescription* joint = joints_.at(std::string(model.joints[i].name.view()));
      if (!joint->mimic) continue;
      // q = mu (mu' q'' + offset') + offset, and so on to the joint that moves on its own
      Mimic mimic{JointId(i), {}, 1, 0};
      while (joint->mimic) {
        mimic.offset += mimic.multiplier * joint->mimic->offset;
        mimic.multiplier *= joint->mimic->multiplier;
        joint = joints_.at(joint->mimic->joint);
      }
      mimic.leader = find_joint(model, joint->name);
      model.mimics[model.mimic_count++] = mimic;
    }
  }

  // ---- the bodies that move: links and what is lumped into them
  Problem check_bodies(const Model& model) const {
    for (int i = 0; i < model.body_count; ++i) {
      const RigidInertia<double>& I = model.bodies[i].I;
      if (!std::isfinite(I.m) || !I.h.eigen().allFinite() || !I.I.eigen().allFinite()) {
        return Error{ErrorCode::kInertia,
                     quoted("link", std::string(model.frames[model.bodies[i].link].name.view())),
                     "its inertia with everything lumped into it is not finite; a mass or a "
                     "distance is far too large"};
      }
    }
    // the links of each body that cannot be by themselves; a body without any can be
    std::vector<std::vector<const LinkDescription*>> flawed(model.body_count);
    std::vector<int> links(model.body_count);
    for (int i = 0; i < model.frame_count; ++i) {
      const LinkDescription* link = links_.at(std::string(model.frames[i].name.view()));
      if (!link->inertial) continue;
      const InertialDescription& b = *link->inertial;
      ++links[model.frames[i].body];
      if (b.mass < 0 || is_negative(b.mass, principal_moments(b.inertia)))
        flawed[model.frames[i].body].push_back(link);
    }
    for (int i = 0; i < model.body_count; ++i) {
      if (flawed[i].empty()) continue;
      const std::string body(model.frames[model.bodies[i].link].name.view());
      const std::string element = quoted("link", body);
      const bool lumped = links[i] > 1 || !links_.at(body)->inertial;
      const std::string with = lumped ? " with what is lumped into it" : "";
      std::string culprit;
      if (flawed[i].front()->name != body)
        culprit = " of " + of_link(*flawed[i].front()) + ", which is fixed there,";
      const RigidInertia<double>& I = model.bodies[i].I;
      const bool nothing = I.m == 0 && norm(I.h) > 0;  // masses above and below zero
      if (I.m < 0 || nothing) {
        return Error{ErrorCode::kInertia, element,
                     "its mass" + with + " is " + number(I.m) +
                         " kg; a mass is zero or positive, so check the mass" + culprit +
                         " and its sign"};
      }
      Eigen::Matrix3d at_center = I.I.eigen();
      if (I.m > 0) at_center -= point_inertia(I.m, I.h * (1 / I.m)).eigen();
      const Eigen::Vector3d moments = principal_moments(at_center);
      // the way to the centre loses digits: so many of the moments about the body's origin
      const double lost = 1e-14 * I.I.eigen().cwiseAbs().maxCoeff();
      if (is_negative(I.m, moments) && moments[0] < -lost) {
        return Error{ErrorCode::kInertia, element,
                     "its inertia" + with + " has the negative principal moment " +
                         number(moments[0]) + " kg m²; no body has that, so check ixx … izz" +
                         culprit + " and their signs"};
      }
    }
    return std::nullopt;
  }

  // ---- the inertia each joint sees: of everything it moves, in three poses picked at random once and for all. A
  // joint that sees none in any of them has no defined acceleration. A mass that lies on the axis in one pose only
  // is not refused here; the algorithms report it as a singular inertia when it happens.
  Problem check_inertia_seen_by_joints(Model& model) {
    std::array<double, kMaxBodies> seen{};
    std::mt19937 generator(20011);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (int pose = 0; pose < 3; ++pose) {
      std::vector<RigidInertia<double>> Ic(model.body_count);
      for (int i = 0; i < model.body_count; ++i) Ic[i] = model.bodies[i].I;
      for (int i = model.body_count - 1; i > 0; --i) {
        const Joint& joint = model.joints[i];
        seen[i] = std::max(seen[i], smallest_inertia(joint.kind, Ic[i]) + joint.armature);
        double q[7];
        for (double& x : q) x = uniform(generator);
        Transform<double> X_J = joint_transform(joint.kind, q);
        if (joint.kind == JointKind::kBall) X_J.R = rotation(exponential({q[0], q[1], q[2]}));
        if (joint.kind == JointKind::kFree) X_J.R = rotation(exponential({q[3], q[4], q[5]}));
        Ic[model.bodies[i].parent] += to_parent(joint.X_PN * X_J, Ic[i]);
      }
    }
    for (int i = 1; i < model.body_count; ++i) {
      if (seen[i] >= kMinInertia) continue;
      Joint& joint = model.joints[i];
      const std::string name(joint.name.view());
      const bool can_have = dof_count(joint.kind) == 1 || joint.kind == JointKind::kBall;
      if (can_have && options_.min_armature >= kMinInertia) {
        joint.armature = options_.min_armature;
        remark(Remark::Kind::kLenient, quoted("joint", name),
               "moves no inertia: given an armature of " + number(options_.min_armature) +
                   (joint.kind == JointKind::kPrismatic ? " kg" : " kg m²"));
        continue;
      }
      const std::string link(model.frames[model.bodies[i].link].name.view());
      return Error{ErrorCode::kInertia, quoted("link", link),
                   "joint '" + name +
                       "' moves no inertia in this direction (the link and what hangs on it are "
                       "massless or lie on its axis), so its acceleration is not defined; give "
                       "the link an <inertial>, make the joint fixed, or " +
                       (can_have ? "declare an armature (--min-armature 1e-5 gives one to each "
                                   "such joint)"
                                 : "let it be of one axis")};
    }
    return std::nullopt;
  }

  // Smallest generalised inertia along the axes of a joint that moves the rigid body I.
  static double smallest_inertia(JointKind kind, const RigidInertia<double>& I) {
    const auto smallest = [](const Eigen::Matrix3d& m) {
      return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(m).eigenvalues()[0];
    };
    if (kind == JointKind::kRevolute) return I.I.zz;
    if (kind == JointKind::kPrismatic) return I.m;
    if (kind == JointKind::kBall) return smallest(I.I.eigen());
    if (I.m < kMinInertia) return 0;
    const Vec3<double> center = I.h * (1 / I.m);
    const Eigen::Matrix3d at_center = I.I.eigen() - point_inertia(I.m, center).eigen();
    return std::min(I.m, kind == JointKind::kPlanar ? at_center(2, 2) : smallest(at_center));
  }

  void remark(Remark::Kind kind, const std::string& element, const std::string& text) {
    if (remarks_) remarks_->push_back({kind, element, text});
  }

  const Description& in_;
  const BuildOptions& options_;
  std::vector<Remark>* remarks_;
  std::map<std::string, const LinkDescription*> links_;
  std::map<std::string, const JointDescription*> joints_;
  std::map<std::string, std::vector<const JointDescription*>>
      children_;  // joints by parent link, in file order
  std::string root_;
};

}  // namespace

Result<Model> build_model(const Description& description, const BuildOptions& options,
                          std::vector<Remark>* remarks) {
  auto model = std::make_unique<Model>();
  Builder builder(description, options, remarks);
  if (Problem problem = builder.build(*model)) return std::move(*problem);
  model->processor = options.processor;
  derive(*model);
  return std::move(*model);
}

}  // namespace stance
