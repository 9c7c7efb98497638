#include "stance_core/assembly/find_schedule.hpp"

#include <algorithm>
#include <random>

namespace stance {

double cost(const PlanNode& node) noexcept {
  const double h = node.handle_count;
  switch (node.rule) {
    case JointRule::kInertias: return 1;
    case JointRule::kInvert: return 4.2;
    case JointRule::kMixed: return 4.9 + 3.4 * h;
    case JointRule::kResponses: return 14 + 0.4 * h + 0.3 * h * h;
  }
  return 0;
}

namespace {

Forecast share_out_greedily(Plan& plan, int processors) {
  const std::size_t n = plan.nodes.size();
  const auto made_by = [&](const Side& side) { return side.kind == Side::kNode ? side.index : -1; };
  std::vector<int> waits_for(n, 0), consumer(n, -1);
  for (std::size_t k = 0; k < n; ++k) {
    for (const Side* side : {&plan.nodes[k].parent, &plan.nodes[k].child}) {
      const int from = made_by(*side);
      if (from >= 0) consumer[static_cast<std::size_t>(from)] = static_cast<int>(k), ++waits_for[k];
    }
  }
  Forecast forecast;
  std::vector<double> to_do(n), finish(n);  // from this node to the end
  for (std::size_t k = n; k-- > 0;) {
    to_do[k] = cost(plan.nodes[k]);
    forecast.work += to_do[k];
    if (consumer[k] >= 0) to_do[k] += to_do[static_cast<std::size_t>(consumer[k])];
  }
  std::vector<std::size_t> ready, order;
  for (std::size_t k = 0; k < n; ++k) {
    if (waits_for[k] == 0) ready.push_back(k);
  }
  std::vector<double> free_at(static_cast<std::size_t>(processors), 0);
  std::vector<double> start(n);
  while (!ready.empty()) {
    const auto next = std::max_element(ready.begin(), ready.end(),
                                       [&](std::size_t a, std::size_t b) {
                                         return to_do[a] != to_do[b] ? to_do[a] < to_do[b] : a > b;
                                       });
    const std::size_t k = *next;
    ready.erase(next);
    PlanNode& node = plan.nodes[k];
    double best = 0;
    for (int p = 0; p < processors; ++p) {
      double at = free_at[static_cast<std::size_t>(p)];
      for (const Side* side : {&node.parent, &node.child}) {
        const int from = made_by(*side);
        if (from < 0) continue;
        const auto f = static_cast<std::size_t>(from);
        at = std::max(at, finish[f] + (plan.nodes[f].processor != p ? 2 * kHandover : 0));
      }
      if (p == 0 || at < best) best = at, node.processor = static_cast<std::int16_t>(p);
    }
    start[k] = best;
    finish[k] = best + cost(node);
    free_at[static_cast<std::size_t>(node.processor)] = finish[k];
    forecast.time = std::max(forecast.time, finish[k]);
    order.push_back(k);
    if (consumer[k] >= 0 && --waits_for[static_cast<std::size_t>(consumer[k])] == 0)
      ready.push_back(static_cast<std::size_t>(consumer[k]));
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return start[a] < start[b]; });
  std::vector<int> place(n);
  for (std::size_t k = 0; k < n; ++k) place[order[k]] = static_cast<int>(k);
  std::vector<PlanNode> nodes;
  for (const std::size_t k : order) {
    nodes.push_back(plan.nodes[k]);
    for (Side* side : {&nodes.back().parent, &nodes.back().child}) {
      if (side->kind == Side::kNode) side->index = place[static_cast<std::size_t>(side->index)];
    }
  }
  plan.nodes = std::move(nodes);
  plan.processors = processors;
  return forecast;
}

}  // namespace

Forecast share_out(Plan& plan, int processors) {
  Plan shared = plan;
  const Forecast forecast = share_out_greedily(shared, processors);
  if (forecast.time < forecast.work) {
    plan = std::move(shared);
    return forecast;
  }
  // handovers eat up what the others would do
  const Forecast alone = share_out_greedily(plan, 1);
  plan.processors = processors;
  return alone;
}

Schedule inward_schedule(const Model& model, const Tree& tree, BodyId to) {
  const auto bodies = tree.bodies();
  // distances from `to`: up to the root first, then down everywhere
  std::vector<int> distance(static_cast<std::size_t>(model.body_count), -1);
  int d = 0;
  for (BodyId i = to; i.valid(); i = tree.links[i].parent) distance[i] = d++;
  for (const BodyId i : bodies) {
    if (distance[i] < 0) distance[i] = distance[tree.links[i].parent] + 1;
  }
  // a joint is as far as the farther of its bodies
  std::vector<BodyId> order(bodies.begin() + 1, bodies.end());
  const auto far = [&](BodyId i) { return std::max(distance[i], distance[tree.links[i].parent]); };
  std::stable_sort(order.begin(), order.end(), [&](BodyId a, BodyId b) { return far(a) > far(b); });
  Schedule schedule;
  for (const BodyId i : order) schedule.joints.push_back(tree.links[i].joint);
  schedule.joints.push_back(JointId(0));
  return schedule;
}

Schedule find_schedule(const Model& model, const Tree& tree, std::span<const Closure> closures,
                       int processors) {
  if (2 * processors >= model.body_count && processors > 1) return balanced_schedule(model, tree);
  struct Tried {
    Schedule schedule;
    Forecast forecast;
  };
  const auto forecast_of = [&](const Schedule& schedule) {
    Result<Plan> plan = make_plan(model, tree, closures, schedule);
    return share_out(*plan, processors);
  };
  const auto better = [](const Forecast& a, const Forecast& b) {
    return a.time != b.time ? a.time < b.time : a.work < b.work;
  };
  Tried best{chain_schedule(model, tree, closures), {}};
  best.forecast = forecast_of(best.schedule);
  const auto consider = [&](Schedule schedule) {
    const Forecast forecast = forecast_of(schedule);
    if (better(forecast, best.forecast)) best = {std::move(schedule), forecast};
  };
  // plans of large robots take long: as many tries as take a second or so
  const int n = model.body_count;
  const int tries = std::clamp(40'000'000 / (n * n * 10), 20, 3000);
  consider(balanced_schedule(model, tree));
  for (int i = 0; i < n; i += 1 + n / tries) consider(inward_schedule(model, tree, BodyId(i)));
  // on one processor only the work counts
  if (n < 3) return best.schedule;
  std::mt19937_64 random(2002);
  const auto pick = [&](std::size_t count) {
    return static_cast<std::ptrdiff_t>(random() % count);
  };
  for (int k = 0; k < tries; ++k) {
    Schedule moved = best.schedule;
    auto& joints = moved.joints;
    const auto from = pick(joints.size());
    const JointId joint = joints[static_cast<std::size_t>(from)];
    joints.erase(joints.begin() + from);
    joints.insert(joints.begin() + pick(joints.size() + 1), joint);
    consider(std::move(moved));
  }
  return best.schedule;
}

}  // namespace stance
