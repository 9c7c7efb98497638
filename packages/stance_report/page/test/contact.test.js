import assert from 'node:assert/strict';
import test from 'node:test';
import { centerOfPressure, coneMet, contactsAt, hull, kSlide, tangents, usualForce } from '../src/contact.js';
import { decode } from '../src/decode.js';
import { add, cross, dot, norm, posesAt, scale, subtract } from '../src/pose.js';
import { random, sample } from './sample.js';

test('tangents and normal are axes', () => {
  for (const n of [[0, 0, 1], [1, 0, 0], [0.6, 0, 0.8]]) {
    const [a, b] = tangents(n);
    for (const [u, v] of [[a, b], [a, n], [b, n]]) assert.ok(Math.abs(dot(u, v)) < 1e-15);
    assert.ok(norm(subtract(cross(a, b), n)) < 1e-15);
  }
});

test('a cone is met at its edge and not inside', () => {
  const n = [0, 0, 1];
  assert.equal(coneMet([3, 4, 10], n, 0.5, 10), true);
  assert.equal(coneMet([3, 3.9, 10], n, 0.5, 10), false);
  assert.equal(coneMet([3, 4, 10], n, Infinity, 10), false);
  assert.equal(coneMet([1e-3, 0, 1e-3], n, 0.5, 10), false); // next to nothing
  // on a slope the normal is what counts
  const slope = 0.3, normal = [Math.sin(slope), 0, Math.cos(slope)];
  assert.equal(coneMet([0, 0, 10], normal, Math.tan(0.31), 10), false);
  assert.equal(coneMet([0, 0, 10], normal, Math.tan(0.29), 10), true);
});

test('the hull holds every point and turns left', () => {
  const next = random(3);
  const n = [0.6, 0, 0.8], [a, b] = tangents(n);
  const points = Array.from({ length: 40 }, () => add(scale(a, next()), scale(b, next())));
  const corners = hull(points, n);
  assert.ok(corners.length >= 3 && corners.length < points.length);
  corners.forEach((corner, k) => {
    const edge = subtract(corners[(k + 1) % corners.length], corner);
    for (const point of points) assert.ok(dot(cross(edge, subtract(point, corner)), n) > -1e-12);
  });
  // points inside a square, and on its edges, are no corners
  const square = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0.5, 0.5, 0], [0.5, 0, 0]];
  assert.equal(hull(square, [0, 0, 1]).length, 4);
  assert.equal(hull(square.slice(0, 2), [0, 0, 1]).length, 2);
});

test('at the centre of pressure normal forces have no moment along the ground', () => {
  const next = random(4);
  const normal = [0, 0, 1];
  const contacts = Array.from({ length: 4 }, () => ({ normal, point: [next(), next(), 0], force: [next(), next(), 10 * next()] }));
  const center = centerOfPressure(contacts);
  let moment = [0, 0, 0];
  for (const { point, force } of contacts) moment = add(moment, cross(subtract(point, center), [0, 0, force[2]]));
  assert.ok(norm(moment) < 1e-13);
  assert.equal(centerOfPressure([{ normal, point: [1, 0, 0], force: [0, 0, -1] }]), null);
  assert.equal(centerOfPressure([]), null);
});

test('contacts lie on the ground below their centre, red where they slide', () => {
  const motion = decode(sample(301));
  const weight = usualForce(motion);
  assert.ok(weight > 100 && weight < 110, `${weight}`);
  const at = (i, s) => contactsAt(motion, posesAt(motion, i, s), i, s, weight);
  const now = at(4, 0);
  assert.equal(now[0].state, kSlide);
  assert.equal(now[0].met, true);
  assert.equal(now[3].met, false);
  const trunk = posesAt(motion, 4, 0)[0];
  assert.ok(Math.abs(now[0].point[2] - (trunk.p[2] - 0.45 - 0.03)) < 1e-9);
  // a force that jumps is the nearer sample's
  assert.equal(at(49, 0.3)[0].state, at(49, 0)[0].state);
  assert.ok(Math.abs(at(49, 0.3)[0].force[2] - 50) < 1e-3);
  assert.ok(Math.abs(at(49, 0.7)[0].force[2]) < 1e-3);
});
