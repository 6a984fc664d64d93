import type { AccountId } from '../../shared/id/account-id.ts';
import type { StageSettings } from '../stage-settings.ts';
import { type AccountStats, countedQueues, measureAccount } from './measure-account.ts';
import { print, textTable } from './print.ts';
import { requireAccount } from './require-account.ts';
import { useTableOf } from './service-at.ts';

type Options = { account: AccountId; json?: boolean; stage?: StageSettings };

export default async function ({ account, json, stage }: Options): Promise<void> {
  await useTableOf(stage);
  const { name } = await requireAccount(account);
  const stats = await measureAccount(account);
  print({ account, name, ...stats }, json ? undefined : describe(stats));
}

function describe({ kinds, items, files, firstEventAt, lastEventAt, openWork }: AccountStats): string[] {
  const rows = Object.entries(kinds).map(([kind, { count, bytes }]) => [kind, String(count), sizeOf(bytes)]);
  const open = countedQueues.map(({ count, words }) => `${openWork[count]} ${words}`);
  return [
    ...textTable([['kind', 'count', 'size'], ...rows]),
    `All items: ${items.count}, ${sizeOf(items.bytes)}`,
    `Files: ${files.count}, ${sizeOf(files.bytes)}`,
    `Events: from ${firstEventAt ?? '-'} to ${lastEventAt ?? '-'}`,
    `Open work items: ${open.join(', ')}`,
  ];
}

function sizeOf(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
