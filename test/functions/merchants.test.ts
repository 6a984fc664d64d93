import { afterEach, describe, expect, test } from 'vitest';
import updateAccount from '../../functions/accounts/update-account.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import listMerchants from '../../functions/merchants/list-merchants.ts';
import readMerchant from '../../functions/merchants/read-merchant.ts';
import updateMerchant from '../../functions/merchants/update-merchant.ts';
import type { MerchantDetails, MerchantInput, MerchantPatch } from '../../shared/sales/merchants/schema.ts';
import { recordKey } from '../../shared/table/keys.ts';
import { getItem } from '../../shared/table/read.ts';
import type { CallResponse, ErrorBody } from '../harness/call.ts';
import { clock } from '../harness/clock.ts';
import { injected, injectFaults, noFaults } from '../harness/faults.ts';
import { filledMerchant, merchantCanaries } from '../harness/filled-merchant.ts';
import { beforeNextTransaction } from '../harness/interleave.ts';
import { member } from '../harness/member.ts';
import { eventsAbout } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';

afterEach(noFaults);

const acme = await tenant();
const { admin } = acme;

const create = (body: Partial<MerchantInput> = {}) =>
  admin.ok(createMerchant, { body: { merchantName: 'Harbor Street Coffee', ...body } });
const by = (merchant: { id: number }) => ({ params: { merchantId: merchant.id } });
const read = (merchant: { id: number }, query: object = {}) =>
  admin.ok(readMerchant, { ...by(merchant), query });
const put = (merchant: { id: number }, body: MerchantPatch) =>
  admin.ok(updateMerchant, { ...by(merchant), body });
const refused = async (merchant: { id: number }, body: object) =>
  faultOf(await admin.call(updateMerchant, { ...by(merchant), body }));
const faultOf = ({ status, body }: CallResponse<unknown>) => {
  const { error, details = [] } = body as ErrorBody;
  return [status, error, ...details.map(({ field }) => field)].join(' ');
};
/** Kinds and data of the events of a merchant, oldest first. */
const eventsOf = async ({ id }: { id: number }) =>
  (await eventsAbout(acme.accountId, id)).map(({ kind, data }) => [kind, data] as const);
const storedOf = async ({ id }: { id: number }) => getItem(recordKey(acme.accountId, 'MERCHANT', id));
/** A merchant as in lists, without its rows, objects and children. */
const ownFields = ({
  principals,
  addresses,
  banking,
  processing,
  rates,
  compliance,
  riskMetrics,
  equipment,
  notes,
  documents,
  totals,
  ...own
}: MerchantDetails) => own;

