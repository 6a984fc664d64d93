import { ApiError, notFound } from '../../errors.ts';
import { byName } from '../../events/subject.ts';
import type { AccountId } from '../../id/account-id.ts';
import { recordOf } from '../../table/item.ts';
import { type Key, tenantPartition } from '../../table/keys.ts';
import { shortListSource } from '../../table/list-source.ts';
import type { TransactItem, Write } from '../../table/operations.ts';
import { getItem } from '../../table/read.ts';
import type { Role, Roles } from './schema.ts';

/**
 * All roles of an account are in one item, so that authentication can read every item that it needs by key in one
 * request.
 */
export const rolesKey = (account: AccountId): Key => ({ pk: tenantPartition(account, 'ROLES'), sk: 'ROLES' });

/** 100 roles of the largest size take up 230 KB, so they fit into one item. */
const maxRoles = 100;

/**
 * The roles of an account: one item, in which each role and each name is an attribute. A write checks and changes only
 * the attributes of its own role and name. Therefore, concurrent changes of different roles never conflict.
 */
export const roles = {
  subject: 'role' as const,
  describe: byName,

  async all(account: AccountId): Promise<Roles> {
    const item = await getItem(rolesKey(account));
    return item ? recordOf<Roles>(item) : { roles: {} };
  },

  /** Throws `not_found`. */
  async get(account: AccountId, id: number): Promise<Role> {
    return roleIn(await this.all(account), id);
  },

  show: (role: Role): Role => role,
  forEvents: (role: Role): Role => role,

  listOf(account: AccountId) {
    return shortListSource(async () => {
      const { roles: found } = await this.all(account);
      return Object.values(found).sort((one, other) => other.id - one.id);
    });
  },

  /** Throws `role_name_taken`, and `quota_exceeded` if the account already has 100 roles. */
  insert(all: Roles, role: Role): Write[] {
    requireFreeName(all, role);
    const count = Object.keys(all.roles).length;
    if (count >= maxRoles) throw new ApiError('quota_exceeded');
    return [count === 0 ? putFirst(role) : putAnother(role)];
  },

  /** Throws `role_name_taken`. */
  replace(all: Roles, before: Role, after: Role): Write[] {
    if (before === after) return [];
    requireFreeName(all, after);
    return [putIfVersion(before, after)];
  },

  delete(role: Role): Write[] {
    return [deleteItem(role)];
  },
};

/** Returns a role. Throws `not_found`. */
export function roleIn(all: Roles, id: number): Role {
  const role = all.roles[id];
  if (!role) throw notFound('role', id);
  return role;
}

/** Returns the ids of the roles with these names. Throws `role_unknown`. */
export function roleIdsOf(all: Roles, names: readonly string[]): number[] {
  const known = Object.values(all.roles);
  return [...new Set(names)].map((wanted) => {
    const role = known.find(({ name }) => name === wanted);
    if (!role)
      throw new ApiError('role_unknown', {
        details: [{ field: 'roles', message: `no role has the name ${wanted}` }],
      });
    return role.id;
  });
}

function requireFreeName(all: Roles, role: Role): void {
  const taken = Object.values(all.roles).some(
    (other) => other.id !== role.id && nameAttribute(other) === nameAttribute(role),
  );
  if (taken) throw new ApiError('role_name_taken');
}

/**
 * Returns the name of the attribute that reserves the name of a role. Writes require that it does not exist, so two
 * concurrent requests cannot give two roles the same name.
 */
const nameAttribute = ({ name }: Role): string => `name:${name.toLowerCase()}`;

const namesFor = (role: Role) => {
  return { '#roles': 'roles', '#id': String(role.id), '#name': nameAttribute(role) };
};

/** The first role also creates the map of roles. */
const putFirst = (role: Role): TransactItem =>
  changeItem(role, {
    UpdateExpression: 'SET #roles = :roles, #name = :id, #type = :type',
    ConditionExpression: 'attribute_not_exists(#roles) OR size(#roles) = :none',
    ExpressionAttributeNames: { '#roles': 'roles', '#name': nameAttribute(role), '#type': 'type' },
    ExpressionAttributeValues: {
      ':roles': { [role.id]: role },
      ':id': role.id,
      ':type': 'roles',
      ':none': 0,
    },
  });

const putAnother = (role: Role): TransactItem =>
  changeItem(role, {
    UpdateExpression: 'SET #roles.#id = :role, #name = :id',
    ConditionExpression:
      'attribute_not_exists(#roles.#id) AND attribute_not_exists(#name) AND size(#roles) < :most',
    ExpressionAttributeNames: namesFor(role),
    ExpressionAttributeValues: { ':role': role, ':id': role.id, ':most': maxRoles },
  });

function putIfVersion(before: Role, after: Role): TransactItem {
  const renamed = nameAttribute(before) !== nameAttribute(after);
  return {
    ...changeItem(after, {
      UpdateExpression: `SET #roles.#id = :role, #name = :id${renamed ? ' REMOVE #before' : ''}`,
      ConditionExpression: '#roles.#id.#version = :version AND (attribute_not_exists(#name) OR #name = :id)',
      ExpressionAttributeNames: {
        ...namesFor(after),
        '#version': 'version',
        ...(renamed && { '#before': nameAttribute(before) }),
      },
      ExpressionAttributeValues: { ':role': after, ':id': after.id, ':version': before.version },
    }),
    basedOn: before.version,
  };
}

const deleteItem = (role: Role): TransactItem => ({
  ...changeItem(role, {
    UpdateExpression: 'REMOVE #roles.#id, #name',
    ConditionExpression: '#roles.#id.#version = :version',
    ExpressionAttributeNames: { ...namesFor(role), '#version': 'version' },
    ExpressionAttributeValues: { ':version': role.version },
  }),
  basedOn: role.version,
});

type Update = Omit<Extract<TransactItem['operation'], { Update: unknown }>['Update'], 'Key'>;

const changeItem = (role: Role, update: Update): TransactItem => ({
  operation: { Update: { Key: rolesKey(role.accountId), ...update } },
  otherwise: 'conflict',
});
