import { functionMegabytes } from '../../infra/constructs/bundled-lambda.ts';
import type { StageSettings } from '../../infra/stages.ts';
import { coreMegabytes, costOf, costOfRequests, type Price, prices, pricesAsOf } from './prices.ts';
import { type Line, readTable } from './table.ts';

/** The resources of a stage that cost money even if they are not used. */
export interface Deployed {
  stage: StageSettings;
  alarms: number;
  /** The metrics that the alarms read. An alarm on an expression reads several metrics. */
  alarmMetrics: number;
  keys: number;
  queues: number;
  schedules: number;
  customMetrics: number;
}

/** Assumptions that no emulator can measure. The dashboard of a stage shows the real values. */
const assumed = {
  /** Milliseconds that a function waits for a request to AWS. */
  requestMilliseconds: 5,
  /** The duration, in milliseconds, of a run in which a consumer only reports the lag of a health check. */
  checkMilliseconds: 15,
  /** Kilobytes that the function and the access log write for each call. */
  logKilobytes: 0.8,
  /** The share of calls that are traced. */
  tracedShare: 0.05,
  /** Requests to SQS per message: send, receive and delete. */
  requestsOfMessage: 3,
  /** Lambda polls each queue with five concurrent requests of 20 s each. */
  pollsOfQueueInMinute: 15,
  /** Read units of a scheduled run that finds no items: one for each shard of the index `due`. */
  unitsOfRun: 8,
};
const [million, minutesOfMonth, secondsOfMonth] = [1e6, 43_200, 2_592_000];

/** How many times longer a function runs than on a whole core. The CPU share is proportional to memory. */
const slowdown = coreMegabytes.number / functionMegabytes;

/** The cost page as Markdown, from the table of `npm run costs` and the resources of a stage. */
export function costPage(measured: string, deployed: Deployed): string {
  const lines = [...readTable(measured)];
  const calls = lines.filter(([name]) => / \/| \$/.test(name));
  const sweeps = lines.filter(([name]) => name.startsWith('SCHEDULE '));
  const events = lines.filter(([name]) => !/ /.test(name));
  return `# What it costs

Written by \`npm run costs:page\` from [\`test/costs.md\`](../test/costs.md) and the prices at the end.
US dollars in us-east-1, without free tiers. Data transfer to the internet and carriers' fees are not included.

**Measured**: the capacity units, the requests to other services, and the CPU time of each function without its
waits for AWS. A function of ${functionMegabytes.toLocaleString('en-US')} MB needs ${slowdown.toFixed(2)} times that CPU time: [AWS](${coreMegabytes.source})
gives a whole core at ${coreMegabytes.number.toLocaleString('en-US')} MB.

**Assumed**:

- A Lambda core is as fast as a core of the measuring machine, and the instance is as warm. At half the speed, the CPU time doubles.
- A function waits ${assumed.requestMilliseconds} ms for each request to AWS. For a call, only requests in sequence add to the time. For an event, all requests do.
- A call logs ${assumed.logKilobytes} KB, one call in twenty is traced, and there is no cold start.

Each additional 10 ms cost $${money(functionCost(10) - functionCost(0))} per million runs. The access log's \`milliseconds\` and Lambda's \`Duration\` show the real times of a stage.

## A month without calls

${table(['for a month', 'dollars'], idle(deployed, Math.max(...sweeps.map(([, line]) => runCost(line)))))}

A scheduled run is priced as a ticket sweep that finds no due tickets. A health check is priced as ${assumed.checkMilliseconds} ms (assumed) in each function.

Data costs extra: $${prices.tableGigabyte.dollars} a month for a GB in the table, $${prices.backupGigabyte.dollars} for its point-in-time recovery, $${prices.fileGigabyte.dollars} for a GB of files.

## Settings that limit the cost

${settings(deployed.stage)}

## A million of each call

${table(
  ['call', 'table', 'function', 'gateway', 'logs, traces', 'elsewhere', 'dollars'],
  calls.map(([name, line]) => [`\`${name}\``, ...callCosts(line)]),
)}

- \`elsewhere\` is the cost of the functions' requests to S3. Uploads by link add $${prices.fileWrite.dollars} per million, and downloads $${money(prices.fileRead.dollars)}.
- KMS is not included. An instance calls KMS once in five minutes for each account and data key: $${prices.keyRequest.dollars} per million calls.
  DynamoDB and S3 also call KMS, every few minutes for each function: $${prices.keyRequest.dollars} per million calls.
- KMS signs one seal for each ten minutes in which an account has events: $${prices.signature.dollars} per million seals.

## A million of each event

The cost of processing an event after the response to its call: the relay, the consumers, and the workers of the work
queues. In the column \`alone\`, events arrive one at a time. In the column \`in tens\`, ten events share invocations and
requests to queues. These functions log only failures, so logs cost nothing here.

- \`mail\` is the cost of SES for mails sent immediately to one recipient. Each additional recipient costs the same amount again.
- Digests and deferred mails are not included: $${prices.mail.dollars} a million mails. That is SES's plan Essentials, the default of new AWS
  accounts. Accounts that used SES before have no plan unless they chose one, and pay $${prices.mailWithoutPlan.dollars}.
- Text messages go through SNS and are not included: the price depends on country and carrier, for each part of 160
  characters (https://aws.amazon.com/sns/sms-pricing/). For the United States, the price is more than $5,000 per million parts, according to copies of that page.

${table(
  ['event', 'table', 'mail', 'alone', 'in tens'],
  events.map(([name, line]) => [`\`${name}\``, ...eventCosts(line)]),
)}