describe('a merchant', () => {
  test('a merchant can be created with only a name: pending, disabled, and with four empty objects', async () => {
    const made = await create();
    const related = { id: expect.any(Number), merchantId: made.id };
    expect(made).toEqual({
      id: expect.any(Number),
      merchantName: 'Harbor Street Coffee',
      status: 'pending',
      processingStatus: 'disabled',
      merchantAccountId: `${acme.accountId}-${made.id}`,
      isoAccountId: acme.accountId,
      accountId: acme.accountId,
      version: 1,
      createdAt: expect.any(String),
      createdBy: acme.adminEmail,
      updatedAt: made.createdAt,
      principals: [],
      addresses: [],
      banking: related,
      processing: related,
      rates: [],
      compliance: related,
      riskMetrics: related,
      equipment: [],
      notes: [],
      documents: [],
      totals: { equipment: 0, notes: 0, documents: 0 },
    });
    expect(
      new Set([made.banking, made.processing, made.compliance, made.riskMetrics].map(({ id }) => id)).size,
    ).toBe(4);
    expect(await read(made)).toEqual(made);
    expect(faultOf(await admin.call(createMerchant, { rawBody: '{"dba": "x"}' }))).toBe(
      '400 invalid_input merchantName',
    );
  });

  test('a merchant is returned with all sent fields, sensitive values REDACTED, and its event has them by path', async () => {
    const made = await create(filledMerchant);
    const { principals, addresses, banking, processing, rates, compliance, riskMetrics, ...core } =
      filledMerchant;
    const [ada, grace] = principals;
    expect(made).toMatchObject(core);
    expect(made.principals).toMatchObject([
      { ...ada, ssn: 'REDACTED', driversLicenseNumber: 'REDACTED', dateOfBirth: 'REDACTED' },
      grace,
    ]);
    expect(made.addresses).toMatchObject(addresses);
    expect(made.banking).toMatchObject({ ...banking, accountNumber: 'REDACTED', accountNumberLast4: '6857' });
    expect(made).toMatchObject({ processing, rates: [rates], compliance, riskMetrics });
    expect(await read(made)).toEqual(made);
    const [[kind, data] = []] = await eventsOf(made);
    const [{ id } = { id: 0 }] = made.principals;
    expect([kind, data]).toEqual([
      'merchant_created',
      {
        changes: expect.objectContaining({
          merchantName: { to: 'Harbor Street Coffee' },
          'processing.currentReserve': { to: 1500.0001 },
          [`principals[${id}].firstName`]: { to: 'Ada' },
          [`principals[${id}].ssn`]: {},
          'banking.accountNumber': {},
          'banking.bankName': { to: 'First Harbor Bank' },
        }),
      },
    ]);
  });

  test('a merchant is unchanged, including ciphertexts, if the response of GET is sent back', async () => {
    const made = await create(filledMerchant);
    const before = await storedOf(made);
    for (const query of [{}, { reveal: true }])
      expect((await put(made, (await read(made, query)) as MerchantPatch)).version).toBe(1);
    expect(await storedOf(made)).toEqual(before);
    expect((await eventsOf(made)).map(([kind]) => kind)).toEqual([
      'merchant_created',
      'application_sensitive_data_revealed',
    ]);
  });

  test('a changed merchant is returned without rows and children, and its event has the changes by path', async () => {
    const made = await create(filledMerchant);
    const [ada, grace] = made.principals;
    const changed = await put(made, {
      dba: null,
      processing: { dailyLimit: 3000, highTicket: null },
      principals: [{ ...ada, ssn: '541-38-9044' }],
    });
    const { dba, ...kept } = ownFields(made);
    expect(changed).toEqual({
      ...kept,
      version: 2,
      updatedAt: expect.any(String),
      updatedBy: acme.adminEmail,
    });
    const [, updated] = await eventsOf(made);
    const gone = Object.entries(grace ?? {}).filter(([field]) => field !== 'merchantId');
    expect(updated).toEqual([
      'merchant_updated',
      {
        changes: {
          dba: { from: 'Harbor Coffee' },
          'processing.dailyLimit': { from: 2500, to: 3000 },
          'processing.highTicket': { from: 400 },
          [`principals[${ada?.id}].ssn`]: {},
          ...Object.fromEntries(gone.map(([field, from]) => [`principals[${grace?.id}].${field}`, { from }])),
        },
      },
    ]);
    expect((await put(made, { dba: null })).version).toBe(2);
  });

  test.each([
    [{ banking: { id: 1 } }, 'banking.id'],
    [{ principals: [{ equityOwnership: 101 }] }, 'principals[0].equityOwnership'],
    [{ principals: Array.from({ length: 51 }, () => ({})) }, 'principals'],
    [{ addresses: Array.from({ length: 21 }, () => ({})) }, 'addresses'],
    [{ merchantName: null }, 'merchantName'],
    [{ status: null }, 'status'],
    [{ status: 'approved' }, 'status'],
    [{ mcc: '' }, 'mcc'],
    [{ mcc: '58145' }, 'mcc'],
    [{ mcc: '5a' }, 'mcc'],
    [{ riskMetrics: { riskScore: -1 } }, 'riskMetrics.riskScore'],
    [{ riskMetrics: { riskScore: 1_000_001 } }, 'riskMetrics.riskScore'],
    [{ riskMetrics: { riskScore: 0.5 } }, 'riskMetrics.riskScore'],
    [{ processing: { dailyLimit: 0.00001 } }, 'processing.dailyLimit'],
    [{ processing: { reservePercentage: 0.0000001 } }, 'processing.reservePercentage'],
    [{ rates: { effectiveDate: '2026-02-30' } }, 'rates.effectiveDate'],
    [{ merchantAccountId: 'x' }, 'merchantAccountId'],
    [{ isoAccountId: 'x' }, 'isoAccountId'],
    [{ equipment: [{ id: '1' }] }, 'equipment'],
  ])('a merchant cannot be changed by %j', async (body, field) => {
    expect((await refused(await shared, body)).startsWith(`400 invalid_input ${field}`)).toBe(true);
  });
  const shared = create(filledMerchant);

  test('a merchant’s rates are replaced by an array', async () => {
    const made = await create({ rates: { effectiveDate: '2026-01-01', monthlyFee: 9, batchFee: 1 } });
    await put(made, { rates: { effectiveDate: '2026-02-01', monthlyFee: 8 } });
    const { rates } = await read(made);
    const [newest, oldest] = rates;
    await put(made, { rates: [{ ...newest, monthlyFee: 7 }, { effectiveDate: '2026-03-01' }] });
    expect((await read(made)).rates).toEqual([
      { id: expect.any(Number), merchantId: made.id, effectiveDate: '2026-03-01' },
      { ...newest, monthlyFee: 7 },
    ]);
    expect(await refused(made, { rates: [newest, oldest] })).toBe('400 invalid_input rates[1].id');
    await put(made, { rates: [] });
    expect((await read(made)).rates).toEqual([]);
  });

  test('a merchant’s mcc has 1 to 4 digits, and its riskScore is 0 to 1,000,000', async () => {
    const made = await create();
    for (const [mcc, riskScore] of [
      ['7', 0],
      ['0742', 101],
      ['58', 1_000_000],
    ] as const) {
      await put(made, { mcc, riskMetrics: { riskScore } });
      expect(await read(made)).toMatchObject({ mcc, riskMetrics: { riskScore } });
    }
  });

  test('a merchant’s rates without effectiveDate get the current day in the account’s time zone', async () => {
    for (const [timezone, hours] of [
      ['Pacific/Kiritimati', 14],
      ['Pacific/Niue', -11],
    ] as const) {
      await admin.ok(updateAccount, { params: { id: acme.accountId }, body: { timezone } });
      const { rates } = await create({ rates: { monthlyFee: 9.95 } });
      const there = new Date(clock.now().getTime() + hours * 3_600_000).toISOString().slice(0, 10);
      expect(rates).toEqual([
        { id: expect.any(Number), merchantId: expect.any(Number), monthlyFee: 9.95, effectiveDate: there },
      ]);
    }
  });

  test('a change of a merchant to more than 300 KB is rejected, and nothing is written', async () => {
    const wide = '𐍈'.repeat(200);
    const addresses = Array.from({ length: 20 }, () => ({ street1: wide, street2: wide, city: wide }));
    const home = { homeStreet1: wide, homeStreet2: wide, homeCity: wide };
    const person = (n: number) => ({
      ...home,
      firstName: `${n}${wide.slice(4)}`,
      lastName: wide,
      email: wide,
      phone: `${n}`,
    });
    const required = { type: wide.slice(0, 200), status: 'pending' as const };
    const documentsRequired = Array.from({ length: 50 }, () => required);
    const made = await create({ addresses });
    await put(made, { principals: Array.from({ length: 50 }, (_, n) => person(n)) });
    await put(made, { rates: { monthlyFee: 1 } });
    expect(await refused(made, { compliance: { documentsRequired } })).toBe('400 record_too_large');
    expect((await read(made)).version).toBe(3);
  });

  test('a merchant cannot be changed or revealed by a member with only readMerchants', async () => {
    const { client: reader } = await member(acme, ['readMerchants']);
    const made = await create(filledMerchant);
    expect((await reader.ok(readMerchant, by(made))).banking.accountNumber).toBe('REDACTED');
    for (const attempt of [
      reader.call(updateMerchant, { ...by(made), body: {} }),
      reader.call(readMerchant, { ...by(made), query: { reveal: true } }),
      reader.call(readMerchant, { ...by({ id: 7 }), query: { reveal: true } }),
    ])
      expect(faultOf(await attempt)).toBe('403 permission_denied');
  });
});

