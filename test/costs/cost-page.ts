import type { StageSettings } from '../../infra/stages.ts';
import { costOf, prices, pricesAsOf } from './prices.ts';
import { readTable } from './table.ts';

/** What there is of everything that costs whether or not it is used. */
export interface Deployed {
  stage: StageSettings;
  alarms: number;
  /** That they look at: one may reckon from several. */
  alarmMetrics: number;
  keys: number;
  queues: number;
  schedules: number;
  customMetrics: number;
}

/**
 * What the page takes for granted, because no emulator can measure it. The dashboard shows what it is in truth.
 * A function of 1,024 MB waits for the table and does little else.
 */
const assumed = {
  /** Milliseconds of a function beside its requests to AWS, and for each that waits for another. */
  ownMilliseconds: 5,
  requestMilliseconds: 5,
  /** Kilobytes of our line and of the access log's, and what is traced of requests. */
  logKilobytes: 0.8,
  tracedShare: 0.05,
  /** Queues that an event goes to at most, requests that a message in one takes: sent, received, deleted. */
  queuesOfEvent: 3,
  requestsOfMessage: 3,
  /** AWS Lambda polls a queue by five requests of 20 s each at once. */
  pollsOfQueueInMinute: 15,
  /** Units of a schedule's run that finds nothing: the shards of what is due. */
  unitsOfRun: 8,
};
const [million, minutesOfMonth, secondsOfMonth] = [1e6, 43_200, 2_592_000];

type Line = ReturnType<typeof readTable> extends Map<string, infer Numbers> ? Numbers : never;

/** The page of costs as Markdown, from the table of `npm run costs` and what a stage deploys. */
export function costPage(measured: string, deployed: Deployed): string {
  const lines = [...readTable(measured)];
  const calls = lines.filter(([name]) => / /.test(name));
  const events = lines.filter(([name]) => !/ /.test(name));
  return `# What it costs

Written by \`npm run costs:page\` from [\`test/costs.md\`](../test/costs.md) and the prices at the end; a test holds it to both.
Dollars in us-east-1, without free tiers. Units of the table are counted; that a function takes ${assumed.ownMilliseconds} ms and ${assumed.requestMilliseconds} ms
more for each request in sequence, with 1,024 MB, is assumed, and so is that a call leaves ${assumed.logKilobytes} KB of logs and one of twenty is
traced. A password costs a processor a tenth of a second more, $${money(functionCost(170) - functionCost(0))} a million. What is sent to the internet is not in it.

## While nobody calls

${table(['for a month', 'dollars'], idle(deployed))}

Data comes on top: a GB in the table $${prices.tableGigabyte.dollars} a month, its point-in-time recovery $${prices.backupGigabyte.dollars}, a GB of files $${prices.fileGigabyte.dollars}.

## What changes it most

${settings(deployed.stage)}

## A million of each call

${table(
  ['call', 'table', 'function', 'gateway', 'logs, traces', 'dollars'],
  calls.map(([name, line]) => [`\`${name}\``, ...callCosts(line)]),
)}

## A million of each event

What follows from an event after its call was answered: the relay, at most ${assumed.queuesOfEvent} queues, and their consumers. \`alone\` is for events
that come one by one; those that come in tens share invocations and requests to queues.

${table(
  ['event', 'table', 'alone', 'in tens'],
  events.map(([name, line]) => [`\`${name}\``, ...eventCosts(line)]),
)}

## Prices

As of ${pricesAsOf}.

