import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Message, SQSClient } from '@aws-sdk/client-sqs';
import { writeStored } from '../administration/stored-file.ts';
import { type Poller, startPoller } from './polling.ts';
import { receive, remove } from './queue-poller.ts';

interface StoreDeadLettersOptions {
  client: SQSClient;
  /** The source of the dead letters: the name of a queue, or `relay`. */
  name: string;
  /** The URL of the dead-letter queue. */
  url: string;
  /** Dead letters are stored here as `<name>/<messageId>.json`. */
  folder: string;
  /** Called after each dead letter is stored. */
  stored: (message: Message) => void;
}

/**
 * Moves dead letters from an in-memory queue to files, so that the dead letters survive a restart. A file contains the
 * body of the message.
 */
export function storeDeadLetters({ client, name, url, folder, stored }: StoreDeadLettersOptions): Poller {
  mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
  return startPoller(`Polling the dead letters of ${name}`, async (signal) => {
    const messages = await receive(client, url, signal);
    for (const message of messages) {
      const { MessageId = '', Body = '' } = message;
      const path = join(folder, name, `${encodeURIComponent(MessageId)}.json`);
      writeStored(path, Body);
      console.error(`A message of ${name} failed and was moved to ${path}`);
      stored(message);
    }
    if (messages.length > 0) await remove(client, url, messages);
  });
}
