import { afterEach, describe, expect, test } from 'vitest';
import createApplication from '../../functions/applications/create-application.ts';
import listApplicationNotes from '../../functions/applications/list-application-notes.ts';
import readApplication from '../../functions/applications/read-application.ts';
import submitToPartner from '../../functions/applications/submit-to-partner.ts';
import syncWithPartner from '../../functions/applications/sync-with-partner.ts';
import listMids from '../../functions/merchants/list-mids.ts';
import { applications } from '../../shared/sales/applications/store.ts';
import { mids } from '../../shared/sales/mids/store.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { canaries } from '../harness/filled-application.ts';
import { passTime } from '../harness/pass-time.ts';
import { eventsAbout } from '../harness/raw-table.ts';
import { connected, partnerKindsOf, partnerStateOf, submitted } from './world.ts';

const hour = 3_600_000;

afterEach(clock.reset);

const midsOf = async ({ owner }: Awaited<ReturnType<typeof connected>>, applicationId: string) => {
  const { admin: { merchantId = 0 } = {} } = await owner.admin.ok(readApplication, {
    params: { applicationId },
  });
  const { data } = await owner.admin.ok(listMids, { params: { merchantId } });
  return data.map(({ mid }) => mid);
};

describe('an approved application', () => {
  test('reaches the partner with its documents and sensitive values, and becomes boarded with MIDs', async () => {
    const world = await connected();
    const { owner, partner } = world;
    const params = await submitted(world);
    await partner.walked();
    await drain();
    const received = partner.applications.get(params.applicationId);
    expect(partner.faults).toEqual([]);
    expect(received?.sensitive).toEqual({
      'basics.dbaTaxId': canaries.taxId,
      'businessBanking.bankAccount': canaries.account,
      'businessOwners[ada].socialSecurityNumber': canaries.ssn,
      'businessOwners[ada].driversLicenseNumber': canaries.license,
      'businessOwners[ada].dateOfBirth': canaries.birthDate,
    });
    expect(received?.body.documents).toHaveLength(1);
    const clear = JSON.stringify(received?.body);
    for (const value of Object.values(canaries)) expect(clear).not.toContain(value);
    expect(await partnerStateOf(owner, params)).toMatchObject({
      state: 'sent',
      submission: 1,
      partnerId: received?.id,
      documents: 'received',
      status: 'boarded',
      sequence: 4,
      mids: received?.mids,
    });
    expect(await midsOf(world, params.applicationId)).toEqual(received?.mids);
    expect(await partnerKindsOf(owner, params.applicationId)).toEqual(
      expect.arrayContaining([
        'application_sent_to_partner',
        'partner_documents_transferred',
        'partner_status_updated',
        'partner_note_received',
      ]),
    );
    const { data: notes } = await owner.admin.ok(listApplicationNotes, { params });
    expect(notes.map(({ content, createdBy }) => [content, createdBy])).toEqual([
      ['The site inspection is complete.', 'partner'],
    ]);
  });

  test('is sent without sensitive values to a partner without a public key', async () => {
    const world = await connected({ silent: true }, { withKey: false });
    const { applicationId } = await submitted(world);
    const { body } = world.partner.applications.get(applicationId) ?? {};
    expect(body).toMatchObject({ id: applicationId, basics: { dbaName: 'Harbor Street Coffee' } });
    expect(body).not.toHaveProperty('sensitive');
  });

  test('reaches a partner that is down for an hour, exactly once', async () => {
    const world = await connected({ failing: 503, silent: true });
    const { owner, partner } = world;
    const params = await submitted(world);
    for (let minutes = 0; minutes < 60; minutes += 10) await passTime(hour / 6);
    expect(await partnerStateOf(owner, params)).toMatchObject({ state: 'queued' });
    // The delays between attempts grow: 5 s, 5 min, 30 min, 2 h.
    const attempts = partner.requests.length;
    expect(attempts).toBeGreaterThan(2);
    expect(attempts).toBeLessThan(6);
    partner.behaviour.failing = undefined;
    await passTime(2.5 * hour);
    await passTime(2.5 * hour);
    expect(partner.requests).toEqual(Array(attempts + 1).fill('POST /applications'));
    expect(partner.applications.size).toBe(1);
    expect(await partnerStateOf(owner, params)).toMatchObject({ state: 'sent', submission: 1 });
    expect(await partnerKindsOf(owner, params.applicationId)).toEqual(['application_sent_to_partner']);
    const ofAccount = await eventsAbout(owner.accountId, owner.accountId);
    expect(ofAccount.map(({ kind }) => kind)).not.toContain('partner_integration_error');
  });

  test('can be submitted again after a refusal, whose reason is shown', async () => {
    const world = await connected({ failing: 422, silent: true });
    const { owner, partner } = world;
    const params = await submitted(world);
    expect(await partnerStateOf(owner, params)).toMatchObject({
      state: 'failed',
      error: 'The partner responded with 422 (switched_off).',
    });
    const errors = (await eventsAbout(owner.accountId, owner.accountId)).filter(
      ({ kind }) => kind === 'partner_integration_error',
    );
    expect(errors.map(({ data }) => data)).toEqual([
      {
        operation: 'application',
        reason: 'The partner responded with 422 (switched_off).',
        applicationId: params.applicationId,
      },
    ]);
    partner.behaviour.failing = undefined;
    await owner.admin.ok(submitToPartner, { params });
    await drain();
    expect(await partnerStateOf(owner, params)).toMatchObject({ state: 'sent', submission: 2 });
    const { body } = await owner.admin.call(submitToPartner, { params });
    expect(body).toMatchObject({ error: 'partner_submitted' });
  });

  test('gets the same status from duplicated and reordered events', async () => {
    const world = await connected({ duplicating: true, reordering: true });
    const { owner, partner } = world;
    const params = await submitted(world);
    await partner.walked();
    await drain();
    expect(await partnerStateOf(owner, params)).toMatchObject({ status: 'boarded', sequence: 4 });
    expect(await midsOf(world, params.applicationId)).toHaveLength(1);
    const kinds = await partnerKindsOf(owner, params.applicationId);
    expect(kinds.filter((kind) => kind === 'partner_note_received')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'partner_documents_transferred')).toHaveLength(1);
  });
});

