import type { StageSettings } from '../../infra/stages.ts';
import { costOf, costOfRequests, type Price, prices, pricesAsOf } from './prices.ts';
import { type Line, readTable } from './table.ts';

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
  /** Milliseconds of a function beside its requests to AWS, and for each that it waits for. */
  ownMilliseconds: 5,
  requestMilliseconds: 5,
  /** Kilobytes of our line and of the access log's, and what is traced of requests. */
  logKilobytes: 0.8,
  tracedShare: 0.05,
  /** Requests that a message in a queue takes: sent, received, deleted. */
  requestsOfMessage: 3,
  /** AWS Lambda polls a queue by five requests of 20 s each at once. */
  pollsOfQueueInMinute: 15,
  /** Units of a schedule's run that finds nothing: the shards of what is due. */
  unitsOfRun: 8,
};
const [million, minutesOfMonth, secondsOfMonth] = [1e6, 43_200, 2_592_000];

/** The page of costs as Markdown, from the table of `npm run costs` and what a stage deploys. */
export function costPage(measured: string, deployed: Deployed): string {
  const lines = [...readTable(measured)];
  const calls = lines.filter(([name]) => / /.test(name));
  const events = lines.filter(([name]) => !/ /.test(name));
  return `# What it costs

Written by \`npm run costs:page\` from [\`test/costs.md\`](../test/costs.md) and the prices at the end; a test holds it to both.
Dollars in us-east-1, without free tiers. Units of the table and requests to other services are counted on the wire.
What is sent to the internet is not in it, nor is what carriers take.

Milliseconds of functions are assumed and not measured: on another machine, against a local engine, they would say little of
AWS. A run takes ${assumed.ownMilliseconds} ms and ${assumed.requestMilliseconds} ms more for each request that it waits for, with 1,024 MB. Ten milliseconds more are
$${money(functionCost(10) - functionCost(0))} a million; what is true of a stage is \`milliseconds\` in each line of its access log, and Lambda's \`Duration\`. A password
costs a processor a tenth of a second more, $${money(functionCost(170) - functionCost(0))} a million. That a call leaves ${assumed.logKilobytes} KB of logs and one of twenty is traced
is assumed too.

## While nobody calls

${table(['for a month', 'dollars'], idle(deployed))}

Data comes on top: a GB in the table $${prices.tableGigabyte.dollars} a month, its point-in-time recovery $${prices.backupGigabyte.dollars}, a GB of files $${prices.fileGigabyte.dollars}.

## What changes it most

${settings(deployed.stage)}

## A million of each call

${table(
  ['call', 'table', 'function', 'gateway', 'logs, traces', 'elsewhere', 'dollars'],
  calls.map(([name, line]) => [`\`${name}\``, ...callCosts(line)]),
)}

\`elsewhere\` is S3, by the requests of functions: that a caller sends a file by its link costs $${prices.fileWrite.dollars} a million more, and
that one fetches it $${money(prices.fileRead.dollars)}. KMS is in no line, since an instance asks it once in five minutes for each account and data key:
$${prices.keyRequest.dollars} for a million such requests. It signs once for each turn of an account in which something happened, $${prices.signature.dollars} a million. The
table and the bucket ask it on their own, once in some minutes for each function that uses them: $${prices.keyRequest.dollars} a million as well.

## A million of each event

What follows from an event after its call was answered: the relay, the consumers of its queues, and the workers of the
backlogs that these wake. \`alone\` is for events that come one by one; those that come in tens share invocations and
requests to queues. Functions behind queues leave no line in the logs unless something fails, so logs cost nothing here.

\`mail\` is what SES takes for those that go out at once, to one reader: more readers cost as much again, each. Digests and what
is put off come later, at $${prices.mail.dollars} a million mails. A new AWS account pays that by SES's plan Essentials; one that sent by SES
before has no plan unless it chose one, and pays $${prices.mailWithoutPlan.dollars}. Text messages go through SNS and are in no line: their price is the country's
and the carrier's, and each part of 160 characters is one. AWS lists them at https://aws.amazon.com/sns/sms-pricing/; to the United
States, by what others copied from there, it is more than half a cent: $5,000 a million and more.

${table(
  ['event', 'table', 'mail', 'alone', 'in tens'],
  events.map(([name, line]) => [`\`${name}\``, ...eventCosts(line)]),
)}

## Prices

As of ${pricesAsOf}. Where a copy is named, it was read in place of AWS's page.

${table(
  ['dollars', 'for', 'source'],
  Object.values<Price>(prices).map(({ dollars, unit, source, copy }) => [
    String(dollars),
    unit,
    copy ? `${source}, by ${copy}` : source,
  ]),
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
    elsewhereCost(line),
  ];
  return [...parts, sumOf(parts)].map(money);
}

/** A message in a queue is a run of its consumer. The relay's run comes on top. */
function eventCosts(line: Line): string[] {
  const messages = sumOf(
    Object.entries(line.elsewhere).map(([name, count]) => (name.startsWith('sqs ') ? count : 0)),
  );
  const runs = 1 + messages;
  const milliseconds = assumed.ownMilliseconds * runs + assumed.requestMilliseconds * line.requests;
  const units = unitCost(line);
  const mail = elsewhereCost(line);
  const alone =
    costOf('lambdaRequest', runs * million) +
    costOf('lambdaGigabyteSecond', (milliseconds / 1000) * million) +
    tracesCost(runs * million) +
    costOf('queueRequest', messages * assumed.requestsOfMessage * million);
  return [units, mail, units + mail + alone, units + mail + alone / 10].map(money);
}

/** Requests to services that are neither the table nor a queue. */
const elsewhereCost = ({ elsewhere }: Pick<Line, 'elsewhere'>): number =>
  sumOf(
    Object.entries(elsewhere)
      .filter(([name]) => !name.startsWith('sqs '))
      .map(([name, count]) => costOfRequests(name, count * million)),
  );

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
