import type { SQSClient } from '@aws-sdk/client-sqs';
import { listedAccounts } from '../../../shared/accounts/directory.ts';
import { accountKey } from '../../../shared/accounts/keys.ts';
import type { AccountId } from '../../../shared/id/account-id.ts';
import { readSealHead } from '../../../shared/integrity/event-seals/store.ts';
import { sealTime } from '../../../shared/integrity/event-seals/turns.ts';
import { getItem } from '../../../shared/table/read.ts';
import { countMessages } from '../../administration/count-messages.ts';
import { deadLetterFiles } from '../../administration/dead-letter-files.ts';
import { type DeadLetterSource, deadLetterSources } from '../../administration/dead-letter-sources.ts';
import type { Queues } from '../queues.ts';
import { mostAccounts, sqsQueues, workQueues } from './queue-states.ts';

/** The parts of a running service whose state the screen Home shows. */
export interface ServiceParts {
  account: AccountId;
  table: string;
  bucket: string;
  mailbox: string;
  queues: Queues;
  sqs: SQSClient;
  deadLetterFolder: string;
  /** See EventSources. */
  waitingSince: () => number | undefined;
}

interface EngineState {
  name: string;
  /** The URL of the engine. */
  address: string;
  /** The duration of a test request in milliseconds. Absent if the engine does not respond. */
  milliseconds?: number;
  error?: string;
}

interface ServiceState {
  engines: EngineState[];
  /** The age of the oldest event that is not processed yet, in seconds. Absent if all events are processed. */
  lagSeconds?: number;
  queues: Awaited<ReturnType<typeof sqsQueues>>;
  workQueues: Awaited<ReturnType<typeof workQueues>>;
  deadLetters: { source: DeadLetterSource; messages: number }[];
  seals: SealState[];
}

interface SealState {
  account: AccountId;
  /** The number of the last seal, and the end of its period. Absent if the account has no seal yet. */
  number?: number;
  to?: string;
  /** The time at which an event that occurs now will be sealed. */
  nextAt: string;
}

/** Reads the state of all parts of the service. */
export async function serviceState(parts: ServiceParts, now: Date): Promise<ServiceState> {
  const since = parts.waitingSince();
  const [engines, queues, ofAccounts, seals] = await Promise.all([
    enginesOf(parts),
    sqsQueues(parts.sqs, parts.queues),
    workQueues(now),
    sealsOf(now),
  ]);
  const letters = deadLetterFiles(parts.deadLetterFolder);
  return {
    engines,
    ...(since !== undefined && { lagSeconds: Math.max(0, Math.round(now.getTime() / 1000 - since)) }),
    queues,
    workQueues: ofAccounts,
    deadLetters: deadLetterSources.map((source) => ({
      source,
      messages: letters.filter((letter) => letter.source === source).length,
    })),
    seals,
  };
}

const enginesOf = ({ account, table, bucket, mailbox, queues, sqs }: ServiceParts) =>
  Promise.all([
    engineState('DynamoDB', table, () => getItem(accountKey(account))),
    engineState('SQS', queues.endpoint, () => countMessages(sqs, queues.relayDeadLetterUrl)),
    // These servers reject the request, but any response shows that they run.
    engineState('S3', bucket, () => fetch(bucket)),
    engineState('SES and SNS', mailbox, () => fetch(mailbox)),
  ]);

async function engineState(
  name: string,
  address: string,
  request: () => Promise<unknown>,
): Promise<EngineState> {
  const began = performance.now();
  try {
    await request();
    return { name, address, milliseconds: performance.now() - began };
  } catch (error) {
    return { name, address, error: (error as Error).message };
  }
}

async function sealsOf(now: Date): Promise<SealState[]> {
  const accounts = (await listedAccounts()).slice(0, mostAccounts);
  return Promise.all(
    accounts.map(async (account) => {
      const head = await readSealHead(account);
      const nextAt = sealTime(account, now).toISOString();
      return { account, ...(head && { number: head.version, to: head.to }), nextAt };
    }),
  );
}
