// The bar of the whole run: a tick for every event, and below the ticks a row for each contact, filled while it is closed.
import { at } from './decode.js';
import { kOpen, kSlide } from './contact.js';

const kMostRows = 8;

// [from, to, slides] of the times that a contact is closed.
export function closedSpans(motion, contact) {
  const spans = [];
  let from = null, slides = false;
  for (let i = 0; i < motion.count; ++i) {
    const state = at(contact.state, i);
    const goesOn = from !== null && state !== kOpen && (state === kSlide) === slides;
    if (goesOn) continue;
    if (from !== null) spans.push([from, motion.time[i], slides]);
    from = state === kOpen ? null : motion.time[i];
    slides = state === kSlide;
  }
  if (from !== null) spans.push([from, motion.time[motion.count - 1], slides]);
  return spans;
}

export class Slider {
  constructor(canvas, motion, theme) {
    this.canvas = canvas;
    this.motion = motion;
    this.theme = theme;
    this.still = document.createElement('canvas');
    this.stale = true;
    this.spans = motion.contacts.slice(0, kMostRows).map((contact) => closedSpans(motion, contact));
    this.from = motion.time[0];
    this.to = motion.time[motion.count - 1];
  }

  x(t) {
    const span = this.to - this.from || 1;
    return 8 + ((t - this.from) / span) * (this.canvas.clientWidth - 16);
  }
  timeAt(x) {
    const span = this.to - this.from;
    const part = (x - 8) / Math.max(1, this.canvas.clientWidth - 16);
    return this.from + Math.min(1, Math.max(0, part)) * span;
  }

  draw(t) {
    const ratio = window.devicePixelRatio || 1;
    const width = this.canvas.clientWidth, height = this.canvas.clientHeight;
    if (width === 0 || height === 0) return;
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      for (const each of [this.canvas, this.still]) {
        each.width = Math.round(width * ratio);
        each.height = Math.round(height * ratio);
      }
      this.stale = true;
    }
    if (this.stale) this.drawStill(ratio, width, height);
    this.stale = false;
    const context = this.canvas.getContext('2d');
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.drawImage(this.still, 0, 0);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = this.theme('--cursor');
    context.fillRect(this.x(t) - 1, 0, 2, height);
    context.beginPath();
    context.arc(this.x(t), 6, 5, 0, 2 * Math.PI);
    context.fill();
    this.canvas.setAttribute('aria-valuenow', t.toFixed(3));
  }

  drawStill(ratio, width, height) {
    const context = this.still.getContext('2d');
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.fillStyle = this.theme('--grid');
    context.fillRect(8, 11, width - 16, 2);
    context.fillStyle = this.theme('--event');
    context.globalAlpha = this.motion.events.length > width / 3 ? 0.5 : 1;
    for (const event of this.motion.events) context.fillRect(Math.round(this.x(event.time)) - 0.5, 4, 1, 9);
    context.globalAlpha = 1;
    const rows = this.spans.length;
    const pitch = Math.min(6, (height - 17) / Math.max(1, rows));
    this.spans.forEach((spans, row) => {
      const y = 17 + row * pitch;
      for (const [from, to, slides] of spans) {
        context.fillStyle = this.theme(slides ? '--met' : '--force');
        context.fillRect(this.x(from), y, Math.max(1, this.x(to) - this.x(from)), Math.max(1.5, pitch - 2));
      }
    });
  }
}
