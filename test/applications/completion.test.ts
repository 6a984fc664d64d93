import { afterEach, expect, test } from 'vitest';
import createApplication from '../../functions/applications/create-application.ts';
import readApplication from '../../functions/applications/read-application.ts';
import updateApplication from '../../functions/applications/update-application.ts';
import { documentRequirements } from '../../shared/sales/applications/document-requirements.ts';
import type { ApplicationInput, InfoRequest } from '../../shared/sales/applications/schema.ts';
import type { StoredApplication } from '../../shared/sales/applications/stored-application.ts';
import { type Item, recordOf } from '../../shared/table/item.ts';
import { recordKey } from '../../shared/table/keys.ts';
import { putItem } from '../../shared/table/operations.ts';
import { getItem } from '../../shared/table/read.ts';
import { transact } from '../../shared/table/transact.ts';
import { injected, injectFaults, noFaults } from '../harness/faults.ts';
import { filledApplication } from '../harness/filled-application.ts';
import { eventsAbout } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';

afterEach(noFaults);

const acme = await tenant();
const { admin } = acme;
const by = ({ id }: { id: string }) => ({ params: { applicationId: id } });
const patch = (application: { id: string }, body: ApplicationInput, query: object = {}) =>
  admin.ok(updateApplication, { ...by(application), body, query: { reveal: false, ...query } });
const completions = async ({ id }: { id: string }) =>
  (await eventsAbout(acme.accountId, id)).filter(({ kind }) => kind === 'application_completed').length;

/** Changes the stored application directly. */
async function store({ id }: { id: string }, change: (before: StoredApplication) => object): Promise<void> {
  const item = (await getItem(recordKey(acme.accountId, 'APPLICATION', id))) as Item;
  await transact([putItem({ ...item, ...change(recordOf<StoredApplication>(item)) })], Date.now() + 5000);
}

/** Creates an application with every document, in which only the city is missing. */
async function allButCity(): Promise<{ id: string }> {
  const { dbaCity: _, ...basics } = filledApplication.basics;
  const made = await admin.ok(createApplication, {
    body: {
      ...filledApplication,
      basics: { ...basics, dbaStreet1: '12 Harbor Street', dbaZip: '94110', dbaStruct: 'llc' },
      businessDetails: { ...filledApplication.businessDetails, productsServicesSold: 'Coffee' },
      orderProcessing: { ...filledApplication.orderProcessing, customerServicePhone: '+1 415 555 0136' },
      scheduleABasics: { ...filledApplication.scheduleABasics, maxSaleAmount: 400 },
    },
  });
  await store(made, (before) => {
    const { allDocuments } = documentRequirements(before, { showAllDocuments: true });
    return { uploads: Object.fromEntries(allDocuments.map(({ key }) => [key, 1])) };
  });
  return made;
}

test('of 15 concurrent last steps one completes the application, and emits the event in its transaction', async () => {
  const made = await allButCity();
  expect(
    (await admin.ok(readApplication, { ...by(made), query: { includeFullResponse: true } })).validation,
  ).toMatchObject({ missingFields: [{ field: 'basics.dbaCity' }], missingDocuments: [] });
  injectFaults({ overlap: true });
  await Promise.all(Array.from({ length: 15 }, () => patch(made, { basics: { dbaCity: 'Oakland' } })));
  expect(injected.overlaps).toBeGreaterThan(0);
  noFaults();
  const { system, version } = await admin.ok(readApplication, { ...by(made), query: { reveal: false } });
  expect([system.appCompletedByMerchantBool, version]).toEqual(['true', 2]);
  expect(await completions(made)).toBe(1);
});

test('an application is completed only once, even if fields are cleared and filled in again, and not by a query parameter', async () => {
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

test('a request of an underwriter is answered only by a change to its field or to a field of its section', async () => {
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
