import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Holding, holdsAll, readGrant, requireReach } from '../../shared/auth/grants.ts';
import { allPermissions, type Permission } from '../../shared/auth/permissions.ts';
import { Refusal } from '../../shared/http/errors.ts';

/** Few permissions, so that sets often contain each other. */
const few = allPermissions.slice(0, 4);
const set = fc.subarray([...few]).map((names): ReadonlySet<Permission> => new Set(names));
const member = fc.record({ administrator: fc.constant(false), permissions: set });
const administrator = fc.constant({ administrator: true, permissions: new Set(allPermissions) });
const holder = fc.oneof({ weight: 4, arbitrary: member }, { weight: 1, arbitrary: administrator });

const codeOf = (act: () => unknown): string => {
  try {
    act();
    return 'done';
  } catch (error) {
    return error instanceof Refusal ? error.code : String(error);
  }
};

test('everybody holds what they hold, and what they hold with more permissions they still hold', () => {
  fc.assert(
    fc.property(holder, set, (caller, more) => {
      expect(holdsAll(caller, caller)).toBe(true);
      const stronger = { ...caller, permissions: new Set([...caller.permissions, ...more]) };
      expect(holdsAll(stronger, caller)).toBe(true);
      if (!caller.administrator)
        expect(holdsAll(caller, stronger)).toBe(stronger.permissions.size === caller.permissions.size);
    }),
  );
});

test('whoever is above somebody is above everybody whom that one is above', () => {
  fc.assert(
    fc.property(holder, holder, holder, (first, second, third) => {
      fc.pre(holdsAll(first, second) && holdsAll(second, third));
      expect(holdsAll(first, third)).toBe(true);
    }),
  );
});

test('an administrator is above everybody, and nobody else is above an administrator', () => {
  fc.assert(
    fc.property(administrator, member, holder, (admin, caller, anybody) => {
      expect(holdsAll(admin, anybody)).toBe(true);
      expect(holdsAll({ ...caller, permissions: new Set(allPermissions) }, admin)).toBe(false);
      expect(codeOf(() => requireReach(caller, admin))).toBe('administrator_only');
    }),
  );
});

test('no chain of permitted changes takes anything from, or brings anything to, what the caller does not hold', () => {
  const change = fc.record({ target: fc.nat({ max: 4 }), names: fc.subarray([...few]) });
  fc.assert(
    fc.property(
      member,
      fc.array(holder, { minLength: 5, maxLength: 5 }),
      fc.array(change, { maxLength: 20 }),
      (caller, crowd, changes) => {
        const beyond = (holding: Holding) =>
          new Set([...holding.permissions].filter((name) => !caller.permissions.has(name as Permission)));
        const before = crowd.map(beyond);
        const now: Holding[] = [...crowd];
        for (const { target, names } of changes) {
          const reached = now[target] as Holding;
          const code = codeOf(() => {
            requireReach(caller, reached);
            now[target] = { administrator: false, permissions: readGrant(names, caller) };
          });
          expect(['done', 'administrator_only', 'holds_more', 'grant_exceeds_own']).toContain(code);
        }
        expect(now.map(beyond)).toEqual(before);
        expect(now.map((one) => one.administrator)).toEqual(crowd.map((one) => one.administrator));
      },
    ),
  );
});

test('a name that is no permission any more counts as nothing', () => {
  const nobody = { administrator: false, permissions: new Set<Permission>() };
  expect(holdsAll(nobody, { administrator: false, permissions: ['readDodos'] })).toBe(true);
});
