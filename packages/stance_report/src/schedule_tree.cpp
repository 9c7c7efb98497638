#include "stance_report/schedule_tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "svg.hpp"

namespace stance {

using namespace report;

namespace {

constexpr std::array<std::string_view, 6> kColors = {"#1f5fa8", "#d1602b", "#3a8f4f",
                                                     "#8a56ac", "#b08a1e", "#5b6b7a"};
constexpr double kRadius = 12, kAcross = 30, kDown = 46, kTop = 96, kMargin = 32;

std::string_view color_of(const PlanNode& node) {
  return kColors[static_cast<std::size_t>(node.processor) % kColors.size()];
}

void draw_joint(Svg& svg, Point at, int number, std::string_view color) {
  svg.circle(at, kRadius, color, {"#ffffff", 1.5});
  svg.text({at.x, at.y + 4}, std::to_string(number),
           {.size = 11, .anchor = Anchor::kMiddle, .color = "#ffffff", .bold = true});
}

// The tree of a plan without the nodes that add no joint.
struct Shape {
  const Plan& plan;
  const std::vector<int>& number;  // by node
  std::vector<Point> at;           // by node
  double next = 0;                 // where the next leaf goes
  double bottom = 0;

  // The node that adds the last joint of a side; -1: none does.
  int node_of(const Side& side) const {
    if (side.kind != Side::kNode) return -1;
    const PlanNode& node = plan.nodes[static_cast<std::size_t>(side.index)];
    return node.rule == JointRule::kInvert ? node_of(node.child) : side.index;
  }

  // Sides in the middle of what hangs on them. Returns where the node is.
  double place(int k, double y) {
    const PlanNode& node = plan.nodes[static_cast<std::size_t>(k)];
    double x[2];
    int side_number = 0;
    for (const Side* side : {&node.parent, &node.child}) {
      const int below = node_of(*side);
      x[side_number++] = below >= 0 ? place(below, y + kDown) : (next += kAcross / 2) - kAcross / 2;
    }
    const Point p{(x[0] + x[1]) / 2, y};
    at[static_cast<std::size_t>(k)] = p;
    bottom = std::max(bottom, y + kDown);
    return p.x;
  }

