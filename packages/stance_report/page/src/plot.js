// Plots on a canvas: series over time, or one over another. What does not move is drawn once and kept as a picture.
import { at } from './decode.js';
import { placeAt } from './playback.js';

export const kColors = 8; // in the style sheet, --line-0 and so on

// Round numbers in a range: about `count` of them.
export function ticks(least, most, count) {
  const range = most - least;
  if (!(range > 0) || !Number.isFinite(range)) return [];
  const raw = range / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw * 0.999);
  const first = Math.ceil(least / step - 1e-9);
  const values = [];
  for (let k = first; k * step <= most + 1e-9 * step; ++k) values.push(k * step + 0); // never -0
  return values;
}

// As short as tells neighbouring ticks apart.
export function tickText(value, step) {
  if (value === 0) return '0';
  if (Math.abs(value) >= 1e5 || step < 1e-4) return value.toExponential(1).replace('e+', 'e');
  const places = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return value.toFixed(Math.min(6, places)).replace('-', '\u2212');
}

// Four digits, or five characters.
export function shortNumber(value) {
  if (!Number.isFinite(value)) return '\u2013';
  const size = Math.abs(value);
  let text;
  if (size !== 0 && (size >= 1e5 || size < 1e-3)) text = size < kNothing ? '0' : value.toExponential(2).replace('e+', 'e');
  else text = value.toFixed(size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3);
  return text.replace('-', '\u2212');
}

export function valueAt(value, time, t) {
  if (value === null || typeof value === 'number') return value ?? NaN;
  const { i, s } = placeAt(time, t);
  if (s === 0) return value[i];
  const a = value[i], b = value[i + 1];
  return Number.isFinite(a) && Number.isFinite(b) ? a + s * (b - a) : s < 0.5 ? a : b;
}

const kNothing = 1e-7; // rad, m, N, J: what varies by less is at rest

// Least and largest of some series between two indices, with a margin.
export function rangeOf(values, from, to) {
  let least = Infinity, most = -Infinity;
  for (const value of values) {
    if (value === null) continue;
    if (typeof value === 'number') {
      least = Math.min(least, value);
      most = Math.max(most, value);
      continue;
    }
    for (let i = from; i <= to; ++i) {
      if (value[i] < least) least = value[i];
      if (value[i] > most) most = value[i];
    }
  }
  if (!(least <= most)) return [-1, 1];
  const margin = most - least > kNothing ? 0.06 * (most - least) : Math.max(1e-3, 0.1 * Math.abs(most));
  return [least - margin, most + margin];
}

const kMargin = { left: 46, right: 12, top: 16, bottom: 22 };

export class Plot {
  // `content`: {series: [...]} over time, or {x, y} one over another.
  constructor(canvas, motion, theme) {
    this.canvas = canvas;
    this.motion = motion;
    this.theme = theme; // gives colours by name
    this.hidden = new Set();
    this.still = document.createElement('canvas');
    this.stale = true;
  }

  setContent(content) {
    this.content = content;
    this.hidden.clear();
    this.stale = true;
  }

  get shown() {
    return this.content.series.filter((_, k) => !this.hidden.has(k));
  }

  resize() {
    const ratio = window.devicePixelRatio || 1;
    const { clientWidth, clientHeight } = this.canvas;
    const width = Math.round(clientWidth * ratio), height = Math.round(clientHeight * ratio);
    if (this.canvas.width === width && this.canvas.height === height && this.ratio === ratio) return;
    for (const each of [this.canvas, this.still]) {
      each.width = width;
      each.height = height;
    }
    this.ratio = ratio;
    this.stale = true;
  }

