import '../quiet-sdk.ts';
import { createInterface } from 'node:readline/promises';
import { routing } from '../../events/routing.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { removeDeadLetters, waitForQueues } from './account-messages.ts';
import { command, print } from './command.ts';
import { describeCounts, describeFinalCheck } from './describe-erasure.ts';
import { confirmationOf, eraseAccount, nameOfAccount, previewErasure } from './erase-account.ts';
import { filesBucket } from './files-bucket.ts';
import { accountId, InvalidOption, text, wholeNumber } from './options.ts';
import { removeObjects } from './remove-objects.ts';
import { cloudService, localService, serviceNote, serviceOption } from './service-at.ts';

/** Seconds that any function of the service runs at most. */
const longestRun = Math.max(...Object.values(routing).map(({ timeoutSeconds }) => timeoutSeconds));
/** For so many milliseconds consumers get to work what is in their queues. */
const patience = 60_000;

await command(
  {
    name: 'account:erase',
    summary: `Erases an account with everything of it: items, files, dead letters, and users that belong to no other account. There is
no way back but a restore of the table.`,
    options: {
      account: { type: accountId, required: true, help: 'which account' },
      name: {
        type: text,
        help: 'its name, where that cannot be asked for at a terminal; its id where the name is blank',
      },
      'dry-run': { type: 'flag', help: 'counts what would be removed, and changes nothing' },
      wait: {
        type: wholeNumber,
        help: `seconds from the last removal to the last look; ${longestRun} where it is left out`,
      },
      json: { type: 'flag', help: 'prints what was removed and what is left as JSON' },
      ...serviceOption,
    },
    notes: [
      serviceNote,
      `First the account is closed: each request of it is refused from then on. Then the whole table is read several times. Ended
before it was done, it goes on when it is called again. Whoever belongs to another account stays there, and has to log in
again. It ends with a last look at table, bucket and queues, and with 1 where a queue was not worked meanwhile.`,
      `It does not reach backups and earlier points in time of the table, log lines until they expire, the table's stream for 24
hours, mail and messages that have left, and what other accounts have written down, such as an event whose request named
the account. A file whose upload was granted within the last 15 minutes may still come; the bucket removes it within days.`,
    ],
  },
  async ({ account, name, 'dry-run': dryRun, wait = longestRun, json, stage }, closeAtEnd) => {
    const service = stage ? await cloudService(stage, closeAtEnd) : await localService(closeAtEnd);
    const bucket = filesBucket(closeAtEnd);
    const outside = {
      files: (of: AccountId, how: { count: boolean }) => removeObjects(bucket, of, how),
      deadLetters: (of: AccountId, how: { count: boolean }) => removeDeadLetters(service, of, how),
      queues: (since: number) => waitForQueues(service, since, Date.now() + patience),
    };
    const show = (value: object, lines: readonly string[]) =>
      print(value, json ? undefined : `${lines.join('\n')}\n`);
    const wanted = await nameOfAccount(account);
    if (dryRun) {
      const found = await previewErasure(account, outside);
      show({ account, name: wanted, ...found }, [
        `Of the account ${account}${wanted === undefined ? '' : ` (${wanted})`} there are:`,
        ...describeCounts(found),
      ]);
      return;
    }
    // Where the account is gone its erasure was nearly done, and there is no name to ask for.
    if (wanted !== undefined) {
      const confirmation = confirmationOf(account, wanted);
      const what = confirmation === account ? 'id' : 'name';
      if ((name ?? (await askedFor(account, what))) !== confirmation)
        throw new InvalidOption(`This is not the ${what} of the account ${account}: nothing was changed.`);
    }
    const { removed, proof } = await eraseAccount(account, outside, wait * 1000);
    show({ account, name: wanted, removed, proof }, [
      `Of the account ${account}${wanted === undefined ? '' : ` (${wanted})`} were removed:`,
      ...describeCounts(removed),
      'A last look found:',
      ...describeFinalCheck(proof),
    ]);
    const { held } = proof.queues;
    if (held.length > 0)
      throw new Error(
        `${held.join(', ')} may hold messages of the account that no consumer has worked: see to that, and run it again.`,
      );
  },
);

async function askedFor(account: AccountId, what: 'name' | 'id'): Promise<string> {
  if (!process.stdin.isTTY) throw new InvalidOption('--name is needed where there is no terminal.');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const left = new AbortController();
  terminal.once('close', () => left.abort());
  const { signal } = left;
  try {
    return (
      await terminal.question(`The ${what} of the account ${account}, to erase it for good: `, { signal })
    ).trim();
  } catch {
    // Whoever leaves the terminal has named none.
    return '';
  } finally {
    terminal.close();
  }
}
