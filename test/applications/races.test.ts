import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import createApplication from '../../functions/applications/create-application.ts';
import readApplication from '../../functions/applications/read-application.ts';
import submitApplication from '../../functions/applications/submit-application.ts';
import updateApplication from '../../functions/applications/update-application.ts';
import { documentRequirements } from '../../shared/sales/applications/completeness/document-requirements.ts';
import { completenessOf } from '../../shared/sales/applications/completeness/required-items.ts';
import { sectionNames } from '../../shared/sales/applications/record/fields.ts';
import type { ApplicationInput, InfoRequest } from '../../shared/sales/applications/record/schema.ts';
import type { StoredApplication } from '../../shared/sales/applications/record/stored-application.ts';
import { putAll } from '../../shared/table/batch-write.ts';
import { type Item, recordOf } from '../../shared/table/item.ts';
import { recordKey } from '../../shared/table/keys.ts';
import { putItem } from '../../shared/table/operations.ts';
import { getItem, getItems, queryItems } from '../../shared/table/read.ts';
import { transact } from '../../shared/table/transact.ts';
import { concurrently } from '../harness/concurrently.ts';
import { injected, injectFaults, noFaults } from '../harness/faults.ts';
import { completeApplication, filledApplication } from '../harness/filled-application.ts';
import { beforeNextTransaction } from '../harness/interleave.ts';
import { eventsAbout, scanTable } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';
import { watchWire } from '../harness/wire.ts';

afterEach(noFaults);

const acme = await tenant();
const { admin } = acme;
const create = (body: ApplicationInput = {}) => admin.ok(createApplication, { body });
const by = ({ id }: { id: string }) => ({ params: { applicationId: id } });
const patch = (application: { id: string }, body: ApplicationInput, query: object = {}) =>
  admin.ok(updateApplication, { ...by(application), body, query: { reveal: false, ...query } });
const kindsOf = async ({ id }: { id: string }) =>
  (await eventsAbout(acme.accountId, id)).map(({ kind }) => kind);

test('no change is lost if concurrent requests change different sections, `system` and `repcode`', async () => {
  const made = await create();
  const changes: ApplicationInput[] = [
    ...sectionNames.map((name) => ({ [name]: filledApplication[name] })),
    { system: filledApplication.system },
    { repcode: 'R-17' },
  ];
  injectFaults({ conflicts: 0.1, overlap: true });
  await Promise.all(changes.map((body) => patch(made, body)));
  expect(injected.overlaps).toBeGreaterThan(0);
  noFaults();
  const { system, ...shown } = await admin.ok(readApplication, by(made));
  const { system: sentSystem, ...sent } = filledApplication;
  expect(shown).toMatchObject({
    ...sent,
    businessOwners: [{ ...filledApplication.businessOwners[0], id: 1 }],
    version: changes.length + 1,
  });
  expect(system).toMatchObject(sentSystem);
});

test('12 concurrent requests that each add an owner create 12 owners with different ids', async () => {
  const made = await create();
  injectFaults({ conflicts: 0.1 });
  await concurrently(12, (n) =>
    patch(made, { businessOwners: [{ name: `Owner ${n}` }] }, { preserveOtherOwners: true }),
  );
  noFaults();
  const { businessOwners } = await admin.ok(readApplication, by(made));
  expect(businessOwners.map(({ id }) => id)).toEqual(Array.from({ length: 12 }, (_, n) => n + 1));
  expect(new Set(businessOwners.map(({ uniqueId }) => uniqueId)).size).toBe(12);
  expect(new Set(businessOwners.map(({ name }) => name)).size).toBe(12);
});

test('50 concurrent createIfNotExists requests with one id create one application and change it 49 times', async () => {
  const own = { id: `one-id-${randomUUID()}` };
  injectFaults({ overlap: true });
  await concurrently(50, (n) => patch(own, { repcode: `R-${n}` }, { createIfNotExists: true }));
  expect(injected.overlaps).toBeGreaterThan(0);
  noFaults();
  const kinds = await kindsOf(own);
  expect(kinds.filter((kind) => kind === 'application_created')).toHaveLength(1);
  expect(kinds.filter((kind) => kind === 'application_updated')).toHaveLength(49);
  expect((await admin.ok(readApplication, by(own))).version).toBe(50);
});

