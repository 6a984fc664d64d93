import { listedAccounts } from '../../shared/accounts/directory.ts';
import { accounts } from '../../shared/accounts/store.ts';
import { closings, type ErasedAccount } from '../../shared/closing/store.ts';
import { eventPartition } from '../../shared/events/keys.ts';
import { eventInItem } from '../../shared/events/read-event.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { memberships } from '../../shared/people/users/store.ts';
import { inBatches } from '../../shared/table/in-batches.ts';
import { queryItems } from '../../shared/table/read.ts';
import { readTotals } from '../../shared/table/totals.ts';
import { withProgressBar } from '../administration/progress-bar.ts';
import type { StageSettings } from '../stage-settings.ts';
import { print, textTable } from './print.ts';
import { useTableOf } from './service-at.ts';

interface ListedAccount {
  id: AccountId;
  name: string;
  createdAt: string;
  users: number;
  lastEventAt?: string;
  /** When the deleted account will be erased. */
  erasesAt?: string;
  parentAccountId?: AccountId;
}

type Options = { json?: boolean; stage?: StageSettings };

export default async function ({ json, stage }: Options): Promise<void> {
  await useTableOf(stage);
  const [ids, erased] = await Promise.all([listedAccounts(), closings.listErased()]);
  const all = await withProgressBar('Accounts read', (advance) =>
    inBatches(25, ids, (id) => readAccount(id).finally(advance)),
  );
  const found = all.filter((account) => account !== undefined);
  const rows = found.map(
    ({ id, name, createdAt, users, lastEventAt = '-', parentAccountId = '-', erasesAt = '-' }) => [
      id,
      name,
      createdAt,
      String(users),
      lastEventAt,
      parentAccountId,
      erasesAt,
    ],
  );
  const table = textTable([
    ['account', 'name', 'created', 'users', 'last event', 'parent', 'erased after'],
    ...rows,
  ]);
  print({ accounts: found, erased }, json ? undefined : [...table, ...describeErased(erased)]);
}

function describeErased(erased: readonly ErasedAccount[]): string[] {
  if (erased.length === 0) return [];
  const rows = erased.map(({ account, name, closedBy, erasedAt, removed, exportSha256 = '-' }) => {
    const items = Object.values(removed.items).reduce((sum, count) => sum + count, 0);
    return [account, name, closedBy, erasedAt, String(items), exportSha256];
  });
  const header = ['account', 'name', 'deleted by', 'erased', 'items', 'SHA-256 of the export'];
  return ['', 'Erased after a deletion through the API:', ...textTable([header, ...rows])];
}

/** Returns undefined if the account was erased after the directory was read. */
async function readAccount(id: AccountId): Promise<ListedAccount | undefined> {
  const [account, totals, [lastEvent]] = await Promise.all([
    accounts.find(id),
    readTotals(id),
    queryItems({ partition: eventPartition(id), newestFirst: true, limit: 1 }),
  ]);
  if (!account) return undefined;
  const { name, createdAt, parentAccountId, erasesAt } = account;
  const lastEventAt = lastEvent && eventInItem(lastEvent)?.occurredAt;
  const users = totals.get(memberships.noun) ?? 0;
  return {
    ...{ id, name, createdAt, users, lastEventAt },
    ...(parentAccountId && { parentAccountId }),
    ...(erasesAt && { erasesAt }),
  };
}
