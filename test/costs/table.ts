import type { Cost, Costs } from './every-endpoint.ts';

/** The columns of numbers, as they are headed. */
const columns = {
  requests: 'requests',
  sequence: 'in sequence',
  read: 'read units',
  write: 'write units',
} as const;

type Column = keyof typeof columns;
const numbers = Object.keys(columns) as Column[];

/** What a written table says of one thing. */
export type Line = Record<Column, number> & Pick<Cost, 'elsewhere' | 'milliseconds'>;

/** The costs as Markdown: a table of calls by route, and one of events by kind. `timed`: how the milliseconds were measured. */
export const writeTable = (
  { calls, events }: Pick<Costs, 'calls' | 'events'>,
  timed: string,
): string => `# What a call costs

Written by \`npm run costs\`; a test fails when a call costs more than its line says. Counted on the wire for a request
that succeeds, by session token, on an instance that has served this session a moment ago: requests to AWS, how many of
them had to wait for one another, DynamoDB's capacity units by its published rules, and which requests went to other
services. A caller's counter adds one write unit on the first and every tenth call of a minute, beside the rest.

The column \`ms\` is written by \`npm run bench:functions\`, and no test compares it: milliseconds of a processor while a function
was at work and waited for no request to AWS, with passwords and signatures at their full cost. For an event it includes the
relay, consumers and workers. It is the median, to half a millisecond. \`npm run costs\` keeps it, and measures a new line once.
Timed ${timed}.

${tableOf('call', calls)}

What functions do with an event after the call was answered: the relay, then the consumers of the queues that
[\`routing.ts\`](../events/routing.ts) names, then the workers of the workQueues that these wake, such as that of mail.

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

/** How the milliseconds of a written table were measured. */
export const timedBy = (markdown: string): string => /^Timed (.+)\.$/m.exec(markdown)?.[1] ?? 'once';

/** By path and then by method: what belongs together stands together. */
const byName = ({ of: one }: Pick<Cost, 'of'>, { of: other }: Pick<Cost, 'of'>): number =>
  sortKey(one) < sortKey(other) ? -1 : 1;
const sortKey = (name: string): string => name.replace(/^(\S+) (\S+)/, '$2 $1');

const writeElsewhere = (elsewhere: Cost['elsewhere']): string =>
  Object.entries(elsewhere)
    .sort()
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');

/** The lines of a written table, by what they are about. */
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

/** A sentence for each thing that costs more than its line says, has none, or is no more. */
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
          `${cost.of} costs more than its line in test/costs.md says: ${what} ${count} instead of ${promised}; ` +
          'run npm run costs if this is meant.',
      );
  });
  const gone = [...written.keys()].filter((name) => !now.some(({ of }) => of === name));
  return [
    ...dearer,
    ...gone.map((name) => `${name} is no more, but has a line in test/costs.md: run npm run costs.`),
  ];
}
