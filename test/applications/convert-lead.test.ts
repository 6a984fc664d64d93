import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import deleteApplication from '../../functions/applications/delete-application.ts';
import readApplication from '../../functions/applications/read-application.ts';
import convertLead from '../../functions/leads/convert-lead.ts';
import createLead from '../../functions/leads/create-lead.ts';
import deleteLead from '../../functions/leads/delete-lead.ts';
import readLead from '../../functions/leads/read-lead.ts';
import { measure } from '../costs/meter.ts';
import { drain } from '../harness/drain.ts';
import { expectTrueDryRun } from '../harness/dry-run.ts';
import { injected, injectFaults, noFaults } from '../harness/faults.ts';
import { member } from '../harness/member.ts';
import { scanTable, storedEvents } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';

afterEach(noFaults);

const acme = await tenant();
const { admin } = acme;
const body = {
  firstName: 'Ada',
  lastName: 'Byron',
  company: 'Harbor Street Coffee',
  email: 'ada@example.com',
  phone: '+1 415 555 0134',
  productsServicesSold: 'Coffee',
  currentPaymentProcessor: 'Northwind',
  monthlyTransactionVolume: 25_000,
};
async function newLead() {
  const { id } = await admin.ok(createLead, { body });
  return { params: { leadId: id } };
}
const kindsSince = async (since: number) =>
  (await storedEvents(acme.accountId)).slice(since).map(({ kind }) => kind);
const eventCount = async () => (await storedEvents(acme.accountId)).length;

describe('the conversion of a lead', () => {
  test('the conversion of a lead is previewed by a dry run, which writes nothing', async () => {
    const newcomer = await tenant();
    const { id } = await newcomer.admin.ok(createLead, { body });
    await expectTrueDryRun(convertLead, newcomer, { params: { leadId: id } });
  });

  test('the conversion of a lead creates one prefilled application, and each refers to the other', async () => {
    const lead = await newLead();
    const since = await eventCount();
    const converted = await admin.ok(convertLead, lead);
    expect(converted.lead).toMatchObject({ version: 2, applicationId: converted.application.id });
    expect(converted.application).toMatchObject({
      version: 1,
      system: { appStatus: 'pending' },
      basics: { dbaName: 'Harbor Street Coffee', dbaContact: 'Ada Byron' },
      scheduleABasics: { highMonthlyVolume: 25_000 },
      admin: { leadId: lead.params.leadId },
    });
    expect(converted.application.system).not.toHaveProperty('appKey');
    expect(await kindsSince(since)).toEqual(['lead_converted', 'application_created']);
    const named = { params: { applicationId: converted.application.id } };
    const { system } = await admin.ok(readApplication, named);
    expect(system.appKey).toMatch(/^mo_ak_/);
    await drain();
    const [entry] = (await admin.ok(readLead, lead)).auditLog;
    expect(entry).toMatchObject({
      event: 'lead_converted',
      data: { applicationId: converted.application.id },
    });
  });

  test('the conversion of a converted lead returns the same response and writes nothing', async () => {
    const lead = await newLead();
    const first = await admin.ok(convertLead, lead);
    const since = await eventCount();
    expect(await admin.ok(convertLead, lead)).toEqual(first);
    const headers = { 'idempotency-key': randomUUID() };
    for (const _ of [1, 2]) expect(await admin.ok(convertLead, { ...lead, headers })).toEqual(first);
    expect(await kindsSince(since)).toEqual([]);
  });

  test('the conversion of a lead by 8 concurrent requests creates one application', async () => {
    const lead = await newLead();
    const since = await eventCount();
    injectFaults({ conflicts: 0.1, overlap: true });
    const all = await Promise.all(Array.from({ length: 8 }, () => admin.ok(convertLead, lead)));
    expect(injected.overlaps).toBeGreaterThan(0);
    noFaults();
    expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(await kindsSince(since)).toEqual(['lead_converted', 'application_created']);
    const made = (await scanTable()).filter(
      ({ sk, leadId }) => sk === 'SUMMARY' && leadId === lead.params.leadId,
    );
    expect(made).toHaveLength(1);
  });

  test('the conversion of a lead whose application was deleted creates another', async () => {
    const lead = await newLead();
    const first = await admin.ok(convertLead, lead);
    await admin.ok(deleteApplication, { params: { applicationId: first.application.id } });
    const second = await admin.ok(convertLead, lead);
    expect(second.application.id).not.toBe(first.application.id);
    expect(second.lead).toMatchObject({ applicationId: second.application.id, version: 3 });
  });

  test('the conversion of a lead requires both permissions and an existing lead', async () => {
    const lead = await newLead();
    const [sales, clerk] = [await member(acme, ['writeLeads']), await member(acme, ['writeApplications'])];
    for (const { client } of [sales, clerk]) {
      const refused = await client.call(convertLead, lead);
      expect([refused.status, refused.body.error]).toEqual([403, 'permission_denied']);
    }
    await admin.ok(deleteLead, lead);
    expect((await admin.call(convertLead, lead)).status).toBe(404);
  });

  test('the conversion of a lead takes two round trips, also when it is repeated', async () => {
    const lead = await newLead();
    expect((await measure(() => admin.ok(convertLead, lead))).sequence).toBe(2);
    expect((await measure(() => admin.ok(convertLead, lead))).sequence).toBe(2);
  });
});