  // ---- places on the canvas, in CSS pixels
  frame() {
    const width = this.canvas.clientWidth - kMargin.left - kMargin.right;
    const height = this.canvas.clientHeight - kMargin.top - kMargin.bottom;
    return { width: Math.max(10, width), height: Math.max(10, height) };
  }
  px(x) {
    return kMargin.left + ((x - this.x[0]) / (this.x[1] - this.x[0])) * this.frame().width;
  }
  py(y) {
    const { height } = this.frame();
    return kMargin.top + height - ((y - this.y[0]) / (this.y[1] - this.y[0])) * height;
  }
  timeAt(px) {
    return this.x[0] + ((px - kMargin.left) / this.frame().width) * (this.x[1] - this.x[0]);
  }
  // The instant whose point of the portrait is nearest; of near ones the one that is nearest in time.
  instantAt(px, py, t) {
    const { time, count } = this.motion;
    let best = t, least = Infinity;
    const duration = time[count - 1] - time[0] || 1;
    for (let i = 0; i < count; ++i) {
      const dx = this.px(at(this.content.x.value, i)) - px, dy = this.py(at(this.content.y.value, i)) - py;
      const far = Math.hypot(dx, dy) + (40 * Math.abs(time[i] - t)) / duration;
      if (far < least) {
        least = far;
        best = time[i];
      }
    }
    return best;
  }

  draw(t, window) {
    this.resize();
    if (this.canvas.width === 0 || this.canvas.height === 0) return;
    if (this.stale || this.drawnFor?.[0] !== window[0] || this.drawnFor?.[1] !== window[1]) {
      this.drawStill(window);
      this.drawnFor = [...window];
      this.stale = false;
    }
    const context = this.canvas.getContext('2d');
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.drawImage(this.still, 0, 0);
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    if (this.content.series) this.drawCursor(context, t);
    else this.drawTrail(context, t);
  }

  drawStill(window) {
    const { time, count } = this.motion;
    const context = this.still.getContext('2d');
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.clearRect(0, 0, this.canvas.clientWidth, this.canvas.clientHeight);
    if (this.content.series) {
      const from = placeAt(time, window[0]).i, to = Math.min(count - 1, placeAt(time, window[1]).i + 1);
      this.x = window[1] > window[0] ? [...window] : [window[0] - 0.5, window[0] + 0.5];
      this.y = rangeOf(this.shown.map((each) => each.value), from, to);
      this.drawAxes(context, 's', this.content.unit);
      this.clip(context, () => {
        this.drawEvents(context);
        this.content.series.forEach((series, k) => {
          if (!this.hidden.has(k)) this.drawSeries(context, series.value, k, from, to);
        });
      });
    } else {
      this.x = rangeOf([this.content.x.value], 0, count - 1);
      this.y = rangeOf([this.content.y.value], 0, count - 1);
      this.drawAxes(context, this.content.x.unit, this.content.y.unit);
      this.clip(context, () => {
        context.globalAlpha = 0.35;
        this.strokePortrait(context, 0, count - 1, 1);
        context.globalAlpha = 1;
      });
    }
  }

  clip(context, draw) {
    const { width, height } = this.frame();
    context.save();
    context.beginPath();
    context.rect(kMargin.left, kMargin.top - 2, width, height + 4);
    context.clip();
    draw();
    context.restore();
  }

  drawAxes(context, xUnit, yUnit) {
    const { width, height } = this.frame();
    const left = kMargin.left, bottom = kMargin.top + height;
    context.font = `11px ${this.theme('--font')}`;
    context.lineWidth = 1;
    const line = (x0, y0, x1, y1, color) => {
      context.strokeStyle = color;
      context.beginPath();
      context.moveTo(Math.round(x0) + 0.5, Math.round(y0) + 0.5);
      context.lineTo(Math.round(x1) + 0.5, Math.round(y1) + 0.5);
      context.stroke();
    };
    const xs = ticks(...this.x, Math.max(2, width / 80)), ys = ticks(...this.y, Math.max(2, height / 20));
    context.textBaseline = 'middle';
    context.textAlign = 'right';
    context.fillStyle = this.theme('--muted');
    for (const y of ys) {
      line(left, this.py(y), left + width, this.py(y), this.theme(y === 0 ? '--zero' : '--grid'));
      context.fillText(tickText(y, ys[1] - ys[0] || 1), left - 6, this.py(y));
    }
    context.fillText(yUnit, left - 6, 5);
    context.textAlign = 'center';
    context.textBaseline = 'top';
    for (const x of xs) {
      line(this.px(x), bottom, this.px(x), bottom + 4, this.theme('--zero'));
      if (this.px(x) < left + width - 22 - context.measureText(xUnit).width) context.fillText(tickText(x, xs[1] - xs[0] || 1), this.px(x), bottom + 6);
    }
    context.textAlign = 'right';
    context.fillText(xUnit, left + width, bottom + 6);
  }