## Prices

The prices and the memory per core are as of ${pricesAsOf}. If a copy is named, the price was read there instead of on AWS's page.

${table(
  ['dollars', 'for', 'source'],
  Object.values<Price>(prices).map(({ dollars, unit, source, copy }) => [
    String(dollars),
    unit,
    copy ? `${source}, read from ${copy}` : source,
  ]),
)}
`;
}

const unitCost = ({ read, write }: Pick<Line, 'read' | 'write'>): number =>
  costOf('readUnit', read * million) + costOf('writeUnit', write * million);

/** The cost of a million runs of a function that takes this many milliseconds. */
const functionCost = (milliseconds: number): number =>
  costOf('lambdaRequest', million) + costOf('lambdaGigabyteSecond', (milliseconds / 1000) * million);

const tracesCost = (runs: number): number => costOf('trace', runs * assumed.tracedShare);

/** The milliseconds that Lambda bills for a run: CPU time plus the sum of all waits. */
const billed = (milliseconds: number, waits: number): number =>
  milliseconds * slowdown + assumed.requestMilliseconds * waits;

/** The cost of a million runs, from the CPU time and the number of requests in sequence in a line of the table. */
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

/** An event causes one run of the relay, and each message causes one run of a consumer. */
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

/** The cost of requests to services other than DynamoDB and SQS. */
const elsewhereCost = ({ elsewhere }: Pick<Line, 'elsewhere'>): number =>
  sumOf(
    Object.entries(elsewhere)
      .filter(([name]) => !name.startsWith('sqs '))
      .map(([name, count]) => costOfRequests(name, count * million)),
  );

/** The monthly costs without calls. `sweepCost` is the cost of a million runs of a scheduled function. */
function idle(
  { alarms, alarmMetrics, keys, queues, schedules, customMetrics }: Deployed,
  sweepCost: number,
): string[][] {
  const runs = schedules * minutesOfMonth;
  const costs: [string, number][] = [
    [`${alarms} alarms on ${alarmMetrics} metrics`, costOf('alarm', alarmMetrics)],
    ['the dashboard', costOf('dashboard', 1)],
    [`${customMetrics} custom metrics`, costOf('customMetric', customMetrics)],
    [`${keys} KMS keys and the signing secret`, costOf('key', keys) + costOf('secret', 1)],
    [
      `Lambda's polls of ${queues} queues`,
      costOf('queueRequest', queues * assumed.pollsOfQueueInMinute * minutesOfMonth),
    ],
    [
      `${schedules} schedules, run every minute`,
      costOf('scheduledCall', runs) +
        (sweepCost * runs) / million +
        costOf('readUnit', assumed.unitsOfRun * runs),
    ],
    [
      'health checks, every minute through every queue',
      (minutesOfMonth / million) *
        (unitCost({ read: 0, write: 4 }) +
          (1 + queues) * functionCost(assumed.checkMilliseconds) +
          costOf('queueRequest', queues * assumed.requestsOfMessage * million)),
    ],
  ];
  return [...costs, ['the total', sumOf(costs.map(([, dollars]) => dollars))] as const].map(
    ([name, dollars]) => [name, money(dollars)],
  );
}

function settings({ throttle, maxReadRequestUnits = 0, maxWriteRequestUnits = 0 }: StageSettings): string {
  const ofMonth = (perSecond: number) => perSecond * secondsOfMonth;
  const perCall =
    costOf('gatewayRequest', 1) +
    costOf('lambdaRequest', 1) +
    costOf('logGigabyte', assumed.logKilobytes / million);
  return `In [\`stages.ts\`](../infra/stages.ts), with the values of \`prod\`:

1. \`maxWriteRequestUnits\`, ${whole(maxWriteRequestUnits)}: writes cost at most $${whole(costOf('writeUnit', ofMonth(maxWriteRequestUnits)))} a month, and each index costs at most the same amount again.
2. \`maxReadRequestUnits\`, ${whole(maxReadRequestUnits)}: reads cost at most $${whole(costOf('readUnit', ofMonth(maxReadRequestUnits)))} a month, and each index costs at most the same amount again.
3. \`throttle\`, ${whole(throttle.rateLimit)} requests a second for each route: one route at its limit costs $${whole(ofMonth(throttle.rateLimit) * perCall)} a month for gateway, invocations
   and logs, plus the table's units. \`requestsPerMinute\` limits one caller.
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
