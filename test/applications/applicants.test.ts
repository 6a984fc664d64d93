import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import updateAccount from '../../functions/accounts/update-account.ts';
import createApplication from '../../functions/applications/create-application.ts';
import deleteApplication from '../../functions/applications/delete-application.ts';
import readApplication from '../../functions/applications/read-application.ts';
import rotateAppKey from '../../functions/applications/rotate-app-key.ts';
import submitApplication from '../../functions/applications/submit-application.ts';
import updateApplication from '../../functions/applications/update-application.ts';
import type { Application, ApplicationInput } from '../../shared/sales/applications/schema.ts';
import { mintAppKey } from '../../shared/security/app-keys.ts';
import { recordKey } from '../../shared/table/keys.ts';
import { getItem } from '../../shared/table/read.ts';
import { sameValue } from '../../shared/table/revise.ts';
import { measure } from '../costs/meter.ts';
import { applicant } from '../harness/applicant.ts';
import { logged } from '../harness/call.ts';
import { drain } from '../harness/drain.ts';
import { canaries, filledApplication, sectionsOf } from '../harness/filled-application.ts';
import { member } from '../harness/member.ts';
import { inQuietMinute } from '../harness/quiet-minute.ts';
import { scanTable, storedEvents } from '../harness/raw-table.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';

const acme = await tenant();
const create = (body: ApplicationInput = filledApplication, { admin }: Tenant = acme) =>
  admin.ok(createApplication, { body });
const by = ({ id }: { id: string }) => ({ params: { applicationId: id } });
const holderOf = ({ system }: Application, { accountId }: Tenant = acme, sourceIp?: string) =>
  applicant({ appKey: system.appKey, acctId: accountId }, sourceIp);
const setAccount = (body: object) => acme.admin.ok(updateAccount, { params: { id: acme.accountId }, body });
afterEach(() => setAccount({ applicantPricing: true }));

const storedOf = ({ id }: { id: string }) => getItem(recordKey(acme.accountId, 'APPLICATION', id));

