import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import assessRisk from '../../functions/applications/assess-risk.ts';
import createApplication from '../../functions/applications/create-application.ts';
import createNote from '../../functions/applications/create-application-note.ts';
import decideApplication from '../../functions/applications/decide-application.ts';
import deleteApplication from '../../functions/applications/delete-application.ts';
import listNotes from '../../functions/applications/list-application-notes.ts';
import listApplications from '../../functions/applications/list-applications.ts';
import readApplication from '../../functions/applications/read-application.ts';
import readReadiness from '../../functions/applications/read-readiness.ts';
import submitApplication from '../../functions/applications/submit-application.ts';
import updateApplication from '../../functions/applications/update-application.ts';
import updateUnderwriting from '../../functions/applications/update-underwriting.ts';
import convertLead from '../../functions/leads/convert-lead.ts';
import createLead from '../../functions/leads/create-lead.ts';
import deleteLead from '../../functions/leads/delete-lead.ts';
import readLead from '../../functions/leads/read-lead.ts';
import { asAccountId } from '../../shared/id/account-id.ts';
import type { ApplicationInput } from '../../shared/sales/applications/record/schema.ts';
import { merchants } from '../../shared/sales/merchants/store.ts';
import type { StoredMerchant } from '../../shared/sales/merchants/stored-merchant.ts';
import { openDataKeys } from '../../shared/security/data-keys.ts';
import { measure } from '../costs/meter.ts';
import { applicant } from '../harness/applicant.ts';
import { concurrently } from '../harness/concurrently.ts';
import { drain } from '../harness/drain.ts';
import { expectTrueDryRun } from '../harness/dry-run.ts';
import { injected, injectFaults, noFaults } from '../harness/faults.ts';
import { canaries, filledApplication } from '../harness/filled-application.ts';
import { member } from '../harness/member.ts';
import { inQuietMinute } from '../harness/quiet-minute.ts';
import { eventsAbout, scanTable, storedEvents } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';
import { watchWire } from '../harness/wire.ts';

afterEach(noFaults);

const acme = await tenant();
const { admin } = acme;
const account = asAccountId(acme.accountId) ?? expect.fail();
const by = ({ id }: { id: string }) => ({ params: { applicationId: id } });

const hidden = { query: { reveal: false } };

async function submitted(body: ApplicationInput = filledApplication) {
  const made = await admin.ok(createApplication, { body });
  return admin.ok(submitApplication, { ...by(made), ...hidden });
}
const decide = (application: { id: string }, body: object) =>
  admin.call(decideApplication, { ...by(application), body: body as { decision: 'approved' } });
const approve = { decision: 'approved' } as const;

const merchantOf = ({ admin: data }: { admin?: { merchantId?: number } }): Promise<StoredMerchant> =>
  merchants.get(account, data?.merchantId ?? expect.fail());

