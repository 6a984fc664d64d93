import { bucketRules } from '../../infra/bucket-rules.ts';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { loadSchedules } from '../../infra/build/schedules.ts';
import { limitRules } from '../../infra/constructs/source-limits.ts';
import { stageNamed } from '../../infra/stages.ts';
import project from '../../package.json' with { type: 'json' };
import { queueNames } from '../../shared/events/queues.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { gaps } from '../../shared/messaging/webhooks/retry-schedule.ts';
import { searchedNouns } from '../../shared/resources/derived.ts';
import { accountWorkQueues } from '../../shared/work-queue/keys.ts';
import { builtManifest, deploymentOf, resources, templatesOf } from '../harness/deployment.ts';
import { completedProd } from '../harness/production.ts';
import { textOf } from './pages.ts';
import {
  countIn,
  days,
  digits,
  hours,
  kilobytes,
  listAfter,
  megabytes,
  minutes,
  numberAfter,
  word,
} from './read-number.ts';

const prod = stageNamed('prod');
const limits = prod.edge?.limits;
if (!limits) throw new Error('The stage prod has no limits of AWS WAF.');

const node = project.engines.node.replace('>=', '');
const attempts = gaps.length + 1;
const attemptHours = Math.floor(hours(gaps.reduce<number>((sum, gap) => sum + gap, 0)));
const messageGaps = listAfter('shared/messaging/messages/send-result.ts', 'const gaps = [');
const messageHours = messageGaps.reduce((sum, gap) => sum + gap) / 60;
const receives = word(numberAfter('infra/constructs/consumed-queue.ts', 'const maxReceiveCount ='));
const deadLetterDays = numberAfter('infra/constructs/dead-letter-queue.ts', 'const keptDays =');
const oldDays = numberAfter('infra/constructs/dead-letter-queue.ts', 'const oldDays =');
const queueDays = numberAfter('infra/constructs/consumed-queue.ts', 'retentionPeriod: Duration.days(');
const eventDays = numberAfter('shared/events/log.ts', 'const keptDays =');
const bodyDays = numberAfter('shared/events/log.ts', 'const bodyDays =');
const captureDays = numberAfter('shared/body-capture/schema.ts', 'const mostDays =');
const reopenDays = numberAfter('shared/accounts/close-account.ts', 'const reopenDays =');
const relayMinutes = minutes(numberAfter('events/relay.ts', 'const longestDelay ='));
const keyMinutes = word(minutes(numberAfter('shared/security/keyring.ts', 'const keptMilliseconds =')));
const freshMinutes = word(minutes(numberAfter('shared/security/proofs.ts', 'freshMilliseconds =')));
const proofTokenMinutes = word(
  minutes(numberAfter('shared/people/sessions/step-up.ts', 'const tokenMilliseconds =')),
);
const sealedEvery = word(numberAfter('shared/integrity/event-seals/turns.ts', 'const sealedEvery ='));
const sealDelay = word(numberAfter('shared/integrity/event-seals/turns.ts', 'const behind ='));
const bodyKilobytes = kilobytes(numberAfter('shared/http/body.ts', 'const largestBody ='));
const pageSize = numberAfter(
  'shared/endpoints/page-schema.ts',
  'pageSize: optional(integer({ minimum: 1, maximum:',
);
const sessionHours = hours(numberAfter('shared/people/sessions/store.ts', 'const lifetimeMilliseconds ='));
const invitationHours = hours(numberAfter('shared/people/users/password-tokens.ts', 'invitation:'));
const proofHours = hours(numberAfter('shared/domains/check-work-item.ts', 'const proofLifetime ='));
const idempotentHours = hours(numberAfter('shared/http/idempotency.ts', 'const keptMilliseconds ='));
const [checkHours, , retryHours] = listAfter(
  'shared/domains/check-work-item.ts',
  '[checkInterval, retryInterval] = [',
);
const [byName, bySource] = listAfter(
  'shared/people/sessions/throttle-login.ts',
  '[mostByName, mostBySource] = [',
);
const loginMinutes = numberAfter('shared/people/sessions/throttle-login.ts', 'const windowSeconds =') / 60;
const [resetMails = 0] = listAfter(
  'shared/people/sessions/throttle-login.ts',
  '[mostMails, mailWindowSeconds] = [',
);
const [readKilobytes, , keptKilobytes] = listAfter(
  'shared/messaging/webhooks/send.ts',
  'const [read, kept] = [',
);
const [failures = 0, failingHours] = listAfter(
  'shared/messaging/webhooks/watch-health.ts',
  '[mostFailures, longestFailing] = [',
);
const toAddress = numberAfter('shared/people/users/limit-invitations.ts', 'const mostInvitationsToAddress =');
const ofRoot = digits(
  numberAfter('shared/people/users/limit-invitations.ts', 'const mostInvitationsOfRoot ='),
);
const openInvitations = numberAfter('shared/people/users/invite-user.ts', 'const maxInvitations =');
const wafMinutes = word(numberAfter('infra/constructs/source-limits.ts', 'const windowSeconds =') / 60);
const minErrors = word(numberAfter('infra/constructs/service-alarms.ts', 'const minErrors ='));
const triggerMinutes = minutes(numberAfter('shared/work-queue/work-queue-state.ts', 'const longestDelay ='));
const uploadMinutes = numberAfter('shared/documents/rules.ts', 'const uploadSeconds =') / 60;
const largestWindow = megabytes(numberAfter('shared/endpoints/found-records.ts', 'const mostBytes ='));
const sorted = digits(numberAfter('shared/endpoints/found-records.ts', 'const sortedRecords ='));
const mostEvents = numberAfter('shared/endpoints/read-changes.ts', 'const mostEvents =');
const recoverDays = days(numberAfter('shared/messaging/webhooks/recover.ts', 'const furthest ='));
const mostEntries = numberAfter('shared/billing/schema.ts', 'const mostEntries =');
const noticeDays = word(days(numberAfter('shared/billing/provider/store.ts', 'const keptFor =')));
const partnerDays = word(days(numberAfter('shared/partner/receive-event.ts', 'const keptFor =')));
const mailMegabytes = megabytes(numberAfter('shared/correspondence/incoming/parse-mail.ts', 'raw:'));
const mailDays = bucketRules.mail.days;
const replyHours = hours(
  numberAfter('shared/correspondence/outgoing/automatic-reply.ts', 'const betweenReplies ='),
);
const [bounceRate = 0, complaintRate = 0] = listAfter(
  'infra/constructs/service-alarms.ts',
  '[bounceRate, complaintRate] = [',
);
const macBytes =
  listAfter(
    'shared/correspondence/threads/thread-token.ts',
    '[numberLength, hashLength, macLength, longestPlainAccount] = [',
  )[2] ?? 0;
