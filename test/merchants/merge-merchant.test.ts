import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../shared/errors.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { mergeMerchant } from '../../shared/sales/merchants/merge-merchant.ts';
import type { MerchantPatch } from '../../shared/sales/merchants/schema.ts';
import { showParts } from '../../shared/sales/merchants/show-merchant.ts';
import type { StoredMerchant } from '../../shared/sales/merchants/stored-merchant.ts';
import type { Encrypted } from '../../shared/security/encrypted-value.ts';
import { revise } from '../../shared/table/revise.ts';

/** Returns an encrypted value for tests that do not decrypt values. */
const encrypted = (jwe: string): Encrypted => ({ jwe, faults: [] });

/** Returns a stored merchant with these fields. */
const storedMerchant = (fields: Partial<StoredMerchant> = {}): StoredMerchant => ({
  id: 100,
  accountId: 'acme' as AccountId,
  version: 3,
  createdAt: '2026-03-01T09:30:00.000Z',
  createdBy: 'grace@example.com',
  updatedAt: '2026-03-01T09:30:00.000Z',
  merchantName: 'Harbor Street Coffee',
  status: 'pending',
  processingStatus: 'disabled',
  merchantAccountId: 'acme-100',
  isoAccountId: 'acme',
  principals: [],
  addresses: [],
  banking: { id: 1 },
  processing: { id: 2 },
  rates: [],
  compliance: { id: 3 },
  riskMetrics: { id: 4 },
  ...fields,
});

const now = new Date('2026-03-01T09:30:00.000Z');
let minted = 1000;
const merge = (before: StoredMerchant, patch: MerchantPatch) =>
  mergeMerchant(before, patch, { now, today: '2026-03-01', mintId: () => ++minted, mayRead: true });
const applied = (before: StoredMerchant, patch: MerchantPatch) =>
  revise(before, merge(before, patch).revision, { now });
/** Returns the fields of the error, or undefined if the change is valid. */
const faultOf = (before: StoredMerchant, patch: MerchantPatch): string | undefined => {
  try {
    merge(before, patch);
    return undefined;
  } catch (error) {
    return error instanceof ApiError ? error.details?.map(({ field }) => field).join() : String(error);
  }
};

const ada = {
  id: 11,
  firstName: 'Ada',
  lastName: 'Byron',
  email: 'ada@example.com',
  ssn: encrypted('ada'),
  equityOwnership: 60,
};
const grace = { id: 12, firstName: 'Grace', lastName: 'Hopper', dateOfBirth: encrypted('grace') };
const both = storedMerchant({ principals: [ada, grace] });
const named = ({ firstName, lastName }: { firstName: string; lastName: string }) => ({ firstName, lastName });

