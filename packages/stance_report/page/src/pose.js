// Vectors, unit quaternions (x y z w), and where the bodies are.
import { at } from './decode.js';

export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const subtract = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const norm = (a) => Math.sqrt(dot(a, a));

export function multiply(a, b) {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ];
}

// R(q) v
export function rotate(q, v) {
  const t = scale(cross(q, v), 2);
  return add(add(v, scale(t, q[3])), cross(q, t));
}

// exp of a rotation vector.
export function exponential(r) {
  const angle = norm(r);
  const s = angle < 1e-6 ? 0.5 : Math.sin(angle / 2) / angle;
  return [r[0] * s, r[1] * s, r[2] * s, Math.cos(angle / 2)];
}

// From a to b the shorter way, at even rate.
export function slerp(a, b, s) {
  let cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  const sign = cosine < 0 ? -1 : 1;
  cosine = Math.min(1, Math.abs(cosine));
  const angle = Math.acos(cosine);
  const near = angle < 1e-4;
  const wa = near ? 1 - s : Math.sin((1 - s) * angle) / Math.sin(angle);
  const wb = sign * (near ? s : Math.sin(s * angle) / Math.sin(angle));
  const q = [0, 1, 2, 3].map((i) => wa * a[i] + wb * b[i]);
  const length = Math.hypot(...q);
  return q.map((x) => x / length);
}

export const vectorAt = (channels, i) => [at(channels[0], i), at(channels[1], i), at(channels[2], i)];

export function mixed(channels, i, s) {
  const a = vectorAt(channels, i);
  if (s === 0) return a;
  const b = vectorAt(channels, i + 1);
  return [0, 1, 2].map((k) => a[k] + s * (b[k] - a[k]));
}

// In the world, a part `s` of the way from instant i to the next: p = p_0 + d, R = R_0 exp(r) in the parent.
export function posesAt(motion, i, s) {
  const poses = [];
  for (const body of motion.bodies) {
    const turn = (k) => exponential(vectorAt(body.r, k));
    const p = add(body.rest.p, mixed(body.d, i, s));
    const q = multiply(body.rest.q, s === 0 ? turn(i) : slerp(turn(i), turn(i + 1), s));
    if (body.parent < 0) {
      poses.push({ p, q });
    } else {
      const parent = poses[body.parent];
      poses.push({ p: add(parent.p, rotate(parent.q, p)), q: multiply(parent.q, q) });
    }
  }
  return poses;
}

// How far the bodies reach from their middle at an instant: the size of what is looked at.
export function extent(motion, poses) {
  const middle = scale(poses.reduce((sum, pose) => add(sum, pose.p), [0, 0, 0]), 1 / Math.max(1, poses.length));
  let reach = 0;
  motion.bodies.forEach((body, b) => {
    const far = norm(subtract(poses[b].p, middle));
    reach = Math.max(reach, far);
    for (const shape of body.shapes) {
      if (shape.kind === 'mesh') continue;
      const half = shape.kind === 'sphere' ? shape.size[0] : norm(shape.size) / 2;
      reach = Math.max(reach, norm(subtract(add(poses[b].p, rotate(poses[b].q, shape.pose.slice(0, 3))), middle)) + half);
    }
  });
  motion.contacts.forEach((contact) => {
    const pose = poses[contact.body];
    reach = Math.max(reach, norm(subtract(add(pose.p, rotate(pose.q, contact.at)), middle)));
  });
  return reach > 0 ? reach : 1;
}