  void draw(Svg& svg, int k, double left) const {
    const PlanNode& node = plan.nodes[static_cast<std::size_t>(k)];
    const Point here{left + at[static_cast<std::size_t>(k)].x, at[static_cast<std::size_t>(k)].y};
    double sign = -1;
    for (const Side* side : {&node.parent, &node.child}) {
      const int below = node_of(*side);
      const Point end = below >= 0 ? Point{left + at[static_cast<std::size_t>(below)].x,
                                           at[static_cast<std::size_t>(below)].y}
                                   : Point{here.x + sign * kAcross / 4, here.y + kDown / 2};
      svg.line(here, end, {"#555555", 1.2});
      if (below >= 0) draw(svg, below, left);
      sign = 1;
    }
    draw_joint(svg, here, number[static_cast<std::size_t>(k)], color_of(node));
  }
};

}  // namespace

std::vector<ScheduleEntry> schedule_entries(const Model& model, const Tree& tree,
                                            const Plan& plan) {
  std::vector<ScheduleEntry> entries;
  for (const PlanNode& node : plan.nodes) {
    if (node.rule == JointRule::kInvert) continue;
    const JointId joint = tree.links[node.body].joint;
    ScheduleEntry entry{joint.valid() ? joint : JointId(0), static_cast<int>(entries.size()) + 1,
                        "support"};
    if (joint.valid()) entry.name = model.joints[joint].name.view();
    entries.push_back(entry);
  }
  return entries;
}

std::string draw_schedule(const std::string& title, const Model& model, const Tree& tree,
                          const Plan& plan) {
  const std::vector<ScheduleEntry> entries = schedule_entries(model, tree, plan);
  // numbers by node and by body that the joint enters
  std::vector<int> number(plan.nodes.size(), 0),
      by_body(static_cast<std::size_t>(model.body_count), 0);
  std::vector<const PlanNode*> node_by_body(static_cast<std::size_t>(model.body_count), nullptr);
  int last = -1, count = 0;
  for (std::size_t k = 0; k < plan.nodes.size(); ++k) {
    if (plan.nodes[k].rule == JointRule::kInvert) continue;
    number[k] = ++count;
    by_body[plan.nodes[k].body] = count;
    node_by_body[plan.nodes[k].body] = &plan.nodes[k];
    last = static_cast<int>(k);
  }

  // the robot: a link hangs below its parent, side by side with what else hangs there
  std::vector<Point> link(static_cast<std::size_t>(model.body_count));
  double width = 0, depth = 0;
  const auto bodies = tree.bodies();
  for (std::size_t k = bodies.size(); k-- > 0;) {
    double low = 0, high = 0;
    bool leaf = true;
    for (const BodyId i : bodies) {
      if (tree.links[i].parent != bodies[k]) continue;
      low = leaf ? link[i].x : std::min(low, link[i].x);
      high = leaf ? link[i].x : std::max(high, link[i].x);
      leaf = false;
    }
    link[bodies[k]].x = leaf ? (width += kAcross) - kAcross : (low + high) / 2;
  }
  for (const BodyId i : bodies) {
    const BodyId parent = tree.links[i].parent;
    link[i].y = parent.valid() ? link[parent].y + kDown : kTop + (plan.floats ? 0 : kDown);
    depth = std::max(depth, link[i].y);
  }

  Shape shape{plan, number, std::vector<Point>(plan.nodes.size())};
  if (last >= 0) shape.place(last, kTop);
  const double robot_left = kMargin + kRadius;
  const double tree_left = robot_left + width + 2 * kMargin;
  const double legend_top = std::max(depth + kDown, shape.bottom) + 24;
  double longest = 0;
  for (const ScheduleEntry& entry : entries)
    longest = std::max(longest, text_width(std::to_string(entry.number) + "  " + entry.name, 12));
  const double page = std::max(
      {tree_left + shape.next + kMargin, 480.0, 2 * kMargin + text_width(title, 13)});
  const int columns = std::max(1, static_cast<int>((page - 2 * kMargin) / (longest + 24)));
  const int rows = (count + columns - 1) / columns;
  Svg svg(page, legend_top + 18.0 * rows + (plan.processors > 1 ? 52 : 24), "Schedule");
  svg.text({24, 34}, "Schedule", {.size = 18, .bold = true});
  svg.text({24, 56}, title, {.color = "#555555"});
  const auto joint_on = [&](const Point& end) {  // above the link that it moves
    return Point{robot_left + end.x, end.y - 0.45 * kDown};
  };
  for (const BodyId i : bodies) {
    const Point to{robot_left + link[i].x, link[i].y};
    const BodyId parent = tree.links[i].parent;
    const Point from = parent.valid() ? Point{robot_left + link[parent].x, link[parent].y}
                                      : Point{to.x, to.y - kDown};
    const Point joint = joint_on(link[i]);
    if (parent.valid() || !plan.floats) {
      svg.line(from, joint, {"#9aa4ad", 5});
      svg.line(joint, to, {"#9aa4ad", 5});
    }
    if (!parent.valid()) svg.rectangle({to.x - 5, to.y - 5}, 10, 10, "#9aa4ad", 1, {});
    if (!parent.valid() && !plan.floats)
      svg.line({from.x - 14, from.y}, {from.x + 14, from.y}, {"#333333", 3});
  }
  for (const BodyId i : bodies) {
    if (by_body[i] == 0) continue;
    draw_joint(svg, joint_on(link[i]), by_body[i], color_of(*node_by_body[i]));
  }
  if (last >= 0) shape.draw(svg, last, tree_left);
  for (int k = 0; k < count; ++k) {
    const Point at{kMargin + (k / rows) * (longest + 24), legend_top + 18.0 * (k % rows)};
    const ScheduleEntry& entry = entries[static_cast<std::size_t>(k)];
    svg.text(at, std::to_string(entry.number) + "  " + entry.name, {.size = 12});
  }
  for (int p = 0; plan.processors > 1 && p < plan.processors; ++p) {
    const Point at{kMargin + 120.0 * p, legend_top + 18.0 * rows + 20};
    if (at.x + 110 > page) break;
    svg.circle(at, 6, kColors[static_cast<std::size_t>(p) % kColors.size()], {});
    svg.text({at.x + 12, at.y + 4}, "processor " + std::to_string(p + 1), {.size = 12});
  }
  return svg.finish();
}

}  // namespace stance
