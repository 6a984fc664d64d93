import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import createApplication from '../../functions/applications/create-application.ts';
import readApplication from '../../functions/applications/read-application.ts';
import submitApplication from '../../functions/applications/submit-application.ts';
import updateApplication from '../../functions/applications/update-application.ts';
import { sectionNames } from '../../shared/sales/applications/fields.ts';
import type { ApplicationInput } from '../../shared/sales/applications/schema.ts';
import { putAll } from '../../shared/table/batch-write.ts';
import { recordKey } from '../../shared/table/keys.ts';
import { getItems, queryItems } from '../../shared/table/read.ts';
import { injected, injectFaults, noFaults } from '../harness/faults.ts';
import { filledApplication } from '../harness/filled-application.ts';
import { beforeNextTransaction } from '../harness/interleave.ts';
import { eventsAbout, scanTable } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';
import { watchWire } from '../harness/wire.ts';

afterEach(noFaults);

const acme = await tenant();
const { admin } = acme;
const inParallel = <R>(count: number, one: (n: number) => Promise<R>): Promise<R[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => one(n)));
const create = (body: ApplicationInput = {}) => admin.ok(createApplication, { body });
const by = ({ id }: { id: string }) => ({ params: { applicationId: id } });
const patch = (application: { id: string }, body: ApplicationInput, query: object = {}) =>
  admin.ok(updateApplication, { ...by(application), body, query: { reveal: false, ...query } });
const kindsOf = async ({ id }: { id: string }) =>
  (await eventsAbout(acme.accountId, id)).map(({ kind }) => kind);

test('concurrent changes of each section, of system and of repcode are all kept', async () => {
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
  await inParallel(12, (n) =>
    patch(made, { businessOwners: [{ name: `Owner ${n}` }] }, { preserveOtherOwners: true }),
  );
  noFaults();
  const { businessOwners } = await admin.ok(readApplication, by(made));
  expect(businessOwners.map(({ id }) => id)).toEqual(Array.from({ length: 12 }, (_, n) => n + 1));
  expect(new Set(businessOwners.map(({ uniqueId }) => uniqueId)).size).toBe(12);
  expect(new Set(businessOwners.map(({ name }) => name)).size).toBe(12);
});

test('50 concurrent creations with one id are one creation and 49 changes', async () => {
  const own = { id: `one-id-${randomUUID()}` };
  injectFaults({ overlap: true });
  await inParallel(50, (n) => patch(own, { repcode: `R-${n}` }, { createIfNotExists: true }));
  expect(injected.overlaps).toBeGreaterThan(0);
  noFaults();
  const kinds = await kindsOf(own);
  expect(kinds.filter((kind) => kind === 'application_created')).toHaveLength(1);
  expect(kinds.filter((kind) => kind === 'application_updated')).toHaveLength(49);
  expect((await admin.ok(readApplication, by(own))).version).toBe(50);
});

describe('concurrent requests', () => {
  // Sensitive values of a copy cannot be decrypted: they are bound to the original application.
  const submit = (application: { id: string }) =>
    admin.ok(submitApplication, { ...by(application), query: { reveal: false } });
  const change = (application: { id: string }, repcode: string) =>
    admin.call(updateApplication, { ...by(application), body: { repcode }, query: { reveal: false } });
  const storedOf = (copies: { id: string }[]) =>
    getItems(copies.map(({ id }) => recordKey(acme.accountId, 'APPLICATION', id)));

  test('a submission and a change that overlap are both correct in either order, because the second one is retried', async () => {
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

/** Copies the items of an application, because creating applications takes too long. */
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

test('replacing 25 owners, the tax id and the bank account is one transaction of at most 70 operations', async () => {
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
