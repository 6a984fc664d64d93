import { afterEach, describe, expect, test } from 'vitest';
import updateAccount from '../../functions/accounts/update-account.ts';
import createApplication from '../../functions/applications/create-application.ts';
import deleteApplication from '../../functions/applications/delete-application.ts';
import listApplications from '../../functions/applications/list-applications.ts';
import readApplication from '../../functions/applications/read-application.ts';
import rotateAppKey from '../../functions/applications/rotate-app-key.ts';
import submitApplication from '../../functions/applications/submit-application.ts';
import updateApplication from '../../functions/applications/update-application.ts';
import { rotateDataKey } from '../../infra/operations/rotate-data-key.ts';
import type { Application, ApplicationInput } from '../../shared/sales/applications/record/schema.ts';
import type { StoredApplication } from '../../shared/sales/applications/record/stored-application.ts';
import { mintAppKey } from '../../shared/security/app-keys.ts';
import { dataKeysKey } from '../../shared/security/keys.ts';
import type { Item } from '../../shared/table/item.ts';
import { recordKey } from '../../shared/table/keys.ts';
import { deleteItem, putItem } from '../../shared/table/operations.ts';
import { getItem } from '../../shared/table/read.ts';
import { sameValue } from '../../shared/table/revise.ts';
import { transact } from '../../shared/table/transact.ts';
import { measure } from '../costs/meter.ts';
import { applicant } from '../harness/applicant.ts';
import { drain } from '../harness/drain.ts';
import { injectFaults, noFaults } from '../harness/faults.ts';
import { canaries, filledApplication, sectionsOf } from '../harness/filled-application.ts';
import { member } from '../harness/member.ts';
import { inQuietMinute } from '../harness/quiet-minute.ts';
import { storedEvents } from '../harness/raw-table.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';

afterEach(noFaults);

const [acme, globex] = [await tenant(), await tenant()];
const create = (body: ApplicationInput = filledApplication, { admin }: Tenant = acme) =>
  admin.ok(createApplication, { body });
const by = ({ id }: { id: string }) => ({ params: { applicationId: id } });
const itemOf = async ({ id }: { id: string }, { accountId }: Tenant = acme) =>
  (await getItem(recordKey(accountId, 'APPLICATION', id))) as Item & StoredApplication;
const put = (item: object) => transact([putItem(item as Item)], Date.now() + 5000);
const hidden = { query: { reveal: false } };

describe('sensitive values', () => {
  test('sensitive values cannot be decrypted in another field, record or account, and all other fields stay readable', async () => {
    const [made, other] = [await create(), await create()];
    const foreign = await create(filledApplication, globex);
    const [item, strange] = [await itemOf(other), await itemOf(foreign, globex)];
    const moved = [
      {
        businessBanking: {
          ...(await itemOf(made)).businessBanking,
          bankAccount: (await itemOf(made)).basics?.dbaTaxId,
        },
      },
      { basics: item.basics },
      { basics: strange.basics },
    ];
    const before = await itemOf(made);
    for (const change of moved) {
      await put({ ...before, ...change });
      const refused = await acme.admin.call(readApplication, by(made));
      expect([refused.status, refused.body.error]).toEqual([500, 'internal_error']);
      expect((await acme.admin.call(readApplication, { ...by(made), ...hidden })).status).toBe(200);
    }
  });

  test('sensitive values cannot be read after the data keys of the account are deleted, and all other fields stay readable', async () => {
    const lost = await tenant();
    const made = await create(filledApplication, lost);
    await transact([deleteItem(dataKeysKey(lost.accountId))], Date.now() + 5000);
    expect((await lost.admin.call(readApplication, by(made))).status).toBe(500);
    const shown = await lost.admin.ok(readApplication, { ...by(made), ...hidden });
    expect(shown.basics).toMatchObject({ dbaName: 'Harbor Street Coffee', dbaTaxId: 'REDACTED' });
    const body = { basics: { dbaCity: 'Oakland' } };
    expect((await lost.admin.ok(updateApplication, { ...by(made), body, ...hidden })).version).toBe(2);
  });

  test('sensitive values are not returned if the event that records the access cannot be written', async () => {
    const made = await create();
    injectFaults({ conflicts: 1 });
    const { status, body } = await acme.admin.call(readApplication, { ...by(made), milliseconds: 1300 });
    noFaults();
    expect([status, body.error]).toEqual([503, 'busy']);
    for (const canary of Object.values(canaries)) expect(JSON.stringify(body)).not.toContain(canary);
  });

  test('sensitive values encrypted with an older key can be read after a rotation, and unchanged values keep their ciphertext', async () => {
    const made = await create();
    const before = await itemOf(made);
    await rotateDataKey(acme.accountId);
    const body = { basics: { dbaTaxId: canaries.taxId }, businessBanking: { bankAccount: '55501234' } };
    const shown = await acme.admin.ok(updateApplication, { ...by(made), body });
    expect([shown.basics.dbaTaxId, shown.businessBanking.bankAccount]).toEqual([canaries.taxId, '55501234']);
    const after = await itemOf(made);
    expect(after.basics?.dbaTaxId).toEqual(before.basics?.dbaTaxId);
    expect(kidOf(after.businessBanking?.bankAccount?.jwe)).not.toBe(kidOf(after.basics?.dbaTaxId?.jwe));
  });
});

