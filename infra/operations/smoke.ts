import '../quiet-sdk.ts';
import { join } from 'node:path';
import { readCredentials } from '../local/credentials.ts';
import { contents } from '../local/data-folder.ts';
import { apiClient } from './api-client.ts';
import { command, print } from './command.ts';
import { deadLetterSources } from './dead-letter.ts';
import { InvalidOption, type ValueType } from './options.ts';
import { runSteps, type StepOutcome } from './run-steps.ts';
import { type CloudService, cloudService, dataFolder, stage } from './service-at.ts';
import { readService, walkService } from './smoke-steps.ts';

const address: ValueType<string> = {
  expected: 'an address such as https://api.example.com',
  parse: (given) => (URL.canParse(given) && /^https?:/.test(given) ? given : undefined),
};

await command(
  {
    name: 'smoke',
    summary: `Goes the way of a merchant through a service, by its API: signs in, is refused what must be refused, makes a
lead, its application with files, and a ticket, waits for what follows from events, and deletes all of it.`,
    options: {
      'base-url': {
        type: address,
        help: 'where the API is; left out: the service of DATA_DIR on this machine',
      },
      stage: { type: stage, help: 'the stage it belongs to: whether anything was given up there, too' },
      'read-only': { type: 'flag', help: 'signs in, reads and is refused, and makes nothing' },
      json: { type: 'flag', help: 'prints the steps as JSON' },
    },
    notes: [
      `With --base-url it signs in by API_KEY and API_SECRET of the environment: a key with every permission, best of an
account that is for nothing else, since its webhooks, rotations and users hear of what is made like of anything else.`,
      'With --stage it asks the queues of that stage, in the region and with the credentials of the AWS environment.',
      'It goes on to undo what it did when a step fails or it is interrupted, and ends with 1 then.',
    ],
  },
  async ({ 'base-url': given, stage: inStage, 'read-only': readOnly, json }, closeAtEnd) => {
    const { baseUrl, ...key } =
      given === undefined ? ofThisMachine() : { baseUrl: given, ...ofEnvironment() };
    const interrupted = new AbortController();
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupted.abort());
    const outcomes = await runSteps(
      async (steps) => {
        const outside = apiClient(baseUrl);
        const signedIn = await readService(steps, outside, key);
        if (!readOnly) await walkService(steps, outside, signedIn);
        if (inStage)
          await steps.step('nothing was given up', async () =>
            lookForLetters(await cloudService(inStage, closeAtEnd)),
          );
      },
      (outcome) => void (json || process.stdout.write(lineOf(outcome))),
      interrupted.signal,
    );
    const failed = outcomes.some(({ error }) => error !== undefined);
    if (json) print({ baseUrl, ok: !failed, steps: outcomes });
    if (failed) process.exitCode = 1;
  },
);

function lineOf({ name, milliseconds, error }: StepOutcome): string {
  const took = `${milliseconds} ms`.padStart(9);
  return error === undefined ? `ok    ${took}  ${name}\n` : `FAILED${took}  ${name}: ${error}\n`;
}

/** The credentials that the local service keeps for its owner. */
function ofThisMachine() {
  const path = join(dataFolder(), contents.credentials);
  const credentials = readCredentials(path);
  if (!credentials) throw new InvalidOption(`--base-url is needed: there is no ${path} of a local service.`);
  const { baseUrl, apiKey, apiSecret } = credentials;
  return { baseUrl, apiKey, apiSecret };
}

/** Not by options, which everybody on the machine can read. */
function ofEnvironment() {
  const { API_KEY: apiKey, API_SECRET: apiSecret } = process.env;
  if (!apiKey || !apiSecret)
    throw new InvalidOption('API_KEY and API_SECRET are needed in the environment; --help says what for.');
  return { apiKey, apiSecret };
}

async function lookForLetters({ deadLetterDepthOf }: CloudService): Promise<void> {
  const found = await Promise.all(
    deadLetterSources.map(async (source) => ({
      source,
      letters: (await deadLetterDepthOf(source)).messages,
    })),
  );
  const given = found.filter(({ letters }) => letters > 0);
  if (given.length > 0)
    throw new Error(
      `There are dead letters of ${given.map(({ source }) => source).join(', ')}: npm run dead-letters.`,
    );
}