describe('a change of a merchant', () => {
  test('a change of a merchant sets the sent fields, clears fields sent as null, and keeps all other fields', () => {
    const before = storedMerchant({ dba: 'Harbor', legalName: 'Harbor LLC', mcc: '5814' });
    const { version, updatedAt, ...changed } = applied(before, { dba: null, mcc: '5812' });
    const { dba, ...rest } = before;
    expect({ ...changed, version: 3, updatedAt }).toEqual({ ...rest, mcc: '5812' });
    expect(version).toBe(4);
    expect(applied(before, {})).toBe(before);
  });

  test('a change of a merchant to active sets activatedDate, unless it is set already', () => {
    const first = applied(storedMerchant(), { status: 'active' });
    expect(first.activatedDate).toBe(now.toISOString());
    const known = '2025-05-05T00:00:00.000Z';
    expect(applied(storedMerchant({ activatedDate: known }), { status: 'active' }).activatedDate).toBe(known);
    expect(applied(storedMerchant(), { status: 'active', activatedDate: known }).activatedDate).toBe(known);
    expect(applied(first, { activatedDate: null }).activatedDate).toBeUndefined();
    expect(applied(storedMerchant(), { status: 'suspended' }).activatedDate).toBeUndefined();
  });

  test.each(['processing', 'compliance', 'riskMetrics', 'banking'] as const)(
    'a change of a merchant merges %s field by field and keeps its id',
    (name) => {
      const values = {
        processing: [
          { dailyLimit: 5, highTicket: 7 },
          { dailyLimit: null, averageTicket: 1.25 },
        ],
        compliance: [
          { pciLevel: '4', pciCompliant: true },
          { pciLevel: null, nextPciDue: '2027-01-01' },
        ],
        riskMetrics: [
          { riskScore: 5, chargebackCount: 2 },
          { riskScore: null, refundRatio: 0.000001 },
        ],
        banking: [
          { bankName: 'First', routingNumber: '1' },
          { bankName: null, accountType: 'checking' },
        ],
      } as const;
      const [stored, sent] = values[name];
      const before = storedMerchant({ [name]: { id: 7, ...stored } });
      const kept = Object.entries(stored).slice(1);
      const set = Object.entries(sent).slice(1);
      expect(applied(before, { [name]: sent })[name]).toEqual({
        id: 7,
        ...Object.fromEntries([...kept, ...set]),
      });
    },
  );

  test('a change of a merchant is rejected if a sent id or merchantId differs from the stored value', () => {
    const before = storedMerchant({ principals: [ada], addresses: [{ id: 21, country: 'US' }] });
    expect(faultOf(before, { banking: { id: 9 } })).toBe('banking.id');
    expect(faultOf(before, { riskMetrics: { merchantId: 9 } })).toBe('riskMetrics.merchantId');
    expect(faultOf(before, { principals: [{ id: 99 }] })).toBe('principals[0].id');
    expect(faultOf(before, { principals: [{ merchantId: 99 }] })).toBe('principals[0].merchantId');
    expect(faultOf(before, { addresses: [{ id: 99 }] })).toBe('addresses[0].id');
    expect(faultOf(before, { addresses: [{ id: 21 }, { id: 21 }] })).toBe('addresses[1].id');
    expect(faultOf(before, { addresses: [{ merchantId: 99 }] })).toBe('addresses[0].merchantId');
    expect(faultOf(before, { rates: { id: 99, monthlyFee: 1 } })).toBe('rates.id');
    expect(faultOf(before, { rates: { merchantId: 99, monthlyFee: 1 } })).toBe('rates.merchantId');
    expect(applied(before, { banking: { id: 1, merchantId: 100 } })).toBe(before);
  });

  test('accountNumberLast4 in a change of a merchant must match either the stored or the sent account number', () => {
    const banking = { id: 1, accountNumber: { ...encrypted('x'), last4: '6789' } };
    const before = storedMerchant({ banking });
    expect(applied(before, { banking: { accountNumberLast4: '6789' } })).toBe(before);
    expect(faultOf(before, { banking: { accountNumberLast4: '1234' } })).toBe('banking.accountNumberLast4');
    expect(
      faultOf(before, { banking: { accountNumberLast4: '6789', accountNumber: '55501234' } }),
    ).toBeUndefined();
    expect(
      faultOf(before, { banking: { accountNumberLast4: '1234', accountNumber: '55501234' } }),
    ).toBeUndefined();
    expect(faultOf(storedMerchant(), { banking: { accountNumberLast4: '6789' } })).toBe(
      'banking.accountNumberLast4',
    );
  });

  test('a change of a merchant sets the rates of one day (default: today) and keeps the rates sorted, newest first', () => {
    const once = applied(storedMerchant(), { rates: { monthlyFee: 9.95, batchFee: 0.2 } });
    expect(once.rates).toEqual([
      { id: minted, effectiveDate: '2026-03-01', monthlyFee: 9.95, batchFee: 0.2 },
    ]);
    const [today] = once.rates;
    const later = applied(once, { rates: { effectiveDate: '2026-06-01', monthlyFee: 8 } });
    const earlier = applied(later, { rates: { effectiveDate: '2025-06-01', monthlyFee: 7 } });
    expect(earlier.rates.map((row) => row.monthlyFee)).toEqual([8, 9.95, 7]);
    const changed = applied(earlier, { rates: { batchFee: null, annualFee: 99 } });
    expect(changed.rates[1]).toEqual({
      id: today?.id,
      effectiveDate: '2026-03-01',
      monthlyFee: 9.95,
      annualFee: 99,
    });
    expect(applied(changed, { rates: { annualFee: 99 } })).toBe(changed);
    expect(applied(changed, { rates: {} })).toBe(changed);
  });

  test('a change is rejected if it would give the merchant rates for more than 200 days', () => {
    const day = (n: number) => new Date(Date.UTC(2020, 0, n + 1)).toISOString().slice(0, 10);
    const rates = Array.from({ length: 200 }, (_, n) => ({ id: n + 1, effectiveDate: day(199 - n) }));
    const before = storedMerchant({ rates });
    expect(faultOf(before, { rates: { effectiveDate: day(199), monthlyFee: 1 } })).toBeUndefined();
    expect(faultOf(before, { rates: { effectiveDate: day(200), monthlyFee: 1 } })).toBe('rates');
  });

  test('sent addresses replace all stored addresses, keep their ids if they are unchanged, and have US as default country', () => {
    const addresses = [
      { id: 21, type: 'legal' as const, city: 'Reno', country: 'US' },
      { id: 22, city: 'Bonn', country: 'DE' },
    ];
    const before = storedMerchant({ addresses });
    const sent = [{ city: 'Bonn', country: 'DE' }, { city: 'Oslo' }, { id: 21, city: null }];
    expect(applied(before, { addresses: sent }).addresses).toEqual([
      { id: 22, city: 'Bonn', country: 'DE' },
      { id: minted, city: 'Oslo', country: 'US' },
      { id: 21, country: 'US' },
    ]);
    expect(applied(before, { addresses: [] }).addresses).toEqual([]);
  });
});

