import { describe, expect, test } from 'vitest';
import listAccounts from '../../functions/accounts/list-accounts.ts';
import readAccount from '../../functions/accounts/read-account.ts';
import updateAccount from '../../functions/accounts/update-account.ts';
import createLeadSource from '../../functions/lead-sources/create-lead-source.ts';
import listLeadSources from '../../functions/lead-sources/list-lead-sources.ts';
import readLeadSource from '../../functions/lead-sources/read-lead-source.ts';
import listPermissions from '../../functions/permissions/list-permissions.ts';
import createTeam from '../../functions/teams/create-team.ts';
import listTeams from '../../functions/teams/list-teams.ts';
import readTeam from '../../functions/teams/read-team.ts';
import { storedEvents } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';

const acme = await tenant();

describe('a team', () => {
  test('is made active, read and listed as it was made, and announced', async () => {
    const team = await acme.key.ok(createTeam, { body: { name: 'West', description: 'Left of here' } });
    expect(team).toMatchObject({ name: 'West', active: true, version: 1, createdBy: acme.apiKey });
    expect(await acme.admin.ok(readTeam, { params: { id: team.id } })).toEqual(team);
    expect(await acme.admin.ok(listTeams)).toMatchObject({ data: [team], totalCount: 1 });
    const [event] = (await storedEvents(acme.accountId)).filter(({ kind }) => kind === 'team_created');
    expect(event).toMatchObject({
      subject: { type: 'team', id: team.id, version: 1 },
      actor: { user: acme.apiKey, apiKey: acme.apiKey },
      request: { method: 'POST', path: '/teams', ipAddress: '192.0.2.1' },
      data: { changes: { name: { to: 'West' }, active: { to: true } } },
      occurredAt: team.createdAt,
    });
  });

  test('can be made inactive, and a list told to show only such', async () => {
    const idle = await acme.key.ok(createTeam, { body: { name: 'Idle', active: false } });
    expect(await acme.admin.ok(listTeams, { query: { active: false } })).toMatchObject({ data: [idle] });
  });
});

describe('a lead source', () => {
  test('is made for a team or for all, read and listed', async () => {
    const team = await acme.key.ok(createTeam, { body: { name: 'East' } });
    const own = await acme.key.ok(createLeadSource, { body: { name: 'Fair', teamId: team.id } });
    const everybodys = await acme.key.ok(createLeadSource, { body: { name: 'Web' } });
    expect(own).toMatchObject({ name: 'Fair', teamId: team.id, active: true });
    expect(everybodys).not.toHaveProperty('teamId');
    expect(await acme.admin.ok(readLeadSource, { params: { id: own.id } })).toEqual(own);
    const found = await acme.admin.ok(listLeadSources, { query: { teamId: team.id } });
    expect(found).toMatchObject({ data: [own], totalCount: 1 });
  });

  test('is refused for a team of another account as for one that nobody has', async () => {
    const theirs = await (await tenant()).key.ok(createTeam, { body: { name: 'Theirs' } });
    const responses = await Promise.all(
      [theirs.id, 1].map((teamId) => acme.key.call(createLeadSource, { body: { name: 'x', teamId } })),
    );
    expect(responses.map(({ status }) => status)).toEqual([400, 400]);
    expect(responses[0]?.body).toEqual(responses[1]?.body);
  });
});

describe('an account', () => {
  const params = { id: acme.accountId };

  test('lists for whoever belongs to it', async () => {
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

  test('has settings that its administrator reads, changes and clears', async () => {
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

  test('refuses a time zone that does not exist, an address that is none and a target of no time', async () => {
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

test('GET /permissions lists the closed catalogue to whoever is signed in', async () => {
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
  expect(totalCount).toBe(15 * 2 + 4);
  expect(new Set(names).size).toBe(totalCount);
  expect(data.every(({ description }) => /^[A-Z].*\.$/.test(description))).toBe(true);
});
