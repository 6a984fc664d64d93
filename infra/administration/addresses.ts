import type { QueueName } from '../../shared/events/queues.ts';
import { parseStored, writeStored } from './stored-file.ts';

export interface AccessKey {
  accessKeyId: string;
  secretAccessKey: string;
}

/**
 * The addresses of the engines. Operators' commands read them from a file, which exists only while the local
 * service runs.
 */
export interface Addresses {
  region: string;
  /** The access key of this start, which commands must use. Absent if the service uses the key of its environment. */
  accessKey?: AccessKey;
  tableName: string;
  dynamoDb: string;
  sqs: string;
  s3: string;
  bucketName: string;
  /** The port of the SMTP server for received mail. */
  smtpPort: number;
  queues: { name: QueueName; url: string; deadLetterUrl: string }[];
  relayDeadLetterUrl: string;
}

export const writeAddresses = (path: string, addresses: Addresses): void =>
  writeStored(path, `${JSON.stringify(addresses, null, 2)}\n`);

/** Returns undefined if no local service uses the folder. Throws CannotStart if the file is damaged. */
export const readAddresses = (path: string): Addresses | undefined =>
  parseStored<Addresses>(path, { parse: JSON.parse, damaged: `${path} is damaged. Restart the service.` });
