import { createHash } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import updateAccount from '../../functions/accounts/update-account.ts';
import createApplication from '../../functions/applications/create-application.ts';
import decideApplication from '../../functions/applications/decide-application.ts';
import submitApplication from '../../functions/applications/submit-application.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import createMid from '../../functions/merchants/create-mid.ts';
import deleteMerchant from '../../functions/merchants/delete-merchant.ts';
import listMerchants from '../../functions/merchants/list-merchants.ts';
import readMerchant from '../../functions/merchants/read-merchant.ts';
import updateMerchant from '../../functions/merchants/update-merchant.ts';
import { rotateDataKey } from '../../infra/operations/rotate-data-key.ts';
import type { MerchantDetails, MerchantInput, MerchantPatch } from '../../shared/sales/merchants/schema.ts';
import type { StoredMerchant } from '../../shared/sales/merchants/stored-merchant.ts';
import { dataKeysKey } from '../../shared/security/keys.ts';
import { recordOf } from '../../shared/table/item.ts';
import { recordKey } from '../../shared/table/keys.ts';
import { deleteItem, putItem } from '../../shared/table/operations.ts';
import { getItem } from '../../shared/table/read.ts';
import { transact } from '../../shared/table/transact.ts';
import { measure } from '../costs/meter.ts';
import type { CallResponse, ErrorBody } from '../harness/call.ts';
import { clock } from '../harness/clock.ts';
import { injected, injectFaults, noFaults } from '../harness/faults.ts';
import { filledMerchant, merchantCanaries } from '../harness/filled-merchant.ts';
import { beforeNextTransaction } from '../harness/interleave.ts';
import { member } from '../harness/member.ts';
import { eventsAbout, scanTable, storedEvents } from '../harness/raw-table.ts';
import { type Client, type Tenant, tenant } from '../harness/tenant.ts';

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
/** Returns the kinds and data of a merchant's events, oldest first. */
const eventsOf = async ({ id }: { id: number }) =>
  (await eventsAbout(acme.accountId, id)).map(({ kind, data }) => [kind, data] as const);
/** Returns the fields of a merchant that lists also contain: all fields except objects, arrays and child items. */
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
  warnings,
  ...own
}: MerchantDetails) => own;

