import type { Cost, Costs } from './every-endpoint.ts';

/** Returns two Markdown tables: the costs of calls by route, and the costs of events by kind. */
export const tableOfCosts = ({
  calls,
  events,
}: Pick<Costs, 'calls' | 'events'>): string => `# What a call costs

\`npx vitest run test/costs/costs.test.ts -u\` writes this file. Without \`-u\`, the test fails if a cost differs from its
line. Costs are those of a successful request by session token, on an instance that served this session a moment ago:
requests to AWS, the length of the longest chain of requests that wait for each other, DynamoDB capacity units by its
published rules, and requests to other services. The caller's counter adds one write unit at the first and every tenth call
of a minute. This write starts after authentication, in parallel to later requests, so only a call with one request in
sequence waits for it.

A read needs one request in sequence, and a change needs two, because it commits after it has read. Bold numbers are higher,
usually for one of these reasons: a request needs an id or another result of an earlier request; an event is committed before
a sensitive value or a link is shown; a file is copied before its document is changed; a ticket number is assigned last.

${tableOf('call', calls, { causes: ({ events }) => events.join(', ') })}

The cost of an event after the response to its call: the relay, then the consumers of the queues in
[\`routing.ts\`](../events/routing.ts), then the workers of the work queues that these start, for example for mail.

${tableOf('event', events)}
`;

type Columns = Record<string, (cost: Cost) => string | number>;

function tableOf(head: string, costs: readonly Cost[], more: Columns = {}): string {
  const columns: Columns = {
    [head]: ({ of }) => `\`${of}\``,
    requests: ({ requests }) => requests,
    'in sequence': ({ of, sequence }) => (isLong(of, sequence) ? `**${sequence}**` : sequence),
    'read units': ({ read }) => read,
    'write units': ({ write }) => write,
    elsewhere: ({ elsewhere }) => listOf(elsewhere),
    ...more,
  };
  const rows = [...costs].sort(byName).map((cost) => Object.values(columns).map((cellOf) => cellOf(cost)));
  const isNumber = (column: number) => rows.every((row) => /^[\d.*]+$/.test(String(row[column])));
  const names = Object.keys(columns);
  return [names, names.map((_, column) => (isNumber(column) ? '--:' : '---')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

const isLong = (of: string, sequence: number): boolean =>
  / \//.test(of) && sequence > (of.startsWith('GET ') ? 1 : 2);

const listOf = (elsewhere: Cost['elsewhere']): string =>
  Object.entries(elsewhere)
    .sort()
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');

/** Sorts by path and then by method. */
const byName = ({ of: one }: Cost, { of: other }: Cost): number => (sortKey(one) < sortKey(other) ? -1 : 1);
const sortKey = (name: string): string => name.replace(/^(\S+) (\S+)/, '$2 $1');