describe('a decision', () => {
  test('a decision to approve creates a merchant with the data and the id of the application', async () => {
    const application = await submitted();
    const { score, level } = await admin.ok(assessRisk, by(application));
    const before = (await storedEvents(account)).length;
    const approved = await admin.ok(decideApplication, { ...by(application), body: approve });
    expect(approved.system).toMatchObject({ appStatus: 'approved', appAcceptedBool: 'true' });
    const merchant = await merchantOf(approved);
    expect(merchant).toMatchObject({
      merchantName: 'Harbor Street Coffee',
      mcc: '5814',
      status: 'pending',
      processingStatus: 'disabled',
      isoAccountId: account,
      applicationId: application.id,
      riskLevel: level,
      principals: [{ firstName: 'Ada', lastName: 'Byron' }],
      addresses: [{ type: 'business', city: 'San Francisco', state: 'CA', country: 'US' }],
      banking: { bankName: 'First Harbor', routingNumber: '011000015' },
      processing: { averageTicket: 18, monthlyVolume: 25_000 },
      rates: [{ discountRate: 2.75, batchFee: 0.2 }],
      riskMetrics: { riskScore: score },
    });
    const events = (await storedEvents(account)).slice(before);
    expect(events.map(({ kind, subject }) => [kind, (subject as { id: unknown }).id])).toEqual([
      ['underwriting_decision_made', application.id],
      ['merchant_created', merchant.id],
    ]);
    expect(events[0]?.data).toEqual({ decision: 'approved', merchantId: merchant.id });
    const { data } = await admin.ok(listApplications, { query: { status: ['approved'] } });
    expect(data.find(({ id }) => id === application.id)).toMatchObject({ merchantId: merchant.id });
  });

  test('a decision to approve re-encrypts every sensitive value for the corresponding field of the merchant', async () => {
    const application = await submitted();
    const merchant = await merchantOf(
      await admin.ok(decideApplication, { ...by(application), body: approve }),
    );
    const keys = await openDataKeys({ account, keep: false, deadline: Date.now() + 5000 });
    const [ada] = merchant.principals;
    const person = `principals[${ada?.id}]`;
    const owner = 'businessOwners[ada]';
    const { accountNumber } = merchant.banking;
    const values = [
      [`${person}.ssn`, ada?.ssn, canaries.ssn, `${owner}.socialSecurityNumber`],
      [
        `${person}.driversLicenseNumber`,
        ada?.driversLicenseNumber,
        canaries.license,
        `${owner}.driversLicenseNumber`,
      ],
      [`${person}.dateOfBirth`, ada?.dateOfBirth, canaries.birthDate, `${owner}.dateOfBirth`],
      ['banking.accountNumber', accountNumber, canaries.account, 'businessBanking.bankAccount'],
    ] as const;
    for (const [field, encrypted, plain, from] of values) {
      const jwe = encrypted?.jwe ?? expect.fail(field);
      expect(await keys.decrypt({ account, record: `merchant:${merchant.id}`, field }, jwe)).toBe(plain);
      for (const place of [
        { account, record: `application:${application.id}`, field: from },
        { account, record: `application:${application.id}`, field },
        { account, record: `merchant:${merchant.id}`, field: from },
      ])
        await expect(keys.decrypt(place, jwe)).rejects.toThrow();
    }
    expect(accountNumber?.last4).toBe(canaries.account.slice(-4));
  });

  test('a decision to approve creates only one merchant, even if 8 concurrent requests send the decision', async () => {
    const application = await submitted();
    injectFaults({ conflicts: 0.1, overlap: true });
    const responses = await concurrently(8, () => decide(application, approve));
    expect(injected.overlaps).toBeGreaterThan(0);
    noFaults();
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of responses)
      if (status !== 200) expect([status, body.error]).toEqual([400, 'application_not_submitted']);
    const made = (await scanTable()).filter(
      ({ sk, applicationId }) => sk === 'RECORD' && applicationId === application.id,
    );
    expect(made).toHaveLength(1);
    const created = (await storedEvents(account)).filter(
      ({ kind, subject }) => kind === 'merchant_created' && (subject as { id: unknown }).id === made[0]?.id,
    );
    expect(created).toHaveLength(1);
  });

  test('a decision to approve accepts two owners with the same name', async () => {
    const owner = { name: 'John Smith' };
    const application = await submitted({
      businessOwners: [
        { ...owner, socialSecurityNumber: '123-45-6789' },
        { ...owner, socialSecurityNumber: '219-09-9999' },
      ],
    });
    const approved = await admin.ok(decideApplication, { ...by(application), body: approve });
    const merchant = await merchantOf(approved);
    expect(merchant.principals).toHaveLength(2);
    expect(merchant.merchantName).toBe(application.id);
  });

  test('a decision to approve stores a name that cannot be split as the last name, with a warning, unless the decision contains the names', async () => {
    const businessOwners = [
      { uniqueId: 'ada', name: 'Robert Downing Jr.' },
      { uniqueId: 'ann', name: 'Mary Ann Smith' },
    ];
    const warning = {
      rule: 'owner_name',
      section: 'businessOwners',
      field: 'businessOwners[ann].name',
      message: expect.stringContaining('Last, First'),
    };
    const ofName = (warnings: { rule: string }[] = []) =>
      warnings.filter(({ rule }) => rule === 'owner_name');
    const application = await submitted({ businessOwners });
    const before = await admin.ok(readApplication, {
      ...by(application),
      query: { includeFullResponse: true },
    });
    expect(ofName(before.validation?.warnings)).toEqual([warning]);
    const approved = await admin.ok(decideApplication, { ...by(application), body: approve });
    expect(ofName(approved.warnings)).toEqual([warning]);
    expect((await merchantOf(approved)).principals).toEqual([
      { id: expect.any(Number), firstName: 'Robert', lastName: 'Downing Jr.' },
      { id: expect.any(Number), lastName: 'Mary Ann Smith' },
    ]);
    const ownerNames = [{ uniqueId: 'ann', firstName: 'Mary Ann', lastName: 'Smith' }];
    const corrected = await admin.ok(decideApplication, {
      ...by(await submitted({ businessOwners })),
      body: { ...approve, ownerNames },
    });
    expect((await merchantOf(corrected)).principals).toMatchObject([
      { firstName: 'Robert', lastName: 'Downing Jr.' },
      { firstName: 'Mary Ann', lastName: 'Smith' },
    ]);
  });

  test('a decision accepts names only for owners of the application, once for each owner, and only with an approval', async () => {
    const application = await submitted();
    const name = (uniqueId: string) => ({ uniqueId, lastName: 'Byron' });
    for (const [body, field] of [
      [{ ...approve, ownerNames: [name('ada'), name('eve')] }, 'ownerNames[1].uniqueId'],
      [{ ...approve, ownerNames: [name('ada'), name('ada')] }, 'ownerNames[1].uniqueId'],
      [{ decision: 'rejected', reason: 'No', ownerNames: [name('ada')] }, 'ownerNames'],
    ] as const) {
      const { status, body: error } = await decide(application, body);
      expect([status, error], field).toMatchObject([400, { error: 'invalid_input', details: [{ field }] }]);
    }
  });

  test('a decision and a submission can be previewed by a dry run', async () => {
    const requested = [{ field: 'basics', message: 'Please check.' }];
    for (const body of [
      approve,
      { decision: 'rejected', reason: 'Too risky' } as const,
      { decision: 'info_requested', reason: 'Unclear', requested } as const,
    ]) {
      const made = await admin.ok(createApplication, { body: filledApplication });
      await expectTrueDryRun(submitApplication, acme, { ...by(made), ...hidden });
      await expectTrueDryRun(decideApplication, acme, { ...by(made), body });
    }
    const decided = await submitted();
    await admin.ok(decideApplication, { ...by(decided), body: approve });
    const query = { dryRun: true };
    const refused = [
      await admin.call(submitApplication, { ...by(decided), query }),
      await admin.call(decideApplication, { ...by(decided), body: approve, query }),
    ];
    expect(refused.map(({ status, body }) => [status, body.error])).toEqual([
      [400, 'application_not_pending'],
      [400, 'application_not_submitted'],
    ]);
  });

  test('a decision to approve an application with 25 owners takes one transaction', async () => {
    const businessOwners = Array.from({ length: 25 }, (_, n) => ({
      name: `Owner ${n}`,
      socialSecurityNumber: `219-09-${1000 + n}`,
      driversLicenseNumber: `D${1000 + n}`,
      dateOfBirth: '1979-11-23',
    }));
    const application = await submitted({ ...filledApplication, businessOwners });
    const counts: number[] = [];
    const stop = watchWire({
      done: ({ operation, input }) => {
        if (operation === 'TransactWriteItems') counts.push((input.TransactItems as unknown[]).length);
      },
    });
    const approved = await admin.ok(decideApplication, { ...by(application), body: approve });
    stop();
    expect(counts).toHaveLength(1);
    expect(counts[0]).toBeLessThanOrEqual(40);
    expect((await merchantOf(approved)).principals).toHaveLength(25);
  });

  test('after a decision to request information, the application can be changed and submitted again', async () => {
    const application = await submitted();
    const requested = [
      { field: 'basics.dbaZip', message: 'Which one?' },
      { documentKey: 'voided-check', message: 'It cannot be read.' },
    ];
    const body = { decision: 'info_requested' as const, reason: 'Unclear', requested };
    const asked = await admin.ok(decideApplication, { ...by(application), body });
    expect(asked.system).toMatchObject({ appStatus: 'pending', submitted: false });
    expect(asked.admin).toMatchObject({ infoRequested: requested, decision: { reason: 'Unclear' } });
    const sent = { ...by(application), body: { basics: { dbaZip: '94110' } }, ...hidden };
    const patched = await admin.ok(updateApplication, sent);
    expect(patched.admin?.infoRequested).toEqual([{ ...requested[0], answered: true }, requested[1]]);
    await admin.ok(submitApplication, { ...by(application), ...hidden });
    const rejection = { decision: 'rejected' as const, reason: 'Still unclear' };
    const rejected = await admin.ok(decideApplication, { ...by(application), body: rejection });
    expect(rejected.system.appStatus).toBe('rejected');
    expect(rejected.admin?.merchantId).toBeUndefined();
    const again = await decide(application, approve);
    expect([again.status, again.body.error]).toEqual([400, 'application_not_submitted']);
    await drain();
    const { auditLog } = await admin.ok(readApplication, { ...by(application), query: { reveal: false } });
    expect(auditLog?.map(({ event }) => event)).toEqual([
      'underwriting_decision_made',
      'application_submitted',
      'application_updated',
      'underwriting_decision_made',
      'application_submitted',
      'application_created',
    ]);
    expect(auditLog?.[3]?.data).toEqual({
      decision: 'info_requested',
      reason: 'Unclear',
      requested: ['basics.dbaZip', 'voided-check'],
    });
  });

  test('a decision takes two round trips', async () => {
    const [application, other] = [await submitted(), await submitted()];
    const headers = { 'idempotency-key': randomUUID() };
    await inQuietMinute(() => admin.ok(decideApplication, { ...by(other), body: approve }));
    const { sequence } = await measure(() =>
      admin.ok(decideApplication, { ...by(application), body: approve, headers }),
    );
    expect(sequence).toBe(2);
  });
});

