import '../quiet-sdk.ts';
import { apiClient } from './api-client.ts';
import { command, print } from './command.ts';
import { address, keyInEnvironment, localCredentials } from './credentials.ts';
import { deadLetterSources } from './dead-letter.ts';
import { runSteps, type StepOutcome } from './run-steps.ts';
import { type CloudService, cloudService, stage } from './service-at.ts';
import { readService, testOnboarding } from './smoke-steps.ts';
import { addressOfStage } from './stage-address.ts';

await command(
  {
    name: 'smoke',
    summary: `Tests a running service through its API: signs in, checks that invalid requests are refused, creates a
lead, its application with documents and a ticket, waits until their events are processed, and deletes everything.`,
    options: {
      'base-url': {
        type: address,
        help: 'URL of the API; default: the URL of the stage, or of the local service of DATA_DIR',
      },
      stage: { type: stage, help: 'stage of the service; also checks that it has no dead letters' },
      'read-only': { type: 'flag', help: 'only signs in, reads and sends invalid requests' },
      json: { type: 'flag', help: 'prints the steps as JSON' },
    },
    notes: [
      `With --base-url or --stage, the command signs in with API_KEY and API_SECRET from the environment. The key needs
all permissions. Use a separate account, because the test notifies the account's webhooks and users, and uses turns of
the account's rotations.`,
      `With --stage, the command reads the queues and, without --base-url, the URL of the API from the stage's stack. It
uses the region and credentials from the AWS environment.`,
      'The command also deletes its records if a step fails or a signal interrupts the run. The exit code is then 1.',
    ],
  },
  async ({ 'base-url': given, stage: inStage, 'read-only': readOnly, json }, closeAtEnd) => {
    const remote = given ?? (inStage && (await addressOfStage(inStage, closeAtEnd)));
    const { baseUrl, apiKey, apiSecret } =
      remote === undefined ? localCredentials() : { baseUrl: remote, ...keyInEnvironment() };
    const interrupted = new AbortController();
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupted.abort());
    const outcomes = await runSteps(
      async (steps) => {
        const outside = apiClient(baseUrl);
        const signedIn = await readService(steps, outside, { apiKey, apiSecret });
        if (!readOnly) await testOnboarding(steps, outside, signedIn);
        if (inStage)
          await steps.step('there are no dead letters', async () =>
            expectNoDeadLetters(await cloudService(inStage, closeAtEnd)),
          );
      },
      (outcome) => void (json || print(undefined, [lineOf(outcome)])),
      interrupted.signal,
    );
    const failed = outcomes.some(({ error }) => error !== undefined);
    if (json) print({ baseUrl, ok: !failed, steps: outcomes });
    if (failed) process.exitCode = 1;
  },
);

function lineOf({ name, milliseconds, error }: StepOutcome): string {
  const took = `${milliseconds} ms`.padStart(9);
  return error === undefined ? `ok    ${took}  ${name}` : `FAILED${took}  ${name}: ${error}`;
}

async function expectNoDeadLetters({ deadLetterDepthOf }: CloudService): Promise<void> {
  const found = await Promise.all(
    deadLetterSources.map(async (source) => ({
      source,
      letters: (await deadLetterDepthOf(source)).messages,
    })),
  );
  const sources = found.filter(({ letters }) => letters > 0).map(({ source }) => source);
  if (sources.length > 0)
    throw new Error(`Dead letters of ${sources.join(', ')}. List them with npm run dead-letters -- list.`);
}