describe('the principals of a merchant', () => {
  test('a sent principal replaces the stored principal with the same id or name, whose id and sensitive values are kept', () => {
    const { revision, sentTexts } = merge(both, {
      principals: [
        { firstName: ' grace ', lastName: 'HOPPER', phone: '1' },
        { id: 11, lastName: 'King' },
      ],
    });
    expect(revision.principals).toEqual([
      { id: 12, firstName: ' grace ', lastName: 'HOPPER', phone: '1', dateOfBirth: grace.dateOfBirth },
      { id: 11, lastName: 'King', ssn: ada.ssn },
    ]);
    expect([...sentTexts]).toEqual([]);
  });

  test('the principals of a merchant get sensitive values that are sent, lose values sent as null, and keep values sent as REDACTED', () => {
    const { revision, sentTexts } = merge(both, {
      principals: [
        { id: 11, ssn: 'REDACTED', dateOfBirth: '1985-12-10' },
        { id: 12, dateOfBirth: null },
      ],
    });
    expect(revision.principals).toEqual([{ id: 11, ssn: ada.ssn }, { id: 12 }]);
    expect([...sentTexts]).toEqual([['principals[11].dateOfBirth', '1985-12-10']]);
    expect(faultOf(both, { principals: [{ id: 12, ssn: 'REDACTED' }] })).toBe('principals[0].ssn');
    expect(faultOf(both, { principals: [{ ...named(grace), ssn: 'REDACTED' }] })).toBe('principals[0].ssn');
    expect(faultOf(both, { principals: [{ firstName: 'Lin', ssn: 'REDACTED' }] })).toBe('principals[0].ssn');
    expect(faultOf(both, { banking: { accountNumber: 'REDACTED' } })).toBe('banking.accountNumber');
  });

  test('the principals of a merchant never get the sensitive values of another principal', () => {
    const [renamed, namesake] =
      merge(both, { principals: [{ id: 11, lastName: 'King' }, named(ada)] }).revision.principals ?? [];
    expect(renamed).toEqual({ id: 11, lastName: 'King', ssn: ada.ssn });
    expect(namesake).toEqual({ id: minted, ...named(ada) });
    expect(faultOf(both, { principals: [{ id: 11 }, { ...named(ada), ssn: 'REDACTED' }] })).toBe(
      'principals[1].ssn',
    );
  });

  test('principals with the same name are matched by equal fields, then by order; if the request omits one of these principals, the others must have ids', () => {
    expect(faultOf(both, { principals: [{ id: 11 }, { id: 11 }] })).toBe('principals[1].id');
    const other = { ...named(ada), id: 13, phone: '2', ssn: encrypted('other') };
    const twins = storedMerchant({ principals: [ada, other] });
    expect(faultOf(twins, { principals: [{ firstName: 'Lin' }, named(ada)] })).toBe('principals[1].id');
    const idsAfter = (...principals: NonNullable<MerchantPatch['principals']>) =>
      applied(twins, { principals }).principals.map(({ id, ssn }) => [id, ssn?.jwe]);
    const { id: _, ssn, ...open } = ada;
    const [first, second] = [
      [11, ada.ssn.jwe],
      [13, other.ssn.jwe],
    ];
    expect(idsAfter({ id: 13, ...named(ada) }, named(ada))).toEqual([second, first]);
    expect(idsAfter({ ...named(ada), phone: '2' }, open)).toEqual([second, first]);
    expect(idsAfter(named(ada), named(ada))).toEqual([first, second]);
    expect(idsAfter({ ...named(ada), phone: '3' }, { ...named(ada), phone: '2' }, named(ada))).toEqual([
      first,
      second,
      [minted, undefined],
    ]);
    expect(applied(twins, { principals: [open, { ...named(ada), phone: '2' }] })).toBe(twins);
    const nameless = storedMerchant({ principals: [{ id: 14, email: 'a@example.com' }] });
    expect(applied(nameless, { principals: [{ email: 'a@example.com' }] })).toBe(nameless);
    expect(applied(nameless, { principals: [{ email: 'b@example.com' }] }).principals).toEqual([
      { id: minted, email: 'b@example.com' },
    ]);
  });

  test('the principals of a merchant own at most 100 percent in total', () => {
    const shares = (...percents: number[]) => ({
      principals: percents.map((equityOwnership, n) => ({ firstName: `P${n}`, equityOwnership })),
    });
    expect(faultOf(both, shares(60, 40))).toBeUndefined();
    expect(faultOf(both, shares(60, 41))).toBe('principals');
    expect(faultOf(both, shares(100, 0, 0))).toBeUndefined();
  });
});

