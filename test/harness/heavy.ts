/**
 * The sizes of tests that need many items. `npm test` and `npm run test:extra -- service` use the smaller default, so that they
 * end within minutes. `npm run test:extra -- heavy` sets the full sizes.
 */
export const amount = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);

/** Concurrent requests. The number must be a multiple of 9, the sum of the weights 5, 3 and 1. */
export const crowd = amount('CROWD', 45);
/** The share of `crowd` that each member of a rotation receives, as a number of requests. The last is inactive. */
export const shares = [5, 3, 1, 0].map((weight) => (weight * crowd) / 9);
/** Tests of errors that every route can return call the first route of each kind and every n-th of the others. */
export const routesEvery = amount('ROUTES_EVERY', 8);
/** The test of failing AWS requests calls only every n-th read route, because most read routes share their code. */
export const readRoutesEvery = amount('READ_ROUTES_EVERY', 12);
/**
 * The same test calls only every n-th route that changes data. Routes that use S3 or KMS, or commit in parts, are
 * always called.
 */
export const faultyRoutesEvery = amount('FAULTY_ROUTES_EVERY', 5);
/** The test of failing requests of event functions runs every n-th round. Each round injects other faults. */
export const faultRoundsEvery = amount('FAULT_ROUNDS_EVERY', 2);
/** The test of failing AWS requests injects at most this many faults into each request. */
export const faultsPerRequest = amount('FAULTS_PER_REQUEST', 1);
/**
 * Only every n-th endpoint is bundled for Lambda. Every endpoint is bundled for the local service, and `npm run
 * test:extra -- deploy` deploys and runs every function.
 */
export const bundlesEvery = amount('BUNDLES_EVERY', 12);
/** The test of captured bodies calls the routes with sensitive values or credentials, and every n-th of the others. */
export const capturedRoutesEvery = amount('CAPTURED_ROUTES_EVERY', 4);
/** Each text field of each route gets every n-th of more than 200 secrets, beginning with another one. */
export const secretsEvery = amount('SECRETS_EVERY', 5);
/** Applications for which rules are compared with the decisions of people. */
export const demoApplications = amount('DEMO_APPLICATIONS', 100);
/** The test of `npm run ops -- events cause` causes every n-th kind of event. */
export const kindsEvery = amount('KINDS_EVERY', 3);
/** Roles that are created, changed and deleted concurrently. An account has at most 100 roles. */
export const roles = amount('ROLES', 25);
/** Tickets in a large bulk request, at most 100. */
export const bulkSize = amount('BULK', 40);
/** Rounds in which several requests change one record concurrently. */
export const rounds = amount('ROUNDS', 6);
/** Repetitions of tests that need many runs to find a defect. */
export const runs = amount('RUNS', 1);
/** Random sequences of steps of two accounts, a person and an attacker. */
export const sequences = amount('SEQUENCES', 6);
/** The number of changes in each of the `runs`. */
export const mutations = amount('MUTATIONS', 60);
/** A test kills a function at every n-th outgoing call of the function. Default: only at the first call. */
export const killEvery = amount('KILL_EVERY', Number.POSITIVE_INFINITY);
/** The `killEvery` of tests that take less time. */
export const killStep = amount('KILL_STEP', 5);
/** The `killEvery` of tests of the work queue. */
export const workerKillStep = amount('WORKER_KILL_STEP', 2);
/** The number of SIGKILLs of the runner. */
export const sigkills = amount('SIGKILLS', 1);
/** Requests to a table with throttles and cancelled transactions. */
export const requests = amount('REQUESTS', 100);
/** Records that clients are creating when a SIGKILL ends the runner. */
export const creations = amount('CREATIONS', 40);
/** Random concurrent changes of a few records. */
export const randomChanges = amount('RANDOM_CHANGES', 50);
/** Members of an account with few subscribers. */
export const members = amount('MEMBERS', 200);
/** The users that an identity provider creates in its first synchronization. */
export const provisionedUsers = amount('PROVISIONED_USERS', 60);
/** Members of an account, all subscribed. */
export const recipients = amount('RECIPIENTS', 300);
/** Unread notifications in a full inbox. */
export const fullInbox = amount('FULL_INBOX', 300);
/** Leads in an hour, each of which notifies a user by mail. */
export const leadsInAnHour = amount('LEADS_IN_AN_HOUR', 34);
/** Random bodies per endpoint, which validators with and without shared rules must treat in the same way. */
export const judgedBodies = amount('JUDGED_BODIES', 6);
/** Concurrent creations and changes of leads while a list is read by cursor. */
export const cursorChanges = amount('CURSOR_CHANGES', 60);
/** Leads in the file of an import that is killed. */
export const importedLeads = amount('IMPORTED_LEADS', 60);
/** Random months whose shares a second implementation calculates. */
export const residualWorlds = amount('RESIDUAL_WORLDS', 2_000);
/** Rows of a large file of residuals. */
export const residualRows = amount('RESIDUAL_ROWS', 600);
/** The lines of a statement with many lines, at most 200,000. */
export const statementLineCount = amount('STATEMENT_LINES', 1_500);
/** The random points at which the reading of a file of residuals is killed, and those at which its run is killed. */
export const residualKills = amount('RESIDUAL_KILLS', 15);
/** Random sequences of runs, reversals and payouts. */
export const residualSequences = amount('RESIDUAL_SEQUENCES', 3);
/** Bounces that arrive in a minute. */
export const bounces = amount('BOUNCES', 40);
/** Generated mails whose memory is measured in a process of their own. */
export const generatedMails = amount('GENERATED_MAILS', 60);
/** Random sequences of comments and mails about a ticket. */
export const mailSequences = amount('MAIL_SEQUENCES', 12);
/** Random sequences of changes by a user who tries to reach more records. */
export const gainRuns = amount('GAIN_RUNS', 12);
