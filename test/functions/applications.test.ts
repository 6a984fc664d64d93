import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import updateAccount from '../../functions/accounts/update-account.ts';
import createApplication from '../../functions/applications/create-application.ts';
import deleteApplication from '../../functions/applications/delete-application.ts';
import listApplications from '../../functions/applications/list-applications.ts';
import readApplication from '../../functions/applications/read-application.ts';
import rotateAppKey from '../../functions/applications/rotate-app-key.ts';
import submitApplication from '../../functions/applications/submit-application.ts';
import updateApplication from '../../functions/applications/update-application.ts';
import { applicationDocuments } from '../../shared/documents/store.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { type Section, sectionFields } from '../../shared/sales/applications/record/fields.ts';
import type { Application, ApplicationInput } from '../../shared/sales/applications/record/schema.ts';
import { isSensitiveFormField } from '../../shared/sales/applications/record/sensitive-values.ts';
import { deleteAll, putAll } from '../../shared/table/batch-write.ts';
import { auditKey, childKey, recordKey } from '../../shared/table/keys.ts';
import { putItem } from '../../shared/table/operations.ts';
import { getItem } from '../../shared/table/read.ts';
import { transact } from '../../shared/table/transact.ts';
import { applicant } from '../harness/applicant.ts';
import type { CallResponse, ErrorBody } from '../harness/call.ts';
import { drain } from '../harness/drain.ts';
import { canaries, filledApplication } from '../harness/filled-application.ts';
import { member } from '../harness/member.ts';
import { eventsAbout, scanTable } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';

const acme = await tenant();
const { admin } = acme;
const reader = await member(acme, ['readApplications']);

const create = (body: ApplicationInput = {}) => admin.ok(createApplication, { body });
const by = (application: { id: string }) => ({ params: { applicationId: application.id } });
const read = (application: { id: string }, query: object = {}) =>
  admin.ok(readApplication, { ...by(application), query });
const patch = (application: { id: string }, body: ApplicationInput, query: object = {}) =>
  admin.ok(updateApplication, { ...by(application), body, query });
const codeOf = async (response: Promise<CallResponse<unknown>>) => {
  const { status, body } = await response;
  return [status, (body as ErrorBody).error].filter(Boolean).join(' ');
};
/** Returns the kinds and data of an application's events, oldest first. */
const eventsOf = async ({ id }: { id: string }) =>
  (await eventsAbout(acme.accountId, id)).map(({ kind, data }) => [kind, data] as const);
const storedOf = async ({ id }: { id: string }) =>
  (await getItem(recordKey(acme.accountId, 'APPLICATION', id))) as unknown;
/** Sets attributes directly in the table. */
const force = async ({ id }: { id: string }, attributes: object) => {
  const key = recordKey(acme.accountId, 'APPLICATION', id);
  const item = await getItem(key);
  await transact([putItem({ ...key, ...item, ...attributes })], Date.now());
};

const sensitivePaths = [
  'basics.dbaTaxId',
  'businessBanking.bankAccount',
  'businessOwners[ada].socialSecurityNumber',
  'businessOwners[ada].driversLicenseNumber',
  'businessOwners[ada].dateOfBirth',
];

describe('POST /applications', () => {
  test('POST /applications creates a pending application and returns its appKey, but no sensitive values', async () => {
    const made = await create(filledApplication);
    expect(made.id).toMatch(/^app_[0-9A-HJKMNP-TV-Z]{10,11}$/);
    expect(made).toMatchObject({
      version: 1,
      repcode: 'R-17',
      createdBy: acme.adminEmail,
      basics: { dbaName: 'Harbor Street Coffee', dbaTaxId: 'REDACTED' },
      businessOwners: [{ id: 1, uniqueId: 'ada', dateOfBirth: 'REDACTED' }],
      system: { appStatus: 'pending', submitted: false, agentCode: 'R-17', appFlags: 'vip' },
    });
    expect(made.system.appKey).toMatch(/^mo_ak_[0-9A-Za-z]{49}$/);
    expect(made.updatedBy).toBeUndefined();
    const [[kind, data] = [], ...others] = await eventsOf(made);
    expect([kind, others]).toEqual(['application_created', []]);
    expect(data).toMatchObject({
      changes: { 'basics.dbaCity': { to: 'San Francisco' }, 'basics.dbaTaxId': {}, 'system.appKey': {} },
    });
  });
});

