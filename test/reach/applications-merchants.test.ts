import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import createApiKey from '../../functions/apikeys/create-api-key.ts';
import createApplication from '../../functions/applications/create-application.ts';
import decideApplication from '../../functions/applications/decide-application.ts';
import deleteApplication from '../../functions/applications/delete-application.ts';
import listApplicationNotes from '../../functions/applications/list-application-notes.ts';
import listApplications from '../../functions/applications/list-applications.ts';
import listCollisions from '../../functions/applications/list-collisions.ts';
import readApplication from '../../functions/applications/read-application.ts';
import readReadiness from '../../functions/applications/read-readiness.ts';
import setApplicationOwner from '../../functions/applications/set-application-owner.ts';
import setApplicationParticipants from '../../functions/applications/set-application-participants.ts';
import submitApplication from '../../functions/applications/submit-application.ts';
import updateApplication from '../../functions/applications/update-application.ts';
import updateUnderwriting from '../../functions/applications/update-underwriting.ts';
import saveExternalApplication from '../../functions/extapi/save-external-application.ts';
import convertLead from '../../functions/leads/convert-lead.ts';
import createLead from '../../functions/leads/create-lead.ts';
import readLead from '../../functions/leads/read-lead.ts';
import setLeadParticipants from '../../functions/leads/set-lead-participants.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import createMid from '../../functions/merchants/create-mid.ts';
import createNote from '../../functions/merchants/create-note.ts';
import deleteMerchant from '../../functions/merchants/delete-merchant.ts';
import listMerchants from '../../functions/merchants/list-merchants.ts';
import listNotes from '../../functions/merchants/list-notes.ts';
import readMerchant from '../../functions/merchants/read-merchant.ts';
import setMerchantOwner from '../../functions/merchants/set-merchant-owner.ts';
import setMerchantParticipants from '../../functions/merchants/set-merchant-participants.ts';
import updateMerchant from '../../functions/merchants/update-merchant.ts';
import updateMid from '../../functions/merchants/update-mid.ts';
import createTeam from '../../functions/teams/create-team.ts';
import deactivateTeam from '../../functions/teams/deactivate-team.ts';
import setTicketParticipants from '../../functions/tickets/set-ticket-participants.ts';
import setUserPermissions from '../../functions/users/set-user-permissions.ts';
import updateUser from '../../functions/users/update-user.ts';
import type { Permission } from '../../shared/resources/registry.ts';
import { applicant } from '../harness/applicant.ts';
import { drain } from '../harness/drain.ts';
import { completeApplication } from '../harness/filled-application.ts';
import { member } from '../harness/member.ts';
import { client, tenant } from '../harness/tenant.ts';
import { watchWire } from '../harness/wire.ts';
import { newTicketOf } from '../tickets/new-tickets.ts';

const acme = await tenant();
const { admin } = acme;
const team = await admin.ok(createTeam, { body: { name: 'Field' } });
const own: Permission[] = [
  ...(['readOwnApplications', 'writeOwnApplications', 'readOwnMerchants', 'writeOwnMerchants'] as const),
  ...(['writeUnderwriting'] as const),
];
const owner = await member(acme, own);
const colleague = await member(acme, [
  ...(['readTeamApplications', 'readTeamMerchants', 'writeOwnApplications', 'writeOwnMerchants'] as const),
]);
const writer = await member(acme, ['writeOwnApplications', 'writeOwnMerchants']);
const everything = await member(acme, ['readApplications', 'readMerchants', 'writeUnderwriting']);
await admin.ok(updateUser, { params: { email: colleague.user.email }, body: { teamId: team.id } });

const idOf = ({ user }: { user: { id: number } }) => String(user.id);
const newApplication = async () => {
  const { id } = await admin.ok(createApplication, { body: {} });
  return { params: { applicationId: id } };
};
const newMerchant = async () => {
  const { id } = await admin.ok(createMerchant, { body: { merchantName: 'Harbor Street' } });
  return { params: { merchantId: id } };
};

