import type { AccountId } from '../../shared/id/account-id.ts';
import type { StageSettings } from '../stage-settings.ts';
import { compareRestoredTable, type RestoredTable } from './compare-restored-table.ts';
import { print, textTable } from './print.ts';
import { useTableOf } from './service-at.ts';

type Options = {
  stage: StageSettings;
  table: string;
  at: string;
  account?: AccountId;
  rate: number;
  json?: boolean;
};

export default async function ({ stage, table, at, account, rate, json }: Options): Promise<void> {
  await useTableOf(stage);
  const compared = await compareRestoredTable({ restored: table, at: new Date(at), account, rate });
  if (compared.differences.length > 0) process.exitCode = 1;
  print(compared, json ? undefined : describe(compared, account));
}

function describe(compared: RestoredTable, account: AccountId | undefined): string[] {
  const { kinds, accounts, unchanged, gone, readUnits, differences, dataKeysOf, seals } = compared;
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
