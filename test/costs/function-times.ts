import { byName } from './table.ts';

/** Milliseconds of a processor that a call or an event took, each time that it was done. */
export type Times = ReadonlyMap<string, readonly number[]>;

/** The medians as Markdown. Half milliseconds are enough for money, and leave a line as it was that only wavered. */
export const writeTimes = (times: Times, where: string): string => `# What functions take themselves

Written by \`npm run bench:functions\`, ${where}. For each line of [\`costs.md\`](costs.md), done as
\`npm run costs\` does it: milliseconds of a processor, the system's too, that the process had while a function was at work and
waited for no request to AWS. Of an event relay, consumers and workers together, and of several in one round the longest;
passwords and signatures at their full cost. The median, to half a millisecond. Work beside it on the machine is not counted,
but may have slowed it. No test holds anything to these numbers; [\`cost.md\`](../infra/cost.md) is reckoned from them.

| call, event | milliseconds |
| --- | --: |
${[...times]
  .map(([of, each]) => ({ of, milliseconds: Math.max(0.5, Math.round(2 * median(each)) / 2) }))
  .sort(byName)
  .map(({ of, milliseconds }) => `| \`${of}\` | ${milliseconds} |`)
  .join('\n')}
`;

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** The milliseconds that are written there, by what they are about. */
export const readTimes = (markdown: string): Map<string, number> =>
  new Map([...markdown.matchAll(/^\| `(.+?)` \| ([\d.]+) \|$/gm)].map(([, of = '', ms]) => [of, Number(ms)]));