describe('GET /applications/{applicationId}', () => {
  test('GET /applications/{applicationId} shows every sensitive value, and emits an event with the paths of the shown fields', async () => {
    const made = await create(filledApplication);
    const shown = await read(made);
    expect(shown).toMatchObject({
      basics: { dbaTaxId: canaries.taxId },
      businessBanking: { bankAccount: canaries.account },
      businessOwners: [
        {
          socialSecurityNumber: canaries.ssn,
          driversLicenseNumber: canaries.license,
          dateOfBirth: canaries.birthDate,
        },
      ],
    });
    expect((await eventsOf(made)).slice(1)).toEqual([
      ['application_sensitive_data_revealed', { fields: sensitivePaths }],
    ]);
  });

  test('GET /applications/{applicationId}?reveal=false hides sensitive values and the appKey, and emits no event', async () => {
    const made = await create(filledApplication);
    const shown = await read(made, { reveal: false });
    expect(shown).toMatchObject({ basics: { dbaTaxId: 'REDACTED' } });
    expect(shown.system).not.toHaveProperty('appKey');
    expect(await eventsOf(made)).toHaveLength(1);
  });

  test('GET /applications/{applicationId} shows the appKey only to callers who may change the application', async () => {
    const made = await create();
    expect((await read(made)).system.appKey).toBe(made.system.appKey);
    const shown = await reader.client.ok(readApplication, by(made));
    expect(shown.system).not.toHaveProperty('appKey');
    expect(await eventsOf(made)).toHaveLength(1);
  });

  test('GET /applications/{applicationId} shows requirements and validation only if the query requests them', async () => {
    const portalUrl = 'https://apply.example.com/start';
    await admin.ok(updateAccount, { params: { id: acme.accountId }, body: { portalUrl } });
    const made = await create({ basics: { dbaName: 'Harbor' } });
    await drain();
    const plain = await read(made);
    expect(plain).toMatchObject({ custom_domain: 'apply.example.com', admin: {} });
    expect(plain.auditLog?.map(({ event }) => event)).toEqual(['application_created']);
    expect(plain).not.toHaveProperty('documentRequirements');
    expect(plain).not.toHaveProperty('validation');
    const documents = await read(made, { includeDocuments: true });
    expect(documents.documentRequirements?.requiredDocuments.map(({ key }) => key)).toContain('voided-check');
    expect(documents).not.toHaveProperty('validation');
    const full = await read(made, {
      includeFullResponse: true,
      processingMethod: 'moto',
      showAllDocuments: true,
    });
    expect(full.validation?.missingFields.map(({ field }) => field)).toContain('basics.dbaStreet1');
    expect(full.documentRequirements?.requiredDocuments.map(({ key }) => key)).toContain(
      'moto-questionnaire',
    );
    expect(full.documentRequirements?.allDocuments.map(({ key }) => key)).toContain('site-photos');
    await admin.ok(updateAccount, { params: { id: acme.accountId }, body: { portalUrl: null } });
  });

  test('GET /applications/{applicationId}?includeDocuments=true lists up to 100 files, and hides the names of the staff from applicants', async () => {
    const made = await create();
    const file = {
      accountId: acme.accountId as AccountId,
      parentId: made.id,
      version: 1,
      createdAt: made.createdAt,
      updatedAt: made.createdAt,
      key: 'voided-check',
      name: 'check.pdf',
      contentType: 'application/pdf',
      size: 3,
      sha256: 'a'.repeat(64),
      status: 'pending',
    } as const;
    const uploaded = { ...file, id: 7, uploadedDate: made.createdAt, uploadedBy: 'grace@staff.test' };
    for (const document of [uploaded, { ...file, id: 8, name: 'not-uploaded.pdf' }])
      await transact(applicationDocuments.insert(document), Date.now() + 5000);
    const query = { includeDocuments: true };
    const expected = {
      id: '7',
      name: 'check.pdf',
      size: 3,
      status: 'pending',
      uploadedBy: 'grace@staff.test',
    };
    for (const shown of [await read(made, query), await patch(made, { repcode: 'B' }, query)])
      expect(shown.documentRequirements?.uploadedDocuments).toEqual({
        'voided-check': { key: 'voided-check', files: [expect.objectContaining(expected)] },
      });
    const holder = applicant({ appKey: made.system.appKey, acctId: acme.accountId });
    const { documentRequirements } = await holder.ok(readApplication, { ...by(made), query });
    expect(documentRequirements?.uploadedDocuments['voided-check']?.files).toMatchObject([
      { ...expected, uploadedBy: 'staff' },
    ]);
    const children = {
      account: file.accountId,
      parent: 'APPLICATION',
      parentId: made.id,
      kind: 'DOCUMENT',
    } as const;
    // With the completed file above, the application has 100 files.
    const others = Array.from({ length: 99 }, (_, n) => ({
      ...uploaded,
      id: 100 + n,
      key: `other ${n % 11}`,
    }));
    await deleteAll([childKey(children, 8)]);
    await putAll(others.map((one) => ({ ...childKey(children, one.id), type: 'document', ...one })));
    const full = await read(made, query);
    const files = Object.values(full.documentRequirements?.uploadedDocuments ?? {}).flatMap(
      (one) => one.files,
    );
    expect(new Set(files.map(({ id }) => Number(id)))).toEqual(new Set([7, ...others.map(({ id }) => id)]));
  });

  test('GET /applications/{applicationId} finds only applications of the caller’s account, even if another account uses the same id', async () => {
    const globex = await tenant();
    const id = `shared-id-${randomUUID()}`;
    const own = { params: { applicationId: id }, query: { createIfNotExists: true } };
    await admin.ok(updateApplication, { ...own, body: { repcode: 'acme' } });
    expect(await codeOf(globex.admin.call(readApplication, by({ id })))).toBe('404 not_found');
    await globex.admin.ok(updateApplication, { ...own, body: { repcode: 'globex' } });
    expect((await read({ id })).repcode).toBe('acme');
    expect((await globex.admin.ok(readApplication, by({ id }))).repcode).toBe('globex');
  });
});

