import { expect, test } from 'vitest';
import listPermissions from '../../functions/permissions/list-permissions.ts';
import { tenant } from '../harness/tenant.ts';

const acme = await tenant();

test('GET /permissions lists all permissions to every authenticated caller', async () => {
  const { data, totalCount } = await acme.key.ok(listPermissions);
  const names = data.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      'readApplications',
      'writeApplications',
      'readMerchants',
      'writeMerchants',
      'writeApiKeys',
    ]),
  );
  expect(totalCount).toBe(15 * 2 + 5);
  expect(new Set(names).size).toBe(totalCount);
  expect(data.every(({ description }) => /^[A-Z].*\.$/.test(description))).toBe(true);
});
