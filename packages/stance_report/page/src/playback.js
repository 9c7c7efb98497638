// Time as the viewer moves through it.

export const kSlowness = 0.1; // of the speed, round events in slow motion
export const kSlowSpan = 0.04; // s on both sides of an event

// The last index whose time is not above t, at least 0.
export function indexAt(time, t) {
  let low = 0, high = time.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (time[middle] <= t) low = middle;
    else high = middle - 1;
  }
  return low;
}

// Where t is: an index and the part of the way to the next.
export function placeAt(time, t) {
  const i = indexAt(time, t);
  if (i + 1 >= time.length) return { i, s: 0 };
  const span = time[i + 1] - time[i];
  return { i, s: span > 0 ? Math.min(1, Math.max(0, (t - time[i]) / span)) : 0 };
}

// The first event after t, or the last before it. Half a microsecond apart is one instant.
export function eventAfter(events, t) {
  return events.find((event) => event.time > t + 5e-7);
}
export function eventBefore(events, t) {
  for (let i = events.length - 1; i >= 0; --i) if (events[i].time < t - 5e-7) return events[i];
  return undefined;
}

export function nearEvent(events, t, span) {
  let low = 0, high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (events[middle].time < t - span) low = middle + 1;
    else high = middle;
  }
  return low < events.length && events[low].time <= t + span;
}

// t after `elapsed` seconds on the wall. In slow motion no event is jumped over: the way is gone in small steps.
export function advance(t, elapsed, speed, slow, events) {
  if (!slow) return t + elapsed * speed;
  let rest = elapsed;
  const step = kSlowSpan / 4; // of simulated time
  for (let guard = 0; rest > 0 && guard < 100000; ++guard) {
    const rate = speed * (nearEvent(events, t, kSlowSpan) ? kSlowness : 1);
    const part = Math.min(rest, step / rate);
    t += part * rate;
    rest -= part;
  }
  return t;
}