describe('an applicant', () => {
  test('an applicant sees the form and the requests, but no data of the staff', async () => {
    const made = await create();
    await acme.admin.ok(updateApplication, { ...by(made), body: { basics: { dbaCity: 'Oakland' } } });
    await drain();
    const query = { includeFullResponse: true, includeDocuments: true, reveal: true };
    const shown = await holderOf(made).ok(readApplication, { ...by(made), query });
    expect(Object.keys(shown).sort()).toEqual(
      [
        ...[
          'id',
          'accountId',
          'version',
          'createdAt',
          'updatedAt',
          'system',
          'documentRequirements',
          'validation',
        ],
        ...Object.keys(sectionsOf(shown)),
      ].sort(),
    );
    expect(shown.basics).toMatchObject({ dbaCity: 'Oakland', dbaTaxId: 'REDACTED' });
    expect(shown.businessOwners[0]).toMatchObject({ name: 'Ada Byron', dateOfBirth: 'REDACTED' });
    expect(Object.keys(shown.system)).not.toEqual(expect.arrayContaining(['appKey']));
    const text = JSON.stringify(shown);
    for (const word of [
      ...Object.values(canaries),
      acme.adminEmail,
      'R-17',
      'vip',
      'Called',
      made.system.appKey,
    ])
      expect(text).not.toContain(word);
  });

  test('an applicant can send back the response of GET, which changes no value and no ciphertext', async () => {
    const made = await create();
    const before = await storedOf(made);
    const holder = holderOf(made);
    const shown = await holder.ok(readApplication, by(made));
    expect(Object.keys(sectionsOf(shown))).toHaveLength(9);
    const { custom_domain: _, ...same } = shown;
    expect(await holder.ok(updateApplication, { ...by(made), body: shown as ApplicationInput })).toEqual(
      same,
    );
    expect(await storedOf(made)).toEqual(before);
    const { basics, businessOwners } = await acme.admin.ok(readApplication, by(made));
    expect([basics.dbaTaxId, businessOwners[0]?.socialSecurityNumber]).toEqual([
      canaries.taxId,
      canaries.ssn,
    ]);
  });

  test('an applicant can change every section, and sensitive values are redacted in the response', async () => {
    const made = await create({});
    const { repcode, system, ...sections } = filledApplication;
    const query = { preserveOtherOwners: true, includeFullResponse: true };
    const patched = await holderOf(made).ok(updateApplication, { ...by(made), body: sections, query });
    expect(patched).toMatchObject({ basics: { dbaTaxId: 'REDACTED' }, validation: { canSubmit: true } });
    for (const absent of ['auditLog', 'admin', 'createdBy', 'updatedBy'])
      expect(patched).not.toHaveProperty(absent);
    const shown = await acme.admin.ok(readApplication, by(made));
    expect(shown).toMatchObject({ basics: sections.basics, updatedBy: `appKey:${made.id}` });
  });

  test.each([
    [{ system: { appFlags: 'x' } }, 'system.appFlags'],
    [{ system: { submittedBy: 'grace@example.com' } }, 'system.submittedBy'],
    [{ repcode: 'R-1' }, 'repcode'],
    [{ admin: { priority: 'high' } }, 'admin'],
    [{ createdBy: 'grace@example.com' }, 'createdBy'],
  ] as [ApplicationInput, string][])(
    'an applicant cannot send %j, changed or unchanged',
    async (body, field) => {
      const made = await create({ repcode: 'R-1', system: { appFlags: 'x' } });
      for (const sent of [body, JSON.parse(JSON.stringify(body).replace(/"(x|R-1)"/, '"y"'))]) {
        const refused = await holderOf(made).call(updateApplication, { ...by(made), body: sent });
        expect([refused.status, refused.body.details?.map((each) => each.field)]).toEqual([400, [field]]);
      }
    },
  );

  test('with applicantPricing off an applicant cannot change rates, but can send them back unchanged', async () => {
    const made = await create();
    await setAccount({ applicantPricing: false });
    const holder = holderOf(made);
    const shown = await holder.ok(readApplication, by(made));
    await holder.ok(updateApplication, { ...by(made), body: sectionsOf(shown) });
    const body = { scheduleADiscountRates: { flatRate: 1 }, scheduleAPerItemFees: { batchFee: 1 } };
    const refused = await holder.call(updateApplication, { ...by(made), body });
    expect([refused.status, refused.body.details?.map(({ field }) => field)]).toEqual([
      400,
      ['scheduleADiscountRates', 'scheduleAPerItemFees'],
    ]);
    await acme.admin.ok(updateApplication, { ...by(made), body });
    await setAccount({ applicantPricing: true });
    const allowed = { scheduleADiscountRates: { flatRate: 2 } };
    await holder.ok(updateApplication, { ...by(made), body: allowed });
  });

  test.each(['an applicant', 'a member without readApplications'])(
    '%s cannot confirm a guessed sensitive value: an equal value counts as a change, in dry runs too',
    async (caller) => {
      const { client: writer } = await member(acme, ['writeApplications']);
      const query = { includeFullResponse: true, preserveOtherOwners: true, reveal: false };
      /** The responses and events after these guesses. The second guess is the SSN of another owner. */
      const outcomeOf = async ({
        taxId,
        account,
        ssn,
        license,
        birthDate,
      }: Record<keyof typeof canaries, string>) => {
        const made = await create();
        const guesser = caller === 'an applicant' ? holderOf(made) : writer;
        const owner = { socialSecurityNumber: ssn, driversLicenseNumber: license, dateOfBirth: birthDate };
        const guesses: ApplicationInput[] = [
          {
            basics: { dbaTaxId: taxId },
            businessBanking: { bankAccount: account },
            businessOwners: [{ uniqueId: 'ada', ...owner }],
          },
          { businessOwners: [{ uniqueId: 'guess', socialSecurityNumber: canaries.ssn }] },
        ];
        const outcome: unknown[] = [];
        for (const body of guesses)
          outcome.push(
            await guesser.dryRun(updateApplication, { ...by(made), body, query }),
            await guesser.ok(updateApplication, { ...by(made), body, query }),
          );
        const events = (await storedEvents(acme.accountId)).filter(({ kind, subject }) =>
          sameValue([kind, subject], ['application_updated', { ...Object(subject), id: made.id }]),
        );
        outcome.push(events.map(({ subject, data }) => ({ subject, data })));
        const text = JSON.stringify(outcome).replaceAll(made.id, 'id');
        return { events, outcome: JSON.parse(text.replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, 'a time')) };
      };
      const equal = await outcomeOf(canaries);
      const different = await outcomeOf({
        taxId: '98-7612346',
        account: '771900246814',
        ssn: '541-38-9022',
        license: 'W48219078',
        birthDate: '1979-11-24',
      });
      expect(equal.outcome).toEqual(different.outcome);
      expect(equal.events[0]?.data).toEqual({
        changes: {
          'basics.dbaTaxId': {},
          'businessBanking.bankAccount': {},
          'businessOwners[ada].socialSecurityNumber': {},
          'businessOwners[ada].driversLicenseNumber': {},
          'businessOwners[ada].dateOfBirth': {},
        },
      });
      expect(JSON.stringify(equal.outcome)).not.toContain('ssn_of_two_owners');
    },
  );

  test('an applicant can submit once, and submittedBy is its appKey', async () => {
    const made = await create();
    const holder = holderOf(made);
    expect((await holder.dryRun(submitApplication, by(made))).answer.system.appStatus).toBe('submitted');
    const submitted = await holder.ok(submitApplication, by(made));
    expect(submitted.system).toMatchObject({ appStatus: 'submitted', submitted: true });
    expect(submitted.system).not.toHaveProperty('submittedBy');
    const { system } = await acme.admin.ok(readApplication, by(made));
    expect(system.submittedBy).toBe(`appKey:${made.id}`);
    expect((await holder.call(updateApplication, { ...by(made), body: {} })).body.error).toBe(
      'application_not_pending',
    );
  });

  test('an applicant cannot send createIfNotExists', async () => {
    const made = await create({});
    const sent = { ...by(made), body: {}, query: { createIfNotExists: true } };
    expect((await holderOf(made).call(updateApplication, sent)).status).toBe(400);
  });
});

