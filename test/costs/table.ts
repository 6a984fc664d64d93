import type { Cost, Costs } from './every-endpoint.ts';

/** The number columns with their headings. */
const columns = {
  requests: 'requests',
  sequence: 'in sequence',
  read: 'read units',
  write: 'write units',
} as const;

type Column = keyof typeof columns;
const numbers = Object.keys(columns) as Column[];

/** One line of a written table. */
export type Line = Record<Column, number> & Pick<Cost, 'elsewhere' | 'milliseconds'>;

/**
 * Returns two Markdown tables: the costs of calls by route, and the costs of events by kind. `timed` describes how the
 * CPU time was measured.
 */
export const writeTable = (
  { calls, events }: Pick<Costs, 'calls' | 'events'>,
  timed: string,
): string => `# What a call costs

Written by \`npm run costs\`. A test fails if a call costs more than its line allows. Costs are those of a successful request
by session token, on an instance that served this session a moment ago: requests to AWS, the length of the longest chain of
requests that wait for each other, DynamoDB capacity units by its published rules, and requests to other services. The
caller's counter adds one write unit at the first and every tenth call of a minute. This write starts after authentication,
in parallel to later requests, so only a call with one request in sequence waits for it.

The column \`ms\` is written by \`npm run bench -- --write-costs\`, and no test compares it. It is the CPU time of the functions without
waits for AWS, with passwords and signatures at their full cost. For an event it includes the relay, consumers and workers. It
is the median, rounded to half a millisecond. \`npm run costs\` keeps it, and measures a new line once.
Timed ${timed}.

${tableOf('call', calls)}

The cost of an event after the response to its call: the relay, then the consumers of the queues in
[\`routing.ts\`](../events/routing.ts), then the workers of the work queues that these start, for example for mail.

${tableOf('event', events)}
`;

function tableOf(head: string, costs: readonly Cost[]): string {
  const withEvents = costs.some(({ events }) => events.length > 0);
  const rows = [
    [head, ...Object.values(columns), 'ms', 'elsewhere', ...(withEvents ? ['causes'] : [])],
    ['---', ...numbers.map(() => '--:'), '--:', '---', ...(withEvents ? ['---'] : [])],
    ...[...costs]
      .sort(byName)
      .map((cost) => [
        `\`${cost.of}\``,
        ...numbers.map((column) => String(cost[column])),
        String(Math.max(0.5, Math.round(2 * cost.milliseconds) / 2)),
        writeElsewhere(cost.elsewhere),
        ...(withEvents ? [cost.events.join(', ')] : []),
      ]),
  ];
  return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Returns the text in a written table that describes how the CPU time was measured. */
export const timedBy = (markdown: string): string => /^Timed (.+)\.$/m.exec(markdown)?.[1] ?? 'once';

/** Sorts by path and then by method. */
const byName = ({ of: one }: Pick<Cost, 'of'>, { of: other }: Pick<Cost, 'of'>): number =>
  sortKey(one) < sortKey(other) ? -1 : 1;
const sortKey = (name: string): string => name.replace(/^(\S+) (\S+)/, '$2 $1');

const writeElsewhere = (elsewhere: Cost['elsewhere']): string =>
  Object.entries(elsewhere)
    .sort()
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');

/** Reads the lines of a written table, by route or event kind. */
export function readTable(markdown: string): Map<string, Line> {
  const lines = markdown.matchAll(
    /^\| `(.+?)` \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| ([^|]*) \|/gm,
  );
  return new Map(
    [...lines].map(([, name = '', requests, sequence, read, write, milliseconds, elsewhere = '']) => [
      name,
      {
        requests: Number(requests),
        sequence: Number(sequence),
        read: Number(read),
        write: Number(write),
        milliseconds: Number(milliseconds),
        elsewhere: Object.fromEntries(
          [...elsewhere.matchAll(/(\d+) ([^,]+)/g)].map(([, count, request = '']) => [
            request,
            Number(count),
          ]),
        ),
      },
    ]),
  );
}

/** Returns a message for each cost that is higher than in the table, is missing in the table, or no longer exists. */
export function comparedWith(markdown: string, { calls, events }: Pick<Costs, 'calls' | 'events'>): string[] {
  const written = readTable(markdown);
  const now = [...calls, ...events];
  const dearer = now.flatMap((cost) => {
    const line = written.get(cost.of);
    if (!line) return [`${cost.of} has no line in test/costs.md: run npm run costs.`];
    const more = [
      ...numbers.map((column) => [columns[column], cost[column], line[column]] as const),
      ...Object.entries(cost.elsewhere).map(
        ([request, count]) => [request, count, line.elsewhere[request] ?? 0] as const,
      ),
    ];
    return more
      .filter(([, count, promised]) => count > promised)
      .map(
        ([what, count, promised]) =>
          `${cost.of} costs more than its line in test/costs.md allows: ${what} ${count} instead of ${promised}; ` +
          'run npm run costs if this is intended.',
      );
  });
  const gone = [...written.keys()].filter((name) => !now.some(({ of }) => of === name));
  return [
    ...dearer,
    ...gone.map((name) => `${name} no longer exists, but has a line in test/costs.md. Run npm run costs.`),
  ];
}