const underwriter = await member(acme, ['writeUnderwriting', 'readApplications', 'readMerchants']);
const create = (body: object = filledApplication) => admin.ok(createApplication, { body });
const eventsOf = async ({ id }: { id: string }) =>
  (await eventsAbout(acme.accountId, id))
    .filter(({ kind }) => kind !== 'application_created')
    .map(({ kind, data }) => [kind, data]);

describe('underwriting', () => {
  test('underwriting emits an event for each change of the assigned user or the priority', async () => {
    const application = await create();
    const { id, email } = underwriter.user;
    const change = (body: object) => admin.ok(updateUnderwriting, { ...by(application), body });
    const assigned = await change({ assignedTo: email, priority: 'urgent' });
    expect(assigned.admin).toEqual({ assignedTo: String(id), priority: 'urgent' });
    expect((await change({ assignedTo: String(id), priority: 'urgent' })).version).toBe(2);
    expect((await change({ priority: 'low' })).admin).toEqual({ assignedTo: String(id), priority: 'low' });
    expect((await change({ assignedTo: null, priority: null })).admin).toEqual({});
    expect(await eventsOf(application)).toEqual([
      ['underwriting_application_assigned', { to: String(id) }],
      ['underwriting_application_priority_changed', { to: 'urgent' }],
      ['underwriting_application_priority_changed', { from: 'urgent', to: 'low' }],
      ['underwriting_application_assigned', { from: String(id) }],
      ['underwriting_application_priority_changed', { from: 'low' }],
    ]);
    await change({ assignedTo: email });
    for (const assignedTo of [String(id), email]) {
      const { data } = await admin.ok(listApplications, { query: { assignedTo } });
      expect(data.map((one) => one.id)).toEqual([application.id]);
      expect(data[0]).not.toHaveProperty('isWanted');
    }
    const nobody = { assignedTo: 'nobody@example.com' };
    const unknown = await admin.call(updateUnderwriting, { ...by(application), body: nobody });
    expect([unknown.status, unknown.body.error]).toEqual([400, 'user_unknown']);
  });

  test('underwriting notes are listed newest first, and no event or audit entry contains the text of a note', async () => {
    const application = await create();
    const content = 'The owner’s brother was terminated in 2019.';
    const first = await underwriter.client.ok(createNote, { ...by(application), body: { content } });
    expect(first).toMatchObject({
      applicationId: application.id,
      content,
      createdBy: underwriter.user.email,
    });
    const fine = { ...by(application), body: { content: 'Fine.' } };
    const second = await underwriter.client.ok(createNote, fine);
    const { data, totalCount } = await underwriter.client.ok(listNotes, by(application));
    expect([data, totalCount]).toEqual([[second, first], 2]);
    expect((await admin.ok(listNotes, { ...by(application), query: { search: 'BROTHER' } })).data).toEqual([
      first,
    ]);
    expect(await eventsOf(application)).toEqual([
      ['underwriting_note_added', { noteId: first.id }],
      ['underwriting_note_added', { noteId: second.id }],
    ]);
    await drain();
    const { auditLog } = await admin.ok(readApplication, { ...by(application), ...hidden });
    expect(auditLog?.map(({ event }) => event)).toContain('underwriting_note_added');
    expect(JSON.stringify([auditLog, await storedEvents(acme.accountId)])).not.toContain('brother');
    for (const of of [{ id: 'app_NOBODYS' }, await admin.ok(deleteApplication, by(application))]) {
      expect((await admin.call(listNotes, by(of))).status).toBe(404);
      expect((await admin.call(createNote, { ...by(of), body: { content } })).status).toBe(404);
    }
  });

  test('underwriting computes the same risk if the form has not changed', async () => {
    const risky = {
      ...filledApplication,
      businessHistory: { cardAcceptTerminationBool: true },
      businessOwners: [{ name: 'Grace Hopper' }],
      businessBanking: {},
      basics: { dbaName: 'Harbor' },
    };
    const application = await create(risky);
    const assess = () => underwriter.client.ok(assessRisk, by(application));
    const { assessedAt, assessedBy, ...risk } = await assess();
    expect(assessedBy).toBe(underwriter.user.email);
    expect(risk.factors).toContainEqual({
      rule: 'card_termination',
      points: 30,
      fact: 'businessHistory.cardAcceptTerminationBool is true',
    });
    const again = await assess();
    expect(again).toMatchObject(risk);
    const shown = await admin.ok(readApplication, { ...by(application), ...hidden });
    expect(shown.admin?.risk).toEqual(again);
    const { score, level } = risk;
    expect(await eventsOf(application)).toEqual([
      ['underwriting_risk_assessment_generated', { score, level }],
      ['underwriting_risk_assessment_generated', { score, level }],
    ]);
  });

  test('underwriters and the merchant can list the remaining steps, but only underwriters see thresholds', async () => {
    const application = await create({ scheduleABasics: { highMonthlyVolume: 120_000 } });
    const forStaff = await admin.ok(readReadiness, by(application));
    expect(forStaff.next[0]).toMatchObject({ kind: 'field', field: 'basics.dbaName', rule: 'business' });
    expect(JSON.stringify(forStaff)).toContain('"threshold":100000');
    const merchant = applicant({ appKey: application.system.appKey, acctId: acme.accountId });
    const forMerchant = await merchant.ok(readReadiness, by(application));
    expect(forMerchant.next.map(({ rule }) => rule)).toEqual(forStaff.next.map(({ rule }) => rule));
    expect(JSON.stringify(forMerchant)).not.toContain('threshold');
  });
});

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
  test('the conversion of a lead can be previewed by a dry run', async () => {
    const newcomer = await tenant();
    const { id } = await newcomer.admin.ok(createLead, { body });
    await expectTrueDryRun(convertLead, newcomer, { params: { leadId: id } });
  });

  test('the conversion of a lead reports values that the application cannot take', async () => {
    const email = 'info@bücher.example';
    const one = await admin.ok(createLead, { body: { ...body, email, phone: 'call the shop' } });
    const { application, warnings } = await admin.ok(convertLead, { params: { leadId: one.id } });
    expect(application.basics).toMatchObject({ dbaEmail: 'info@xn--bcher-kva.example' });
    expect(warnings).toEqual([
      {
        field: 'basics.dbaPhone',
        message: 'was not filled, because the lead’s phone is not a telephone number',
      },
    ]);
  });

  test('the conversion of a lead creates one prefilled application, and both records refer to each other', async () => {
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
    expect(converted).not.toHaveProperty('warnings');
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

  test('the conversion of a lead that is already converted returns the first response and emits no event', async () => {
    const lead = await newLead();
    const first = await admin.ok(convertLead, lead);
    const since = await eventCount();
    expect(await admin.ok(convertLead, lead)).toEqual(first);
    const headers = { 'idempotency-key': randomUUID() };
    for (const _ of [1, 2]) expect(await admin.ok(convertLead, { ...lead, headers })).toEqual(first);
    expect(await kindsSince(since)).toEqual([]);
  });

  test('the conversion of a lead creates only one application, even if 8 concurrent requests convert the lead', async () => {
    const lead = await newLead();
    const since = await eventCount();
    injectFaults({ conflicts: 0.1, overlap: true });
    const all = await concurrently(8, () => admin.ok(convertLead, lead));
    expect(injected.overlaps).toBeGreaterThan(0);
    noFaults();
    expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(await kindsSince(since)).toEqual(['lead_converted', 'application_created']);
    const made = (await scanTable()).filter(
      ({ sk, leadId }) => sk === 'SUMMARY' && leadId === lead.params.leadId,
    );
    expect(made).toHaveLength(1);
  });

  test('the conversion of a lead whose application was deleted creates a new application', async () => {
    const lead = await newLead();
    const first = await admin.ok(convertLead, lead);
    await admin.ok(deleteApplication, { params: { applicationId: first.application.id } });
    const second = await admin.ok(convertLead, lead);
    expect(second.application.id).not.toBe(first.application.id);
    expect(second.lead).toMatchObject({ applicationId: second.application.id, version: 3 });
  });

  test('the conversion of a lead requires writeLeads, writeApplications and an existing lead', async () => {
    const lead = await newLead();
    const [sales, clerk] = [await member(acme, ['writeLeads']), await member(acme, ['writeApplications'])];
    for (const { client } of [sales, clerk]) {
      const refused = await client.call(convertLead, lead);
      expect([refused.status, refused.body.error]).toEqual([403, 'permission_denied']);
    }
    await admin.ok(deleteLead, lead);
    expect((await admin.call(convertLead, lead)).status).toBe(404);
  });

  test('the conversion of a lead takes two round trips, even if the lead is already converted', async () => {
    const lead = await newLead();
    expect((await measure(() => admin.ok(convertLead, lead))).sequence).toBe(2);
    expect((await measure(() => admin.ok(convertLead, lead))).sequence).toBe(2);
  });
});