const smtpPort = numberAfter('infra/local/mail-server.ts', 'const usualPort =');
const textTerms = word(numberAfter('shared/search/indexed-fields.ts', 'const mostTextTerms ='));
const mostPayments = numberAfter('shared/residuals/payouts/schema.ts', 'const mostPayments =');
const throttle = prod.throttle.rateLimit * 60 * 5;

/** The lists that use the search index have the parameter `createdFrom`. */
const pathsOfIndex = (await loadEndpoints()).flatMap(({ endpoint: { contract } }) =>
  JSON.stringify(contract.query ?? {}).includes('"createdFrom":') ? contract.path.slice(1) : [],
);
const foundByIndex = new Intl.ListFormat('en-GB').format(
  Object.keys(searchedNouns)
    .map((name) => `${name}s`)
    .filter((name) => pathsOfIndex.includes(name)),
);

const demo = (what: string): string => digits(numberAfter('infra/administration/demo/plan.ts', `${what}: `));
/** The tables and the commands of README are counted in README itself. */
const [, sectionOfCalls = '', sectionOfWords = ''] = textOf('README.md').split(/^## .* (?:calls .*|words)$/m);
const calls = sectionOfCalls.match(/\bapi ["'/]/g)?.length ?? 0;
const terms = sectionOfWords.split('\n## ')[0]?.match(/^\| (?!word )\w/gm)?.length ?? 0;

const [, readUnits, writeUnits] =
  /^\| `POST \/leads` \| \d+ \| \d+ \| ([\d.]+) \| ([\d.]+) \|/m.exec(textOf('test/costs.md')) ?? [];
/** The price of a million POST /leads by the table of cost.md, and its parts. */
const dollars = (amount: number): string => amount.toFixed(2);
const leadPrices = [
  0.125 * Number(readUnits),
  0.625 * Number(writeUnits),
  1,
  0.2,
  0.0133 * 20,
  0.4,
  0.25,
].map(dollars);

// The schedules of the tests are not deployed.
const manifest = await builtManifest();
const schedules = (await loadSchedules()).map(({ name }) => name);
const deployment = deploymentOf(completedProd, {
  ...manifest,
  schedules: manifest.schedules.filter(({ schedule }) => schedules.includes(schedule)),
});
const allOf = <P>(type: string): P[] =>
  templatesOf(deployment).flatMap((template) =>
    resources<P>(template, type).map(([, properties]) => properties),
  );
const alarms = allOf<{
  AlarmName: string;
  Namespace?: string;
  MetricName?: string;
  Metrics?: object[];
  Dimensions?: object[];
}>('AWS::CloudWatch::Alarm');
const alarmMetrics = alarms.reduce(
  (sum, { Metrics = [{ MetricStat: {} }] }) =>
    sum + Metrics.filter((metric) => 'MetricStat' in metric).length,
  0,
);
const ownMetrics = new Set(
  alarms.flatMap(({ Namespace, MetricName, Dimensions }) =>
    Namespace === undefined || Namespace.startsWith('AWS/') ? [] : JSON.stringify([MetricName, Dimensions]),
  ),
).size;
const keys = allOf('AWS::KMS::Key').length;
const [dashboard] = allOf<{ DashboardBody: unknown }>('AWS::CloudWatch::Dashboard');
const dashboardRows = new Set(JSON.stringify(dashboard).match(/\\"y\\":\d+/g)).size;
const kept = ['AWS::DynamoDB::GlobalTable', 'AWS::S3::Bucket', 'AWS::SecretsManager::Secret', 'AWS::KMS::Key']
  .map((type) => resources(deployment.data, type).length)
  .reduce((sum, count) => sum + count);
/** Lambda polls each queue with five requests in 20 s. The schedules and the health checks cost the rest. */
const polls = 0.26 * queueNames.length + 0.8;
/** By the prices in cost.md. The secret of the origin and its replica belong to CloudFront. */
const idleMonth = Math.round(0.1 * alarmMetrics + 3 + 0.3 * ownMetrics + keys + 0.4 + polls);

const [benchLeads = 0, manyLeads = 0] = listAfter('test/bench/main.ts', '(await measureReads([');
const [, quickLeads = 0] = listAfter('test/bench/main.ts', '? measureReads([');
const [fewGrown = 0, manyGrown = 0, mostGrown = 0] = listAfter('test/bench/main.ts', 'measureCreations([');
const [, quickLoad = 0, quickSeconds = 0] = listAfter('test/bench/main.ts', '? measureCreation(');
const [, load = 0, loadSeconds = 0] = listAfter('test/bench/main.ts', ': measureCreation(');
const [quickMids = 0, mids = 0] = listAfter('test/bench/main.ts', 'measureResiduals(quick ?');

/**
 * The numbers of each document that are also in the code, with enough words around them to find them. The code must give
 * each number, so that a changed limit makes its document wrong.
 */
export const statedNumbers: Readonly<Record<string, readonly string[]>> = {
  'README.md': [
    `Node ${node} or later`,
    `## ${word(calls)} calls from a lead to a ticket`,
    `## ${word(terms)} words`,
    `a number of up to ${word(numberAfter('shared/sales/merchants/fields.ts', 'mcc: string({ maxLength:'))} digits`,
    `${numberAfter('shared/rotations/schema.ts', 'maxItems:')} users in a rotation`,
    `${numberAfter('shared/sales/applications/record/schema.ts', 'const maxOwners =')} owners; ${numberAfter('shared/documents/rules.ts', 'const maxFilesPerRecord =')} files of at most ${megabytes(numberAfter('shared/documents/rules.ts', 'const maxFileSize ='))} MB; ${numberAfter('shared/sales/underwriting-rules/schema.ts', 'const maxRules =')} rules; ${digits(numberAfter('shared/sales/lookups/store.ts', 'scopedBy(({ table, field }) => [table, field],'))} options for each field`,
    `${numberAfter('shared/sales/merchants/schema.ts', 'const maxPrincipals =')} owners and ${numberAfter('shared/sales/mids/schema.ts', 'const maxMids =')} MIDs for each merchant; ${numberAfter('shared/billing/schema.ts', 'const mostLines =')} lines for each invoice`,
    `${numberAfter('shared/support/ticket-types/schema.ts', 'array(CustomField, { maxItems:')} custom fields; bulk changes of at most ${numberAfter('shared/support/tickets/bulk-schema.ts', 'const maxTickets =')} tickets, with undo for ${hours(numberAfter('shared/support/tickets/bulk-journal.ts', 'const keptMilliseconds ='))} hours`,
    `${numberAfter('shared/support/ticket-type-mappings/schema.ts', 'const maxMappings =')} category mappings`,
    `${numberAfter('shared/correspondence/domains/schema.ts', 'const maxMailDomains =')} domains and ${numberAfter('shared/correspondence/addresses/schema.ts', 'const maxMailAddresses =')} addresses for each account; received mails of at most ${mailMegabytes} MB`,
    `files of at most ${megabytes(numberAfter('shared/residuals/files/schema.ts', 'const largestFile ='))} MB; ${mostPayments} statements in a payout`,
    `${numberAfter('shared/people/roles/store.ts', 'const maxRoles =')} roles and ${numberAfter('shared/people/apikeys/store.ts', 'const maxKeys =')} keys for each account; ${numberAfter('shared/people/users/accept-invitation.ts', 'const maxAccounts =')} accounts for each user`,
    `kept for ${numberAfter('shared/messaging/notifications/rules.ts', 'const keptDays =')} days`,
    `${numberAfter('shared/messaging/webhooks/store.ts', 'const mostWebhooks =')} webhooks for each account; ${attempts} attempts for each delivery, in about ${attemptHours} hours`,
    `events are kept for ${eventDays} days`,
    `${prod.requestsPerMinute} requests a minute for each caller on \`dev\` and \`prod\`; request bodies of at most ${bodyKilobytes} KB`,
    `A message that fails ${receives} times`,
    `\`pageSize\` (at most ${pageSize})`,
    `the session is older than ${sessionHours} hours`,
  ],
  'events/README.md': [
    `has not accepted for ${relayMinutes} minutes`,
    `After ${receives} failed deliveries`,
    `more than ${numberAfter('shared/messaging/recipients/fan-out.ts', 'const maxInlineCandidates =')} possible recipients`,
    `notifies them, ${numberAfter('shared/messaging/recipients/fan-out.ts', 'const candidatesPerStep =')} at a time`,
  ],
  'infra/README.md': [
    `limits each of these stacks to ${numberAfter('test/infra/stacks.test.ts', 'const mostResources =')} resources, enough for ${numberAfter('test/infra/stacks.test.ts', 'const mostEndpoints =')} endpoints, and another adds ${numberAfter('test/infra/growth.test.ts', '= grown(')} endpoints`,
    `${minErrors} server errors in five minutes`,
  ],
  'infra/client/README.md': [
    `at most ${word(numberAfter('infra/client/retry.ts', 'retries ='))} times and waits at most ${numberAfter('infra/client/retry.ts', 'longestWait =') / 1000} s each time`,
  ],
  'infra/cost.md': [
    `each run of ${digits(numberAfter('infra/constructs/bundled-lambda.ts', 'const functionMegabytes ='))} MB`,
    `In \`prod\`, this is about $${idleMonth}:`,
    `and $${dollars(polls)} for Lambda's polls`,
    `Each of the ${word(queueNames.length)} queues costs about $1 of this sum: ${word(alarms.filter(({ AlarmName }) => /-audit-/.test(AlarmName)).length)} alarms`,
    `\`POST /leads\` needs ${readUnits} read units and ${writeUnits} write units. A million of these calls with 20 ms each cost ${leadPrices.join(' + ')} = $${dollars(leadPrices.reduce((sum, price) => sum + Number(price), 0))}`,
    `${digits(prod.maxWriteRequestUnits ?? 0)} write units in every second of a month`,
    `${limitRules.length} rules: $${limitRules.length}.00`,
    `invokes a function about once in ${word(numberAfter('shared/http/authorize-origin.ts', 'const gatewaySeconds =') / 60)} minutes`,
  ],
  'infra/handbook.md': [
    `has ${word(dashboardRows)} rows`,
    `the ids of ${word(kept)} resources: the table, the bucket, the secret and ${word(keys)} keys`,
    `Node ${node} or later`,
    `Messages are retried for about ${messageHours} hours`,
    `does not accept for ${relayMinutes} minutes becomes a dead letter`,
    `The relay retries a record for ${numberAfter('infra/constructs/relay.ts', 'maxRecordAge: Duration.hours(')} hours`,
    `A dead letter is ${word(oldDays)} days old. SQS deletes a message ${deadLetterDays} days after it was first sent. So 1 to ${deadLetterDays - oldDays} days remain, because the message may have spent up to ${word(queueDays)} of the ${deadLetterDays} days in its first queue`,
    `than one run handles in ${numberAfter('events/schedules/sla-sweep.ts', 'timeoutSeconds:') - numberAfter('events/schedule.ts', 'const marginMilliseconds =') / 1000} s`,
    `the events of at most ${days(numberAfter('infra/operations/events-replay.ts', 'const longestSpan ='))} days`,
    `${byName} wrong passwords in ${loginMinutes} minutes for each user in each network, and ${bySource} for each network`,
    `the limits of ${word(resetMails)} reset mails and ${toAddress} invitations in an hour`,
    `after ${proofHours} hours without a proof`,
    `functions read the secret every ${keyMinutes} minutes`,
    `After ${sessionHours} hours, when the last session`,
    `then end within ${keyMinutes} minutes`,
    `with 500 within ${word(minutes(numberAfter('shared/security/unwrapped-keys.ts', 'const keptMilliseconds =')))} minutes`,
    `counts the requests of the last ${wafMinutes} minutes`,
    `begins with \`/auth/login\` | ${limits.loginsPerSource} |`,
    `such as resets | ${limits.passwordRequestsPerSource} |`,
    `requests with an \`appKey\` | ${digits(limits.applicantRequestsPerSource)} |`,
    `from all sources together | ${digits(limits.applicantRequests)} |`,
    `all requests | ${digits(limits.requestsPerSource)} |`,
    `(\`throttle\`), which is ${word(throttle / limits.applicantRequests)} times as high`,
    `accepts it for at most ${word((numberAfter('shared/http/authorize-origin.ts', 'const gatewaySeconds =') * 1000 + numberAfter('shared/http/authorize-origin.ts', 'const keptMilliseconds =')) / 60_000)} more minutes`,
    `for at most ${captureDays} days. The event log`,
    `are erased after ${bodyDays} days`,
    `is sealed every ${sealedEvery} minutes`,
    `sent more than ${hours(numberAfter('infra/operations/import/state-file.ts', 'const repeatable ='))} hours ago`,
    `a repeated request for only ${idempotentHours} hours`,
    `within the ${reopenDays} days`,
    `signed in the last ${uploadMinutes} minutes`,
    `Default ${numberAfter('infra/local/settings.ts', 'environment.PORT ??')}; 0 selects any free port`,
    `Default ${smtpPort}, or any free port if ${smtpPort} is in use; 0 selects any free port`,
    `S3 deletes them after ${mailDays} days`,
    `when ${100 * bounceRate}% of its mail is returned, or ${100 * complaintRate}% is reported`,
    `one automatic mail for each thread in ${replyHours} hours`,
    `in the queue for up to ${word(queueDays)} days. The raw mails stay in the bucket for ${mailDays} days`,
    `Default ${digits(stageNamed('local').requestsPerMinute)}. To test`,
    `${demo('leads')} leads, ${demo('applications')} applications in every status, ${demo('merchants')} merchants and ${demo('tickets')} tickets`,
    `${demo('breachedTickets')} tickets miss their SLA targets`,
    `captures the bodies of changes for ${captureDays} days`,
  ],
  'infra/openapi/introduction.md': [
    `for at most ${sessionHours} hours`,
    `that is at most ${freshMinutes} minutes old`,
    `has a fresh proof for ${freshMinutes} minutes`,
    `valid once, for ${proofTokenMinutes} minutes`,
    `find the ${foundByIndex} that were created in a range`,
    `For ${foundByIndex}, a request with \`updatedAfter\``,
    `Searches and filters of ${foundByIndex} use an index`,
    `larger than ${megabytes(numberAfter('infra/local/gateway.ts', 'const largestBody ='))} MB`,
    `more than ${digits(numberAfter('infra/local/gateway.ts', 'const largestHead ='))} bytes together`,
    `\`page\` starts at 1. \`pageSize\` is at most ${pageSize}`,
    `their last ${word(numberAfter('shared/search/search-words.ts', 'const fewestLastDigits ='))} digits`,
    `The first ${numberAfter('shared/search/search-words.ts', 'const longestTerm =')} characters of a word`,
    `more than ${eventDays} days ago`,
    `the first ${numberAfter('shared/sales/leads/list-leads.ts', 'firstCharacters(lead.notes,')} characters of a long text`,
    `The ${numberAfter('shared/endpoints/read-indexed.ts', 'const newestRecords =')} newest records`,
    `more than about ${numberAfter('shared/endpoints/read-indexed.ts', 'const indexItems = { first:')} matches`,
    `is found by ${textTerms} of its words`,
    `at most ${word(numberAfter('shared/endpoints/best-matches.ts', 'const mostMatches ='))} of each`,
    `the ${numberAfter('shared/saved-views/search-all.ts', 'const newestImpersonations =')} newest impersonations`,
    `all of up to ${sorted} matches`,
    `filters with more than ${numberAfter('shared/table/read-index.ts', 'const mostValues =')} values`,
    `counts as ${word(numberAfter('shared/endpoints/listing.ts', 'const weightOfWindow ='))} requests`,
    `stops after ${sorted} records, ${largestWindow} MB`,
    `more than ${mostEvents} events since this time`,
    `among the last ${numberAfter('shared/endpoints/read-last-changed.ts', 'const mostEvents =')} events`,
    `A page over ${megabytes(numberAfter('shared/endpoints/page-bytes.ts', 'const largestPage ='))} MB`,
    `For ${idempotentHours} hours, requests with the same key`,
    `more than ${digits(numberAfter('shared/http/preview-effects.ts', 'const mostPreviewed ='))} entries`,
    `at most once in ${replyHours} hours for each sender`,
    `within ${numberAfter('shared/messaging/webhooks/send.ts', 'const attemptLimit =') / 1000} seconds`,
    `at most ${readKilobytes} KB of the body. The log of deliveries contains its first ${keptKilobytes} KB`,
    `For ${hours(numberAfter('shared/messaging/webhooks/secrets.ts', 'const overlap ='))} hours after a rotation`,
    `after 5 seconds, 5 minutes, 30 minutes, and ${gaps.slice(3, -1).map(hours).join(', ')} and ${hours(gaps.at(-1) ?? 0)} hours`,
    `more than ${word(minutes(numberAfter('shared/messaging/webhooks/verify-signature.ts', 'const tolerance =')))} minutes old`,
    `The ${word(attempts)} attempts take about ${attemptHours} hours`,
    `for that time, at most ${hours(numberAfter('shared/messaging/webhooks/retry-schedule.ts', 'const longestPause ='))} hours`,
    `at least ${word(failures)} consecutive failed attempts that span at least ${failingHours} hours`,
    `would exceed ${kilobytes(numberAfter('shared/messaging/webhooks/payload.ts', 'const largest ='))} KB`,
    `the deliveries of the last ${days(numberAfter('shared/messaging/webhooks/enqueue-deliveries.ts', 'const keptFor ='))} days`,
    `at most ${recoverDays} days ago`,
    `every ${sealedEvery} minutes, with a delay of ${sealDelay} minutes`,
  ],
  'infra/openapi/changes.md': [
    `in the last ${freshMinutes} minutes, or a single-use token`,
    `at most ${toAddress} invitations in an hour`,
    `sends at most ${ofRoot}`,
    `at most ${openInvitations} open invitations`,
  ],
  'shared/billing/README.md': [
    `at most ${mostEntries} of each`,
    `their own limit of ${mostEntries}`,
    `what ${mostEntries} payments can pay`,
    `is kept for ${noticeDays} days`,
  ],
  'shared/body-capture/README.md': [
    `at most ${captureDays} days. Until then`,
    `show them for ${bodyDays} days`,
    `cut at ${kilobytes(numberAfter('shared/body-capture/schema.ts', 'const mostBytes ='))} KB`,
    `After ${digits(numberAfter('shared/body-capture/work-budget.ts', 'const mostSteps ='))} steps`,
    `A transaction with ${numberAfter('shared/http/commit-decided.ts', 'const mostOperations =')} operations`,
  ],
  'shared/child-accounts/README.md': [
    `at most ${word(numberAfter('shared/child-accounts/children.ts', 'const mostDepth ='))} levels`,
    `a search of ${digits(numberAfter('shared/child-accounts/children.ts', 'const mostChildAccounts ='))} child accounts`,
    `up to ${word(numberAfter('shared/security/call-limit.ts', 'const writtenEvery ='))} calls too many`,
  ],
  'shared/closing/README.md': [
    `After ${reopenDays} days`,
    `parts of about ${megabytes(numberAfter('shared/closing/advance-export.ts', 'const partSize ='))} MB`,
    `fail after ${word(days(numberAfter('shared/messaging/webhooks/retry-schedule.ts', 'const lifetime =')))} days`,
    `work items expire ${numberAfter('shared/work-queue/work-item.ts', 'const keptDays =')} days after their event, and events of the partner after ${partnerDays} days`,
    `kept for at most ${deadLetterDays} days`,
  ],
  'shared/correspondence/README.md': [
    `a MAC of ${8 * macBytes} bits`,
    `at most ${textTerms} words of subject and visible text`,
  ],
  'shared/domains/README.md': [
    `every ${checkHours} hours, or after a failure every ${retryHours} hours`,
    `After ${proofHours} hours without a successful check`,
  ],
  'shared/endpoints/README.md': [`a few milliseconds for ${bodyKilobytes} KB`],
  'shared/http/README.md': [
    `After ${numberAfter('shared/http/receive-request.ts', 'const defaultBudget =') / 1000} s, the request fails`,
  ],
  'shared/integrity/event-seals/README.md': [
    `every ${sealedEvery} minutes`,
    `Leaves (${listAfter('shared/integrity/event-seals/seal.ts', '[idBytes, leafBytes] = [')[1]} bytes per event) expire with their events after ${eventDays} days`,
  ],
  'shared/messaging/README.md': [
    `at most ${word(numberAfter('shared/messaging/messages/begin-sending.ts', 'const mostInvitations ='))} invitations in an hour`,
    `up to ${digits(numberAfter('shared/work-queue/list-work-items.ts', 'const mostCounted ='))} of them`,
  ],
  'shared/partner/README.md': [
    `for up to ${word(days(numberAfter('shared/messaging/webhooks/retry-schedule.ts', 'const lifetime =')))} days`,
    `duplicates for ${partnerDays} days`,
  ],
  'shared/people/README.md': [
    `sets the first password, within ${invitationHours} hours`,
    `at most ${openInvitations} open invitations`,
    `accepts the invitation, within ${invitationHours} hours`,
  ],
  'shared/people/impersonation/README.md': [
    `for ${minutes(numberAfter('shared/people/impersonation-records/store.ts', 'const impersonationLifetime ='))} minutes`,
  ],
  'shared/residuals/README.md': [
    `at most ${digits(numberAfter('shared/residuals/amounts/pack-lines.ts', 'const linesPerItem ='))} in an item`,
    `A run stops after ${word(numberAfter('shared/residuals/runs/retry-run.ts', 'const mostFailures ='))} failures`,
    `a payout has at most ${mostPayments} statements`,
    `service class ${numberAfter('shared/residuals/nacha/write-nacha-file.ts', 'const serviceClass =')}`,
  ],
  'shared/sales/applications/README.md': [
    `at most ${numberAfter('shared/sales/applications/underwriting/underwriting-schema.ts', 'maxItems:')} items`,
  ],
  'shared/table/README.md': [
    `at most ${kilobytes(numberAfter('shared/table/operations.ts', 'const largestRecord ='))} KB`,
    `at most ${kilobytes(numberAfter('shared/table/record-store.ts', 'const usualLimit ='))} KB (merchants: ${kilobytes(numberAfter('shared/sales/merchants/summarize-merchant.ts', 'const largestMerchantSummary ='))} KB, tickets: ${kilobytes(numberAfter('shared/support/tickets/summarize-ticket.ts', 'const largestSummary ='))} KB)`,
    `padded to ${numberAfter('shared/table/keys.ts', 'String(id).padStart(')} digits`,
  ],
  'shared/work-queue/README.md': [
    `${word(accountWorkQueues('acc_1' as AccountId, []).length)} more work queues`,
    `overdue by ${numberAfter('shared/work-queue/work-queue-state.ts', 'const sweepDelay =') / 1000} s`,
    `more than ${triggerMinutes} minutes (the longest delay of SQS)`,
  ],
  'test/README.md': [`${countIn('test/under-load.test.ts', /99\.9%/g) && 99.9}% of requests succeed`],
  'test/bench/README.md': [
    `with ${digits(manyLeads)} leads (\`--quick\`: ${digits(quickLeads)}), against ${digits(benchLeads)} leads`,
    `with ${digits(manyGrown)} and ${digits(mostGrown)} stored leads, against ${digits(fewGrown)}`,
    `after ${digits(load)} creations (\`--quick\`: ${digits(quickLoad)})`,
    `after ${loadSeconds} s (${quickSeconds} s) at ${numberAfter('test/bench/creation.ts', 'const manyConnections =')} connections`,
    `at ${numberAfter('test/bench/incoming-mail.ts', 'const rate =')} mails a second`,
    `with ${digits(mids)} MIDs and ${numberAfter('test/residuals/large-rows.ts', 'const fees = Array.from({ length:')} fees (\`--quick\`: ${digits(quickMids)} MIDs)`,
  ],
};

/** Numbers that the code does not contain: facts about AWS and other programs, measurements, examples and arithmetic. */
export const foreignNumbers: Readonly<Record<string, readonly string[]>> = {
  'README.md': ['The tests take four to ten minutes on two cores'],
  '.github/CHANGELOG.md': ['AWS rejects version 1.0.0'],
  'infra/README.md': [
    'only 300 integrations and a stack only 500 resources',
    'in five minutes raise the alarm',
  ],
  'infra/cost.md': [
    ...['as of November 2026', '0.125 × read units + 0.625 × write units', 'for 0.8 KB'],
    ...['one run in twenty', 'up to ten events share them', 'complete chunk of 256 KB'],
    ...['less than 10 ms more for 99% of the calls', '10,000 calls per second, 2,500 in some'],
    ...['2 million a month are free', '1 TB a month is free', '10 million a month are free'],
    ...['N below 10 and less than 1 TB', 'Five million requests', 'Above 10 million requests'],
  ],
  'infra/handbook.md': [
    '1,000 in most accounts, 10 in new ones',
    'stop at $1 a month',
    'about ten read units for each ticket',
    'The exit code is 0 after success, 1 after a failure, and 2 for an invalid option. If the code is 1 or 2',
    'the exit code is 1',
    'exits with code 1',
    'port 53 (UDP and TCP) and web servers on port 443',
    'one read unit for each 4 KB',
    'of the table (35 days)',
    'for 24 hours;',
    'every three months',
    'after eight minutes',
    'SES retries for four hours',
    'three optional claims',
    'A GB costs $0.15 to restore and $0.07 to read twice',
    '$1 a month for each key',
    'the port on 127.0.0.1',
    'its address is 127.0.0.1',
    '57 MB',
    'listen on port 4566',
    'a 12-digit account id',
    '** 1.5.33.',
    'since 23 March 2026',
    'as of September 2026',
    'an MX record with the preference 10',
    'Above 10% or 0.5%, AWS may stop',
    "SAM's default account, 123456789012",
  ],
  'shared/provisioning/README.md': ['RFC 7643', 'RFC 7644'],
  'infra/openapi/introduction.md': [
    'RFC 7644',
    'U+2066 to U+2069',
    'is always 1',
    'varies by ±20%',
    'RFC 6962',
    'RFC 8785',
    'two 32-byte hashes',
  ],
  'shared/billing/README.md': ['whole numbers of at least 0'],
  'shared/body-capture/README.md': ['at least 4 write units for two small bodies, and 2 write units'],
  'shared/correspondence/README.md': ['the local part of an address has at most 64 characters'],
  'shared/endpoints/README.md': ['about 60 ms', '10 KB larger and the cold start up to 5 % longer'],
  'shared/integrity/event-seals/README.md': [
    'about 15 write units, plus one write unit for every 20 events',
    'A seal has about 700 bytes',
  ],
  'shared/residuals/README.md': ['One transaction has at most 100 items'],
  'shared/sla/README.md': ['from 9:00 to 17:00 always has 8 hours', '23 or 25 hours'],
  'shared/table/README.md': ['only if the counter is 0'],
  'shared/work-queue/README.md': ['10,000 waiting work items'],
  'test/bench/README.md': ['in about four minutes'],
  'test/README.md': ['takes 5 minutes of CPU time', 'takes 2 minutes of CPU time'],
};

/** Names and versions of other programs, in all documents. */
export const foreignAnywhere: readonly string[] = [
  ...['Java 17', 'Python 3', 'OpenAPI 3.1', 'Node 20', 'Node 22', 'Node 24', 'CAMT.053', 'E.164'],
];