  drawEvents(context) {
    const { height } = this.frame();
    context.strokeStyle = this.theme('--grid');
    context.lineWidth = 1;
    const seen = new Set();
    context.beginPath();
    for (const event of this.motion.events) {
      if (event.time < this.x[0] || event.time > this.x[1]) continue;
      const x = Math.round(this.px(event.time)) + 0.5;
      if (seen.has(x)) continue;
      seen.add(x);
      context.moveTo(x, kMargin.top);
      context.lineTo(x, kMargin.top + height);
    }
    // where they are dense they are no help
    if (seen.size < this.frame().width / 6) context.stroke();
  }

  // At most two points a column of pixels: least and largest.
  drawSeries(context, value, k, from, to) {
    const { time } = this.motion;
    context.strokeStyle = this.theme(`--line-${k % kColors}`);
    context.lineWidth = 1.5;
    context.lineJoin = 'round';
    context.setLineDash(k < kColors ? [] : [5, 3]);
    context.beginPath();
    if (value !== null && typeof value === 'number') {
      context.moveTo(kMargin.left, this.py(value));
      context.lineTo(kMargin.left + this.frame().width, this.py(value));
    } else if (value !== null) {
      const dense = to - from > 3 * this.frame().width;
      let pen = false, column = NaN, first = 0, least = 0, most = 0, last = 0;
      const flush = () => {
        if (Number.isNaN(column)) return;
        context.lineTo(column, this.py(first));
        context.lineTo(column, this.py(least));
        context.lineTo(column, this.py(most));
        context.lineTo(column, this.py(last));
      };
      for (let i = from; i <= to; ++i) {
        const y = value[i];
        if (!Number.isFinite(y)) {
          if (dense) flush();
          column = NaN;
          pen = false;
          continue;
        }
        const x = this.px(time[i]);
        if (!pen) {
          context.moveTo(x, this.py(y));
          pen = true;
        }
        if (!dense) {
          context.lineTo(x, this.py(y));
        } else if (Math.floor(x) === column) {
          least = Math.min(least, y);
          most = Math.max(most, y);
          last = y;
        } else {
          flush();
          column = Math.floor(x);
          first = least = most = last = y;
        }
      }
      if (dense) flush();
    }
    context.stroke();
    context.setLineDash([]);
  }

  strokePortrait(context, from, to, width) {
    context.strokeStyle = this.theme('--line-0');
    context.lineWidth = width;
    context.beginPath();
    let pen = false;
    for (let i = from; i <= to; ++i) {
      const x = at(this.content.x.value, i), y = at(this.content.y.value, i);
      if (!Number.isFinite(x) || !Number.isFinite(y)) {
        pen = false;
        continue;
      }
      if (pen) context.lineTo(this.px(x), this.py(y));
      else context.moveTo(this.px(x), this.py(y));
      pen = true;
    }
    context.stroke();
  }

  dotAt(context, x, y, color) {
    context.fillStyle = color;
    context.strokeStyle = this.theme('--panel');
    context.lineWidth = 1.5;
    context.beginPath();
    context.arc(x, y, 4, 0, 2 * Math.PI);
    context.fill();
    context.stroke();
  }

  drawCursor(context, t) {
    if (t < this.x[0] || t > this.x[1]) return;
    const x = this.px(t);
    context.strokeStyle = this.theme('--cursor');
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(x, kMargin.top);
    context.lineTo(x, kMargin.top + this.frame().height);
    context.stroke();
    this.content.series.forEach((series, k) => {
      if (this.hidden.has(k)) return;
      const y = valueAt(series.value, this.motion.time, t);
      if (Number.isFinite(y)) this.dotAt(context, x, this.py(y), this.theme(`--line-${k % kColors}`));
    });
  }

  drawTrail(context, t) {
    const { time } = this.motion;
    const to = placeAt(time, t).i;
    this.clip(context, () => this.strokePortrait(context, placeAt(time, t - 1).i, to, 2));
    const x = valueAt(this.content.x.value, time, t), y = valueAt(this.content.y.value, time, t);
    if (Number.isFinite(x) && Number.isFinite(y)) this.dotAt(context, this.px(x), this.py(y), this.theme('--cursor'));
  }
}