const text = fc.string({ minLength: 1, maxLength: 8 });
const secret = fc.option(text.map(encrypted), { nil: undefined });
const some = <T extends object>(values: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(values, { requiredKeys: [] }).map((each) => JSON.parse(JSON.stringify(each)) as Partial<T>);
const ids = fc.uniqueArray(fc.integer({ min: 1, max: 900 }), { minLength: 20, maxLength: 20 });
/** Any valid merchant. */
const anyMerchant = fc
  .record({
    ids,
    principals: fc.array(
      some({
        firstName: text,
        lastName: text,
        ssn: secret,
        dateOfBirth: secret,
        equityOwnership: fc.nat(20),
      }),
      { maxLength: 5 },
    ),
    addresses: fc.array(some({ city: text, country: text }), { maxLength: 5 }),
    banking: some({ bankName: text, routingNumber: text, accountNumber: secret }),
    processing: some({ dailyLimit: fc.nat(), averageTicket: fc.nat() }),
    compliance: some({ pciCompliant: fc.boolean(), pciLevel: text }),
    riskMetrics: some({ riskScore: fc.nat(100), suspiciousActivity: fc.boolean() }),
  })
  .map(({ ids: [b = 0, p = 0, c = 0, r = 0, ...free], principals, addresses, ...objects }) => {
    const withId = <R extends object>(row: R, n: number) => ({ ...row, id: free[n] ?? 0 });
    return storedMerchant({
      principals: principals.map(withId),
      addresses: addresses.map((row, n) => withId({ country: 'US', ...row }, n + 8)),
      banking: { ...objects.banking, id: b },
      processing: { ...objects.processing, id: p },
      compliance: { ...objects.compliance, id: c },
      riskMetrics: { ...objects.riskMetrics, id: r },
    });
  });

describe('any merchant', () => {
  test('any merchant stays unchanged if the response of GET, or any part of it, is sent back', () => {
    fc.assert(
      fc.property(
        anyMerchant,
        fc.subarray(['principals', 'addresses', 'banking', 'processing', 'compliance', 'riskMetrics']),
        (merchant, names) => {
          const { rates, ...shown } = JSON.parse(JSON.stringify(showParts(merchant)));
          const { revision, sentTexts } = merge(
            merchant,
            Object.fromEntries(names.map((name) => [name, shown[name]])),
          );
          expect(revise(merchant, revision, { now })).toBe(merchant);
          expect(sentTexts.size).toBe(0);
        },
      ),
    );
  });

  test('any merchant is the same after two changes of different parts, regardless of their order', () => {
    const patch = (merchant: StoredMerchant) => ({
      banking: { bankName: 'Other' },
      processing: { dailyLimit: 1, averageTicket: null },
      principals: merchant.principals.slice(1).map(({ id, lastName }) => ({ id, lastName })),
      dba: 'Other',
    });
    fc.assert(
      fc.property(
        anyMerchant,
        fc.subarray(['banking', 'processing', 'principals', 'dba'] as const),
        (merchant, first) => {
          const all = patch(merchant);
          const pick = (wanted: boolean) =>
            Object.fromEntries(
              Object.entries(all).filter(([name]) => new Set<string>(first).has(name) === wanted),
            );
          const { version: _, ...one } = applied(applied(merchant, pick(true)), pick(false));
          const { version: __, ...other } = applied(applied(merchant, pick(false)), pick(true));
          expect(one).toEqual(other);
        },
      ),
    );
  });

  test('a principal keeps only its id and sensitive values if the request contains only its id', () => {
    fc.assert(
      fc.property(anyMerchant, fc.nat(), (merchant, seed) => {
        const order = [...merchant.principals].sort(
          (one, other) => ((one.id * seed) % 97) - ((other.id * seed) % 97),
        );
        const { principals = [] } = merge(merchant, { principals: order.map(({ id }) => ({ id })) }).revision;
        expect(principals).toEqual(
          order.map(({ id, ssn, dateOfBirth }) => JSON.parse(JSON.stringify({ id, ssn, dateOfBirth }))),
        );
      }),
    );
  });
});
