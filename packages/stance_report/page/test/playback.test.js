import assert from 'node:assert/strict';
import test from 'node:test';
import { advance, eventAfter, eventBefore, indexAt, kSlowness, kSlowSpan, nearEvent, placeAt } from '../src/playback.js';

const time = [0, 0.1, 0.2, 0.2, 0.5];
const events = [{ time: 0.2 }, { time: 0.2 }, { time: 0.45 }, { time: 2 }];

test('an instant is found, also where two samples have one time', () => {
  assert.equal(indexAt(time, -1), 0);
  assert.equal(indexAt(time, 0.1), 1);
  assert.equal(indexAt(time, 0.2), 3); // after the jump
  assert.equal(indexAt(time, 9), 4);
  assert.deepEqual(placeAt(time, 0.35), { i: 3, s: (0.35 - 0.2) / (0.5 - 0.2) });
  assert.deepEqual(placeAt(time, 9), { i: 4, s: 0 });
  assert.deepEqual(placeAt([1], 1), { i: 0, s: 0 });
});

test('events are gone through one instant after the other, both ways', () => {
  const forward = [];
  for (let event = eventAfter(events, 0); event; event = eventAfter(events, event.time)) forward.push(event.time);
  assert.deepEqual(forward, [0.2, 0.45, 2]);
  const back = [];
  for (let event = eventBefore(events, 9); event; event = eventBefore(events, event.time)) back.push(event.time);
  assert.deepEqual(back, [2, 0.45, 0.2]);
  assert.equal(eventAfter([], 0), undefined);
});

test('near an event is on both sides of it', () => {
  for (const [t, is] of [[0.15, false], [0.17, true], [0.2, true], [0.23, true], [0.3, false], [1.97, true], [2.1, false]]) {
    assert.equal(nearEvent(events, t, kSlowSpan), is, `${t}`);
  }
});

test('time passes at its speed, and slowly round events', () => {
  assert.ok(Math.abs(advance(1, 0.1, 2, false, events) - 1.2) < 1e-15);
  // from 0.8 to 1.6 nothing happens
  assert.ok(Math.abs(advance(0.8, 0.4, 2, true, events) - 1.6) < 1e-12);
  // through an event: the time that it takes is the way outside plus ten times the way inside, to a step of kSlowSpan / 4
  let t = 1.9, elapsed = 0;
  while (t < 2.1) {
    t = advance(t, 0.001, 1, true, events);
    elapsed += 0.001;
  }
  const expected = 0.2 - 2 * kSlowSpan + (2 * kSlowSpan) / kSlowness;
  assert.ok(Math.abs(elapsed - expected) < kSlowSpan / 4 / kSlowness, `${elapsed} is not ${expected}`);
  // no speed jumps over one: a picture later it is inside, not behind
  assert.ok(advance(1.9, 0.05, 10, true, events) < 2.01);
});
