import type { SQSClient } from '@aws-sdk/client-sqs';
import type { QueueName } from '../../shared/events/queues.ts';
import { messagesToRedrive } from '../operations/dead-letter.ts';
import { sender } from '../operations/send-messages.ts';
import {
  type DeadLetterFile,
  deadLetterFiles,
  markWaiting,
  removeDeadLetterFile,
} from './dead-letter-files.ts';
import { abortableSleep, repeatUntil } from './polling.ts';
import type { Poller } from './queue-poller.ts';

interface RedriveOptions {
  client: SQSClient;
  folder: string;
  urlOf: (queue: QueueName) => string;
}

/** Sends dead letters again; `messageDone` hears of each message that is done, or dead and on file, by its letter. */
interface Redriving extends Poller {
  messageDone(letter: string | undefined): void;
}

/** So many milliseconds between two looks. */
const between = 500;

/**
 * Looks for dead letters that are to be sent again, and sends them. A letter stays on file until every message that it
 * became is done: the queues are in memory, and what they forget when the process dies is sent again at the next start.
 */
export function redriveDeadLetters({ client, folder, urlOf }: RedriveOptions): Redriving {
  const stopping = new AbortController();
  const { signal } = stopping;
  const send = sender(client, urlOf);
  /** By letter, the messages of it that are not done. */
  const open = new Map<string, Set<string>>();

  async function redrive(letter: DeadLetterFile): Promise<void> {
    const name = `${letter.source}/${letter.id}`;
    const waiting = new Set(['all are sent']);
    open.set(name, waiting);
    try {
      let count = 0;
      for await (const messages of messagesToRedrive(letter)) {
        const named = messages.map((message) => ({ ...message, letter: `${name}#${count++}` }));
        for (const message of named) waiting.add(message.letter);
        await send(named);
      }
      finish(letter, 'all are sent');
    } catch (error) {
      open.delete(name);
      markWaiting(folder, letter);
      console.error(`The dead letter ${name} could not be sent again: ${(error as Error).message}`);
    }
  }

  function finish({ source, id }: Pick<DeadLetterFile, 'source' | 'id'>, message: string): void {
    const name = `${source}/${id}`;
    const waiting = open.get(name);
    if (!waiting?.delete(message) || waiting.size > 0) return;
    removeDeadLetterFile(folder, { source, id, redriven: true });
    open.delete(name);
  }

  const looking = repeatUntil(signal, 'Sending dead letters again', async () => {
    const redriven = deadLetterFiles(folder).filter((letter) => letter.redriven);
    for (const letter of redriven) if (!open.has(`${letter.source}/${letter.id}`)) await redrive(letter);
    await abortableSleep(signal, between);
    return 'again';
  });

  return {
    messageDone(letter) {
      const [source, id] = letter?.split('#')[0]?.split('/') ?? [];
      if (letter && source && id) finish({ source: source as DeadLetterFile['source'], id }, letter);
    },
    async stop() {
      stopping.abort();
      await looking;
    },
  };
}
