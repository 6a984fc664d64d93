import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import createApplication from '../../functions/applications/create-application.ts';
import decideApplication from '../../functions/applications/decide-application.ts';
import setApplicationOwner from '../../functions/applications/set-application-owner.ts';
import submitApplication from '../../functions/applications/submit-application.ts';
import convertLead from '../../functions/leads/convert-lead.ts';
import createLead from '../../functions/leads/create-lead.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import setMerchantOwner from '../../functions/merchants/set-merchant-owner.ts';
import createTeam from '../../functions/teams/create-team.ts';
import { applications } from '../../shared/sales/applications/store.ts';
import { merchants } from '../../shared/sales/merchants/store.ts';
import { completeApplication } from '../harness/filled-application.ts';
import { member } from '../harness/member.ts';
import { operatorsCommand } from '../harness/operators-command.ts';
import { storedEvents } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';
import { killedAt } from '../work-queue/world.ts';

const fill = operatorsCommand('owners', 'fill');
const folder = mkdtempSync(join(tmpdir(), 'owners-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** An account with records of each source of an owner, and records for which there is none. */
async function olderRecords() {
  const acme = await tenant();
  const { admin, accountId } = acme;
  const { id: west } = await admin.ok(createTeam, { body: { name: 'West' } });
  const { id: east } = await admin.ok(createTeam, { body: { name: 'East' } });
  const [seller, agent] = [await member(acme), await member(acme)];
  const creator = await member(acme, ['writeApplications', 'writeMerchants'], { teamId: east });
  const none = { body: { ownerId: null, teamId: null } };
  const older = async ({ id: applicationId }: { id: string }) => {
    await admin.ok(setApplicationOwner, { params: { applicationId }, ...none });
    return applicationId;
  };
  const olderMerchant = async (merchantId: number) => {
    await admin.ok(setMerchantOwner, { params: { merchantId }, ...none });
    return merchantId;
  };
  const body = { firstName: 'Ada', lastName: 'Byron', assignedTo: String(seller.user.id), teamId: west };
  const lead = await admin.ok(createLead, { query: { skipTeamAndSourceRequirement: true }, body });
  const { application: converted } = await admin.ok(convertLead, { params: { leadId: lead.id } });
  const approved = await creator.client.ok(createApplication, { body: completeApplication });
  const params = { applicationId: approved.id };
  await admin.ok(submitApplication, { params, body: {} });
  const { admin: decided } = await admin.ok(decideApplication, { params, body: { decision: 'approved' } });
  const byKey = (repcode: string) => acme.key.ok(createApplication, { body: { repcode } });
  const ids = {
    ofLead: await older(converted),
    ofCreator: await older(await creator.client.ok(createApplication, { body: { repcode: 'R-17' } })),
    approved: await older(approved),
    ofRepcode: await older(await byKey('R-17')),
    ofEmail: await older(await byKey(agent.user.email)),
    unknown: await older(await byKey('R-99')),
    owned: (await creator.client.ok(createApplication, { body: {} })).id,
  };
  const merchantBody = { merchantName: 'Harbor Street' };
  const merchantIds = {
    ofApplication: await olderMerchant(decided.merchantId ?? 0),
    ofCreator: await olderMerchant((await creator.client.ok(createMerchant, { body: merchantBody })).id),
    unknown: (await acme.key.ok(createMerchant, { body: merchantBody })).id,
  };
  const file = join(folder, `${accountId}.json`);
  writeFileSync(file, JSON.stringify({ 'R-17': agent.user.email }));
  const stored = async () => {
    const found = [
      ...(await applications.findMany(accountId, Object.values(ids))),
      ...(await merchants.findMany(accountId, Object.values(merchantIds))),
    ];
    return new Map(found.map(({ id, ownerId, teamId, version }) => [id, { ownerId, teamId, version }]));
  };
  const created = String(creator.user.id);
  const expected = new Map<string | number, object>([
    [ids.ofLead, { ownerId: String(seller.user.id), teamId: west }],
    [ids.ofCreator, { ownerId: created, teamId: east }],
    [ids.approved, { ownerId: created, teamId: east }],
    [ids.ofRepcode, { ownerId: String(agent.user.id) }],
    [ids.ofEmail, { ownerId: String(agent.user.id) }],
    [ids.unknown, {}],
    [ids.owned, { ownerId: created, teamId: east }],
    [merchantIds.ofApplication, { ownerId: created, teamId: east }],
    [merchantIds.ofCreator, { ownerId: created, teamId: east }],
    [merchantIds.unknown, {}],
  ]);
  const options = ['--account', accountId, '--stage', 'local', '--repcodes', file];
  /** The events of the command, by record. */
  const events = async () =>
    (await storedEvents(accountId)).filter(({ actor }) => (actor as { user: string }).user === 'operator');
  return { accountId, ids, merchantIds, stored, expected, options, events };
}

const owners = (records: Awaited<ReturnType<Awaited<ReturnType<typeof olderRecords>>['stored']>>) =>
  new Map([...records].map(([id, { ownerId, teamId }]) => [id, { ownerId, teamId }]));
const none = { owned: 0, application: 0, lead: 0, creator: 0, repcode: 0, undecided: 0 };

test('the preview counts the owners of each source and lists the undecided records, and the command sets these owners', async () => {
  const { accountId, ids, merchantIds, stored, expected, options, events } = await olderRecords();
  const before = await stored();
  const counts = {
    applications: { ...none, owned: 1, lead: 1, creator: 2, repcode: 2, undecided: 1 },
    merchants: { ...none, application: 1, creator: 1, undecided: 1 },
    undecided: [ids.unknown, merchantIds.unknown],
    unknownRepcodes: { 'R-99': 1 },
  };
  const preview = await fill.here(...options, '--dry-run', '--json');
  expect([preview.code, preview.stderr]).toEqual([0, '']);
  expect(JSON.parse(preview.stdout)).toEqual({ accountId, dryRun: true, ...counts });
  expect(await stored()).toEqual(before);

  expect(await fill.asProcess(...options)).toEqual({
    code: 0,
    stdout: `Applications: 1 have an owner, 1 get one from the lead, 2 get one from the creator, 2 get one from the repcode, 1 remain without one.
Merchants: 0 have an owner, 1 get one from the application, 1 get one from the creator, 1 remain without one.
Without an owner: ${ids.unknown}, ${merchantIds.unknown}.
Repcodes that name no active user: R-99 (1).
`,
    stderr: '',
  });
  const after = await stored();
  expect(owners(after)).toEqual(expected);
  const changed = await events();
  expect(changed.map(({ kind }) => kind).sort()).toEqual([
    ...Array(5).fill('application_updated'),
    ...Array(2).fill('merchant_updated'),
  ]);
  const found = changed.find(({ subject }) => (subject as { id: unknown }).id === ids.ofRepcode);
  expect(found?.data).toMatchObject({ changes: { ownerId: { to: expect.any(String) } } });

  const again = JSON.parse((await fill.here(...options, '--json')).stdout);
  expect(again.applications).toEqual({ ...none, owned: 6, undecided: 1 });
  expect(await stored()).toEqual(after);
});

test('a command that is killed again and again sets each owner once, with one event', async () => {
  const { stored, expected, options, events } = await olderRecords();
  const before = await stored();
  let kills = 0;
  for (let request = 4; request < 40; request += 3) {
    const moment = request % 2 === 0 ? 'before' : 'after';
    if (await killedAt(request, moment, () => fill.here(...options))) kills += 1;
  }
  // How many requests remain after each kill depends on those that were in flight.
  expect(kills).toBeGreaterThan(1);
  expect((await fill.here(...options)).code).toBe(0);
  const after = await stored();
  expect(owners(after)).toEqual(expected);
  const changed = [...after].filter(([id, { ownerId }]) => ownerId !== before.get(id)?.ownerId);
  expect(changed).toHaveLength(7);
  for (const [id, { version }] of changed) expect(version).toBe((before.get(id)?.version ?? 0) + 1);
  expect(await events()).toHaveLength(7);
});

test('only older records change with --before, and an unknown user in --repcodes changes nothing', async () => {
  const { accountId, stored, options } = await olderRecords();
  const before = await stored();
  const dated = await fill.here(...options, '--json', '--before', '2020-01-01T00:00:00Z');
  expect(JSON.parse(dated.stdout)).toMatchObject({ applications: none, merchants: none });
  const file = join(folder, 'wrong.json');
  const wrong: [string, string][] = [
    ['{"R-17":"nobody@example.com"}', 'Not an active user of this account: nobody@example.com of R-17.\n'],
    ['["R-17"]', '--repcodes must be a JSON file such as {"R-17": "ada@example.com"}.\n'],
    ['R-17', '--repcodes must be a JSON file such as {"R-17": "ada@example.com"}.\n'],
  ];
  for (const [text, stderr] of wrong) {
    writeFileSync(file, text);
    const result = await fill.here('--account', accountId, '--stage', 'local', '--repcodes', file);
    expect(result).toEqual({ code: 1, stdout: '', stderr });
  }
  expect(await stored()).toEqual(before);
});
