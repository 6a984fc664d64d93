import type { QueueName } from '../../shared/events/queues.ts';
import { parseStored, writeStored } from './stored-file.ts';

/** The addresses of a runner's engines, for operators' commands. The file exists while the runner runs. */
export interface Addresses {
  region: string;
  /** The engines accept any access key. The table belongs to the key of the runner. */
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

/** Reads the addresses; undefined if no runner runs on the folder. Throws CannotStart if the file is damaged. */
export const readAddresses = (path: string): Addresses | undefined =>
  parseStored<Addresses>(path, { parse: JSON.parse, damaged: `${path} is damaged. Restart the runner.` });