describe('the status of an application', () => {
  test('is read from the partner after a day without an event', async () => {
    const world = await connected({ silent: true });
    const { owner, partner } = world;
    const params = await submitted(world);
    const received = partner.applications.get(params.applicationId);
    if (!received) throw new Error('The application did not arrive.');
    partner.statusEvent(received, 'in_review');
    // Reads the table, because sessions end during this time.
    const stored = async () => (await applications.get(owner.accountId, params.applicationId)).admin;
    await passTime(23 * hour);
    expect((await stored()).partner).not.toHaveProperty('status');
    await passTime(1.1 * hour);
    expect((await stored()).partner).toMatchObject({ status: 'in_review' });
    received.mids = ['synced-1'];
    partner.statusEvent(received, 'boarded');
    await passTime(24.1 * hour);
    const { merchantId = 0 } = await stored();
    expect(await mids.ownersOf(owner.accountId, ['synced-1'])).toEqual(new Map([[merchantId, ['SYNCED-1']]]));
    const kinds = await partnerKindsOf(owner, params.applicationId);
    expect(kinds.filter((kind) => kind === 'partner_status_synced')).toHaveLength(2);
  });

  test('is read on request, and an equal status changes nothing', async () => {
    const world = await connected({ silent: true });
    const { owner, partner } = world;
    const params = await submitted(world);
    const received = partner.applications.get(params.applicationId);
    if (!received) throw new Error('The application did not arrive.');
    partner.statusEvent(received, 'needs_information');
    for (let n = 0; n < 2; n++) {
      await owner.admin.ok(syncWithPartner, { params });
      await drain();
    }
    expect(await partnerStateOf(owner, params)).toMatchObject({ status: 'needs_information', sequence: 1 });
    const kinds = await partnerKindsOf(owner, params.applicationId);
    expect(kinds.filter((kind) => kind === 'partner_status_synced')).toHaveLength(1);
    expect(partner.requests.filter((request) => request.startsWith('GET'))).toHaveLength(2);
  });
});

test('an application that is not approved is not sent', async () => {
  const { owner, partner } = await connected();
  const { id: applicationId } = await owner.admin.ok(createApplication);
  const { body } = await owner.admin.call(submitToPartner, { params: { applicationId } });
  expect(body).toMatchObject({ error: 'application_not_approved' });
  await drain();
  expect(partner.requests).toEqual([]);
});

describe('an event of the partner', () => {
  test('with a forged, old or missing signature is rejected with 401', async () => {
    const world = await connected({ silent: true });
    const { partner } = world;
    const params = await submitted(world);
    const event = { type: 'application.note', data: { ...params, text: 'Forged' } };
    const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
    expect(await partner.sendEvent({ ...event, secret: other })).toBe(401);
    expect(await partner.sendEvent({ ...event, at: new Date(Date.now() - 6 * 60_000) })).toBe(401);
    expect(await partner.sendEvent({ ...event, at: new Date(Date.now() + 6 * 60_000) })).toBe(401);
    expect(await partner.sendEvent({ ...event, id: 'mo_reflected' })).toBe(401);
    expect(await partner.sendEvent(event)).toBe(202);
  });

  test('of an unknown type is accepted and ignored, and a known type needs its fields', async () => {
    const { partner } = await connected({ silent: true });
    expect(await partner.sendEvent({ type: 'settlement.closed', data: { total: 17 } })).toBe(202);
    expect(await partner.sendEvent({ type: 'application.status', data: { sequence: 1 } })).toBe(400);
    expect(await partner.sendEvent({ type: 'application.note', data: { text: 'No application' } })).toBe(400);
    // Stored as it was sent, this list would be too large for the table.
    const data = {
      applicationId: 'app_nowhere',
      text: 'Hello',
      more: Array.from({ length: 120_000 }, () => 1),
    };
    expect(await partner.sendEvent({ type: 'application.note', data })).toBe(202);
  });

  test('for another account’s application changes nothing and is reported', async () => {
    const [one, other] = [await connected({ silent: true }), await connected({ silent: true })];
    const params = await submitted(one);
    const data = { ...params, sequence: 9, status: 'declined' };
    expect(await other.partner.sendEvent({ type: 'application.status', data })).toBe(202);
    await drain();
    expect(await partnerStateOf(one.owner, params)).not.toHaveProperty('status');
    const kinds = (await eventsAbout(other.owner.accountId, other.owner.accountId)).map(({ kind }) => kind);
    expect(kinds).toContain('partner_integration_error');
  });
});