describe('an appKey', () => {
  test('an appKey of a deleted application or a rotated appKey gets the same 401 as a wrong one', async () => {
    const [made, gone, rotated] = [await create(), await create(), await create()];
    await acme.admin.ok(deleteApplication, by(gone));
    const { system } = await acme.admin.ok(rotateAppKey, by(rotated));
    const attempts: [string, Application, object][] = [
      ['wrong', made, { appKey: mintAppKey(), acctId: acme.accountId }],
      ['of a deleted one', gone, { appKey: gone.system.appKey, acctId: acme.accountId }],
      ['rotated', rotated, { appKey: rotated.system.appKey, acctId: acme.accountId }],
    ];
    const refused: unknown[] = [];
    for (const [name, { id }, query] of attempts)
      for (const attempt of [
        applicant(query).call(readApplication, by({ id })),
        applicant(query).call(submitApplication, by({ id })),
      ]) {
        const { status, body } = await attempt;
        expect(status, name).toBe(401);
        refused.push(body);
      }
    expect(new Set(refused.map((body) => JSON.stringify(body))).size).toBe(1);
    const renewed = applicant({ appKey: system.appKey, acctId: acme.accountId });
    expect((await renewed.call(readApplication, by(rotated))).status).toBe(200);
  });

  test('an appKey is in no log line, event, item, audit entry or idempotency row', async () => {
    logged.length = 0;
    const headers = { 'idempotency-key': randomUUID() };
    const made = await acme.admin.ok(createApplication, { body: {}, headers });
    const again = { ...by(made), headers: { 'idempotency-key': randomUUID() } };
    const { system } = await acme.admin.ok(rotateAppKey, again);
    const holder = applicant({ appKey: system.appKey, acctId: acme.accountId });
    await holder.ok(readApplication, by(made));
    await holder.ok(updateApplication, { ...by(made), body: { basics: { dbaName: 'Harbor' } } });
    await holder.ok(submitApplication, { ...by(made), headers: { 'idempotency-key': randomUUID() } });
    await drain();
    const kept = JSON.stringify(await scanTable()) + logged.join('');
    for (const key of [made.system.appKey, system.appKey]) {
      expect(key).toMatch(/^mo_ak_/);
      expect(kept).not.toContain(key);
    }
  });

  test('a request with an appKey takes one round trip more than with a session', async () => {
    const made = await create();
    const holder = holderOf(made);
    const rounds = async (run: () => Promise<unknown>) => {
      await inQuietMinute(() => holder.ok(readApplication, by(made)));
      return (await measure(run)).sequence;
    };
    expect(await rounds(() => holder.ok(readApplication, by(made)))).toBe(2);
    const body = { basics: { dbaCity: 'Oakland' } };
    expect(await rounds(() => holder.ok(updateApplication, { ...by(made), body }))).toBe(3);
    expect(await rounds(() => holder.ok(submitApplication, by(made)))).toBe(3);
  });
});