/** The reads of one call, in any order. The counter of calls and the event `not_found` are not written by every call. */
async function readsOf<T>(route: string, send: () => Promise<T>): Promise<{ result: T; reads: string[] }> {
  const reads: string[] = [];
  const stop = watchWire({
    before({ invocation, service, operation }) {
      if (invocation?.functionName === route && /Get|Query|Head|Scan/.test(operation))
        reads.push(`${service} ${operation}`);
    },
  });
  const result = await send();
  // A list may respond before all of its reads were sent.
  await setTimeout(20);
  stop();
  return { result, reads: reads.sort() };
}

describe('a hidden record', () => {
  test('a MID cannot be moved to a hidden merchant, as if there were no such merchant', async () => {
    const [mine, hidden] = [await newMerchant(), await newMerchant()];
    await admin.ok(setMerchantOwner, { ...mine, body: { ownerId: owner.user.email } });
    const { id: midId } = await owner.client.ok(createMid, { ...mine, body: { mid: '444501239901' } });
    const params = { ...mine.params, midId };
    const move = ({ merchantId }: { merchantId: number }) =>
      readsOf('PATCH /merchants/{merchantId}/mids/{midId}', () =>
        owner.client.call(updateMid, { params, body: { merchantId } }),
      );
    const nowhere = await move({ merchantId: Number.MAX_SAFE_INTEGER });
    expect(nowhere.result.body).toMatchObject({ error: 'merchant_unknown' });
    expect(await move(hidden.params)).toMatchObject({
      reads: nowhere.reads,
      result: { body: nowhere.result.body },
    });
    await admin.ok(setMerchantOwner, { ...hidden, body: { ownerId: idOf(owner) } });
    expect((await move(hidden.params)).result.status).toBe(200);
  });

  test('a stored response is not replayed to a caller who no longer reaches the record', async () => {
    const { params } = await newMerchant();
    await admin.ok(setMerchantOwner, { params, body: { ownerId: idOf(owner) } });
    const sent = { params, body: { content: 'Called.' }, headers: { 'idempotency-key': 'a note' } };
    await owner.client.ok(createNote, sent);
    await owner.client.ok(createNote, sent);
    await admin.ok(setMerchantOwner, { params, body: { ownerId: null } });
    expect(await owner.client.call(createNote, sent)).toMatchObject({ status: 404 });
  });

  test('lists contain only the records that a caller reaches', async () => {
    const { params: application } = await newApplication();
    const { params: merchant } = await newMerchant();
    const added = await member(acme, own);
    const body = { participants: [idOf(added)] };
    await admin.ok(setApplicationParticipants, { params: application, body });
    await admin.ok(setMerchantParticipants, { params: merchant, body });
    await drain();
    const [found, boarded] = [
      await added.client.ok(listApplications),
      await added.client.ok(listMerchants, { query: { search: 'harbor' } }),
    ];
    expect(found.data.map(({ id }) => id)).toEqual([application.applicationId]);
    expect(boarded.data.map(({ id }) => id)).toEqual([merchant.merchantId]);
    const { data } = await admin.ok(listApplications, { query: { ownerId: idOf(added) } });
    expect(data).toEqual([]);
    await admin.ok(setApplicationOwner, { params: application, body: { ownerId: idOf(added) } });
    await drain();
    const owned = await admin.ok(listApplications, { query: { ownerId: idOf(added) } });
    expect(owned.data.map(({ id }) => id)).toEqual([application.applicationId]);
  });
});

