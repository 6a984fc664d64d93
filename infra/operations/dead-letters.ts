import { queueNames } from '../../shared/events/queues.ts';
import { ageSince, type Depth } from '../administration/count-messages.ts';
import { type DeadLetter, messagesToRedrive } from '../administration/dead-letter.ts';
import {
  type DeadLetterFile,
  deadLetterFiles,
  markRedriven,
  removeDeadLetterFile,
} from '../administration/dead-letter-files.ts';
import { type DeadLetterSource, deadLetterSources } from '../administration/dead-letter-sources.ts';
import { sender } from '../administration/send-messages.ts';
import type { StageSettings } from '../stage-settings.ts';
import { describeLetter, describeQueues, type QueueState } from './describe-letters.ts';
import { InvalidOption } from './options.ts';
import { print, printError } from './print.ts';
import { receiveDeadLetters } from './receive-dead-letters.ts';
import { type CloudService, cloudService, deadLetterFolder, localService } from './service-at.ts';

type Selection = {
  queue?: DeadLetterSource;
  id?: readonly string[];
  all?: boolean;
  stage?: StageSettings;
};

type Change = Selection & { dryRun?: boolean };

type Listing = { queue?: DeadLetterSource; json?: boolean; stage?: StageSettings };

export async function listLetters({ queue, json, stage }: Listing): Promise<void> {
  const sources = sourcesOf(queue);
  const states = await (stage ? cloudStates(await cloudService(stage), sources) : localStates(sources));
  print(states, json ? undefined : describeQueues(states));
}

export const showLetters = (selection: Selection): Promise<void> => handleAll('show', selection);

export const redriveLetters = (change: Change): Promise<void> => handleAll('redrive', change);

export const removeLetters = (change: Change): Promise<void> => handleAll('remove', change);

const sourcesOf = (queue: DeadLetterSource | undefined): DeadLetterSource[] =>
  deadLetterSources.filter((source) => !queue || source === queue);

/** Sets the exit code 1 if a selected dead letter is missing or cannot be redriven. */
async function handleAll(
  action: 'show' | 'redrive' | 'remove',
  { queue, id, all, dryRun, stage }: Change,
): Promise<void> {
  if (!queue && !id && !all) throw new InvalidOption('--id, --queue or --all is required. See --help.');
  let failed = 0;
  const found = new Set<string>();
  /** Shows a selected letter, or calls `act` and prints the outcome. Returns true if `act` succeeded. */
  const handle = async (letter: DeadLetter, act: () => Promise<string>): Promise<boolean> => {
    if ((queue && letter.source !== queue) || (id && !id.includes(letter.id))) return false;
    found.add(letter.id);
    if (action === 'show') {
      print(undefined, [describeLetter(letter), letter.body]);
      return false;
    }
    try {
      const outcome = !dryRun
        ? await act()
        : action === 'remove'
          ? 'would be removed'
          : await preview(letter);
      print(undefined, [`${letter.source} ${letter.id} ${outcome}`]);
      return !dryRun;
    } catch (error) {
      failed += 1;
      printError(`${letter.source} ${letter.id} kept: ${(error as Error).message}`);
      return false;
    }
  };

  if (stage) {
    const cloud = await cloudService(stage);
    const send = sender(cloud.sqs, cloud.urlOf);
    const act = async (letter: DeadLetter) => {
      if (action === 'remove') return 'removed';
      for await (const messages of messagesToRedrive(letter)) await send(messages);
      return 'redriven';
    };
    for (const source of sourcesOf(queue))
      await receiveDeadLetters(
        { client: cloud.sqs, url: cloud.deadLetterUrlOf(source), source },
        async (letter) => ((await handle(letter, () => act(letter))) ? 'done' : 'keep'),
      );
  } else {
    const folder = deadLetterFolder();
    const act = async (letter: DeadLetterFile) => {
      if (action === 'remove') removeDeadLetterFile(folder, letter);
      else if (!letter.redriven) markRedriven(folder, letter);
      return action === 'remove' ? 'removed' : 'queued for the local service';
    };
    for (const letter of deadLetterFiles(folder)) await handle(letter, () => act(letter));
  }
  const missing = (id ?? []).filter((one) => !found.has(one));
  for (const one of missing) printError(`No dead letter ${one}.`);
  if (failed > 0 || missing.length > 0) process.exitCode = 1;
}

/**
 * Describes what a redrive would do. Does not count the events in the time span of a failure note. Use
 * `events replay --dry-run` to count them.
 */
async function preview(letter: DeadLetter): Promise<string> {
  if (letter.source === 'relay' && letter.body.includes('"DDBStreamBatchInfo"'))
    return 'would replay the events of its time span';
  const queues: string[] = [];
  for await (const messages of messagesToRedrive(letter))
    queues.push(...messages.map((message) => message.queue));
  if (queues.length === 0) return 'would be dropped (health check)';
  return `would be sent to ${queues.join(', ')}`;
}

const cloudStates = (
  { depthOf, deadLetterDepthOf }: CloudService,
  sources: readonly DeadLetterSource[],
): Promise<QueueState[]> =>
  Promise.all(
    sources.map(async (source) => ({
      queue: source,
      ...(source !== 'relay' && { waiting: await depthOf(source) }),
      deadLetters: await deadLetterDepthOf(source),
    })),
  );

async function localStates(sources: readonly DeadLetterSource[]): Promise<QueueState[]> {
  const service = await localService().catch((error: Error) => {
    printError(error.message);
    return undefined;
  });
  const letters = deadLetterFiles(deadLetterFolder());
  return Promise.all(
    sources.map(async (source) => {
      const own = letters.filter((letter) => letter.source === source);
      const queueName = queueNames.find((name) => name === source);
      const oldest: Partial<Depth> = own[0] ? ageSince(own[0].since.getTime()) : {};
      return {
        queue: source,
        ...(service && queueName && { waiting: await service.depthOf(queueName) }),
        deadLetters: { messages: own.length, ...oldest },
        ids: own.map((letter) => letter.id),
      };
    }),
  );
}