describe('concurrent requests', () => {
  // `reveal: false`, because the sensitive values in a copy can be decrypted only in the original.
  const submit = (application: { id: string }) =>
    admin.ok(submitApplication, { ...by(application), query: { reveal: false } });
  const change = (application: { id: string }, repcode: string) =>
    admin.call(updateApplication, { ...by(application), body: { repcode }, query: { reveal: false } });
  const storedOf = (copies: { id: string }[]) =>
    getItems(copies.map(({ id }) => recordKey(acme.accountId, 'APPLICATION', id)));

  test('if a submission and a change overlap, the request that commits second is retried on the new state', async () => {
    const copies = await copiesOf(await create(), 2);
    const [early, late] = copies as [{ id: string }, { id: string }];
    beforeNextTransaction(async () => expect((await change(early, 'R-1')).status).toBe(200));
    expect((await submit(early)).version).toBe(3);
    beforeNextTransaction(async () => expect((await submit(late)).version).toBe(2));
    expect((await change(late, 'R-2')).status).toBe(400);
    const [first, second] = await storedOf(copies);
    expect(first).toMatchObject({ status: 'submitted', version: 3, repcode: 'R-1' });
    expect(second).toMatchObject({ status: 'submitted', version: 2 });
    expect(second).not.toHaveProperty('repcode');
  });
});

/** Copies the items of an application, which is faster than creating applications. */
async function copiesOf({ id }: { id: string }, count: number): Promise<{ id: string }[]> {
  const { pk } = recordKey(acme.accountId, 'APPLICATION', id);
  const items = await queryItems({ partition: pk });
  const copies = Array.from({ length: count }, (_, n) => ({ id: `${id}-copy-${n}` }));
  const put = copies.flatMap((copy) =>
    items.map((item) => ({
      ...item,
      pk: recordKey(acme.accountId, 'APPLICATION', copy.id).pk,
      ...('id' in item && { id: copy.id }),
    })),
  );
  expect(await putAll(put)).toEqual([]);
  return copies;
}

test('replacing 25 owners, the tax id and the bank account takes one transaction of at most 70 operations', async () => {
  const owners = (from: number) =>
    Array.from({ length: 25 }, (_, n) => ({
      uniqueId: `o${from + n}`,
      name: `Owner ${from + n}`,
      socialSecurityNumber: `123-45-${6000 + from + n}`,
      driversLicenseNumber: `D${from + n}`,
      dateOfBirth: '1985-12-10',
    }));
  const body = (from: number): ApplicationInput => ({
    basics: { dbaTaxId: `12-345${6000 + from}` },
    businessBanking: { bankRouting: '011000015', bankAccount: `000${from}` },
    businessOwners: owners(from),
  });
  const made = await create(body(0));
  const transactions: number[] = [];
  const stop = watchWire({
    done: ({ operation, input }) => {
      if (operation === 'TransactWriteItems') transactions.push((input.TransactItems as unknown[]).length);
    },
  });
  const replaced = await admin.ok(updateApplication, { ...by(made), body: body(500) });
  stop();
  expect(replaced.businessOwners.map(({ id }) => id)).toEqual(Array.from({ length: 25 }, (_, n) => n + 26));
  expect(transactions).toHaveLength(1);
  expect(transactions[0]).toBeLessThanOrEqual(70);
  const rows = (await scanTable()).filter(({ pk, sk }) => pk.includes('#COLLISION#') && sk.includes(made.id));
  expect(rows).toHaveLength(27);
  expect(rows.every(({ field }) => !/\[o[0-9]{1,2}\]/.test(String(field)))).toBe(true);
});

const completions = async ({ id }: { id: string }) =>
  (await eventsAbout(acme.accountId, id)).filter(({ kind }) => kind === 'application_completed').length;

/** Changes the stored application directly. */
async function store({ id }: { id: string }, change: (before: StoredApplication) => object): Promise<void> {
  const item = (await getItem(recordKey(acme.accountId, 'APPLICATION', id))) as Item;
  await transact([putItem({ ...item, ...change(recordOf<StoredApplication>(item)) })], Date.now() + 5000);
}

