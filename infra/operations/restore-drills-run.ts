import type { AccountId } from '../../shared/id/account-id.ts';
import type { StageSettings } from '../stage-settings.ts';
import { print, printError, textTable } from './print.ts';
import { type RestoreDrill, runRestoreDrill } from './run-restore-drill.ts';
import { useTableOf } from './service-at.ts';

export default async function ({
  stage,
  at,
  account,
  rate,
  hours,
  json,
}: {
  stage: StageSettings;
  at?: string;
  account?: AccountId;
  rate: number;
  hours: number;
  json?: boolean;
}): Promise<void> {
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
}

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
