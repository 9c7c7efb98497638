import assert from 'node:assert/strict';
import test from 'node:test';
import { at, decode, unpack } from '../src/decode.js';
import { pack, random, sample } from './sample.js';

test('a channel comes back to half a step, whatever its order', () => {
  const next = random(1);
  const kinds = [
    (i) => next() * 100 - 50, // order 0
    (i) => 0.3 * i + 0.01 * next(), // 1
    (i) => Math.sin(0.02 * i), // 2
    (i) => 1e7 * Math.sin(i), // numbers beyond 32 bits
  ];
  const orders = new Set();
  for (const kind of kinds) {
    const values = Array.from({ length: 500 }, (_, i) => kind(i));
    const packed = pack(values, 1e-5);
    orders.add(packed.order);
    const read = unpack(packed, values.length);
    values.forEach((value, i) => assert.ok(Math.abs(read[i] - value) <= 0.5001e-5 + 1e-15 * Math.abs(value), `${i}`));
  }
  assert.ok(orders.size > 1, 'one order alone was tested');
});

test('what is no number stays none', () => {
  const values = [NaN, 1, 2, NaN, NaN, 5, NaN];
  const read = unpack(pack(values, 0.5), values.length);
  assert.deepEqual([...read], values);
  assert.ok(Number.isNaN(at(unpack(null, 3), 2)));
});

test('data of the wrong length are refused', () => {
  const packed = pack([1, 2, 3, 5, 8], 1);
  assert.throws(() => unpack(packed, 6), /ends after 5 of 6/);
  assert.throws(() => unpack(packed, 4), /more than 4/);
});

test('a page of another format is refused', () => {
  assert.throws(() => decode({ ...sample(10), format: 2 }), /format 2/);
});

test('a motion is read', () => {
  const motion = decode(sample(101));
  assert.equal(motion.count, 101);
  assert.ok(Math.abs(motion.time[100] - 1) < 1e-7);
  assert.equal(motion.bodies[1].parent, 0);
  assert.ok(Math.abs(at(motion.bodies[1].r[2], 100) - 5) < 1e-5);
  assert.deepEqual([...motion.meshes[0].triangles].slice(0, 3), [0, 2, 1]);
  assert.ok(Math.abs(motion.meshes[0].positions[3] - 0.1) < 1e-6);
  const event = decode(sample(301)).events[2];
  assert.ok(Math.abs(event.time - 1.5) < 1e-9);
  assert.deepEqual([event.kind, event.bodies, event.energyLost], ['touchdown', 'foot_1', 0.25]);
  assert.ok(Math.abs(event.impulse[2] - 6) < 1e-3 && Math.abs(event.point[0] - 0.3) < 1e-5);
  // 50 N on the feet that stand, none on the others
  const normal = motion.series.filter((series) => series.group === 'Normal forces');
  assert.equal(normal.length, 4);
  assert.ok(Math.abs(normal[0].value[0] - 50) < 1e-3 && Math.abs(normal[1].value[0]) < 1e-3);
});
