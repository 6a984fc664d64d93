import { functionMegabytes } from '../../infra/constructs/bundled-lambda.ts';
import type { StageSettings } from '../../infra/stages.ts';
import { coreMegabytes, costOf, costOfRequests, type Price, prices, pricesAsOf } from './prices.ts';
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

/** What the page takes for granted, because no emulator can measure it. The dashboard shows what it is in truth. */
const assumed = {
  /** Milliseconds that a function waits for a request to AWS. */
  requestMilliseconds: 5,
  /** Milliseconds of a run that only says how late a health check came. */
  checkMilliseconds: 15,
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

/** How much longer a function works than a whole core would, since it has as much of one as its memory is worth. */
const slowdown = coreMegabytes.number / functionMegabytes;

/** The page of costs as Markdown, from the table of `npm run costs` and what a stage deploys. */
export function costPage(measured: string, deployed: Deployed): string {
  const lines = [...readTable(measured)];
  const calls = lines.filter(([name]) => / \/| \$/.test(name));
  const sweeps = lines.filter(([name]) => name.startsWith('SCHEDULE '));
  const events = lines.filter(([name]) => !/ /.test(name));
  return `# What it costs

Written by \`npm run costs:page\` from [\`test/costs.md\`](../test/costs.md) and the prices at the end; a test holds it to both.
Dollars in us-east-1, without free tiers. What is sent to the internet is not in it, nor is what carriers take.

**Measured** are the units of the table and the requests to other services, on the wire; and how many milliseconds of a
processor functions take beside waiting for AWS, which \`test/costs.md\` has with where and how often. A function of
${functionMegabytes.toLocaleString('en-US')} MB needs ${slowdown.toFixed(2)} times as long for them: [AWS](${coreMegabytes.source})
gives a whole core for ${coreMegabytes.number.toLocaleString('en-US')} MB.

**Assumed** is that a core of Lambda is as fast as one of the machine that measured, and an instance as warm as that process was:
on a core half as fast these milliseconds are twice as many. Assumed are ${assumed.requestMilliseconds} ms for each request that a function waits for, one
after another; of an event for every request, as if none went side by side. So are ${assumed.logKilobytes} KB of logs for a call, that one of twenty
is traced, and no cold start. Ten milliseconds more are $${money(functionCost(10) - functionCost(0))} a million; what is true of a stage is \`milliseconds\` in
each line of its access log, and Lambda's \`Duration\`.

## While nobody calls

${table(['for a month', 'dollars'], idle(deployed, Math.max(...sweeps.map(([, line]) => runCost(line)))))}

A run of a schedule takes as long as a sweep of tickets that finds nothing due; a health check ${assumed.checkMilliseconds} ms in each function, which is assumed.

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

As of ${pricesAsOf}, as is how much memory comes with a core. Where a copy is named, it was read in place of AWS's page.

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

/** What Lambda counts of a run: its own work, and its waits one after another. */
const billed = (milliseconds: number, waits: number): number =>
  milliseconds * slowdown + assumed.requestMilliseconds * waits;

/** A million runs that each make a line's requests. */
const runCost = ({ milliseconds, sequence }: Line): number => functionCost(billed(milliseconds, sequence));

function callCosts(line: Line): string[] {
  const parts = [
    unitCost(line),
    runCost(line),
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
  const milliseconds = billed(line.milliseconds, line.requests);
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

/** `sweepCost` is that of a million runs of a schedule's function. */
function idle(
  { alarms, alarmMetrics, keys, queues, schedules, customMetrics }: Deployed,
  sweepCost: number,
): string[][] {
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
        (sweepCost * runs) / million +
        costOf('readUnit', assumed.unitsOfRun * runs),
    ],
    [
      'health checks, each minute through every queue',
      (minutesOfMonth / million) *
        (unitCost({ read: 0, write: 4 }) +
          (1 + queues) * functionCost(assumed.checkMilliseconds) +
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
