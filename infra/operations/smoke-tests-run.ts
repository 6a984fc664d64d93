import { deadLetterSources } from '../administration/dead-letter-sources.ts';
import type { StageSettings } from '../stage-settings.ts';
import { apiClient } from './api-client.ts';
import { keyInEnvironment, localCredentials } from './credentials.ts';
import { print } from './print.ts';
import { runSteps, type StepOutcome } from './run-steps.ts';
import { type CloudService, cloudService } from './service-at.ts';
import { readService, testOnboarding } from './smoke-steps.ts';
import { addressOfStage } from './stage-address.ts';

type Options = { baseUrl?: string; stage?: StageSettings; readOnly?: boolean; json?: boolean };

export default async function ({ baseUrl: given, stage: inStage, readOnly, json }: Options): Promise<void> {
  const remote = given ?? (inStage && (await addressOfStage(inStage)));
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
          expectNoDeadLetters(await cloudService(inStage)),
        );
    },
    (outcome) => void (json || print(undefined, [lineOf(outcome)])),
    interrupted.signal,
  );
  const failed = outcomes.some(({ error }) => error !== undefined);
  if (json) print({ baseUrl, ok: !failed, steps: outcomes });
  if (failed) process.exitCode = 1;
}

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
    throw new Error(
      `Dead letters of ${sources.join(', ')}. List them with npm run ops -- dead-letters list.`,
    );
}