describe('access', () => {
  test('the owner, a participant and the team reach an application at the next request', async () => {
    const one = await newApplication();
    const read = async ({ client: by }: typeof owner) => (await by.call(readApplication, one)).status;
    expect([await read(owner), await read(colleague)]).toEqual([404, 404]);
    await admin.ok(setApplicationOwner, { ...one, body: { ownerId: owner.user.email, teamId: team.id } });
    expect([await read(owner), await read(colleague)]).toEqual([200, 200]);
    await admin.ok(setApplicationOwner, { ...one, body: { ownerId: null, teamId: null } });
    expect([await read(owner), await read(colleague)]).toEqual([404, 404]);
    await admin.ok(setApplicationParticipants, { ...one, body: { participants: [owner.user.email] } });
    expect([await read(owner), await read(colleague)]).toEqual([200, 404]);
    await admin.ok(setApplicationParticipants, { ...one, body: { participants: [] } });
    expect(await read(owner)).toBe(404);
    await admin.ok(updateUnderwriting, { ...one, body: { assignedTo: idOf(owner) } });
    expect(await read(owner)).toBe(200);
  });

  test('the owner, a participant and the team reach a merchant at the next request', async () => {
    const one = await newMerchant();
    const read = async ({ client: by }: typeof owner) => [
      (await by.call(readMerchant, one)).status,
      (await by.call(listNotes, one)).status,
    ];
    expect([await read(owner), await read(colleague)].flat()).toEqual([404, 404, 404, 404]);
    await admin.ok(setMerchantOwner, { ...one, body: { ownerId: idOf(owner), teamId: team.id } });
    expect([await read(owner), await read(colleague)].flat()).toEqual([200, 200, 200, 200]);
    await admin.ok(setMerchantOwner, { ...one, body: { ownerId: null } });
    await admin.ok(setMerchantParticipants, { ...one, body: { participants: [idOf(owner)] } });
    expect([await read(owner), await read(colleague)].flat()).toEqual([200, 200, 200, 200]);
    await admin.ok(setMerchantOwner, { ...one, body: { teamId: null } });
    expect(await read(colleague)).toEqual([404, 404]);
  });

  test('a record that a caller may read but not change is a 403', async () => {
    const [one, other] = [await newApplication(), await newMerchant()];
    await admin.ok(setApplicationOwner, { ...one, body: { teamId: team.id } });
    await admin.ok(setMerchantOwner, { ...other, body: { teamId: team.id } });
    const by = colleague.client;
    for (const { status, body } of [
      await by.call(updateApplication, { ...one, body: { repcode: 'R-1' } }),
      await by.call(deleteApplication, one),
      await by.call(setApplicationOwner, { ...one, body: { ownerId: idOf(colleague) } }),
      await by.call(updateMerchant, { ...other, body: { dba: 'Another' } }),
      await by.call(createNote, { ...other, body: { content: 'Called.' } }),
      await by.call(deleteMerchant, other),
      await by.call(readMerchant, { ...other, query: { reveal: true } }),
    ])
      expect([status, body.error]).toEqual([403, 'permission_denied']);
  });

  test('a caller with write permissions only changes its own records, and reads none', async () => {
    const { id } = await writer.client.ok(createMerchant, { body: { merchantName: 'Own' } });
    const params = { merchantId: id };
    const { dba, warnings } = await writer.client.ok(updateMerchant, { params, body: { dba: 'Changed' } });
    expect([dba, warnings]).toEqual(['Changed', undefined]);
    expect((await writer.client.call(readMerchant, { params })).status).toBe(403);
    const hidden = await newMerchant();
    expect((await writer.client.call(updateMerchant, { ...hidden, body: {} })).status).toBe(404);
    const { id: applicationId } = await writer.client.ok(createApplication, { body: completeApplication });
    const sent = { params: { applicationId } };
    const { businessBanking } = await writer.client.ok(updateApplication, {
      ...sent,
      body: { repcode: 'R-1' },
    });
    expect(businessBanking.bankAccount).toBe('REDACTED');
    expect((await writer.client.call(readReadiness, sent)).status).toBe(403);
    expect(
      (await writer.client.call(updateApplication, { ...(await newApplication()), body: {} })).status,
    ).toBe(404);
  });

  test('an API key with limited permissions reaches the records that it created', async () => {
    const body = { description: 'Limited', flatPermissionsList: own };
    const { apiKey, apiSecret } = await admin.ok(createApiKey, { body });
    const key = client({ 'x-account-id': acme.accountId, 'x-api-key': apiKey, 'x-api-secret': apiSecret });
    const { id: applicationId, ownerId, teamId } = await key.ok(createApplication, { body: {} });
    expect([ownerId, teamId]).toEqual([undefined, undefined]);
    expect((await key.call(readApplication, { params: { applicationId } })).status).toBe(200);
    expect((await key.call(readApplication, await newApplication())).status).toBe(404);
    const { id: merchantId } = await key.ok(createMerchant, { body: { merchantName: 'Of a key' } });
    expect((await key.call(listNotes, { params: { merchantId } })).status).toBe(200);
    expect((await key.call(listNotes, await newMerchant())).status).toBe(404);
    expect((await owner.client.call(readMerchant, { params: { merchantId } })).status).toBe(404);
  });

  test('a limited permission takes effect at the next request, and collisions need the unlimited one', async () => {
    const one = await newApplication();
    const { client: by, user } = await member(acme, [
      'readApplications',
      'readMerchants',
      'writeUnderwriting',
    ]);
    expect((await by.call(listCollisions, one)).status).toBe(200);
    expect((await by.call(listApplicationNotes, one)).status).toBe(200);
    const params = { email: user.email };
    await admin.ok(setUserPermissions, { params, body: { flatPermissionsList: own } });
    expect((await by.call(listCollisions, one)).status).toBe(403);
    expect((await by.call(listApplicationNotes, one)).status).toBe(404);
  });
});

