import type { SQSClient } from '@aws-sdk/client-sqs';
import type { QueueName } from '../../shared/events/queues.ts';
import { messagesToRedrive } from '../administration/dead-letter.ts';
import {
  type DeadLetterFile,
  deadLetterFiles,
  markWaiting,
  removeDeadLetterFile,
} from '../administration/dead-letter-files.ts';
import { sender } from '../administration/send-messages.ts';
import { abortableSleep, errorLine, type Poller, startPoller } from './polling.ts';

interface RedriveOptions {
  client: SQSClient;
  folder: string;
  urlOf: (queue: QueueName) => string;
}

interface Redriver extends Poller {
  /** Call after a message was handled or stored as a dead letter, with the message attribute `letter`. */
  messageDone(letter: string | undefined): void;
}

const pollMilliseconds = 500;
const sendingAll = 'sending all';

/**
 * Sends the messages of the dead letters that are marked for a redrive. Removes a dead letter's file only when all of
 * its messages are done: after a crash, in-memory queues have lost their messages, and the next start sends the
 * messages of the remaining files again.
 */
export function redriveDeadLetters({ client, folder, urlOf }: RedriveOptions): Redriver {
  const send = sender(client, urlOf);
  /** The unfinished messages of each dead letter. */
  const unfinished = new Map<string, Set<string>>();

  async function redrive(letter: DeadLetterFile): Promise<void> {
    const name = `${letter.source}/${letter.id}`;
    const waiting = new Set([sendingAll]);
    unfinished.set(name, waiting);
    try {
      let count = 0;
      for await (const messages of messagesToRedrive(letter)) {
        const named = messages.map((message) => ({ ...message, letter: `${name}#${count++}` }));
        for (const message of named) waiting.add(message.letter);
        await send(named);
      }
      finish(letter, sendingAll);
    } catch (error) {
      unfinished.delete(name);
      markWaiting(folder, letter);
      console.error(`The dead letter ${name} could not be redriven: ${errorLine(error)}`);
    }
  }

  function finish({ source, id }: Pick<DeadLetterFile, 'source' | 'id'>, message: string): void {
    const name = `${source}/${id}`;
    const waiting = unfinished.get(name);
    if (!waiting?.delete(message) || waiting.size > 0) return;
    removeDeadLetterFile(folder, { source, id, redriven: true });
    unfinished.delete(name);
  }

  const poller = startPoller('Redriving dead letters', async (signal) => {
    const redriven = deadLetterFiles(folder).filter((letter) => letter.redriven);
    for (const letter of redriven)
      if (!unfinished.has(`${letter.source}/${letter.id}`)) await redrive(letter);
    await abortableSleep(signal, pollMilliseconds);
  });

  return {
    stop: poller.stop,
    messageDone(letter) {
      const [source, id] = letter?.split('#')[0]?.split('/') ?? [];
      if (letter && source && id) finish({ source: source as DeadLetterFile['source'], id }, letter);
    },
  };
}
