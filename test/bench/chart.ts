import type { Row } from './rows.ts';

const [width, line, labelWidth] = [1100, 26, 640];
const escaped = (text: string): string =>
  text.replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[character] ?? '');

/** Draws the ratios as horizontal bars in an SVG image. The vertical line is the ratio 1. */
export function chartOf(rows: readonly Row[], machine: string): string {
  const bars = rows.flatMap((row) => (row.ratio === undefined ? [] : [{ ...row, ratio: row.ratio }]));
  const most = Math.max(1, ...bars.map(({ ratio }) => ratio));
  const scale = (width - labelWidth - 80) / most;
  const height = (bars.length + 2) * line;
  const one = labelWidth + scale;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="13">`,
    `<rect width="100%" height="100%" fill="#fff"/>`,
    `<text x="8" y="${line - 8}" font-weight="bold">Ratios, ${escaped(machine)}</text>`,
    ...bars.map(({ part, measure, ratio }, n) => {
      const y = (n + 1) * line;
      return [
        `<text x="${labelWidth - 8}" y="${y + 17}" text-anchor="end">${escaped(`${part}: ${measure}`)}</text>`,
        `<rect x="${labelWidth}" y="${y + 4}" width="${(ratio * scale).toFixed(1)}" height="${line - 8}" fill="#4878a8"/>`,
        `<text x="${(labelWidth + ratio * scale + 6).toFixed(1)}" y="${y + 17}">${ratio.toFixed(2)}</text>`,
      ].join('');
    }),
    `<line x1="${one}" x2="${one}" y1="${line}" y2="${height - line}" stroke="#c33" stroke-dasharray="4 3"/>`,
    '</svg>',
    '',
  ].join('\n');
}
