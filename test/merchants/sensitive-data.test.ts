import { createHash, randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import listEvents from '../../functions/events/list-events.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import deleteMerchant from '../../functions/merchants/delete-merchant.ts';
import listMerchants from '../../functions/merchants/list-merchants.ts';
import readMerchant from '../../functions/merchants/read-merchant.ts';
import updateMerchant from '../../functions/merchants/update-merchant.ts';
import { rotateDataKey } from '../../infra/operations/rotate-data-key.ts';
import type { MerchantInput, MerchantPatch } from '../../shared/sales/merchants/schema.ts';
import type { StoredMerchant } from '../../shared/sales/merchants/stored-merchant.ts';
import { dataKeysKey } from '../../shared/security/keys.ts';
import { recordOf } from '../../shared/table/item.ts';
import { recordKey } from '../../shared/table/keys.ts';
import { deleteItem, putItem } from '../../shared/table/operations.ts';
import { getItem } from '../../shared/table/read.ts';
import { transact } from '../../shared/table/transact.ts';
import { measure } from '../costs/meter.ts';
import { logged } from '../harness/call.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { injectFaults, noFaults } from '../harness/faults.ts';
import { filledMerchant, merchantCanaries } from '../harness/filled-merchant.ts';
import { member } from '../harness/member.ts';
import { scanTable, storedEvents } from '../harness/raw-table.ts';
import { type Client, type Tenant, tenant } from '../harness/tenant.ts';
import { watchWire } from '../harness/wire.ts';

afterEach(noFaults);

const acme = await tenant();
const create = (body: MerchantInput = filledMerchant, { admin }: Tenant = acme) =>
  admin.ok(createMerchant, { body });
const by = ({ id }: { id: number }) => ({ params: { merchantId: id } });
const put = (merchant: { id: number }, body: MerchantPatch) =>
  acme.admin.ok(updateMerchant, { ...by(merchant), body });
const clear = { query: { reveal: true } };
const reveal = (merchant: { id: number }) => acme.admin.ok(readMerchant, { ...by(merchant), ...clear });
const keyOf = ({ id }: { id: number }, { accountId }: Tenant = acme) => recordKey(accountId, 'MERCHANT', id);
const stored = async (merchant: { id: number }) =>
  recordOf<StoredMerchant>((await getItem(keyOf(merchant))) ?? {});
const revealEvents = async () =>
  (await storedEvents(acme.accountId)).filter(({ kind }) => kind === 'application_sensitive_data_revealed');
/** The rows of a merchant in the duplicate index: kind, field, and the keyed hash in the partition. */
const rowsOf = async ({ id }: { id: number }) =>
  (await scanTable())
    .filter((item) => item.type === 'collision' && (item.holder as { id: unknown }).id === id)
    .map((item) => ({ kind: item.kind, field: item.field, blind: item.pk.split('#').at(-1) }));

describe('sensitive values of a merchant', () => {
  test('sensitive values of a merchant are only in the response of GET with reveal, and in no item, event, log line or list', async () => {
    logged.length = 0;
    const withKey = { headers: { 'idempotency-key': randomUUID() } };
    const redacted: unknown[] = [];
    const stop = watchWire({ done: ({ service, input }) => service === 'sqs' && redacted.push(input) });
    const made = await acme.admin.ok(createMerchant, { body: filledMerchant, ...withKey });
    const [ada] = made.principals;
    const shown = await reveal(made);
    redacted.push(
      made,
      await acme.admin.ok(createMerchant, { body: filledMerchant, ...withKey }),
      await put(made, { principals: shown.principals, banking: shown.banking, dba: 'Another' }),
      await put(made, { principals: [{ ...ada, ssn: '541389043' }] }),
      await put(made, { banking: { accountNumber: '7719-0024-6857' } }),
      await put(made, { banking: { accountNumber: merchantCanaries.account, routingNumber: '021000021' } }),
      await acme.admin.ok(readMerchant, by(made)),
      await acme.admin.ok(listMerchants),
      await acme.admin.ok(deleteMerchant, by(await create())),
    );
    await drain();
    stop();
    redacted.push(await acme.admin.ok(listEvents, { query: { pageSize: 100 } }), await scanTable(), logged);
    for (const canary of Object.values(merchantCanaries)) {
      expect(JSON.stringify(redacted)).not.toContain(canary);
      expect(JSON.stringify(redacted)).not.toContain(canary.replaceAll('-', ''));
      expect(JSON.stringify(shown)).toContain(canary);
    }
  });

  test('sensitive values of a merchant are shown with an event of the merchant and the paths, and without one if there are none', async () => {
    const made = await create();
    const [ada] = made.principals;
    const before = (await revealEvents()).length;
    expect(await reveal(made)).toEqual({
      ...made,
      principals: [
        {
          ...ada,
          ssn: merchantCanaries.ssn,
          driversLicenseNumber: merchantCanaries.license,
          dateOfBirth: merchantCanaries.birthDate,
        },
        made.principals[1],
      ],
      banking: { ...made.banking, accountNumber: merchantCanaries.account },
    });
    expect((await revealEvents()).slice(before)).toMatchObject([
      {
        subject: { type: 'merchant', id: made.id, version: 1 },
        actor: { user: acme.adminEmail },
        data: {
          fields: [
            `principals[${ada?.id}].ssn`,
            `principals[${ada?.id}].driversLicenseNumber`,
            `principals[${ada?.id}].dateOfBirth`,
            'banking.accountNumber',
          ],
        },
      },
    ]);
    await reveal(await create({ merchantName: 'Nothing to show' }));
    expect(await revealEvents()).toHaveLength(before + 1);
  });

  test('sensitive values of a merchant are not shown if the event that records it cannot be written: 503', async () => {
    const made = await create();
    injectFaults({ conflicts: 1 });
    const { status, body } = await acme.admin.call(readMerchant, {
      ...by(made),
      ...clear,
      milliseconds: 1300,
    });
    noFaults();
    expect([status, body.error]).toEqual([503, 'busy']);
    for (const canary of Object.values(merchantCanaries)) expect(JSON.stringify(body)).not.toContain(canary);
  });

  test('sensitive values of a merchant are kept, set and cleared separately, and an equal one keeps its ciphertext after a key rotation', async () => {
    const made = await create();
    const [ada, grace] = made.principals;
    const before = await stored(made);
    await rotateDataKey(acme.accountId);
    await put(made, {
      principals: [
        { firstName: 'ADA', lastName: 'Byron', ssn: merchantCanaries.ssn, dateOfBirth: null },
        { id: grace?.id, ssn: '078-05-1120' },
      ],
      banking: { accountNumber: 'REDACTED' },
    });
    const after = await stored(made);
    expect(after.principals[0]?.ssn).toEqual(before.principals[0]?.ssn);
    expect(after.principals[0]?.driversLicenseNumber).toEqual(before.principals[0]?.driversLicenseNumber);
    expect(after.banking).toEqual(before.banking);
    expect((await reveal(made)).principals).toEqual([
      {
        id: ada?.id,
        merchantId: made.id,
        firstName: 'ADA',
        lastName: 'Byron',
        ssn: merchantCanaries.ssn,
        driversLicenseNumber: merchantCanaries.license,
      },
      { id: grace?.id, merchantId: made.id, ssn: '078-05-1120' },
    ]);
  });

  test('a member without readMerchants cannot confirm a guessed sensitive value of a merchant, in dry runs either', async () => {
    const { client: writer } = await member(acme, ['writeMerchants']);
    const outcomeOf = async (guess: Record<keyof typeof merchantCanaries, string>) => {
      const made = await create();
      const ada = { id: made.principals[0]?.id, ssn: guess.ssn, dateOfBirth: guess.birthDate };
      const body = {
        principals: [{ ...ada, driversLicenseNumber: guess.license }],
        banking: { accountNumber: guess.account },
      };
      const request = { ...by(made), body };
      const last4 = { ...by(made), body: { banking: { accountNumberLast4: guess.account.slice(-4) } } };
      const responses = [
        (await writer.call(updateMerchant, last4)).status,
        await writer.dryRun(updateMerchant, request),
        await writer.ok(updateMerchant, request),
      ];
      const changes = (await storedEvents(acme.accountId))
        .filter(({ kind, subject }) => kind === 'merchant_updated' && Object(subject).id === made.id)
        .map(({ data }) => Object.keys(Object(data).changes));
      const text = JSON.stringify([responses, changes.map((paths) => paths.sort())])
        .replaceAll(/\b\d{15}\b/g, '0')
        .replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, 'a time');
      return { changes: changes.flat(), outcome: JSON.parse(text) };
    };
    const equal = await outcomeOf(merchantCanaries);
    const different = await outcomeOf({
      ssn: '541-38-9044',
      license: 'W48219100',
      birthDate: '1979-11-28',
      account: '771900246858',
    });
    expect(equal.outcome).toEqual(different.outcome);
    expect(
      equal.changes.filter((path) => /ssn|LicenseNumber|dateOfBirth|accountNumber/.test(path)),
    ).toHaveLength(4);
  });

  test('a member without readMerchants cannot confirm a guessed number of notes of a merchant', async () => {
    const made = await create();
    const guess = async (client: Client, notes: number) =>
      (await client.call(updateMerchant, { ...by(made), rawBody: JSON.stringify({ totals: { notes } }) }))
        .status;
    const { client: writer } = await member(acme, ['writeMerchants']);
    expect([await guess(writer, 0), await guess(writer, 1)]).toEqual([400, 400]);
    const { client: reader } = await member(acme, ['writeMerchants', 'readMerchants']);
    expect([await guess(reader, 0), await guess(reader, 1)]).toEqual([200, 400]);
  });

  test('sensitive values of a merchant that were moved to another field or merchant cannot be decrypted, and all other fields can be read', async () => {
    const [made, other] = [await create(), await create()];
    const [item, theirs] = [await stored(made), await stored(other)];
    const [ada, grace] = item.principals;
    const moved = [
      { banking: { ...item.banking, accountNumber: theirs.banking.accountNumber } },
      { principals: [ada, { ...grace, ssn: ada?.ssn }] },
      { principals: [{ ...ada, ssn: ada?.dateOfBirth }] },
    ];
    for (const change of moved) {
      await transact([putItem({ ...keyOf(made), ...item, ...change })], Date.now() + 5000);
      const refused = await acme.admin.call(readMerchant, { ...by(made), ...clear });
      expect([refused.status, refused.body.error]).toEqual([500, 'internal_error']);
      expect((await acme.admin.call(readMerchant, by(made))).status).toBe(200);
    }
  });

  test('sensitive values of a merchant cannot be read after the keys of the account were deleted, and all other fields can', async () => {
    const lost = await tenant();
    const made = await create(filledMerchant, lost);
    await transact([deleteItem(dataKeysKey(lost.accountId))], Date.now() + 5000);
    expect((await lost.admin.call(readMerchant, { ...by(made), ...clear })).status).toBe(500);
    expect(await lost.admin.ok(readMerchant, by(made))).toEqual(made);
    expect(
      (await lost.admin.ok(updateMerchant, { ...by(made), body: { dba: 'x', banking: made.banking } }))
        .version,
    ).toBe(2);
  });

  test('sensitive values of a merchant create the data keys of an account only when the first one is sent', async () => {
    const newcomer = await tenant();
    const body = { merchantName: 'Nothing to hide', principals: [{ firstName: 'Ada' }] };
    const made = await create(body, newcomer);
    const change = (body: MerchantPatch) => newcomer.admin.call(updateMerchant, { ...by(made), body });
    expect((await change({ banking: { bankName: 'First' } })).status).toBe(200);
    expect((await change({ banking: { accountNumber: 'REDACTED' } })).status).toBe(400);
    expect(await getItem(dataKeysKey(newcomer.accountId))).toBeUndefined();
    expect((await change({ banking: { accountNumber: '000123456789' } })).status).toBe(200);
    expect(await getItem(dataKeysKey(newcomer.accountId))).toBeDefined();
  });

  test('sensitive values of a merchant show the last four characters of account numbers with at least eight', async () => {
    const last4 = async (accountNumber: string) =>
      (await create({ merchantName: 'Harbor', banking: { accountNumber } })).banking.accountNumberLast4;
    expect([
      await last4('12345678'),
      await last4('1234-5678'),
      await last4('1234567'),
      await last4('1234'),
    ]).toEqual(['5678', '5678', undefined, undefined]);
  });
});

