import type { AccountId } from '../../shared/id/account-id.ts';
import type { StageSettings } from '../stage-settings.ts';
import { buildSearchIndex } from './check-search-index.ts';
import { print } from './print.ts';
import { useTableOf } from './service-at.ts';

type Options = { account?: AccountId; json?: boolean; stage?: StageSettings };

export default async function ({ account, json, stage }: Options): Promise<void> {
  await useTableOf(stage);
  const records = await buildSearchIndex(account);
  print({ records }, json ? undefined : [`The search index has the entries of ${records} records.`]);
}
