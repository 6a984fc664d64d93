import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Message, SQSClient } from '@aws-sdk/client-sqs';
import { repeatUntil } from './polling.ts';
import { type Poller, receive, remove } from './queue-poller.ts';
import { writeStored } from './stored-file.ts';

interface DeadLettersOptions {
  client: SQSClient;
  /** The queue whose messages died: the name of the folder. */
  name: string;
  url: string;
  /** Holds `<name>/<messageId>.json` for each dead letter; without it they stay in the queue only. */
  folder: string;
  /** A dead letter is on file. */
  filed: (message: Message) => void;
}

/**
 * Moves dead letters from their queue, which is in memory, into files, which outlive the process: each holds the
 * body that was sent, ready to be sent again.
 */
export function storeDeadLetters({ client, name, url, folder, filed }: DeadLettersOptions): Poller {
  const stopping = new AbortController();
  const { signal } = stopping;
  mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
  const polling = repeatUntil(signal, `The dead letters of ${name}`, async () => {
    const messages = await receive(client, url, signal);
    for (const message of messages) {
      const { MessageId = '', Body = '' } = message;
      const path = join(folder, name, `${encodeURIComponent(MessageId)}.json`);
      writeStored(path, Body);
      console.error(`A message to ${name} could not be handled and is kept in ${path}`);
      filed(message);
    }
    if (messages.length > 0) await remove(client, url, messages);
    return 'again';
  });
  return {
    async stop() {
      stopping.abort();
      await polling;
    },
  };
}
