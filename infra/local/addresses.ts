import type { QueueName } from '../../shared/events/queues.ts';
import { CannotStart } from './cannot-start.ts';
import { readStored, writeStored } from './stored-file.ts';

/** Where a runner's engines are, for the commands of whoever runs it. There as long as it runs. */
export interface Addresses {
  region: string;
  /** The engines take any key: the one the runner made its table with. */
  anyKey: boolean;
  tableName: string;
  dynamoDb: string;
  sqs: string;
  s3: string;
  bucketName: string;
  queues: { name: QueueName; url: string; deadLetterUrl: string }[];
  relayDeadLetterUrl: string;
}

export const writeAddresses = (path: string, addresses: Addresses): void =>
  writeStored(path, `${JSON.stringify(addresses, null, 2)}\n`);

/** The addresses of the runner that has the folder, or undefined where none runs. Throws CannotStart where damaged. */
export function readAddresses(path: string): Addresses | undefined {
  const text = readStored(path);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Addresses;
  } catch {
    throw new CannotStart(`${path} is damaged: stop the runner and start it again.`);
  }
}
