// The series as comma-separated values, to the digits that the page has.

export function digits(series) {
  let least = Infinity, most = -Infinity;
  const values = typeof series.value === 'number' || series.value === null ? [series.value ?? 0] : series.value;
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  const step = Math.max((most - least) / 32768, Math.abs(most) * 1e-9, 1e-12);
  return Math.min(12, Math.max(0, Math.ceil(-Math.log10(step)) + 1));
}

function field(text) {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function table(motion) {
  const { series, time, count } = motion;
  const names = series.map((each) => field(`${each.group}: ${each.name}${each.unit ? ` [${each.unit}]` : ''}`));
  const places = series.map(digits);
  const lines = [['time [s]', ...names].join(',')];
  for (let i = 0; i < count; ++i) {
    const row = series.map((each, k) => {
      const value = each.value === null || typeof each.value === 'number' ? each.value : each.value[i];
      return value === null || !Number.isFinite(value) ? '' : value.toFixed(places[k]);
    });
    lines.push([time[i].toFixed(7), ...row].join(','));
  }
  return lines.join('\n') + '\n';
}
