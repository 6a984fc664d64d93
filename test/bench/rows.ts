/** One measurement in the table of `bench.md`. */
export interface Row {
  /** The part of the bench, such as `cold start`. */
  part: string;
  measure: string;
  /** The value with its unit. */
  result: string;
  /** The result with many records, divided by the result with few, or as the part defines it. */
  ratio?: number;
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const [low = 0, high = 0] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return (low + high) / 2;
}

/** Formats milliseconds with three significant digits. */
export const milliseconds = (value: number): string => `${value.toPrecision(3)} ms`;

/** The rows as a Markdown table. */
export const markdownOf = (rows: readonly Row[], machine: string): string =>
  [
    `Measured by \`npm run bench\` with ${machine}.`,
    '',
    '| part | measure | result | ratio |',
    '| --- | --- | --- | --: |',
    ...rows.map(
      ({ part, measure, result, ratio }) =>
        `| ${part} | ${measure} | ${result} | ${ratio === undefined ? '' : ratio.toFixed(2)} |`,
    ),
    '',
  ].join('\n');
