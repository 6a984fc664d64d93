import type { AccountId } from '../../shared/id/account-id.ts';
import type { StageSettings } from '../stage-settings.ts';
import { print } from './print.ts';
import { rotateDataKey } from './rotate-data-key.ts';
import { useTableOf } from './service-at.ts';

type Options = { account: AccountId; stage?: StageSettings };

export default async function ({ account, stage }: Options): Promise<void> {
  await useTableOf(stage);
  print({ accountId: account, kid: await rotateDataKey(account) });
}
