import { describe, expect, test } from 'vitest';
import listAccounts from '../../functions/accounts/list-accounts.ts';
import readAccount from '../../functions/accounts/read-account.ts';
import updateAccount from '../../functions/accounts/update-account.ts';
import { tenant } from '../harness/tenant.ts';

const acme = await tenant();

describe('an account', () => {
  const params = { id: acme.accountId };

  test('an account lists for whoever belongs to it', async () => {
    for (const [principal, accountAdmin] of [
      [acme.admin, true],
      [acme.key, false],
      [acme.directKey, false],
    ] as const)
      expect(await principal.ok(listAccounts)).toEqual({
        data: [
          {
            accountId: acme.accountId,
            accountName: expect.any(String),
            usersPrimaryAccount: true,
            accountAdmin,
          },
        ],
        invitations: [],
        totalCount: 1,
      });
  });

  test('an account has settings that its administrator reads, changes and clears', async () => {
    const before = await acme.admin.ok(readAccount, { params });
    expect(before).toMatchObject({ timezone: 'UTC', requireCompleteApplication: false, version: 1 });
    const slaTargets = { urgent: { firstResponse: 5, resolution: 60 } };
    const body = { timezone: 'America/New_York', portalUrl: 'https://portal.example.com', slaTargets };
    const after = await acme.admin.ok(updateAccount, { params, body });
    expect(after).toMatchObject({ ...body, name: before.name, version: 2, updatedBy: acme.adminEmail });
    expect(await acme.admin.ok(readAccount, { params })).toEqual(after);
    const cleared = await acme.admin.ok(updateAccount, { params, body: { portalUrl: null } });
    expect(cleared).not.toHaveProperty('portalUrl');
    const stale = { params, body: { name: 'Stale' }, headers: { 'if-match': '"1"' } };
    expect((await acme.admin.call(updateAccount, stale)).status).toBe(412);
  });

  test('an account refuses a time zone that does not exist, an address that is none and a target of no time', async () => {
    for (const body of [
      { timezone: 'Mars/Olympus' },
      { portalUrl: 'javascript:alert(1)' },
      { slaTargets: { urgent: { firstResponse: 0, resolution: 1 } } },
      { name: '' },
      { name: null as never },
    ])
      expect((await acme.admin.call(updateAccount, { params, body })).status, JSON.stringify(body)).toBe(400);
  });
});
