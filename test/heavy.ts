import { runVitest } from './harness/run-vitest.ts';

/**
 * `npm run test:extra -- heavy`: runs the tests that need many items with the numbers of items
 * below. An environment variable with the same name takes precedence. Exits with vitest's exit code. Stops
 * vitest after six hours.
 */
const sizes = {
  HEAVY_LEADS: 10_000,
  CURSOR_CHANGES: 1000,
  IMPORTED_LEADS: 10_000,
  LARGE_LOG: 10_000,
  LARGE_LEADS: 100_000,
  SEARCHED_LEADS: 100_000,
  LARGE_TICKETS: 100_000,
  LARGE_APPLICATIONS: 10_000,
  LARGE_RECORD: 5000,
  WAITING_DELIVERIES: 10_000,
  OVERDUE_TICKETS: 2000,
  CROWD: 900,
  ROUNDS: 200,
  RUNS: 10,
  SEQUENCES: 100,
  MUTATIONS: 1000,
  LEADS_IN_AN_HOUR: 10_000,
  KILL_EVERY: 1,
  KILL_STEP: 1,
  WORKER_KILL_STEP: 1,
  FAULT_ROUNDS_EVERY: 1,
  SIGKILLS: 20,
  CREATIONS: 500,
  RANDOM_CHANGES: 500,
  RESIDUAL_WORLDS: 10_000,
  REQUESTS: 1000,
  MEMBERS: 10_000,
  RECIPIENTS: 10_000,
  PROVISIONED_USERS: 2_000,
  FULL_INBOX: 50_000,
  JUDGED_BODIES: 40,
  ROLES: 100,
  BULK: 100,
  ROUTES_EVERY: 1,
  READ_ROUTES_EVERY: 1,
  FAULTY_ROUTES_EVERY: 1,
  BUNDLES_EVERY: 1,
  KINDS_EVERY: 1,
  CAPTURED_ROUTES_EVERY: 1,
  SECRETS_EVERY: 1,
  DEMO_APPLICATIONS: 500,
  FAULTS_PER_REQUEST: 20,
  RESIDUAL_ROWS: 10_000,
  RESIDUAL_KILLS: 50,
  RESIDUAL_SEQUENCES: 50,
  STATEMENT_LINES: 150_000,
  BOUNCES: 1_000,
  GENERATED_MAILS: 3_000,
  GAIN_RUNS: 200,
};

const files = [
  'test/correspondence/bounces.test.ts',
  'test/correspondence/generated-mails.test.ts',
  'test/reach/no-gain.test.ts',
  'test/residuals/anomalies.test.ts',
  'test/residuals/files.test.ts',
  'test/residuals/kills.test.ts',
  'test/residuals/laws.test.ts',
  'test/residuals/large-file.test.ts',
  'test/residuals/runs.test.ts',
  'test/residuals/sequences.test.ts',
  'test/people/no-takeover.test.ts',
  'test/people/scim/first-synchronization.test.ts',
  'test/functions/large-lists.test.ts',
  'test/applications/large-lists.test.ts',
  'test/tickets/large-lists.test.ts',
  'test/events/cleanup.test.ts',
  'test/functions/rotations.test.ts',
  'test/functions/roles.test.ts',
  'test/search/index-costs.test.ts',
  'test/impersonation/rules.test.ts',
  'test/external-api/isolation.test.ts',
  'test/costs/costs.test.ts',
  'test/routes/cursors.test.ts',
  'test/routes/errors.test.ts',
  'test/routes/faults.test.ts',
  'test/tickets/bulk.test.ts',
  'test/tickets/crowds.test.ts',
  'test/tickets/races.test.ts',
  'test/tickets/sweep.test.ts',
  'test/messages/messages.test.ts',
  'test/webhooks/bad-neighbours.test.ts',
  'test/messages/digest-kills.test.ts',
  'test/partner/kills.test.ts',
  'test/body-capture/every-change.test.ts',
  'test/body-capture/every-text.test.ts',
  'test/underwriting-rules/demo-applications.test.ts',
  'test/event-seals/sealing.test.ts',
  'test/proofs.test.ts',
  'test/under-load.test.ts',
  'test/events/kills.test.ts',
  'test/events/faults.test.ts',
  'test/work-queue/kills.test.ts',
  'test/service/runner.test.ts',
  'test/recipients/fan-out.test.ts',
  'test/recipients/crowd.test.ts',
  'test/costs/inbox.test.ts',
  'test/operations/events-verify.test.ts',
  'test/service/import.test.ts',
  'test/service/cause-and-demo.test.ts',
  'test/build/validators.test.ts',
  'test/build/bundles.test.ts',
];

/** The sizes for which there is no environment variable. */
const unset = Object.entries(sizes).filter(([name]) => !process.env[name]);

const runFiles = (chosen: readonly string[]): Promise<number> =>
  runVitest({
    config: 'vitest.config.ts',
    args: [...chosen],
    environment: Object.fromEntries(unset.map(([name, size]) => [name, String(size)])),
    longest: 6 * 3_600_000,
  });

export default (args: readonly string[]): Promise<number> => runFiles([...files, ...args]);

/** `npm run test:extra -- residuals`: only the tests of residuals among them. */
export const heavyResiduals = (args: readonly string[]): Promise<number> =>
  runFiles([...files.filter((file) => file.startsWith('test/residuals/')), ...args]);
