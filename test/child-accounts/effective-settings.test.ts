import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { effectiveSettings } from '../../shared/child-accounts/effective-settings.ts';
import { allPermissions } from '../../shared/resources/derived.ts';

const permissions = fc.subarray([...allPermissions]);
const limits = fc.record(
  {
    users: fc.integer({ min: 1, max: 50 }),
    apiKeys: fc.integer({ min: 1, max: 50 }),
    webhooks: fc.integer({ min: 1, max: 20 }),
    requestsPerMinute: fc.integer({ min: 1, max: 500 }),
  },
  { requiredKeys: [] },
);
const parent = fc.record(
  { permissions, limits, depth: fc.integer({ min: 1, max: 2 }) },
  { requiredKeys: [] },
);
const type = fc.record({ permissions, limits });
const child = fc.record({ givenPermissions: permissions, limits }, { requiredKeys: [] });
const isWithin = (names: readonly string[], ceiling: readonly string[] | undefined) =>
  names.every((name) => ceiling?.includes(name) ?? true);

describe('the effective settings of a child account', () => {
  test('have exactly the permissions that parent, type and grant have in common', () => {
    fc.assert(
      fc.property(parent, fc.option(type, { nil: undefined }), child, (above, of, own) => {
        const effective = effectiveSettings(above, of, own).permissions;
        const ceilings = [above.permissions, of?.permissions, own.givenPermissions];
        for (const ceiling of ceilings) expect(isWithin(effective, ceiling)).toBe(true);
        const rest = allPermissions.filter((name) => !effective.includes(name));
        for (const name of rest)
          expect(ceilings.some((ceiling) => ceiling && !isWithin([name], ceiling))).toBe(true);
      }),
    );
  });

  test('have no limit above a limit of the parent or of the type', () => {
    fc.assert(
      fc.property(parent, type, child, (above, of, own) => {
        const effective = effectiveSettings(above, of, own).limits ?? {};
        for (const name of ['users', 'apiKeys', 'webhooks', 'requestsPerMinute'] as const) {
          const all = [above.limits?.[name], of.limits[name]].filter((limit) => limit !== undefined);
          expect(effective[name]).toBe(all.length > 0 ? Math.min(...all) : undefined);
        }
      }),
    );
  });

  test('do not grow if the parent loses permissions, and are the same if computed again', () => {
    fc.assert(
      fc.property(parent, permissions, type, child, (above, fewer, of, own) => {
        const before = effectiveSettings(above, of, own);
        const after = effectiveSettings({ ...above, permissions: fewer }, of, own);
        if (isWithin(fewer, above.permissions))
          expect(isWithin(after.permissions, before.permissions)).toBe(true);
        expect(effectiveSettings(above, of, { ...own, limits: before.limits ?? {} })).toEqual(before);
      }),
    );
  });
});
