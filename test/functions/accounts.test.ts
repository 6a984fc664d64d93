import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import listAccounts from '../../functions/accounts/list-accounts.ts';
import readAccount from '../../functions/accounts/read-account.ts';
import updateAccount from '../../functions/accounts/update-account.ts';
import createApplication from '../../functions/applications/create-application.ts';
import readApplication from '../../functions/applications/read-application.ts';
import { accountKey } from '../../shared/accounts/keys.ts';
import { accountPolicy } from '../../shared/accounts/policy-of.ts';
import { slaPolicies } from '../../shared/accounts/sla-policies.ts';
import { accounts } from '../../shared/accounts/store.ts';
import { targetsWith } from '../../shared/sla/policy.ts';
import { tableName } from '../../shared/table/client.ts';
import { applicant } from '../harness/applicant.ts';
import { documents } from '../harness/documents.ts';
import { storedEvents } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';

const acme = await tenant();

describe('an account', () => {
  const params = { id: acme.accountId };

  test('GET /accounts lists the account of the caller', async () => {
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

  test('an administrator reads, changes and clears the settings of an account', async () => {
    const before = await acme.admin.ok(readAccount, { params });
    expect(before).toMatchObject({ timezone: 'UTC', requireCompleteApplication: false, version: 1 });
    const slaTargets = { urgent: { firstResponse: 5, resolution: 60 } };
    const body = {
      timezone: 'America/New_York',
      country: 'CA',
      portalUrl: 'https://portal.example.com',
      slaTargets,
    };
    const after = await acme.admin.ok(updateAccount, { params, body });
    expect(after).toMatchObject({ ...body, name: before.name, version: 2, updatedBy: acme.adminEmail });
    expect(await acme.admin.ok(readAccount, { params })).toEqual(after);
    const cleared = await acme.admin.ok(updateAccount, { params, body: { portalUrl: null, country: null } });
    expect(cleared).not.toHaveProperty('portalUrl');
    expect(cleared).not.toHaveProperty('country');
  });

  test('an account rejects an unknown time zone or country, an invalid portalUrl and a target of zero minutes', async () => {
    for (const body of [
      { timezone: 'Mars/Olympus' },
      { country: 'us' },
      { country: 'ZZ' },
      { portalUrl: 'javascript:alert(1)' },
      { slaTargets: { urgent: { firstResponse: 0, resolution: 1 } } },
      { name: '' },
      { name: null as never },
    ])
      expect((await acme.admin.call(updateAccount, { params, body })).status, JSON.stringify(body)).toBe(400);
  });

  test('an account accepts only time zones of regions and UTC', async () => {
    const statusOf = async (timezone: string) =>
      (await acme.admin.call(updateAccount, { params, body: { timezone } })).status;
    for (const timezone of [
      'EST',
      'MST7MDT',
      'EST5EDT',
      'Etc/GMT+5',
      'GMT',
      '+05:00',
      'US/Eastern',
      'Europe/',
    ])
      expect(await statusOf(timezone), timezone).toBe(400);
    for (const timezone of ['Europe/Kyiv', 'Asia/Kolkata', 'America/Argentina/Salta', 'UTC'])
      expect(await statusOf(timezone), timezone).toBe(200);
  });

  test('an account rejects a portalUrl that browsers cannot open, or to which links cannot be appended', async () => {
    for (const portalUrl of [
      'https://example.com:99999',
      'https://1.2.3.4.5/',
      'https://0x100000000/',
      'https://%2f/',
      'https://%00.example/',
      'https://[::1',
      'https://[::g]/',
      'https://a%20b.example/',
      'https://ada:secret@portal.example',
      'https://ada@portal.example',
      'https://portal.example/#top',
      'https://portal.example/?tenant=1',
      'https://exa mple.com',
      'https://portal.example/\u0000',
      'https://',
      'ftp://portal.example',
      'https://-/',
      'https://-portal.example/',
      'https://portal-.example/',
      'https://a..example/',
      'https://.example/',
      'https://portal.example../',
      'https://*.example/',
      'https://(portal).example/',
      'https://~/',
      `https://${'a'.repeat(64)}.example/`,
      `https://${'a.'.repeat(130)}example/`,
    ]) {
      const { status, body } = await acme.admin.call(updateAccount, { params, body: { portalUrl } });
      expect([status, body.details?.[0]?.field], portalUrl).toEqual([400, 'portalUrl']);
    }
    for (const [portalUrl, stored] of [
      [' https://portal.example/a ', 'https://portal.example/a'],
      ['https://bücher.example/ä', 'https://xn--bcher-kva.example/%C3%A4'],
      ['http://[2001:db8::1]:8080', 'http://[2001:db8::1]:8080'],
      ['http://127.0.0.1:3000/portal', 'http://127.0.0.1:3000/portal'],
      ['http://localhost:3000', 'http://localhost:3000'],
      ['https://my_portal.example.', 'https://my_portal.example.'],
    ])
      expect(await acme.admin.ok(updateAccount, { params, body: { portalUrl } })).toMatchObject({
        portalUrl: stored,
      });
  });

  test('an application is readable if the stored portalUrl cannot be opened', async () => {
    const owner = await tenant();
    const made = await owner.admin.ok(createApplication);
    const sent = { params: { applicationId: made.id } };
    const byAppKey = applicant({ appKey: made.system.appKey, acctId: owner.accountId });
    await owner.admin.ok(updateAccount, {
      params: { id: owner.accountId },
      body: { portalUrl: 'https://portal.example' },
    });
    for (const reader of [owner.admin, byAppKey])
      expect(await reader.ok(readApplication, sent)).toMatchObject({ custom_domain: 'portal.example' });
    for (const portalUrl of [
      'https://example.com:99999',
      'https://%2f/',
      'nowhere',
      'https://a:b@c.example',
    ]) {
      await documents.send(
        new UpdateCommand({
          TableName: tableName(),
          Key: accountKey(owner.accountId),
          UpdateExpression: 'SET portalUrl = :url',
          ExpressionAttributeValues: { ':url': portalUrl },
        }),
      );
      for (const reader of [owner.admin, byAppKey])
        expect(await reader.ok(readApplication, sent), portalUrl).not.toHaveProperty('custom_domain');
    }
  });
});

describe('the business hours of an account', () => {
  const params = { id: acme.accountId };
  const nineToFive = [{ from: '09:00', to: '17:00' }];
  const businessHours = {
    monday: [
      { from: '09:00', to: '12:30' },
      { from: '12:30', to: '24:00' },
    ],
    sunday: [],
    holidays: ['2026-12-25'],
  };
  const faultsIn = async (body: object) => {
    const { status, body: error } = await acme.admin.call(updateAccount, { params, body });
    expect(status, JSON.stringify(body)).toBe(400);
    return (error as { details: { field: string }[] }).details.map(({ field }) => field);
  };

  test('are set, read and cleared', async () => {
    const set = await acme.admin.ok(updateAccount, { params, body: { businessHours } });
    expect(set).toMatchObject({ businessHours });
    expect(await acme.admin.ok(readAccount, { params })).toEqual(set);
    const cleared = await acme.admin.ok(updateAccount, { params, body: { businessHours: null } });
    expect(cleared).not.toHaveProperty('businessHours');
  });

  test.each([
    ['end before they start', { monday: [{ from: '17:00', to: '09:00' }] }, ['businessHours.monday[0].to']],
    [
      'have an interval of zero minutes',
      { monday: [{ from: '09:00', to: '09:00' }] },
      ['businessHours.monday[0].to'],
    ],
    [
      'have a start or end that is not a time of day',
      { friday: [{ from: '24:00', to: '24:30' }] },
      ['businessHours.friday[0].from', 'businessHours.friday[0].to'],
    ],
    [
      'overlap',
      { monday: [...nineToFive, { from: '16:59', to: '18:00' }], sunday: nineToFive },
      ['businessHours.monday[1]'],
    ],
    ['have no interval on any day', { monday: [], holidays: [] }, ['businessHours']],
    [
      'have five intervals on a day',
      { monday: Array(5).fill({ from: '09:00', to: '10:00' }) },
      ['businessHours.monday'],
    ],
    [
      'have a holiday that is not a date',
      { monday: nineToFive, holidays: ['2026-02-30'] },
      ['businessHours.holidays[0]'],
    ],
    [
      'have 201 holidays',
      { monday: nineToFive, holidays: Array(201).fill('2026-12-25') },
      ['businessHours.holidays'],
    ],
    [
      'make a target take more than ten years',
      { monday: [{ from: '09:00', to: '09:01' }] },
      ['businessHours'],
    ],
    ['have an unknown weekday', { monday: nineToFive, funday: nineToFive }, ['businessHours.funday']],
  ])('that %s are refused with the name of the field', async (_, hours, fields) => {
    expect(new Set(await faultsIn({ businessHours: hours }))).toEqual(new Set(fields));
  });

  test('must allow every target to be reached within ten years', async () => {
    const slaTargets = { low: { firstResponse: 60, resolution: 520 * 8 * 60 + 1 } };
    expect(await faultsIn({ businessHours: { monday: nineToFive }, slaTargets })).toEqual([
      'slaTargets.low.resolution',
    ]);
    const always = { urgent: { firstResponse: 1, resolution: 520 * 7 * 24 * 60 + 1 } };
    expect(await faultsIn({ slaTargets: always })).toEqual(['slaTargets.urgent.resolution']);
  });
});

describe('the SLA policy of an account', async () => {
  const owner = await tenant();
  const params = { id: owner.accountId };
  const update = (body: object) => owner.admin.ok(updateAccount, { params, body });
  const current = async () => accountPolicy(await accounts.get(owner.accountId));
  const businessHours = { monday: [{ from: '09:00', to: '17:00' }] };

  test('is stored with the account version that introduced the policy, and previous policies are kept', async () => {
    const first = await current();
    expect(first).toEqual({ number: 1, timezone: 'UTC', targets: targetsWith() });

    const { version } = await update({ businessHours, timezone: 'Europe/Berlin' });
    const second = await current();
    expect(second).toEqual({ ...first, number: version, timezone: 'Europe/Berlin', businessHours });
    expect(await slaPolicies.find(owner.accountId, 1)).toEqual(first);
    expect(await slaPolicies.find(owner.accountId, second.number)).toBeUndefined();

    const urgent = { firstResponse: 5, resolution: 60 };
    await update({ slaTargets: { urgent } });
    expect(await current()).toMatchObject({ number: version + 1, targets: { ...first.targets, urgent } });
    expect(await slaPolicies.find(owner.accountId, second.number)).toEqual(second);
    expect(await slaPolicies.find(owner.accountId, 1)).toEqual(first);
  });

  test('stays the same while targets, hours and time zone do not change', async () => {
    const before = await current();
    await update({ name: 'Another name' });
    await update({ name: 'A third name', timezone: before.timezone, businessHours: before.businessHours });
    expect(await current()).toEqual(before);
    expect(await slaPolicies.find(owner.accountId, before.number)).toBeUndefined();
  });

  test('has a number that responses and events do not show', async () => {
    const shown = [
      await update({ timezone: 'Asia/Tokyo' }),
      await owner.admin.ok(readAccount, { params }),
      ...(await storedEvents(owner.accountId)).filter(({ kind }) => kind === 'account_updated'),
    ];
    expect(shown.length).toBeGreaterThan(3);
    expect(JSON.stringify(shown)).not.toContain('slaPolicyVersion');
  });

  test('gets consecutive numbers if two administrators change the policy at the same time', async () => {
    const before = await current();
    await Promise.all([update({ timezone: 'Asia/Seoul' }), update({ businessHours: null })]);
    const after = await current();
    const between = await slaPolicies.find(owner.accountId, after.number - 1);
    expect([before.number + 1, after.number - 1]).toEqual([between?.number, between?.number]);
    expect(await slaPolicies.find(owner.accountId, before.number)).toEqual(before);
  });
});
