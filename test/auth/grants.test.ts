import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ApiError } from '../../shared/errors.ts';
import { allPermissions } from '../../shared/resources/derived.ts';
import type { Permission } from '../../shared/resources/registry.ts';
import { type HeldPermissions, holdsAll, readGrant, requireHoldsAll } from '../../shared/security/grants.ts';
import { isLimited, withContained } from '../../shared/security/permissions.ts';

/** Only a few permissions, so that one random set often contains another. */
const few = allPermissions.filter((name) => !isLimited(name)).slice(0, 4);
const set = fc.subarray([...few]).map((names): ReadonlySet<Permission> => new Set(names));
const member = fc.record({ administrator: fc.constant(false), permissions: set });
const administrator = fc.constant({ administrator: true, permissions: new Set(allPermissions) });
const holder = fc.oneof({ weight: 4, arbitrary: member }, { weight: 1, arbitrary: administrator });

const codeOf = (runEndpoint: () => unknown): string => {
  try {
    runEndpoint();
    return 'done';
  } catch (error) {
    return error instanceof ApiError ? error.code : String(error);
  }
};

test('a principal may grant exactly the permissions that it holds', () => {
  fc.assert(
    fc.property(holder, set, (principal, more) => {
      expect(holdsAll(principal, principal)).toBe(true);
      const stronger = { ...principal, permissions: new Set([...principal.permissions, ...more]) };
      expect(holdsAll(stronger, principal)).toBe(true);
      if (!principal.administrator)
        expect(holdsAll(principal, stronger)).toBe(stronger.permissions.size === principal.permissions.size);
    }),
  );
});

test('if A holds all permissions of B, and B holds all permissions of C, then A holds all permissions of C', () => {
  fc.assert(
    fc.property(holder, holder, holder, (first, second, third) => {
      fc.pre(holdsAll(first, second) && holdsAll(second, third));
      expect(holdsAll(first, third)).toBe(true);
    }),
  );
});

test('an administrator holds all permissions, including those that only administrators hold', () => {
  fc.assert(
    fc.property(administrator, member, holder, (admin, principal, anybody) => {
      expect(holdsAll(admin, anybody)).toBe(true);
      expect(holdsAll({ ...principal, permissions: new Set(allPermissions) }, admin)).toBe(false);
      expect(codeOf(() => requireHoldsAll(principal, admin))).toBe('administrator_only');
    }),
  );
});

test('no sequence of permitted changes adds or removes a permission that the caller does not hold', () => {
  const change = fc.record({ target: fc.nat({ max: 4 }), names: fc.subarray([...few]) });
  fc.assert(
    fc.property(
      member,
      fc.array(holder, { minLength: 5, maxLength: 5 }),
      fc.array(change, { maxLength: 20 }),
      (principal, crowd, changes) => {
        const beyond = (holding: HeldPermissions) =>
          new Set([...holding.permissions].filter((name) => !principal.permissions.has(name as Permission)));
        const before = crowd.map(beyond);
        const now: HeldPermissions[] = [...crowd];
        for (const { target, names } of changes) {
          const reached = now[target] as HeldPermissions;
          const code = codeOf(() => {
            requireHoldsAll(principal, reached);
            now[target] = { administrator: false, permissions: readGrant(names, principal) };
          });
          expect(['done', 'administrator_only', 'holds_more', 'grant_exceeds_own']).toContain(code);
        }
        expect(now.map(beyond)).toEqual(before);
        expect(now.map((one) => one.administrator)).toEqual(crowd.map((one) => one.administrator));
      },
    ),
  );
});

test('a permission for the records of a team is granted only with the permission for all records', () => {
  const granting = (names: Permission[]) => ({ administrator: false, permissions: withContained(names) });
  const codeFor = (name: Permission, held: Permission[]) => codeOf(() => readGrant([name], granting(held)));
  expect(codeFor('readTeamLeads', ['readTeamLeads'])).toBe('grant_exceeds_own');
  expect(codeFor('readOwnLeads', ['readTeamLeads'])).toBe('done');
  expect(codeFor('readTeamLeads', ['readLeads'])).toBe('done');
  expect(codeFor('writeTeamLeads', ['readLeads'])).toBe('grant_exceeds_own');
  expect(holdsAll(granting(['readTeamLeads']), granting(['readTeamLeads']))).toBe(false);
});

test('a permission that no longer exists is ignored', () => {
  const nobody = { administrator: false, permissions: new Set<Permission>() };
  expect(holdsAll(nobody, { administrator: false, permissions: ['readDodos'] })).toBe(true);
});