describe('the list of merchants', () => {
  test('the list of merchants shows, filters, sorts and searches the merchants’ own fields', async () => {
    const acme = await tenant();
    const make = (body: MerchantInput) => acme.admin.ok(createMerchant, { body });
    const coffee = await make(filledMerchant);
    const books = await make({ merchantName: 'Books & Beyond', mcc: '5942', dba: 'Zebra' });
    const list = async (query: object = {}) =>
      (await acme.admin.ok(listMerchants, { query })).data.map(({ id }) => id);
    const [, shown] = (await acme.admin.ok(listMerchants)).data;
    expect(shown).toEqual(ownFields(coffee));
    expect(await list()).toEqual([books.id, coffee.id]);
    expect(await list({ status: 'active' })).toEqual([coffee.id]);
    expect(await list({ mcc: '5942' })).toEqual([books.id]);
    expect(await list({ search: 'harbor' })).toEqual([coffee.id]);
    expect(await list({ sort: 'merchantName' })).toEqual([books.id, coffee.id]);
    expect(await list({ search: merchantCanaries.account })).toEqual([]);
    await acme.admin.ok(updateMerchant, { ...by(books), body: { merchantName: 'Alphabet' } });
    expect((await acme.admin.ok(listMerchants, { query: { search: 'alphabet' } })).totalCount).toBe(1);
  });

  test('the list of merchants cuts long texts', async () => {
    const long = '\u0001'.repeat(200);
    const acme = await tenant();
    const own = {
      dba: long,
      legalName: long,
      mccDescription: long,
      agentName: long,
      isoName: long,
      mcc: '5814',
    };
    const body = {
      ...filledMerchant,
      ...own,
      merchantName: `a${long.slice(1)}`,
      agentAccountId: long.slice(0, 64),
    };
    const made = await acme.admin.ok(createMerchant, { body: { ...body, principals: [] } });
    expect(made.merchantName).toBe(body.merchantName);
    const [shown] = (await acme.admin.ok(listMerchants)).data;
    expect(body.merchantName.startsWith(shown?.merchantName ?? '-')).toBe(true);
  });
});

