import '../quiet-sdk.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { command, print, printError, textTable } from './command.ts';
import { accountId, instant, wholeNumber } from './options.ts';
import { type RestoreDrill, runRestoreDrill } from './run-restore-drill.ts';
import { stage, useTableOf } from './service-at.ts';

await command(
  {
    name: 'restore:drill',
    summary: `Tests a restore. Restores the table of a stage to a second table and compares both tables. Decrypts data
keys and verifies seals in the second table, and then removes that table. Prints how long each part took.`,
    options: {
      stage: { type: stage, required: true, help: 'stage of the table' },
      at: { type: instant, help: 'instant to restore; default: the latest possible, some minutes ago' },
      account: {
        type: accountId,
        help: 'account whose data keys and seals are checked; default: the account with the most events',
      },
      rate: { type: wholeNumber, help: 'read units per second for each table; default: 1000' },
      hours: { type: wholeNumber, help: 'maximum duration of the restore; default: 12' },
      json: { type: 'flag', help: 'prints the result as JSON' },
    },
    notes: [
      `The table of the stage keeps changing during the drill. In every account, the drill compares the events from
before the instant. In accounts without events since 15 minutes before the instant, the drill also compares all items
that are written with events. In other accounts, the drill compares the number of items created before the instant.
Items that functions write later (such as sessions, inboxes, queued work, audit entries, seals) are only counted. The
command prints each difference. If there are differences, the exit code is 1.`,
      `Costs per GB: 15 cents for the restore and 7 cents for two reads. The second table is named
<table>-drill-<instant>. It is removed at the end, also after a failure or Ctrl-C. DynamoDB cannot remove a table
during its restore, so the command waits. If a drill is killed or the restore takes longer than --hours, the next drill
removes the table. No other table is ever removed: a drill's table has this name, was restored from this table and has
no stream. Run only one drill per stage at a time.`,
      'The local service has no point-in-time recovery. To back it up, stop it and copy DATA_DIR.',
    ],
  },
  async ({ stage, at, account, rate = 1000, hours = 12, json }) => {
    await useTableOf(stage);
    const interrupted = new AbortController();
    // Only the first signal aborts the drill. A second signal ends the process.
    for (const name of ['SIGINT', 'SIGTERM'] as const)
      process.once(name, () => interrupted.abort(new Error('Interrupted.')));
    const drill = await runRestoreDrill({
      at: at === undefined ? undefined : new Date(at),
      account,
      rate,
      restoreTimeout: hours * 3_600_000,
      notify: printError,
      signal: interrupted.signal,
    });
    if (drill.differences.length > 0) process.exitCode = 1;
    print(drill, json ? undefined : describe(drill, account));
  },
);

function describe(drill: RestoreDrill, account: AccountId | undefined): string[] {
  const { table, drillTable, at, took, kinds, accounts, unchanged, gone, readUnits, differences } = drill;
  const { dataKeysOf, seals } = drill;
  const none = account ? `Account ${account} has no` : 'No account has';
  const found =
    differences.length > 0
      ? differences
      : [
          `The events of ${accounts - gone} accounts and all items of ${unchanged} unchanged accounts are equal.`,
          dataKeysOf ? `The data keys of ${dataKeysOf} can be decrypted.` : `${none} data keys.`,
          seals
            ? `${seals.seals} seals and ${seals.events} events of ${seals.accountId} are intact.`
            : `${none} seals.`,
        ];
  return [
    `Restored ${table} as of ${at} to ${drillTable}, and removed it.`,
    ...textTable(took.map(({ part, milliseconds }) => [part, durationOf(milliseconds)])),
    `Reading both tables took ${Math.ceil(readUnits)} read units.`,
    '',
    ...textTable([
      ['kind', 'in the table', 'restored'],
      ...kinds.map(({ kind, inTable, restored }) => [kind, String(inTable), String(restored)]),
    ]),
    '',
    ...(gone > 0 ? [`${gone} accounts were deleted after this instant and are not compared.`] : []),
    ...found,
  ];
}

function durationOf(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 10) return `${milliseconds} ms`;
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