describe('owner, team and participants', () => {
  test('a user owns what the user creates, with the user’s team', async () => {
    const of = { ownerId: idOf(colleague), teamId: team.id };
    const { id: applicationId, ...made } = await colleague.client.ok(createApplication, { body: {} });
    expect(made).toMatchObject(of);
    expect(await colleague.client.ok(createMerchant, { body: { merchantName: 'Own' } })).toMatchObject(of);
    const params = { applicationId: `own-${applicationId}` };
    const query = { createIfNotExists: true };
    expect(await colleague.client.ok(updateApplication, { params, query, body: {} })).toMatchObject(of);
    const external = await admin.ok(saveExternalApplication, { body: { externalId: 'A-1' } });
    expect(external).not.toHaveProperty('ownerId');
    const { data } = await admin.ok(listApplications, { query: { externalId: 'A-1' } });
    expect(data[0]).not.toHaveProperty('ownerId');
  });

  test('the id of a hidden application cannot be used for a new one, like that of a deleted one', async () => {
    const [hidden, deleted] = [await newApplication(), await newApplication()];
    await admin.ok(deleteApplication, deleted);
    const query = { createIfNotExists: true };
    for (const { params } of [hidden, deleted]) {
      const { body } = await owner.client.call(updateApplication, { params, query, body: {} });
      expect(body).toMatchObject({ error: 'id_retired' });
    }
  });

  test('a conversion and an approval pass them on, and a caller creates no record that it does not reach', async () => {
    const body = { firstName: 'Ada', lastName: 'Byron', company: 'Harbor', teamId: team.id };
    const { id: leadId } = await admin.ok(createLead, { body: { ...body, assignedTo: idOf(owner) } });
    const participants = [idOf(colleague), idOf(writer)];
    await admin.ok(setLeadParticipants, {
      params: { leadId },
      body: { participants: [colleague.user.email, idOf(writer), idOf(colleague)] },
    });
    expect(await admin.ok(readLead, { params: { leadId } })).toMatchObject({ participants });
    const limited = await member(acme, ['writeTeamLeads', 'writeOwnApplications'], { teamId: team.id });
    const refused = await limited.client.call(convertLead, { params: { leadId }, body: {} });
    expect([refused.status, refused.body.error]).toEqual([403, 'permission_denied']);

    const of = { ownerId: idOf(owner), teamId: team.id, participants };
    const { application } = await admin.ok(convertLead, { params: { leadId }, body: {} });
    expect(application).toMatchObject(of);
    const sent = { params: { applicationId: application.id } };
    await admin.ok(updateApplication, { ...sent, body: completeApplication });
    await admin.ok(submitApplication, { ...sent, body: {} });
    const { admin: after } = await owner.client.ok(decideApplication, {
      ...sent,
      body: { decision: 'approved' },
    });
    const params = { merchantId: after.merchantId ?? 0 };
    expect(await owner.client.ok(readMerchant, { params })).toMatchObject(of);
    expect(await colleague.client.ok(readMerchant, { params })).toMatchObject(of);
  });

  test('PUT changes the sent fields, checks references, and takes If-Match and dry runs', async () => {
    const one = await newApplication();
    const set = (body: object, more: object = {}) =>
      admin.call(setApplicationOwner, { ...one, body, ...more });
    const { body: changed } = await set({ ownerId: owner.user.email, teamId: team.id });
    expect(changed).toMatchObject({ ownerId: idOf(owner), teamId: team.id, version: 2 });
    expect((await set({})).body.version).toBe(2);
    expect((await set({ teamId: null })).body).not.toHaveProperty('teamId');
    expect((await set({ ownerId: 'nobody@example.com' })).body).toMatchObject({
      error: 'user_unknown',
      details: [{ field: 'ownerId' }],
    });
    expect((await set({ teamId: 17 })).body.error).toBe('team_unknown');
    const { id: teamId } = await admin.ok(createTeam, { body: { name: 'Former' } });
    await set({ teamId });
    await admin.ok(deactivateTeam, { params: { id: teamId } });
    expect((await set({ teamId })).status).toBe(200);
    expect((await set({ ownerId: null }, { headers: { 'if-match': '"1"' } })).status).toBe(412);
    const { answer, events } = await admin.dryRun(setApplicationOwner, { ...one, body: { ownerId: null } });
    expect(answer).not.toHaveProperty('ownerId');
    expect(events).toMatchObject([
      { kind: 'application_updated', data: { changes: { ownerId: { from: idOf(owner) } } } },
    ]);
    const full = await admin.call(updateApplication, { ...one, body: { ownerId: idOf(owner) } as object });
    expect(full.status).toBe(200);
    const differs = await admin.call(updateApplication, { ...one, body: { ownerId: '17' } as object });
    expect(differs.body).toMatchObject({ error: 'invalid_input', details: [{ field: 'ownerId' }] });
  });

  test('participants are active users, at most ten, and those who leave the account may stay', async () => {
    const one = await newMerchant();
    const set = (...participants: string[]) =>
      admin.call(setMerchantParticipants, { ...one, body: { participants } });
    const former = await member(acme);
    expect((await set(former.user.email, idOf(owner))).body.participants).toEqual([
      idOf(former),
      idOf(owner),
    ]);
    await admin.ok(updateUser, { params: { email: former.user.email }, body: { active: false } });
    expect((await set(idOf(former))).body.participants).toEqual([idOf(former)]);
    expect((await set()).body).not.toHaveProperty('participants');
    expect((await set(idOf(owner), idOf(former), '17')).body).toMatchObject({
      error: 'user_unknown',
      details: [{ field: 'participants[1]' }, { field: 'participants[2]' }],
    });
    expect((await set(...Array<string>(11).fill(idOf(owner)))).status).toBe(400);
    const { uniqueId: ticketId } = await newTicketOf(admin, {});
    const body = { participants: [owner.user.email] };
    const ticket = await admin.ok(setTicketParticipants, { params: { ticketId }, body });
    expect(ticket).toMatchObject({ participants: [idOf(owner)], version: 2 });
  });

  test('an applicant does not see them', async () => {
    const { id: applicationId, system } = await colleague.client.ok(createApplication, { body: {} });
    const params = { applicationId };
    await admin.ok(setApplicationParticipants, { params, body: { participants: [idOf(owner)] } });
    const by = applicant({ appKey: system.appKey, acctId: acme.accountId });
    const shown = [
      await by.ok(readApplication, { params }),
      await by.ok(updateApplication, { params, body: { basics: { dbaName: 'Harbor' } } }),
    ];
    for (const field of ['ownerId', 'teamId', 'participants'])
      for (const one of shown) expect(one).not.toHaveProperty(field);
    const sent = await by.call(updateApplication, { params, body: { ownerId: idOf(colleague) } as object });
    expect(sent.body).toMatchObject({ error: 'invalid_input', details: [{ field: 'ownerId' }] });
  });
});

test('an unlimited permission reaches every record', async () => {
  expect((await everything.client.call(readApplication, await newApplication())).status).toBe(200);
  expect((await everything.client.call(readMerchant, await newMerchant())).status).toBe(200);
});