test('concurrent changes of every part of a merchant are all kept', async () => {
  const made = await create();
  const {
    principals,
    addresses,
    banking,
    processing,
    compliance,
    riskMetrics,
    rates: row,
    ...core
  } = filledMerchant;
  const parts: MerchantPatch[] = [
    core,
    { principals },
    { addresses },
    { banking },
    { processing },
    { compliance },
    { riskMetrics },
    { rates: row },
  ];
  injectFaults({ conflicts: 0.1, overlap: true });
  await Promise.all(parts.map((body) => put(made, body)));
  expect(injected.overlaps).toBeGreaterThan(0);
  noFaults();
  const shown = await admin.ok(readMerchant, { ...by(made), query: { reveal: true } });
  const { rates, ...sent } = filledMerchant;
  expect(shown).toMatchObject({ ...sent, rates: [rates] });
  expect(shown.banking.accountNumberLast4).toBe(merchantCanaries.account.slice(-4));
});

test('concurrent changes of two fields of one object of a merchant are both kept', async () => {
  const made = await create();
  beforeNextTransaction(() => put(made, { processing: { dailyLimit: 1 } }));
  await put(made, { processing: { highTicket: 2 } });
  expect((await admin.ok(readMerchant, by(made))).processing).toMatchObject({ dailyLimit: 1, highTicket: 2 });
});
