import '../quiet-sdk.ts';
import { queueNames } from '../../shared/events/queues.ts';
import {
  type DeadLetterFile,
  deadLetterFiles,
  markRedriven,
  removeDeadLetterFile,
} from '../local/dead-letter-files.ts';
import { command, print } from './command.ts';
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
  expected: 'ids with commas between them',
  parse: (given) => {
    const all = given.split(',').map((id) => id.trim());
    return all.every((id) => id !== '') ? all : undefined;
  },
};

/** What is done with a letter, and what is said of it. */
type LetterOutcome = { gone: boolean; says: string };

await command(
  {
    name: 'dead-letters',
    summary: `Lists what queues hold and what was given up, shows it, sends it again, or removes it.`,
    options: {
      action: {
        type: oneOf('list', 'show', 'redrive', 'remove'),
        required: true,
        operand: true,
        help: 'what to do',
      },
      queue: { type: oneOf(...deadLetterSources), help: 'the dead letters of one queue, or of the relay' },
      id: { type: ids, help: 'these dead letters' },
      all: { type: 'flag', help: 'every dead letter' },
      'dry-run': { type: 'flag', help: 'says what would be sent again or removed, and changes nothing' },
      json: { type: 'flag', help: 'prints list as JSON' },
      ...serviceOption,
    },
    notes: [
      serviceNote,
      `show, redrive and remove want --id, --queue or --all. A redriven message goes to the queue that it died of. Of the
relay's, a record is read again by the code of this command, a parked message goes to its queue, and a note of Lambda's
that records were given up becomes a replay of all events of that time. On this machine the file of a dead letter stays
until what it was sent as is done: the service sends it as long as it runs, and again after it was killed.`,
      'It ends with 1 where a dead letter could not be sent again; it stays then.',
    ],
  },
  async ({ action, queue, id, all, 'dry-run': dryRun, json, stage }, closeAtEnd) => {
    if (action !== 'list' && !queue && !id && !all)
      throw new InvalidOption('--id, --queue or --all is needed; --help says what for.');
    const cloud = stage && (await cloudService(stage, closeAtEnd));
    const isChosen = (letter: DeadLetter) =>
      (!queue || letter.source === queue) && (!id || id.includes(letter.id));
    const chosenSources = deadLetterSources.filter((source) => !queue || source === queue);

    if (action === 'list') {
      const states = cloud ? await cloudStates(cloud) : await localStates();
      print(states, json ? undefined : describeQueues(states));
      return;
    }

    let failed = 0;
    const found = new Set<string>();
    const handled = async (letter: DeadLetter, handle: () => Promise<LetterOutcome>): Promise<boolean> => {
      found.add(letter.id);
      try {
        const { gone, says } = await handle();
        process.stdout.write(says === '' ? '' : `${letter.source} ${letter.id} ${says}\n`);
        return gone;
      } catch (error) {
        failed += 1;
        process.stderr.write(`${letter.source} ${letter.id} stays: ${(error as Error).message}\n`);
        return false;
      }
    };
    const show = (letter: DeadLetter): LetterOutcome => {
      process.stdout.write(`${describeLetter(letter)}\n${letter.body}\n`);
      return { gone: false, says: '' };
    };
    const doing: Record<'redrive' | 'remove', string> = { redrive: 'is sent again', remove: 'is removed' };

    if (cloud) {
      const send = sender(cloud.sqs, cloud.urlOf);
      const handle = async (letter: DeadLetter): Promise<LetterOutcome> => {
        if (action === 'show') return show(letter);
        if (dryRun) return { gone: false, says: await previewed(action, letter) };
        if (action === 'redrive')
          for await (const messages of messagesToRedrive(letter)) await send(messages);
        return { gone: true, says: doing[action] };
      };
      for (const source of chosenSources)
        await receiveDeadLetters(
          { client: cloud.sqs, url: cloud.deadLetterUrlOf(source), source },
          async (letter) =>
            isChosen(letter) && (await handled(letter, () => handle(letter))) ? 'done' : 'stays',
        );
    } else {
      const folder = deadLetterFolder();
      const handle = async (letter: DeadLetterFile): Promise<LetterOutcome> => {
        if (action === 'show') return show(letter);
        if (dryRun) return { gone: false, says: await previewed(action, letter) };
        if (action === 'remove') removeDeadLetterFile(folder, letter);
        else if (!letter.redriven) markRedriven(folder, letter);
        return { gone: true, says: action === 'redrive' ? 'is handed to the service' : doing[action] };
      };
      for (const letter of deadLetterFiles(folder))
        if (isChosen(letter)) await handled(letter, () => handle(letter));
    }
    const missing = (id ?? []).filter((one) => !found.has(one));
    for (const one of missing) process.stderr.write(`There is no dead letter ${one}.\n`);
    if (failed > 0 || missing.length > 0) process.exitCode = 1;

    /** What would be done. A replay is not counted: events:replay does that. */
    async function previewed(action: 'redrive' | 'remove', letter: DeadLetter): Promise<string> {
      if (action === 'remove') return 'would be removed';
      if (letter.source === 'relay' && letter.body.includes('"DDBStreamBatchInfo"'))
        return 'would become a replay of its time';
      const queues: string[] = [];
      for await (const messages of messagesToRedrive(letter))
        queues.push(...messages.map((message) => message.queue));
      return queues.length === 0 ? 'would be dropped: a health check' : `would go to ${queues.join(', ')}`;
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
        process.stderr.write(`${error.message}\n`);
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