${table(
  ['dollars', 'for', 'source'],
  Object.values(prices).map(({ dollars, unit, source }) => [String(dollars), unit, source]),
)}
`;
}

const unitCost = ({ read, write }: Pick<Line, 'read' | 'write'>): number =>
  costOf('readUnit', read * million) + costOf('writeUnit', write * million);

/** A million runs of a function. */
const functionCost = (milliseconds: number): number =>
  costOf('lambdaRequest', million) + costOf('lambdaGigabyteSecond', (milliseconds / 1000) * million);

const tracesCost = (runs: number): number => costOf('trace', runs * assumed.tracedShare);

function callCosts(line: Line): string[] {
  const parts = [
    unitCost(line),
    functionCost(assumed.ownMilliseconds + assumed.requestMilliseconds * line.sequence),
    costOf('gatewayRequest', million),
    costOf('logGigabyte', assumed.logKilobytes) + tracesCost(million),
  ];
  return [...parts, sumOf(parts)].map(money);
}

function eventCosts(line: Line): string[] {
  const units = unitCost(line);
  const functions = 1 + assumed.queuesOfEvent;
  const alone =
    functions *
      (functionCost(assumed.ownMilliseconds + assumed.requestMilliseconds * 2) + tracesCost(million)) +
    costOf('queueRequest', assumed.queuesOfEvent * assumed.requestsOfMessage * million);
  return [units, units + alone, units + alone / 10].map(money);
}

function idle({ alarms, alarmMetrics, keys, queues, schedules, customMetrics }: Deployed): string[][] {
  const runs = schedules * minutesOfMonth;
  const costs: [string, number][] = [
    [`${alarms} alarms on ${alarmMetrics} metrics`, costOf('alarm', alarmMetrics)],
    ['the dashboard', costOf('dashboard', 1)],
    [`${customMetrics} metrics of our own`, costOf('customMetric', customMetrics)],
    [`${keys} KMS keys and the signing secret`, costOf('key', keys) + costOf('secret', 1)],
    [
      `Lambda's polls of ${queues} queues`,
      costOf('queueRequest', queues * assumed.pollsOfQueueInMinute * minutesOfMonth),
    ],
    [
      `${schedules} schedules, each minute`,
      costOf('scheduledCall', runs) +
        (functionCost(50) * runs) / million +
        costOf('readUnit', assumed.unitsOfRun * runs),
    ],
    [
      'health checks, each minute through every queue',
      (minutesOfMonth / million) *
        (unitCost({ read: 0, write: 4 }) +
          (1 + queues) * functionCost(15) +
          costOf('queueRequest', queues * assumed.requestsOfMessage * million)),
    ],
  ];
  return [...costs, ['all of it', sumOf(costs.map(([, dollars]) => dollars))] as const].map(
    ([name, dollars]) => [name, money(dollars)],
  );
}

function settings({ throttle, maxReadRequestUnits = 0, maxWriteRequestUnits = 0 }: StageSettings): string {
  const ofMonth = (perSecond: number) => perSecond * secondsOfMonth;
  const perCall =
    costOf('gatewayRequest', 1) +
    costOf('lambdaRequest', 1) +
    costOf('logGigabyte', assumed.logKilobytes / million);
  return `Of [\`stages.ts\`](../infra/stages.ts), as \`prod\` has them:

1. \`maxWriteRequestUnits\`, ${whole(maxWriteRequestUnits)}: writes cost $${whole(costOf('writeUnit', ofMonth(maxWriteRequestUnits)))} a month at most, and as much again for each index at its own bound.
2. \`maxReadRequestUnits\`, ${whole(maxReadRequestUnits)}: reads cost $${whole(costOf('readUnit', ofMonth(maxReadRequestUnits)))} a month at most, likewise.
3. \`throttle\`, ${whole(throttle.rateLimit)} requests a second of each route: one route at its bound costs $${whole(ofMonth(throttle.rateLimit) * perCall)} a month for gateway, invocations
   and logs, beside the table's units; \`requestsPerMinute\` bounds what one caller has of it.
`.trimEnd();
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);
const money = (dollars: number): string => dollars.toFixed(2);
const whole = (number: number): string => Math.round(number).toLocaleString('en-US');

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const isNumber = (column: number) => rows.every((row) => /^[\d.,]+$/.test(row[column] ?? ''));
  return [head, head.map((_, column) => (isNumber(column) ? '--:' : '---')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}