describe('the duplicate index', () => {
  test('the duplicate index has a row for each social security number and bank account of a merchant, in any notation', async () => {
    const made = await create();
    const [ada] = made.principals;
    const [bank, ssn] = (await rowsOf(made)).sort((one, other) =>
      String(one.kind) < String(other.kind) ? -1 : 1,
    );
    expect([bank?.kind, bank?.field, ssn?.kind, ssn?.field]).toEqual([
      'bank_account',
      'banking.accountNumber',
      'ssn',
      `principals[${ada?.id}].ssn`,
    ]);
    const same = await create({
      merchantName: 'Same',
      principals: [{ ssn: merchantCanaries.ssn.replaceAll('-', '') }],
      banking: { routingNumber: '011000015', accountNumber: `${merchantCanaries.account} ` },
    });
    expect((await rowsOf(same)).map(({ blind }) => blind).sort()).toEqual([bank?.blind, ssn?.blind].sort());
    const raw = JSON.stringify(await scanTable());
    for (const text of [
      merchantCanaries.ssn,
      merchantCanaries.ssn.replaceAll('-', ''),
      merchantCanaries.account,
    ])
      for (const encoding of ['hex', 'base64', 'base64url'] as const)
        expect(raw).not.toContain(createHash('sha256').update(text).digest(encoding));
  });

  test('the duplicate index is updated when a number or the bank changes, and when a value is removed', async () => {
    const made = await create();
    const [bank] = (await rowsOf(made)).filter(({ kind }) => kind === 'bank_account');
    await put(made, { banking: { routingNumber: '021000021' } });
    const [moved] = (await rowsOf(made)).filter(({ kind }) => kind === 'bank_account');
    expect(moved?.blind).not.toBe(bank?.blind);
    await put(made, { banking: { routingNumber: '011000015' } });
    expect(await rowsOf(made)).toContainEqual(bank);
    await put(made, { banking: { routingNumber: null } });
    expect((await rowsOf(made)).map(({ kind }) => kind)).toEqual(['ssn']);
    await put(made, { principals: [], banking: { routingNumber: '011000015', accountNumber: null } });
    expect(await rowsOf(made)).toEqual([]);
  });

  test('the duplicate index is updated in the transaction of the change, and too many changes for one transaction are rejected', async () => {
    const people = (from: number, count: number) =>
      Array.from({ length: count }, (_, n) => ({
        ssn: `541-${10 + from}-${1000 + n}`,
        firstName: `P${from}-${n}`,
      }));
    const made = await create({ merchantName: 'Cooperative', principals: people(0, 50) });
    const full = await acme.admin.call(updateMerchant, { ...by(made), body: { principals: people(1, 50) } });
    expect([full.status, full.body.details?.[0]?.field]).toEqual([400, 'principals']);
    await put(made, { principals: people(1, 46) });
    expect(await rowsOf(made)).toHaveLength(46);
    const kept = (await reveal(made)).principals.map(({ ssn }) => ssn);
    expect(kept).toEqual(people(1, 46).map(({ ssn }) => ssn));
    // For a caller without read permission equal values count as changed. Otherwise the limit would confirm guesses.
    const { client: writer } = await member(acme, ['writeMerchants']);
    await put(made, { principals: people(1, 48) });
    const guesses = { principals: [...people(1, 48), ...people(2, 2)] };
    const sentBy = async ({ call }: Client) =>
      (await call(updateMerchant, { ...by(made), body: guesses })).status;
    expect([await sentBy(writer), await sentBy(acme.admin)]).toEqual([400, 200]);
  });
});

test('to read a merchant takes one round trip, to reveal it two, to change, create and delete it two, to list one', async () => {
  // Every tenth call in a minute is counted in the table too, in a round trip of its own.
  clock.advance(60_000);
  const made = await create();
  await reveal(made);
  const rounds = async (run: () => Promise<unknown>) => (await measure(run)).sequence;
  expect(await rounds(() => acme.admin.ok(readMerchant, by(made)))).toBe(1);
  expect(await rounds(() => reveal(made))).toBe(2);
  expect(await rounds(() => put(made, { banking: { accountNumber: '55501234' } }))).toBe(2);
  expect(await rounds(() => create())).toBe(2);
  expect(await rounds(() => acme.admin.ok(listMerchants))).toBe(1);
  expect(await rounds(() => acme.admin.ok(deleteMerchant, by(made)))).toBe(2);
});