describe('a merchant', () => {
  test('a merchant that is created with only a name is pending, disabled, and has four empty objects', async () => {
    const made = await create();
    const related = { id: expect.any(Number), merchantId: made.id };
    expect(made).toEqual({
      id: expect.any(Number),
      merchantName: 'Harbor Street Coffee',
      status: 'pending',
      processingStatus: 'disabled',
      merchantAccountId: `${acme.accountId}-${made.id}`,
      isoAccountId: acme.accountId,
      ownerId: expect.any(String),
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
      warnings: [],
    });
    expect(
      new Set([made.banking, made.processing, made.compliance, made.riskMetrics].map(({ id }) => id)).size,
    ).toBe(4);
    expect(await read(made)).toEqual(made);
    expect(faultOf(await admin.call(createMerchant, { rawBody: '{"dba": "x"}' }))).toBe(
      '400 invalid_input merchantName',
    );
  });

  test('a created merchant is returned with sensitive values REDACTED, and its event contains the sent fields by path', async () => {
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

  test('a change of a merchant returns only the merchant’s own fields, and emits an event with the changes by path', async () => {
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
      warnings: [],
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

  test('an array of rates replaces all rates of a merchant', async () => {
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

  test('a merchant’s mcc has 1 to 4 digits, and its riskScore is between 0 and 1,000,000', async () => {
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

  test('a merchant’s rates without effectiveDate get the current date in the account’s time zone', async () => {
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

  test('a change that makes a merchant larger than 300 KB is rejected, and nothing is written', async () => {
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

  test('a member with only readMerchants can neither change a merchant nor reveal its sensitive values', async () => {
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
  test('the list of merchants shows the merchants’ own fields, and can be filtered, sorted and searched by them', async () => {
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
    expect(await list({ search: '5942' })).toEqual([books.id]);
    expect(await list({ sort: 'merchantName' })).toEqual([books.id, coffee.id]);
    expect(await list({ search: merchantCanaries.account })).toEqual([]);
    await acme.admin.ok(updateMerchant, { ...by(books), body: { merchantName: 'Alphabet' } });
    expect((await acme.admin.ok(listMerchants, { query: { search: 'alphabet' } })).totalCount).toBe(1);
  });

  test('the filter mid finds the merchants with these MIDs, in any case, alone and with other filters and cursors', async () => {
    const [acme, stranger] = [await tenant(), await tenant()];
    const made: number[] = [];
    for (const mid of ['4445012345678', 'mid-2', 'other'])
      for (const owner of mid === 'other' ? [stranger] : [acme]) {
        const { id } = await owner.admin.ok(createMerchant, { body: { merchantName: 'Harbor Street' } });
        await owner.admin.ok(createMid, { params: { merchantId: id }, body: { mid } });
        made.push(id);
      }
    const [first, second] = made;
    const found = async (query: object) =>
      (await acme.admin.ok(listMerchants, { query })).data.map(({ id }) => id);
    expect(await found({ mid: '4445012345678' })).toEqual([first]);
    expect(await found({ mid: ['MID-2', '4445012345678', 'unknown'] })).toEqual([second, first]);
    expect(await found({ mid: 'Mid-2', search: 'harb', cursor: '' })).toEqual([second]);
    expect(await found({ mid: 'mid-2', status: 'closed' })).toEqual([]);
    expect(await found({ mid: 'other' })).toEqual([]);
  });

  test('the list of merchants shortens long texts', async () => {
    const long = '𐍈'.repeat(200);
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
      merchantName: `a${long.slice(2)}`,
      agentAccountId: long.slice(0, 128),
    };
    const made = await acme.admin.ok(createMerchant, { body: { ...body, principals: [] } });
    expect(made.merchantName).toBe(body.merchantName);
    const [shown] = (await acme.admin.ok(listMerchants)).data;
    expect(body.merchantName.startsWith(shown?.merchantName ?? '-')).toBe(true);
  });
});

test('concurrent changes of different parts of a merchant are all kept', async () => {
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

const filled = (body: MerchantInput = filledMerchant, { admin }: Tenant = acme) =>
  admin.ok(createMerchant, { body });
const clear = { query: { reveal: true } };
const reveal = (merchant: { id: number }) => acme.admin.ok(readMerchant, { ...by(merchant), ...clear });
const keyOf = ({ id }: { id: number }, { accountId }: Tenant = acme) => recordKey(accountId, 'MERCHANT', id);
const stored = async (merchant: { id: number }) =>
  recordOf<StoredMerchant>((await getItem(keyOf(merchant))) ?? {});
const revealEvents = async () =>
  (await storedEvents(acme.accountId)).filter(({ kind }) => kind === 'application_sensitive_data_revealed');
/** Returns a merchant's rows in the index of duplicates. `blind` is the keyed hash from the partition key. */
const rowsOf = async ({ id }: { id: number }) =>
  (await scanTable())
    .filter((item) => item.type === 'collision' && (item.holder as { id: unknown }).id === id)
    .map((item) => ({ kind: item.kind, field: item.field, blind: item.pk.split('#').at(-1) }));

describe('sensitive values of a merchant', () => {
  test('showing sensitive values of a merchant emits an event with their paths, unless the merchant has no sensitive values', async () => {
    const made = await filled();
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
    await reveal(await filled({ merchantName: 'Nothing to show' }));
    expect(await revealEvents()).toHaveLength(before + 1);
  });

  test('a request for the sensitive values of a merchant returns 503 if the event that records the access cannot be written', async () => {
    const made = await filled();
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

  test('a change of one sensitive value of a merchant keeps the ciphertext of all other values, even after a key rotation', async () => {
    const made = await filled();
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

  test('a wrong value of a merchant gets the same warning after a POST, a PUT and an approval of an application', async () => {
    const wrong = {
      bankRouting: '11000015',
      bankAccount: '1.23457E+11',
      socialSecurityNumber: '078-05-1120',
      dateOfBirth: '1985-02-30',
      street: 'P.O.Box12',
      state: 'California',
    };
    const parts = {
      principals: [{ firstName: 'Ada', ssn: wrong.socialSecurityNumber, dateOfBirth: wrong.dateOfBirth }],
      addresses: [
        { type: 'business' as const, street1: wrong.street, state: wrong.state, postalCode: '94110' },
        { type: 'mailing' as const, street1: 'PO Box 4', state: 'Berlin', country: 'DE' },
      ],
      banking: { routingNumber: wrong.bankRouting, accountNumber: wrong.bankAccount },
    };
    const expected = (merchant: Pick<MerchantDetails, 'principals' | 'addresses'>) => {
      const [principal, address] = [merchant.principals[0]?.id, merchant.addresses[0]?.id];
      return [
        [`principals[${principal}].ssn`, 'ssn_placeholder'],
        [`principals[${principal}].dateOfBirth`, 'birth_date_real'],
        ['banking.accountNumber', 'bank_account_digits'],
        ['banking.routingNumber', 'routing_digits'],
        [`addresses[${address}].street1`, 'po_box'],
        [`addresses[${address}].state`, 'state'],
      ];
    };
    const shown = (warnings: MerchantDetails['warnings'] = []) =>
      warnings.map(({ field, rule }) => [field, rule]);

    const posted = await create({ merchantName: 'Harbor', ...parts });
    expect(shown(posted.warnings)).toEqual(expected(posted));
    expect((await read(posted)).warnings).toEqual(posted.warnings);

    const empty = await create();
    const { warnings } = await put(empty, parts);
    expect(shown(warnings)).toEqual(expected(await read(empty)));
    const { client: writer } = await member(acme, ['writeMerchants']);
    const body = { dba: 'Harbor' };
    expect(await writer.ok(updateMerchant, { ...by(empty), body })).not.toHaveProperty('warnings');
    const right = { routingNumber: '011000015', accountNumber: '000123456789' };
    const { warnings: left } = await put(empty, { principals: [], addresses: [], banking: right });
    expect(left).toEqual([]);

    const { id: applicationId } = await admin.ok(createApplication, {
      body: {
        basics: { dbaStreet1: wrong.street, dbaState: wrong.state },
        businessBanking: { bankRouting: wrong.bankRouting, bankAccount: wrong.bankAccount },
        businessOwners: [
          {
            name: 'Ada Byron',
            socialSecurityNumber: wrong.socialSecurityNumber,
            dateOfBirth: wrong.dateOfBirth,
          },
        ],
      },
    });
    await admin.ok(submitApplication, { params: { applicationId } });
    const decided = await admin.ok(decideApplication, {
      params: { applicationId },
      body: { decision: 'approved' },
    });
    const approved = await read({ id: decided.admin.merchantId ?? expect.fail() });
    expect(shown(approved.warnings)).toEqual(expected(approved));
    const messages = (all: { message: string }[]) => all.map(({ message }) => message).toSorted();
    expect(messages(decided.warnings ?? [])).toEqual(messages(approved.warnings));
  });

  test('a member without readMerchants cannot confirm a guessed sensitive value of a merchant, not even by a dry run', async () => {
    const { client: writer } = await member(acme, ['writeMerchants']);
    const outcomeOf = async (guess: Record<keyof typeof merchantCanaries, string>) => {
      const made = await filled();
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

  test('a member without readMerchants cannot find out by guessing how many notes a merchant has', async () => {
    const made = await filled();
    const guess = async (client: Client, notes: number) =>
      (await client.call(updateMerchant, { ...by(made), rawBody: JSON.stringify({ totals: { notes } }) }))
        .status;
    const { client: writer } = await member(acme, ['writeMerchants']);
    expect([await guess(writer, 0), await guess(writer, 1)]).toEqual([400, 400]);
    const { client: reader } = await member(acme, ['writeMerchants', 'readMerchants']);
    expect([await guess(reader, 0), await guess(reader, 1)]).toEqual([200, 400]);
  });

  test('a sensitive value that was moved to another field or merchant cannot be decrypted', async () => {
    const [made, other] = [await filled(), await filled()];
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

  test('after the data keys of an account are deleted, all values except the sensitive values can still be read', async () => {
    const lost = await tenant();
    const made = await filled(filledMerchant, lost);
    await transact([deleteItem(dataKeysKey(lost.accountId))], Date.now() + 5000);
    expect((await lost.admin.call(readMerchant, { ...by(made), ...clear })).status).toBe(500);
    expect(await lost.admin.ok(readMerchant, by(made))).toEqual(made);
    expect(
      (await lost.admin.ok(updateMerchant, { ...by(made), body: { dba: 'x', banking: made.banking } }))
        .version,
    ).toBe(2);
  });

  test('the data keys of an account are created only when the first sensitive value of a merchant is sent', async () => {
    const newcomer = await tenant();
    const body = { merchantName: 'Nothing to hide', principals: [{ firstName: 'Ada' }] };
    const made = await filled(body, newcomer);
    const change = (body: MerchantPatch) => newcomer.admin.call(updateMerchant, { ...by(made), body });
    expect((await change({ banking: { bankName: 'First' } })).status).toBe(200);
    expect((await change({ banking: { accountNumber: 'REDACTED' } })).status).toBe(400);
    expect(await getItem(dataKeysKey(newcomer.accountId))).toBeUndefined();
    expect((await change({ banking: { accountNumber: '000123456789' } })).status).toBe(200);
    expect(await getItem(dataKeysKey(newcomer.accountId))).toBeDefined();
  });

  test('the last four characters of an account number are shown only if the number has at least eight characters', async () => {
    const last4 = async (accountNumber: string) =>
      (await filled({ merchantName: 'Harbor', banking: { accountNumber } })).banking.accountNumberLast4;
    expect([
      await last4('12345678'),
      await last4('1234-5678'),
      await last4('1234567'),
      await last4('1234'),
    ]).toEqual(['5678', '5678', undefined, undefined]);
  });
});

describe('the duplicate index', () => {
  test('the duplicate index has the same hash for each notation of a merchant’s social security number or bank account', async () => {
    const made = await filled();
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
    const same = await filled({
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

  test('the duplicate index is updated when a bank account changes or a value is removed', async () => {
    const made = await filled();
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

  test('the duplicate index is updated in the transaction of the change, and a change is rejected if it needs more than one transaction', async () => {
    const people = (from: number, count: number) =>
      Array.from({ length: count }, (_, n) => ({
        ssn: `541-${10 + from}-${1000 + n}`,
        firstName: `P${from}-${n}`,
      }));
    const made = await filled({ merchantName: 'Cooperative', principals: people(0, 50) });
    const full = await acme.admin.call(updateMerchant, { ...by(made), body: { principals: people(1, 50) } });
    expect([full.status, full.body.details?.[0]?.field]).toEqual([400, 'principals']);
    await put(made, { principals: people(1, 46) });
    expect(await rowsOf(made)).toHaveLength(46);
    const kept = (await reveal(made)).principals.map(({ ssn }) => ssn);
    expect(kept).toEqual(people(1, 46).map(({ ssn }) => ssn));
    // If the caller may not read merchants, unchanged values also count toward the limit. Otherwise, the service would
    // accept values above the limit only if they equal the stored values, which would confirm guessed values.
    const { client: writer } = await member(acme, ['writeMerchants']);
    await put(made, { principals: people(1, 48) });
    const guesses = { principals: [...people(1, 48), ...people(2, 2)] };
    const sentBy = async ({ call }: Client) =>
      (await call(updateMerchant, { ...by(made), body: guesses })).status;
    expect([await sentBy(writer), await sentBy(acme.admin)]).toEqual([400, 200]);
  });
});

test('reading or listing merchants takes one round trip, and revealing, changing, creating or deleting a merchant takes two', async () => {
  // Begins a new minute, because every tenth call of a minute needs another round trip for the call counter.
  clock.advance(60_000);
  const made = await filled();
  await reveal(made);
  const rounds = async (run: () => Promise<unknown>) => (await measure(run)).sequence;
  expect(await rounds(() => acme.admin.ok(readMerchant, by(made)))).toBe(1);
  expect(await rounds(() => reveal(made))).toBe(2);
  expect(await rounds(() => put(made, { banking: { accountNumber: '55501234' } }))).toBe(2);
  expect(await rounds(() => filled())).toBe(2);
  expect(await rounds(() => acme.admin.ok(listMerchants))).toBe(1);
  expect(await rounds(() => acme.admin.ok(deleteMerchant, by(made)))).toBe(2);
});
