import '../quiet-sdk.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { command, print } from './command.ts';
import { accountId, InvalidOption, instant, wholeNumber } from './options.ts';
import { CannotRehearse, type RestoreDrill, runRestoreDrill } from './run-restore-drill.ts';
import { stage, useTableOf } from './service-at.ts';

await command(
  {
    name: 'restore:drill',
    summary: `Restores the table of a stage as of an instant to a second table, compares the two, opens data keys and verifies seals
in the second, and removes it. It says how long each part took: as long as a restore would take that is needed.`,
    options: {
      stage: { type: stage, required: true, help: 'whose table' },
      at: {
        type: instant,
        help: 'as of when; left out: the latest instant that there is, some minutes ago',
      },
      account: {
        type: accountId,
        help: 'whose data keys and seals; left out: of that with the most events that has any',
      },
      rate: { type: wholeNumber, help: 'read units in a second, of each table; 1000 where it is left out' },
      hours: { type: wholeNumber, help: 'that the restore may take; 12 where it is left out' },
      json: { type: 'flag', help: 'prints all of it as JSON' },
    },
    notes: [
      `The table of the stage goes on changing. What must agree: in every account all events from before the instant; where
nothing happened since, every item that is written with an event; elsewhere, whatever says that it was created before. What
functions write at their own pace (calls, sessions, inboxes, work queues, audit entries, seals) is counted and not compared. Where something
differs it prints a sentence for each difference, and ends with 1.`,
      `A GB costs 15 cents to restore and 7 cents to read twice. The second table is <table>-drill-<instant>. It goes at the
end, also after a failure or Ctrl-C, which wait until it is restored, as DynamoDB removes none before; one that a killed drill left, or
that was not restored within --hours, is removed by the next. Nothing else ever is: a drill's table has
that name, was restored from this very table, and has no stream. Let one drill of a stage run at a time.`,
      `The service on this machine has no point-in-time recovery: stop it and copy DATA_DIR.`,
    ],
  },
  async ({ stage, at, account, rate = 1000, hours = 12, json }) => {
    await useTableOf(stage);
    const interrupted = new AbortController();
    // A second one ends the process, as it does by default.
    for (const name of ['SIGINT', 'SIGTERM'] as const)
      process.once(name, () => interrupted.abort(new Error('It was interrupted.')));
    const rehearsed = await runRestoreDrill({
      at: at === undefined ? undefined : new Date(at),
      account,
      rate,
      longest: hours * 3_600_000,
      tell: (sentence) => void process.stderr.write(`${sentence}\n`),
      signal: interrupted.signal,
    }).catch((error) => {
      throw error instanceof CannotRehearse ? new InvalidOption(error.message) : error;
    });
    if (rehearsed.differences.length > 0) process.exitCode = 1;
    print(rehearsed, json ? undefined : describe(rehearsed, account));
  },
);

function describe(rehearsed: RestoreDrill, account: AccountId | undefined): string {
  const { table, drillTable, at, took, kinds, accounts, unchanged, gone, readUnits, differences } = rehearsed;
  const { dataKeysOf, seals } = rehearsed;
  const nobodyHas = account ? `${account} does not have` : 'No account has';
  const rows = [
    ['kind', 'in the table', 'restored'],
    ...kinds.map(({ kind, inTable, restored }) => [kind, String(inTable), String(restored)]),
  ];
  const width = Math.max(...rows.map(([kind = '']) => kind.length));
  const found =
    differences.length > 0
      ? differences
      : [
          `All events from before are the same in ${accounts - gone} accounts, and all items in the ${unchanged} where nothing happened since.`,
          dataKeysOf ? `The data keys of ${dataKeysOf} open.` : `${nobodyHas} data keys.`,
          seals
            ? `${seals.seals} seals and ${seals.events} events of ${seals.accountId} are whole.`
            : `${nobodyHas} seals.`,
        ];
  return [
    `${table} as of ${at} was restored to ${drillTable}, which is removed.`,
    ...took.map(({ part, milliseconds }) => `${part.padEnd(10)}${durationOf(milliseconds).padStart(12)}`),
    `Both tables were read once, for ${Math.ceil(readUnits)} read units.`,
    '',
    ...rows.map(
      ([kind = '', inTable = '', restored = '']) =>
        `${kind.padEnd(width)}  ${inTable.padStart(12)}  ${restored.padStart(12)}`,
    ),
    '',
    ...(gone > 0 ? [`${gone} accounts were deleted since, and are not compared.`] : []),
    ...found,
    '',
  ].join('\n');
}

function durationOf(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 10) return `${milliseconds} ms`;
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
