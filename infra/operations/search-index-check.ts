import type { AccountId } from '../../shared/id/account-id.ts';
import type { StageSettings } from '../stage-settings.ts';
import { checkSearchIndex } from './check-search-index.ts';
import { print } from './print.ts';
import { useTableOf } from './service-at.ts';

type Options = { account?: AccountId; json?: boolean; stage?: StageSettings };

export default async function ({ account, json, stage }: Options): Promise<void> {
  await useTableOf(stage);
  const checked = await checkSearchIndex(account);
  const { records, entries, differences } = checked;
  const compared = `${records} records with ${entries} entries in the search index`;
  const sentences =
    differences.length > 0
      ? [...differences, `${compared}: the differences are mended.`]
      : [`${compared}: all agree.`];
  print(checked, json ? undefined : sentences);
  if (differences.length > 0) process.exitCode = 1;
}