/** Creates an application that has every document and is complete except for the city. */
async function allButCity(): Promise<{ id: string }> {
  const { dbaCity: _, ...basics } = completeApplication.basics;
  const orderProcessing = { ...completeApplication.orderProcessing, customerServicePhone: '+1 415 555 0136' };
  const made = await admin.ok(createApplication, {
    body: { ...completeApplication, basics, orderProcessing },
  });
  await store(made, (before) => {
    const { allDocuments } = documentRequirements(completenessOf(before), { showAllDocuments: true });
    return { uploads: Object.fromEntries(allDocuments.map(({ key }) => [key, 1])) };
  });
  return made;
}

test('if 15 concurrent requests complete an application, only one request emits the event', async () => {
  const made = await allButCity();
  expect(
    (await admin.ok(readApplication, { ...by(made), query: { includeFullResponse: true } })).validation,
  ).toMatchObject({ missingFields: [{ field: 'basics.dbaCity' }], missingDocuments: [] });
  injectFaults({ overlap: true });
  await concurrently(15, () => patch(made, { basics: { dbaCity: 'Oakland' } }));
  expect(injected.overlaps).toBeGreaterThan(0);
  noFaults();
  const { system, version } = await admin.ok(readApplication, { ...by(made), query: { reveal: false } });
  expect([system.appCompletedByMerchantBool, version]).toEqual(['true', 2]);
  expect(await completions(made)).toBe(1);
});

test('an application is completed only once, even if fields are cleared and filled in again', async () => {
  const made = await allButCity();
  await store(made, ({ uploads: { 'bank-statement': _, ...uploads } }) => ({ uploads }));
  const asTerminal = await patch(
    made,
    { basics: { dbaCity: 'Oakland' } },
    { processingMethod: 'card_present' },
  );
  const derived = await patch(made, { orderProcessing: { cardSwipePercent: null } });
  expect([asTerminal, derived].map(({ system }) => system.appCompletedByMerchantBool)).toEqual([
    'true',
    'true',
  ]);
  const first = asTerminal.system.appCompletedByMerchantDate;
  await patch(made, { basics: { dbaCity: null } });
  const again = await patch(made, {
    basics: { dbaCity: 'Berkeley' },
    orderProcessing: { cardSwipePercent: 80 },
  });
  expect(again.system.appCompletedByMerchantDate).toBe(first);
  expect(await completions(made)).toBe(1);

  const other = await allButCity();
  await store(other, ({ uploads: { 'bank-statement': _, ...uploads } }) => ({ uploads }));
  await patch(other, { orderProcessing: { cardSwipePercent: null, cardInternetPercent: 100 } });
  const query = { processingMethod: 'card_present', includeFullResponse: true };
  const { system, validation } = await patch(other, { basics: { dbaCity: 'Oakland' } }, query);
  expect([validation?.missingDocuments, system.appCompletedByMerchantBool]).toEqual([[], 'false']);
  expect(await completions(other)).toBe(0);
});

test('a request of an underwriter is marked as answered only if the requested field or section changes', async () => {
  const made = await admin.ok(createApplication, { body: filledApplication });
  const infoRequested: InfoRequest[] = [
    { field: 'businessBanking.bankRouting', message: 'Which bank?' },
    { field: 'basics', message: 'Where is it?' },
    { field: 'businessOwners[ada].name', message: 'Her full name?' },
    { documentKey: 'voided-check', message: 'Upload it again.' },
  ];
  await store(made, () => ({ admin: { infoRequested } }));
  const answered = async (body: ApplicationInput) =>
    (await patch(made, body)).admin?.infoRequested?.map((request) => request.answered ?? false);
  const { bankRouting } = filledApplication.businessBanking;
  expect(await answered({ businessBanking: { bankRouting, bankName: 'Second' } })).toEqual(
    Array(4).fill(false),
  );
  expect(await answered({ basics: { dbaCity: 'Oakland' } })).toEqual([false, true, false, false]);
  expect(await answered({ businessBanking: { bankRouting: '021000021' } })).toEqual([
    true,
    true,
    false,
    false,
  ]);
  const owners = [{ uniqueId: 'ada', name: 'Ada King' }];
  expect(await answered({ businessOwners: owners })).toEqual([true, true, true, false]);
  expect(await answered({ repcode: null })).toEqual([true, true, true, false]);
});