describe('PATCH /applications/{applicationId}', () => {
  test('PATCH /applications/{applicationId} merges field by field, and emits an event with the changes by path, but no sensitive values', async () => {
    const made = await create(filledApplication);
    const changed = await patch(
      made,
      { basics: { dbaCity: 'Oakland', dbaState: null, dbaTaxId: '12-3456789' }, repcode: null },
      { reveal: false },
    );
    expect(changed).toMatchObject({ version: 2, updatedBy: acme.adminEmail });
    expect(changed.basics).toMatchObject({ dbaCity: 'Oakland', dbaTaxId: 'REDACTED', tinType: 'EIN' });
    expect(changed.basics).not.toHaveProperty('dbaState');
    expect((await eventsOf(made)).slice(1)).toEqual([
      [
        'application_updated',
        {
          changes: {
            repcode: { from: 'R-17' },
            'basics.dbaCity': { from: 'San Francisco', to: 'Oakland' },
            'basics.dbaState': { from: 'CA' },
            'basics.dbaTaxId': {},
          },
        },
      ],
    ]);
  });

  test('PATCH /applications/{applicationId} shows sensitive values as GET does, and emits application_sensitive_data_revealed', async () => {
    const made = await create(filledApplication);
    const changed = await patch(made, { basics: { dbaTaxId: '12-3456789' } });
    expect(changed.basics.dbaTaxId).toBe('12-3456789');
    expect(changed.system.appKey).toBe(made.system.appKey);
    expect((await eventsOf(made)).map(([kind]) => kind)).toEqual([
      'application_created',
      'application_updated',
      'application_sensitive_data_revealed',
    ]);
  });

  test('only callers who may read sensitive values get warnings about them', async () => {
    const businessOwners = [
      { uniqueId: 'own_1', socialSecurityNumber: '078-05-1120', dateOfBirth: 'unknown' },
    ];
    const made = await create({ basics: { dbaTaxId: '12', dbaZip: 'x' }, businessOwners });
    const query = { includeFullResponse: true };
    const rulesFor = async (by: Pick<typeof admin, 'ok'>) => {
      const { validation } = await by.ok(readApplication, { params: { applicationId: made.id }, query });
      return validation?.warnings.map(({ rule }) => rule).sort();
    };
    const holder = applicant({ appKey: made.system.appKey, acctId: acme.accountId });
    const { client: writer } = await member(acme, ['writeApplications']);
    const changed = await writer.ok(updateApplication, {
      params: { applicationId: made.id },
      query,
      body: { basics: { dbaCity: 'Oakland' } },
    });
    expect(await rulesFor(admin)).toEqual(['birth_date_real', 'dba_zip', 'ssn_placeholder', 'tax_id_digits']);
    expect(await rulesFor(holder)).toEqual(['dba_zip']);
    expect(changed.validation?.warnings.map(({ rule }) => rule)).toEqual(['dba_zip']);
  });

  test('an owner’s uniqueId can be any text of 1 to 64 characters without control characters', async () => {
    const made = await create();
    const texts = ['a].name', "$& $1 $'", 'Ada Byron №1', '/', '__proto__', '🙂'.repeat(64)];
    const businessOwners = texts.map((uniqueId) => ({ uniqueId, dateOfBirth: 'unknown' }));
    const { businessOwners: owners, validation } = await patch(
      made,
      { businessOwners },
      { includeFullResponse: true },
    );
    expect(owners).toMatchObject(businessOwners);
    const warned = validation?.warnings.filter(({ rule }) => rule === 'birth_date_real');
    expect(warned?.map(({ field }) => field)).toEqual(
      texts.map((text) => `businessOwners[${text}].dateOfBirth`),
    );
    expect(validation?.missingDocuments).toEqual(
      expect.arrayContaining(texts.map((text) => `driver-license_${text}`)),
    );
    for (const uniqueId of ['', 'a'.repeat(65), 'a\nb', 'a\u0085b', 'a\u007f']) {
      const call = admin.call(updateApplication, { ...by(made), body: { businessOwners: [{ uniqueId }] } });
      expect((await call).body.details?.[0]?.field).toBe('businessOwners[0].uniqueId');
    }
  });

  test('PATCH /applications/{applicationId}?includeFullResponse=true shows requirements, validation and the audit log', async () => {
    const made = await create();
    await drain();
    const plain = await patch(made, { repcode: 'A' });
    for (const absent of ['documentRequirements', 'validation', 'auditLog', 'custom_domain'])
      expect(plain).not.toHaveProperty(absent);
    const full = await patch(made, { repcode: 'B' }, { includeFullResponse: true, processingMethod: 'moto' });
    expect(full.auditLog?.at(-1)).toMatchObject({ event: 'application_created' });
    expect(full.validation).toMatchObject({ isComplete: false, canSubmit: true });
    expect(full.documentRequirements?.requiredDocuments.map(({ key }) => key)).toContain(
      'moto-questionnaire',
    );
    const documents = await patch(made, { repcode: 'C' }, { includeDocuments: true });
    expect(documents.documentRequirements?.total).toBeGreaterThan(0);
    const unknown = admin.call(updateApplication, {
      ...by(made),
      query: { processingMethod: 'barter' },
      body: {},
    });
    expect(await codeOf(unknown)).toBe('400 invalid_input');
  });

  test('PATCH /applications/{applicationId}?includeFullResponse=true shows the newest 100 audit entries, newest first, as GET does', async () => {
    const made = await create();
    const account = acme.accountId as AccountId;
    const entry = {
      type: 'audit',
      event: 'application_updated',
      user: acme.adminEmail,
      apiKey: null,
      data: {},
      created: made.createdAt,
      requestMethod: 'PATCH',
      requestPath: '/applications',
      requestHeaders: {},
      requestIpAddress: '203.0.113.7',
      account_id: acme.accountId,
    };
    const ids = Array.from({ length: 101 }, (_, n) => 101 - n);
    await putAll(ids.map((id) => ({ ...auditKey(account, 'APPLICATION', made.id, id), ...entry, id })));
    const newest = ids.slice(0, 100);
    const full = await patch(made, { repcode: 'A' }, { includeFullResponse: true });
    expect(full.auditLog?.map(({ id }) => id)).toEqual(newest);
    expect((await read(made)).auditLog?.map(({ id }) => id)).toEqual(newest);
  });

  test('PATCH /applications/{applicationId}?createIfNotExists=true creates an application under an id chosen by the client', async () => {
    const id = `Own.id_~-${randomUUID().slice(0, 8)}`;
    const missing = { params: { applicationId: id }, body: filledApplication };
    expect(await codeOf(admin.call(updateApplication, missing))).toBe('404 not_found');
    const made = await admin.ok(updateApplication, { ...missing, query: { createIfNotExists: true } });
    expect(made).toMatchObject({ id, version: 1, basics: { dbaTaxId: canaries.taxId } });
    expect((await eventsOf(made)).map(([kind]) => kind)).toEqual([
      'application_created',
      'application_sensitive_data_revealed',
    ]);
    const again = await admin.ok(updateApplication, { ...missing, query: { createIfNotExists: true } });
    expect(again).toMatchObject({ version: 1, system: { appKey: made.system.appKey } });
    expect(await codeOf(admin.call(readApplication, by({ id: id.toLowerCase() })))).toBe('404 not_found');
  });

  test.each([
    'short-one',
    'x'.repeat(65),
    '.begins-with-a-dot',
    'app_65YB3N0G2M1X',
    'has a space in it',
    'has/a/slash/in/it',
  ])('PATCH /applications/{applicationId}?createIfNotExists=true rejects the id %j with 400', async (id) => {
    const sent = { params: { applicationId: id }, body: {}, query: { createIfNotExists: true } };
    const { status, body } = await admin.call(updateApplication, sent);
    expect([status, body.details?.[0]?.field]).toEqual([400, 'applicationId']);
    expect(await codeOf(admin.call(updateApplication, { ...sent, query: {} }))).toBe('404 not_found');
  });

  test('a change that makes an application larger than 300 KB returns 400 and writes nothing', async () => {
    const made = await create();
    // This character takes four bytes.
    const long = (length: number) => '𐍈'.repeat(length);
    const textsOf = (section: Section) =>
      Object.fromEntries(
        Object.entries(sectionFields[section]).flatMap(([field, { type, maxLength }]: [string, TextRules]) =>
          type === 'string' && !isSensitiveFormField(section, field) ? [[field, long(maxLength ?? 0)]] : [],
        ),
      );
    const unrevealed = { ...by(made), query: { reveal: false } };
    await admin.ok(updateApplication, { ...unrevealed, body: { system: { appFlags: long(5000) } } });
    // An attribute that no response shows, so that the form alone need not reach the limit.
    await force(made, { attribute: 'x'.repeat(150_000) });
    const owners = Array.from({ length: 25 }, (_, n) => ({
      uniqueId: `o${n}`.padEnd(4, '_') + long(60),
      name: long(200),
      socialSecurityNumber: long(64),
      driversLicenseNumber: long(64),
      dateOfBirth: long(32),
    }));
    await admin.ok(updateApplication, { ...unrevealed, body: { businessOwners: owners } });
    const last = { businessDetails: textsOf('businessDetails'), orderProcessing: textsOf('orderProcessing') };
    const [basics, businessHistory] = [textsOf('basics'), textsOf('businessHistory')];
    const before = await storedOf(made);
    const sent = { ...last, basics, businessHistory };
    const { status, body } = await admin.call(updateApplication, { ...unrevealed, body: sent });
    expect([status, body.error]).toEqual([400, 'record_too_large']);
    expect(await storedOf(made)).toEqual(before);
  });
});

