import type { AccountId } from '../../shared/id/account-id.ts';
import type { StageSettings } from '../stage-settings.ts';
import { print } from './print.ts';
import { rotateDataKey } from './rotate-data-key.ts';
import { useTableOf } from './service-at.ts';

export default async function ({
  account,
  stage,
}: {
  account: AccountId;
  stage?: StageSettings;
}): Promise<void> {
  await useTableOf(stage);
  print({ accountId: account, kid: await rotateDataKey(account) });
}
