import type { AccountId } from '../id/account-id.ts';
import type { Roles } from '../people/roles/schema.ts';
import { roles } from '../people/roles/store.ts';
import { teams } from '../people/teams/store.ts';
import { inParallel } from '../table/in-parallel.ts';
import { recordOf } from '../table/item.ts';
import { type Key, tenantPartition } from '../table/keys.ts';
import { putIfAbsent, putIfVersion, type Write } from '../table/operations.ts';
import { getItem } from '../table/read.ts';
import type { MappedGroup, StoredProvisioning } from './schema.ts';

const provisioningKey = (account: AccountId): Key => ({
  pk: tenantPartition(account, 'PROVISIONING'),
  sk: 'PROVISIONING',
});

export type ProvisioningChange = Omit<StoredProvisioning, 'id' | 'version'>;

/** The settings of provisioning: which role or team each group of the identity provider is. One item for each account. */
export const provisioning = {
  async find(account: AccountId): Promise<StoredProvisioning> {
    const item = await getItem(provisioningKey(account));
    return item ? recordOf<StoredProvisioning>(item) : { id: 1, version: 0, groups: [] };
  },

  /** Fails with a conflict if the settings have changed. */
  replace(account: AccountId, { id, version }: StoredProvisioning, after: ProvisioningChange): Write[] {
    const item = { ...provisioningKey(account), type: 'provisioning', ...after, id, version: version + 1 };
    return [version === 0 ? putIfAbsent(item) : putIfVersion(item, version)];
  },
};

/** The groups whose role or team still exists. */
export interface Groups {
  settings: StoredProvisioning;
  all: Roles;
  groups: readonly MappedGroup[];
}

export async function readGroups(account: AccountId): Promise<Groups> {
  const [settings, all] = await inParallel([provisioning.find(account), roles.all(account)]);
  const existing = await Promise.all(
    settings.groups.map(async ({ roleId, teamId }) =>
      roleId === undefined
        ? teamId !== undefined && (await teams.find(account, teamId)) !== undefined
        : all.roles[roleId] !== undefined,
    ),
  );
  return { settings, all, groups: settings.groups.filter((_, n) => existing[n]) };
}