const kidOf = (jwe = ''): string =>
  JSON.parse(Buffer.from(jwe.split('.')[0] ?? '', 'base64url').toString()).kid;

test('a list and a read with reveal=false take one round trip, a submission takes three, and all other requests for an application take two', async () => {
  const made = await create();
  const rounds = async (run: () => Promise<unknown>) => {
    await inQuietMinute(() => acme.admin.ok(readApplication, by(made)));
    return (await measure(run)).sequence;
  };
  expect(await rounds(() => acme.admin.ok(readApplication, { ...by(made), ...hidden }))).toBe(1);
  expect(await rounds(() => acme.admin.ok(readApplication, by(made)))).toBe(2);
  const full = { includeFullResponse: true };
  const body = { basics: { dbaTaxId: '12-3456789' } };
  expect(await rounds(() => acme.admin.ok(updateApplication, { ...by(made), body, query: full }))).toBe(2);
  expect(await rounds(() => create())).toBe(2);
  expect(await rounds(() => acme.admin.ok(submitApplication, by(made)))).toBe(3);
  expect(await rounds(() => acme.admin.ok(listApplications))).toBe(1);
});

const holderOf = ({ system }: Application, { accountId }: Tenant = acme, sourceIp?: string) =>
  applicant({ appKey: system.appKey, acctId: accountId }, sourceIp);
const setAccount = (body: object) => acme.admin.ok(updateAccount, { params: { id: acme.accountId }, body });
afterEach(() => setAccount({ applicantPricing: true }));

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

  test('an applicant can send back the response of GET without changing any value or ciphertext', async () => {
    const made = await create();
    const before = await itemOf(made);
    const holder = holderOf(made);
    const shown = await holder.ok(readApplication, by(made));
    expect(Object.keys(sectionsOf(shown))).toHaveLength(9);
    const { custom_domain: _, ...same } = shown;
    expect(await holder.ok(updateApplication, { ...by(made), body: shown as ApplicationInput })).toEqual(
      same,
    );
    expect(await itemOf(made)).toEqual(before);
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
    'an applicant cannot send %j, even with the stored value',
    async (body, field) => {
      const made = await create({ repcode: 'R-1', system: { appFlags: 'x' } });
      for (const sent of [body, JSON.parse(JSON.stringify(body).replace(/"(x|R-1)"/, '"y"'))]) {
        const refused = await holderOf(made).call(updateApplication, { ...by(made), body: sent });
        expect([refused.status, refused.body.details?.map((each) => each.field)]).toEqual([400, [field]]);
      }
    },
  );

  test('an applicant cannot change rates if applicantPricing is off, but can send back unchanged rates', async () => {
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
    '%s cannot confirm a guess of a sensitive value: right and wrong guesses cause equal responses and events',
    async (caller) => {
      const { client: writer } = await member(acme, ['writeApplications']);
      const query = { includeFullResponse: true, preserveOtherOwners: true, reveal: false };
      /** Sends the given values, then adds an owner with the stored SSN. Returns responses and events. */
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

  test('an applicant can submit only once, and staff see `appKey:<application id>` in submittedBy', async () => {
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

  test('an applicant cannot use createIfNotExists', async () => {
    const made = await create({});
    const sent = { ...by(made), body: {}, query: { createIfNotExists: true } };
    expect((await holderOf(made).call(updateApplication, sent)).status).toBe(400);
  });
});

describe('an appKey', () => {
  test('an old appKey after a rotation, the appKey of a deleted application, and a wrong appKey get the same 401', async () => {
    const [made, gone, rotated] = [await create(), await create(), await create()];
    await acme.admin.ok(deleteApplication, by(gone));
    const { system } = await acme.admin.ok(rotateAppKey, by(rotated));
    const attempts: [string, Application, object][] = [
      ['wrong', made, { appKey: mintAppKey(), acctId: acme.accountId }],
      ['of a deleted application', gone, { appKey: gone.system.appKey, acctId: acme.accountId }],
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

  test('a request with an appKey takes one round trip more than a request with a session', async () => {
    const made = await create();
    const holder = holderOf(made);
    const rounds = async (run: () => Promise<unknown>) => {
      await inQuietMinute(() => holder.ok(readApplication, by(made)));
      return (await measure(run)).sequence;
    };
    expect(await rounds(() => holder.ok(readApplication, by(made)))).toBe(2);
    const body = { basics: { dbaCity: 'Oakland' } };
    expect(await rounds(() => holder.ok(updateApplication, { ...by(made), body }))).toBe(3);
    expect(await rounds(() => holder.ok(submitApplication, by(made)))).toBe(4);
  });
});
