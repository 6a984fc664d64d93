import type { AccountId } from '../accounts/account-id.ts';
import { Refusal } from '../http/errors.ts';
import { listedWhole } from '../http/list-source.ts';
import { recordOf } from '../table/item.ts';
import { quotaKey, rolesKey } from '../table/keys.ts';
import { getItem } from '../table/read.ts';
import { addTo, addWithin, type Change, putNew, putOver, type Write } from '../table/write.ts';
import type { Role, Roles } from './role.ts';

/** An account has at most this many, so that they fit into one item. */
const mostRoles = 100;

/** The roles of an account: one item, replaced whole and guarded by its version, so that names stay unique. */
export const roles = {
  async all(account: AccountId): Promise<Roles> {
    const item = await getItem(rolesKey(account));
    return item ? recordOf<Roles>(item) : { version: 0, roles: {} };
  },

  /** The account's roles as the source of a list. */
  listOf(account: AccountId) {
    return listedWhole(async () => {
      const { roles: found } = await this.all(account);
      return Object.values(found).sort((one, other) => other.id - one.id);
    });
  },

  /** Refuses with `quota_exceeded` past 100 roles, and with `role_name_taken`. */
  insert(all: Roles, role: Role): Write[] {
    const account = role.accountId as AccountId;
    return [put(all, account, withRole(all, role)), addWithin(quotaKey(account, 'ROLE'), mostRoles)];
  },

  /** Refuses with `role_name_taken`. */
  replace(all: Roles, before: Role, after: Role): Write[] {
    if (before === after) return [];
    return [{ ...put(all, after.accountId as AccountId, withRole(all, after)), basedOn: before.version }];
  },

  delete(all: Roles, role: Role): Write[] {
    const account = role.accountId as AccountId;
    const { [role.id]: _, ...others } = all.roles;
    return [{ ...put(all, account, others), basedOn: role.version }, addTo(quotaKey(account, 'ROLE'), -1)];
  },
};

/** The role with this id. Refuses with `not_found`. */
export function roleIn(all: Roles, id: number): Role {
  const role = all.roles[id];
  if (!role) throw new Refusal('not_found');
  return role;
}

/** The ids of the roles with these names. Refuses with `role_unknown`. */
export function roleIdsOf(all: Roles, names: readonly string[]): number[] {
  const known = Object.values(all.roles);
  return [...new Set(names)].map((wanted) => {
    const role = known.find(({ name }) => name === wanted);
    if (!role)
      throw new Refusal('role_unknown', {
        details: [{ field: 'roles', message: `no role is named ${wanted}` }],
      });
    return role.id;
  });
}

function withRole(all: Roles, role: Role): Roles['roles'] {
  const name = role.name.toLowerCase();
  if (Object.values(all.roles).some((other) => other.id !== role.id && other.name.toLowerCase() === name))
    throw new Refusal('role_name_taken');
  return { ...all.roles, [role.id]: role };
}

function put(all: Roles, account: AccountId, next: Roles['roles']): Change {
  const item = { ...rolesKey(account), type: 'roles', version: all.version + 1, roles: next };
  return all.version === 0 ? putNew(item) : putOver(item, all.version);
}