interface TextRules {
  type?: string;
  maxLength?: number;
}

describe('GET /applications', async () => {
  const globex = await tenant();
  const made: Application[] = [];
  for (const [name, state, mccNumber] of [
    ['Anchor', 'CA', 5814],
    ['Bakery', 'NY', 5462],
    ['Cannery', 'CA', 5411],
  ] as const)
    made.push(
      await globex.admin.ok(createApplication, {
        body: {
          ...filledApplication,
          basics: { ...filledApplication.basics, dbaName: name, dbaState: state },
          businessDetails: { mccNumber },
        },
      }),
    );
  const list = async (query: object = {}) => {
    const { data, totalCount } = await globex.admin.ok(listApplications, { query });
    return { names: data.map(({ dbaName }) => dbaName).join(' '), data, totalCount };
  };

  test('GET /applications lists flat summaries, newest first, without sensitive values', async () => {
    const { names, data, totalCount } = await list();
    expect([names, totalCount]).toEqual(['Cannery Bakery Anchor', 3]);
    expect(data[2]).toMatchObject({
      id: made[0]?.id,
      status: 'pending',
      repcode: 'R-17',
      dbaContact: 'Ada Byron',
      ownerNames: 'Ada Byron',
      dbaCity: 'San Francisco',
      highMonthlyVolume: 25_000,
      isComplete: false,
      completeness: expect.any(Number),
    });
    expect(JSON.stringify(data)).not.toMatch(/REDACTED|appKey|auditLog|jwe/);
  });

  test.each<[object, string]>([
    [{ dbaState: 'CA' }, 'Cannery Anchor'],
    [{ mccNumber: [5814, 5462] }, 'Bakery Anchor'],
    [{ status: 'submitted' }, ''],
    [{ repcode: 'R-17', dbaName: 'Bakery' }, 'Bakery'],
    [{ isComplete: false }, 'Cannery Bakery Anchor'],
    [{ search: 'anchor' }, 'Anchor'],
    [{ search: 'ADA@EXAMPLE' }, 'Cannery Bakery Anchor'],
    [{ search: '555 0134' }, 'Cannery Bakery Anchor'],
    [{ sort: 'dbaName' }, 'Anchor Bakery Cannery'],
    [{ sort: '-dbaState,dbaName' }, 'Bakery Anchor Cannery'],
    [{ sort: 'mccNumber' }, 'Cannery Bakery Anchor'],
    [{ pageSize: 1, page: 2 }, 'Bakery'],
  ])('GET /applications filters, searches, sorts and pages by %j', async (query, names) => {
    expect((await list(query)).names).toBe(names);
  });

  test('GET /applications finds an application by its id, and shows a change immediately', async () => {
    const [anchor] = made;
    expect((await list({ search: anchor?.id })).names).toBe('Anchor');
    await globex.admin.ok(updateApplication, {
      ...by(anchor ?? { id: '' }),
      body: { basics: { dbaName: 'Anchorage' } },
    });
    expect((await list()).names).toBe('Cannery Bakery Anchorage');
    await globex.admin.ok(updateApplication, {
      ...by(anchor ?? { id: '' }),
      body: { basics: { dbaName: 'Anchor' } },
    });
  });

  test('GET /applications rejects a filter or a sort by a sensitive field', async () => {
    for (const query of [{ dbaTaxId: '1' }, { bankAccount: '1' }, { sort: 'dbaTaxId' }])
      expect(await codeOf(globex.admin.call(listApplications, { query }))).toBe('400 invalid_input');
  });
});

