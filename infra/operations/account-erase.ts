import '../quiet-sdk.ts';
import { createInterface } from 'node:readline/promises';
import { routing } from '../../events/routing.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { removeDeadLetters, waitForQueues } from './account-messages.ts';
import { command, print } from './command.ts';
import {
  confirmationOf,
  type ErasureCounts,
  eraseAccount,
  type FinalCheck,
  nameOfAccount,
  previewErasure,
} from './erase-account.ts';
import type { Counts } from './erase-items.ts';
import { filesBucket } from './files-bucket.ts';
import { accountId, InvalidOption, text, wholeNumber } from './options.ts';
import { removeObjects } from './remove-objects.ts';
import { cloudService, localService, serviceNote, serviceOption } from './service-at.ts';

/** The longest timeout of a function, in seconds. */
const longestTimeout = Math.max(...Object.values(routing).map(({ timeoutSeconds }) => timeoutSeconds));
/** Milliseconds to wait for consumers to process the messages in their queues. */
const queueTimeout = 60_000;

await command(
  {
    name: 'account:erase',
    summary: `Permanently erases an account: its items, files and dead letters, and users who belong to no other
account. Only a restore of the table can bring the data back.`,
    options: {
      account: { type: accountId, required: true, help: 'account to erase' },
      name: { type: text, help: 'confirmation: the account name, or the id if the name is blank' },
      'dry-run': { type: 'flag', help: 'counts the data of the account and changes nothing' },
      wait: {
        type: wholeNumber,
        help: `seconds between the last removal and the final check; default: ${longestTimeout}`,
      },
      json: { type: 'flag', help: 'prints the counts as JSON' },
      ...serviceOption,
    },
    notes: [
      serviceNote,
      `At a terminal, the command asks for the confirmation if --name is omitted. It closes the account, so that all
requests of the account are refused, and then reads the whole table several times. After an interruption, run the
command again to continue. Users who also belong to another account are kept, but some must log in again. The command
ends with a check of the table, the bucket and the queues. If a queue may still have messages, the exit code is 1.`,
      `Not erased: backups and point-in-time recovery of the table, log lines until they expire, the table's stream
(24 hours), mail and messages already sent, and other accounts' records that mention this account, such as events. A
file whose upload was allowed in the last 15 minutes may still arrive. The bucket removes such a file within days.`,
    ],
  },
  async ({ account, name, 'dry-run': dryRun, wait = longestTimeout, json, stage }, closeAtEnd) => {
    const service = stage ? await cloudService(stage, closeAtEnd) : await localService(closeAtEnd);
    const bucket = filesBucket(closeAtEnd);
    const outside = {
      files: (of: AccountId, how: { count: boolean }) => removeObjects(bucket, of, how),
      deadLetters: (of: AccountId, how: { count: boolean }) => removeDeadLetters(service, of, how),
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
  },
);

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
