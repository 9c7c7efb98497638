// What the contacts do together: points, support polygon, centre of pressure, and whether a friction cone is met.
import { add, cross, dot, mixed, norm, rotate, scale, subtract, vectorAt } from './pose.js';
import { at } from './decode.js';

export const kOpen = 0, kStick = 1, kSlide = 2;
const kConeTolerance = 2e-3; // of the normal force: what packing the forces leaves

// Two unit vectors that make axes with the normal.
export function tangents(normal) {
  const seed = Math.abs(normal[0]) < 0.8 ? [1, 0, 0] : [0, 1, 0];
  const u = subtract(seed, scale(normal, dot(seed, normal)));
  const t1 = scale(u, 1 / norm(u));
  return [t1, cross(normal, t1)];
}

// |f_t| = mu f_n. Forces that are small beside `weight` say nothing.
export function coneMet(force, normal, mu, weight) {
  if (!Number.isFinite(mu)) return false;
  const fn = dot(force, normal);
  if (!(fn > 0.01 * weight)) return false;
  return norm(subtract(force, scale(normal, fn))) >= mu * fn * (1 - kConeTolerance) - 1e-4 * weight;
}

// The corners of the convex hull of points of a plane, counter-clockwise about its normal (Andrew's chain).
export function hull(points, normal) {
  const [t1, t2] = tangents(normal);
  const flat = points.map((point) => ({ point, x: dot(point, t1), y: dot(point, t2) }));
  flat.sort((a, b) => a.x - b.x || a.y - b.y);
  const turn = (o, a, b) => (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
  const half = (sorted) => {
    const chain = [];
    for (const each of sorted) {
      while (chain.length > 1 && turn(chain[chain.length - 2], chain[chain.length - 1], each) <= 1e-12) chain.pop();
      chain.push(each);
    }
    chain.pop();
    return chain;
  };
  if (flat.length < 3) return flat.map((each) => each.point);
  return [...half(flat), ...half([...flat].reverse())].map((each) => each.point);
}

// Where the normal forces have no moment along the ground: sum f_n p / sum f_n. None where nothing presses.
export function centerOfPressure(contacts) {
  let sum = [0, 0, 0], total = 0;
  for (const { point, force, normal } of contacts) {
    const fn = dot(force, normal);
    if (!(fn > 0)) continue;
    sum = add(sum, scale(point, fn));
    total += fn;
  }
  return total > 0 ? scale(sum, 1 / total) : null;
}

// The contacts at an instant that is a part s of the way from i to the next. Forces jump at events: they are the nearer
// instant's, not in between.
export function contactsAt(motion, poses, i, s, weight) {
  const k = s < 0.5 ? i : i + 1;
  return motion.contacts.map((contact) => {
    const pose = poses[contact.body];
    const center = add(pose.p, rotate(pose.q, contact.at));
    const point = subtract(center, scale(contact.normal, contact.radius));
    const state = at(contact.state, k);
    let force = contact.force ? vectorAt(contact.force, k) : [NaN, NaN, NaN];
    if (contact.force && state !== kOpen && s > 0 && at(contact.state, i) === state && at(contact.state, i + 1) === state) {
      force = mixed(contact.force, i, s);
    }
    const known = force.every(Number.isFinite);
    const met = state === kSlide || (known && state !== kOpen && coneMet(force, contact.normal, contact.mu, weight));
    return { name: contact.name, point, force: known ? force : null, normal: contact.normal, state, mu: contact.mu, met };
  });
}

// The force that only one in twenty instants exceeds, of all contacts together: the length of arrows goes by it.
export function usualForce(motion) {
  const sums = [];
  const stride = Math.max(1, Math.floor(motion.count / 2000));
  for (let i = 0; i < motion.count; i += stride) {
    let sum = 0;
    for (const contact of motion.contacts) {
      const size = contact.force ? norm(vectorAt(contact.force, i)) : 0;
      if (Number.isFinite(size)) sum += size;
    }
    if (sum > 0) sums.push(sum);
  }
  sums.sort((a, b) => a - b);
  return sums.length > 0 ? sums[Math.floor(0.95 * (sums.length - 1))] : 0;
}