describe('POST /applications/{applicationId}/submit', () => {
  test('POST /applications/{applicationId}/submit records user and time, shows sensitive values as GET does, and cannot be repeated', async () => {
    const made = await create(filledApplication);
    const submitted = await admin.ok(submitApplication, by(made));
    expect(submitted).toMatchObject({
      version: 2,
      basics: { dbaTaxId: canaries.taxId },
      system: {
        appStatus: 'submitted',
        submitted: true,
        submittedBy: acme.adminEmail,
        submittedDate: expect.any(String),
        appSubmittedBool: 'true',
      },
    });
    expect((await eventsOf(made)).slice(1)).toEqual([
      ['application_submitted', {}],
      ['application_sensitive_data_revealed', { fields: expect.arrayContaining(['basics.dbaTaxId']) }],
    ]);
    expect(await codeOf(admin.call(submitApplication, by(made)))).toBe('400 application_not_pending');
  });

  test('POST /applications/{applicationId}/submit lists all missing items if the account requires complete applications', async () => {
    const strict = await tenant();
    await strict.admin.ok(updateAccount, {
      params: { id: strict.accountId },
      body: { requireCompleteApplication: true },
    });
    const made = await strict.admin.ok(createApplication, { body: filledApplication });
    const { status, body } = await strict.admin.call(submitApplication, by(made));
    expect([status, body.error]).toEqual([400, 'application_incomplete']);
    const { validation } = await strict.admin.ok(readApplication, {
      ...by(made),
      query: { includeFullResponse: true },
    });
    expect(validation?.canSubmit).toBe(false);
    expect(body.details?.map(({ field }) => field)).toEqual([
      ...(validation?.missingFields.map(({ field }) => field) ?? []),
      ...(validation?.missingDocuments ?? []),
    ]);
    expect(body.details?.length).toBeGreaterThan(2);
  });
});

