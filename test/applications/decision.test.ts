import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import assessRisk from '../../functions/applications/assess-risk.ts';
import createApplication from '../../functions/applications/create-application.ts';
import decideApplication from '../../functions/applications/decide-application.ts';
import listApplications from '../../functions/applications/list-applications.ts';
import readApplication from '../../functions/applications/read-application.ts';
import submitApplication from '../../functions/applications/submit-application.ts';
import updateApplication from '../../functions/applications/update-application.ts';
import { asAccountId } from '../../shared/id/account-id.ts';
import type { ApplicationInput } from '../../shared/sales/applications/schema.ts';
import { merchants } from '../../shared/sales/merchants/store.ts';
import type { StoredMerchant } from '../../shared/sales/merchants/stored-merchant.ts';
import { openDataKeys } from '../../shared/security/data-keys.ts';
import { measure } from '../costs/meter.ts';
import { logged } from '../harness/call.ts';
import { drain } from '../harness/drain.ts';
import { expectTrueDryRun } from '../harness/dry-run.ts';
import { injected, injectFaults, noFaults } from '../harness/faults.ts';
import { canaries, filledApplication } from '../harness/filled-application.ts';
import { inQuietMinute } from '../harness/quiet-minute.ts';
import { scanTable, storedEvents } from '../harness/raw-table.ts';
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
  test('a decision to approve creates a merchant with the data of the application, and each refers to the other', async () => {
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

  test('a decision to approve re-encrypts every value, bound to the merchant and its field', async () => {
    const application = await submitted();
    const merchant = await merchantOf(
      await admin.ok(decideApplication, { ...by(application), body: approve }),
    );
    const keys = await openDataKeys({ account, keep: false, deadline: Date.now() + 5000 });
    const [ada] = merchant.principals;
    const values = [
      [`principals[${ada?.id}].ssn`, ada?.ssn, canaries.ssn, 'businessOwners[ada].socialSecurityNumber'],
      [
        `principals[${ada?.id}].driversLicenseNumber`,
        ada?.driversLicenseNumber,
        canaries.license,
        'businessOwners[ada].driversLicenseNumber',
      ],
      [
        `principals[${ada?.id}].dateOfBirth`,
        ada?.dateOfBirth,
        canaries.birthDate,
        'businessOwners[ada].dateOfBirth',
      ],
      [
        'banking.accountNumber',
        merchant.banking.accountNumber,
        canaries.account,
        'businessBanking.bankAccount',
      ],
    ] as const;
    for (const [field, sealed, plain, from] of values) {
      const jwe = sealed?.jwe ?? expect.fail(field);
      expect(await keys.open({ account, record: `merchant:${merchant.id}`, field }, jwe)).toBe(plain);
      for (const place of [
        { account, record: `application:${application.id}`, field: from },
        { account, record: `application:${application.id}`, field },
        { account, record: `merchant:${merchant.id}`, field: from },
      ])
        await expect(keys.open(place, jwe)).rejects.toThrow();
    }
    expect(merchant.banking.accountNumber?.last4).toBe(canaries.account.slice(-4));
  });

  test('a decision to approve by 8 concurrent requests creates one merchant', async () => {
    const application = await submitted();
    injectFaults({ conflicts: 0.1, overlap: true });
    const responses = await Promise.all(Array.from({ length: 8 }, () => decide(application, approve)));
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
    const merchant = await merchantOf(
      await admin.ok(decideApplication, { ...by(application), body: approve }),
    );
    expect(merchant.principals).toHaveLength(2);
    expect(merchant.merchantName).toBe(application.id);
  });

  test('a decision and a submission are previewed by a dry run, which writes nothing', async () => {
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

  test('a decision to approve 25 owners with sensitive values is one transaction', async () => {
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

  test('a decision to request information reopens the application, which can then be answered and submitted again', async () => {
    const application = await submitted();
    const requested = [
      { field: 'basics.dbaZip', message: 'Which one?' },
      { documentKey: 'voided-check', message: 'It cannot be read.' },
    ];
    const body = { decision: 'info_requested' as const, reason: 'Unclear', requested };
    const asked = await admin.ok(decideApplication, { ...by(application), body });
    expect(asked.system).toMatchObject({ appStatus: 'pending', submitted: false });
    expect(asked.admin).toMatchObject({ infoRequested: requested, decision: { reason: 'Unclear' } });
    const patched = await admin.ok(updateApplication, {
      ...by(application),
      body: { basics: { dbaZip: '94110' } },
      query: { reveal: false },
    });
    expect(patched.admin?.infoRequested).toEqual([{ ...requested[0], answered: true }, requested[1]]);
    await admin.ok(submitApplication, { ...by(application), ...hidden });
    const rejected = await admin.ok(decideApplication, {
      ...by(application),
      body: { decision: 'rejected', reason: 'Still unclear' },
    });
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

  test('a decision stores and logs no sensitive value in plain text, and takes two round trips', async () => {
    logged.length = 0;
    const application = await submitted();
    const headers = { 'idempotency-key': randomUUID() };
    const other = await submitted();
    await inQuietMinute(() => admin.ok(decideApplication, { ...by(other), body: approve }));
    const { sequence, result } = await measure(() =>
      admin.ok(decideApplication, { ...by(application), body: approve, headers }),
    );
    expect(sequence).toBe(2);
    await drain();
    const stored = JSON.stringify([result, await scanTable(), logged]);
    for (const canary of Object.values(canaries)) {
      expect(stored).not.toContain(canary);
      expect(stored).not.toContain(canary.replaceAll('-', ''));
    }
  });
});
