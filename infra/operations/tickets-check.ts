import type { AccountId } from '../../shared/id/account-id.ts';
import { withProgressBar } from '../administration/progress-bar.ts';
import type { StageSettings } from '../stage-settings.ts';
import { checkTickets } from './check-tickets.ts';
import { print } from './print.ts';
import { useTableOf } from './service-at.ts';

type Options = { account: AccountId; json?: boolean; stage?: StageSettings };

export default async function ({ account, json, stage }: Options): Promise<void> {
  await useTableOf(stage);
  const checked = await withProgressBar('Tickets checked', (advance) => checkTickets(account, advance));
  const { tickets, clockEntries, differences } = checked;
  const sentences =
    differences.length > 0 ? differences : [`${tickets} tickets, ${clockEntries} clock entries: all agree.`];
  print({ accountId: account, ...checked }, json ? undefined : sentences);
  if (differences.length > 0) process.exitCode = 1;
}