describe('DELETE /applications/{applicationId}', () => {
  test('DELETE /applications/{applicationId} leaves only a tombstone, and the id cannot be used again', async () => {
    const made = await create(filledApplication);
    const deleted = await admin.ok(deleteApplication, by(made));
    expect(deleted).toMatchObject({ id: made.id, basics: { dbaTaxId: 'REDACTED' } });
    expect(deleted.system).not.toHaveProperty('appKey');
    expect(await codeOf(admin.call(readApplication, by(made)))).toBe('404 not_found');
    const left = (await scanTable()).filter((item) => JSON.stringify(item).includes(made.id));
    const ofRecord = left.filter(({ pk }) => pk.includes('#APPLICATION#'));
    expect(ofRecord.map(({ sk, ...rest }) => [sk, Object.keys(rest).sort()])).toEqual([
      ['RECORD', ['deletedAt', 'id', 'pk']],
    ]);
    expect(left.filter(({ pk }) => pk.includes('#COLLISION#'))).toEqual([]);
    const again = { ...by(made), body: {} };
    expect(await codeOf(admin.call(updateApplication, again))).toBe('404 not_found');
    const revived = { ...again, query: { createIfNotExists: true } };
    expect(await codeOf(admin.call(updateApplication, revived))).toBe('400 id_retired');
  });

  test('DELETE /applications/{applicationId} deletes a rejected application, but not a submitted or approved one', async () => {
    const made = await create();
    for (const status of ['submitted', 'approved'] as const) {
      await force(made, { status });
      expect(await codeOf(admin.call(deleteApplication, by(made)))).toBe('400 application_not_deletable');
    }
    await force(made, { status: 'rejected' });
    expect(await codeOf(admin.call(deleteApplication, by(made)))).toBe('200');
  });
});

describe('POST /applications/{applicationId}/app-key', () => {
  test('POST /applications/{applicationId}/app-key returns the new appKey, and emits an event with only the path of the field', async () => {
    const made = await create(filledApplication);
    const rotated = await admin.ok(rotateAppKey, by(made));
    expect(rotated.system.appKey).toMatch(/^mo_ak_/);
    expect(rotated.system.appKey).not.toBe(made.system.appKey);
    expect(rotated).toMatchObject({ version: 2, basics: { dbaTaxId: 'REDACTED' } });
    expect((await read(made)).system.appKey).toBe(rotated.system.appKey);
    const [, updated] = await eventsOf(made);
    expect(updated).toEqual(['application_updated', { changes: { 'system.appKey': {} } }]);
  });
});
