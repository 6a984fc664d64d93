import '../quiet-sdk.ts';
import { queueNames } from '../../shared/events/queues.ts';
import {
  type DeadLetterFile,
  deadLetterFiles,
  markRedriven,
  removeDeadLetterFile,
} from '../local/dead-letter-files.ts';
import { command, print, printError } from './command.ts';
import { type DeadLetter, deadLetterSources, messagesToRedrive } from './dead-letter.ts';
import { describeLetter, describeQueues, type QueueState } from './describe-letters.ts';
import { InvalidOption, oneOf, type ValueType } from './options.ts';
import { receiveDeadLetters } from './receive-dead-letters.ts';
import { sender } from './send-messages.ts';
import {
  ageSince,
  type CloudService,
  cloudService,
  type Depth,
  deadLetterFolder,
  localService,
  serviceNote,
  serviceOption,
} from './service-at.ts';

const ids: ValueType<readonly string[]> = {
  expected: 'a comma-separated list of ids',
  parse: (given) => {
    const all = given.split(',').map((id) => id.trim());
    return all.every((id) => id !== '') ? all : undefined;
  },
};

await command(
  {
    name: 'dead-letters',
    summary: 'Lists the queues and their dead letters, or shows, redrives or removes dead letters.',
    options: {
      action: {
        type: oneOf('list', 'show', 'redrive', 'remove'),
        required: true,
        operand: true,
        help: 'what to do',
      },
      queue: {
        type: oneOf(...deadLetterSources),
        help: 'selects the dead letters of one queue or of the relay',
      },
      id: { type: ids, help: 'selects these dead letters' },
      all: { type: 'flag', help: 'selects all dead letters' },
      'dry-run': { type: 'flag', help: 'prints the effect of redrive or remove, and changes nothing' },
      json: { type: 'flag', help: 'prints the list as JSON' },
      ...serviceOption,
    },
    notes: [
      serviceNote,
      `show, redrive and remove require --id, --queue or --all. redrive sends a message back to its queue. A dead letter
of the relay is a stream record, an unsent message or a Lambda failure note. redrive sends the messages of the record,
sends the message, or replays all events in the time span of the note. On this machine, dead letters are files: the
running service sends the redriven dead letters and removes each file once its messages are processed.`,
      'If a dead letter cannot be redriven, it is kept and the exit code is 1.',
    ],
  },
  async ({ action, queue, id, all, 'dry-run': dryRun, json, stage }, closeAtEnd) => {
    if (action !== 'list' && !queue && !id && !all)
      throw new InvalidOption('--id, --queue or --all is required. See --help.');
    const cloud = stage && (await cloudService(stage, closeAtEnd));
    const chosenSources = deadLetterSources.filter((source) => !queue || source === queue);

    if (action === 'list') {
      const states = cloud ? await cloudStates(cloud) : await localStates();
      print(states, json ? undefined : describeQueues(states));
      return;
    }

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
        const outcome = dryRun ? await preview(letter) : await act();
        print(undefined, [`${letter.source} ${letter.id} ${outcome}`]);
        return !dryRun;
      } catch (error) {
        failed += 1;
        printError(`${letter.source} ${letter.id} kept: ${(error as Error).message}`);
        return false;
      }
    };

    if (cloud) {
      const send = sender(cloud.sqs, cloud.urlOf);
      const act = async (letter: DeadLetter) => {
        if (action === 'remove') return 'removed';
        for await (const messages of messagesToRedrive(letter)) await send(messages);
        return 'redriven';
      };
      for (const source of chosenSources)
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

    /**
     * Describes what the action would do. Does not count the events in the time span of a failure note. Use
     * `events:replay --dry-run` to count them.
     */
    async function preview(letter: DeadLetter): Promise<string> {
      if (action === 'remove') return 'would be removed';
      if (letter.source === 'relay' && letter.body.includes('"DDBStreamBatchInfo"'))
        return 'would replay the events of its time span';
      const queues: string[] = [];
      for await (const messages of messagesToRedrive(letter))
        queues.push(...messages.map((message) => message.queue));
      if (queues.length === 0) return 'would be dropped (health check)';
      return `would be sent to ${queues.join(', ')}`;
    }

    async function cloudStates({ depthOf, deadLetterDepthOf }: CloudService): Promise<QueueState[]> {
      return Promise.all(
        chosenSources.map(async (source) => ({
          queue: source,
          ...(source !== 'relay' && { waiting: await depthOf(source) }),
          deadLetters: await deadLetterDepthOf(source),
        })),
      );
    }

    async function localStates(): Promise<QueueState[]> {
      const service = await localService(closeAtEnd).catch((error: Error) => {
        printError(error.message);
        return undefined;
      });
      const letters = deadLetterFiles(deadLetterFolder());
      return Promise.all(
        chosenSources.map(async (source) => {
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
  },
);
