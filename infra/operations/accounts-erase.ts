import { createInterface } from 'node:readline/promises';
import { routing } from '../../events/routing.ts';
import { confirmationOf } from '../../shared/accounts/close-account.ts';
import type { Counts } from '../../shared/closing/erase-items.ts';
import { requireNoOpenChildren } from '../../shared/closing/read-account.ts';
import { removeRawMails } from '../../shared/closing/remove-objects.ts';
import { ApiError } from '../../shared/errors.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import type { StageSettings } from '../stage-settings.ts';
import { removeDeadLetters, waitForQueues } from './account-messages.ts';
import {
  type ErasureCounts,
  eraseAccount,
  type FinalCheck,
  nameOfAccount,
  previewErasure,
} from './erase-account.ts';
import { filesBucket } from './files-bucket.ts';
import { InvalidOption } from './options.ts';
import { print } from './print.ts';
import { removeAccountFiles } from './remove-account-files.ts';
import { cloudService, localService } from './service-at.ts';

/** Milliseconds to wait for consumers to process the messages in their queues. */
const queueTimeout = 60_000;

/** The longest timeout of a consumer, in seconds. */
const longestTimeout = Math.max(...Object.values(routing).map(({ timeoutSeconds }) => timeoutSeconds));

type Options = {
  account: AccountId;
  name?: string;
  dryRun?: boolean;
  wait?: number;
  json?: boolean;
  stage?: StageSettings;
};

export default async function ({
  account,
  name,
  dryRun,
  wait = longestTimeout,
  json,
  stage,
}: Options): Promise<void> {
  const service = stage ? await cloudService(stage) : await localService();
  const bucket = filesBucket();
  const outside = {
    files: (of: AccountId, how: { count: boolean }) => removeAccountFiles(bucket, of, how),
    deadLetters: (of: AccountId, how: { count: boolean }) => removeDeadLetters(service, of, how),
    rawMails: (keys: readonly string[]) => removeRawMails(bucket, keys),
    queues: (since: number) => waitForQueues(service, since, Date.now() + queueTimeout),
  };
  const show = (value: object, lines: readonly string[]) => print(value, json ? undefined : lines);
  const accountName = await nameOfAccount(account);
  const title = `Account ${account}${accountName === undefined ? '' : ` (${accountName})`}`;
  if (dryRun) {
    const found = await previewErasure(account, outside);
    show({ account, name: accountName, ...found }, [`${title} has:`, ...describeCounts(found)]);
    return;
  }
  await refuseWithChildren(account);
  // If an interrupted erasure has already removed the account record, there is no name to confirm.
  if (accountName !== undefined) {
    const confirmation = confirmationOf(account, accountName);
    const what = confirmation === account ? 'id' : 'name';
    if ((name ?? (await askForConfirmation(account, what))) !== confirmation)
      throw new InvalidOption(`This is not the ${what} of account ${account}. Nothing was changed.`);
  }
  const { removed, proof } = await eraseAccount(account, outside, wait * 1000);
  show({ account, name: accountName, removed, proof }, [
    `${title}: removed`,
    ...describeCounts(removed),
    'The final check found:',
    ...describeFinalCheck(proof),
  ]);
  const { held } = proof.queues;
  if (held.length > 0)
    throw new Error(
      `${held.join(', ')} may still have messages of the account. Check the consumers and run the command again.`,
    );
}

/** Throws InvalidOption if the account has child accounts that are not deleted. Their parent manages them. */
async function refuseWithChildren(account: AccountId): Promise<void> {
  try {
    await requireNoOpenChildren(account);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new InvalidOption(
      `Account ${account} has child accounts. Erase or move them first. Nothing was changed.`,
    );
  }
}

/** Returns an empty text if the prompt is closed. */
async function askForConfirmation(account: AccountId, what: 'name' | 'id'): Promise<string> {
  if (!process.stdin.isTTY) throw new InvalidOption('--name is required when there is no terminal.');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new AbortController();
  terminal.once('close', () => closed.abort());
  const question = `Type the ${what} of account ${account} to erase it permanently: `;
  return terminal
    .question(question, { signal: closed.signal })
    .then((typed) => typed.trim())
    .catch(() => '')
    .finally(() => terminal.close());
}

function describeCounts({ items, users, usersRemoved, files, deadLetters }: ErasureCounts): string[] {
  return [
    ...linesOf(items),
    `  ${users} users, ${usersRemoved} of them in no other account`,
    `  ${files} file versions`,
    `  ${deadLetters} dead letters`,
  ];
}

function describeFinalCheck({ items, calls, files, deadLetters, queues, elsewhere }: FinalCheck): string[] {
  const { held, delayed } = queues;
  return [
    `  ${items} items`,
    ...(calls > 0 ? [`  ${calls} new counters of refused requests, also removed`] : []),
    `  ${files} files`,
    `  ${deadLetters} dead letters`,
    `  ${held.length} queues with older messages`,
    ...(delayed > 0 ? [`  ${delayed} delayed messages of any account, processed within 15 minutes`] : []),
    ...linesOf(elsewhere).map((line) => `${line} of other accounts that mention the account (kept)`),
  ];
}

function linesOf(counts: Counts): string[] {
  return Object.entries(counts)
    .sort()
    .map(([type, many]) => `  ${many} ${type}`);
}
