import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asAccountId } from '../../shared/id/account-id.ts';
import { mapToMerchant } from '../../shared/sales/applications/decision/map-to-merchant.ts';
import { prefillFromLead } from '../../shared/sales/applications/form/convert-lead.ts';
import {
  decryptApplication,
  placeInApplication,
} from '../../shared/sales/applications/record/encrypt-application.ts';
import { sensitiveApplicationValues } from '../../shared/sales/applications/record/sensitive-values.ts';
import type { StoredApplication } from '../../shared/sales/applications/record/stored-application.ts';
import type { Lead } from '../../shared/sales/leads/schema.ts';
import { application as decided } from './decided-application.ts';
import { anOwner, completeForm } from './forms.ts';
import { knownKeys } from './known-keys.ts';

const form = (rest: Partial<StoredApplication> = {}): StoredApplication => ({
  ...decided,
  ...completeForm(),
  status: 'submitted',
  ...rest,
});
const day = (instant: string) => `day of ${instant}`;
/** Uses the path of each sensitive value as the plain text, so that tests can distinguish the values. */
const map = (application: StoredApplication) =>
  mapToMerchant(application, {
    values: new Map(sensitiveApplicationValues(application).map(({ path }) => [path, path])),
    dayOf: day,
  });

test('a complete application becomes a pending merchant with all common fields', () => {
  expect(map(form())).toEqual({
    merchantName: 'Harbor Street Coffee',
    dba: 'Harbor Street Coffee',
    mcc: '5814',
    status: 'pending',
    processingStatus: 'disabled',
    principals: [
      {
        firstName: 'Ada',
        lastName: 'Byron',
        ssn: 'businessOwners[own_1].socialSecurityNumber',
        dateOfBirth: 'businessOwners[own_1].dateOfBirth',
      },
    ],
    addresses: [
      {
        type: 'business',
        street1: '12 Harbor Street',
        city: 'San Francisco',
        state: 'CA',
        postalCode: '94110',
      },
    ],
    banking: {
      bankName: 'First Harbor Bank',
      routingNumber: '011000015',
      accountNumber: 'businessBanking.bankAccount',
    },
    processing: { monthlyVolume: 25_000, averageTicket: 18, highTicket: 400 },
    riskMetrics: {},
  });
});

test('if the location has its own address, the merchant has a business address and a mailing address', () => {
  const loc = { locationDifferent: true, locAddr1: '9 Pier Road', locCity: 'Oakland', locZip: '94607' };
  const basics = { ...form().basics, ...loc };
  expect(map(form({ basics })).addresses).toEqual([
    { type: 'business', street1: '9 Pier Road', city: 'Oakland', postalCode: '94607' },
    { type: 'mailing', street1: '12 Harbor Street', city: 'San Francisco', state: 'CA', postalCode: '94110' },
  ]);
  const [one, ...others] = map(form({ basics: { ...basics, locationDifferent: false } })).addresses;
  expect([one?.street1, others]).toEqual(['12 Harbor Street', []]);
  expect(map(form({ basics: { dbaName: 'x', dbaCity: 'Reno', locationDifferent: true } })).addresses).toEqual(
    [{ type: 'business', city: 'Reno' }],
  );
});

test('an owner without data is not copied, and two owners with the same name become two principals', () => {
  const owners = [anOwner('a'), { id: 2, uniqueId: 'b' }, anOwner('c', { id: 3 })];
  expect(map(form({ businessOwners: owners })).principals.map(({ ssn }) => ssn)).toEqual([
    'businessOwners[a].socialSecurityNumber',
    'businessOwners[c].socialSecurityNumber',
  ]);
});

test('a category code gets leading zeros up to four digits, and an invalid code is omitted', () => {
  const mccOf = (mccNumber: number) => map(form({ businessDetails: { mccNumber } })).mcc;
  expect([742, 5814, 0].map(mccOf)).toEqual(['0742', '5814', '0000']);
  expect(mccOf(58_140)).toBeUndefined();
});

test('the merchant gets the rates and fees of the billing method, in percent and dollars', () => {
  const rates = {
    scheduleADiscountRates: { flatRate: 275, combinedQualRate: 165, costPlusRate: 30 },
    scheduleAPerItemFees: {
      authFeeFlat: 10,
      authFeeTiered: 12,
      authFeeIntChg: 8,
      chargebackFee: 2500,
      batchFee: 1,
    },
  };
  const ratesBy = (billType: string) =>
    map(form({ ...rates, scheduleADiscountRates: { ...rates.scheduleADiscountRates, billType } })).rates;
  const same = { chargebackFee: 25, batchFee: 0.01 };
  expect(ratesBy('Flat rate')).toEqual({ discountRate: 2.75, transactionFee: 0.1, ...same });
  expect(ratesBy('tiered')).toEqual({ discountRate: 1.65, transactionFee: 0.12, ...same });
  expect(ratesBy('Cost Plus')).toEqual({ discountRate: 0.3, transactionFee: 0.08, ...same });
  expect(ratesBy('something else')).toEqual({ discountRate: 2.75, transactionFee: 0.1, ...same });
  expect(map(form({ scheduleADiscountRates: { billType: 'tiered', sepCardQualRate: 0 } })).rates).toEqual({
    discountRate: 0,
  });
});

test('an amount in cents is converted to dollars exactly', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999_999_999_999 }), (cents) => {
      const { rates } = map(form({ scheduleAPerItemFees: { batchFee: cents } }));
      const digits = String(cents).padStart(3, '0');
      const written = `${digits.slice(0, -2)}.${digits.slice(-2)}`;
      expect(rates?.batchFee).toBe(Number(written));
      expect(String(rates?.batchFee).replace(/\D/g, '').replace(/^0+/, '').length).toBeLessThanOrEqual(15);
    }),
  );
  const scheduleAPerItemFees = { batchFee: Number.MAX_SAFE_INTEGER };
  expect(map(form({ scheduleAPerItemFees })).rates).toBeUndefined();
});

test('the risk assessment is copied to the merchant, with the day of the review', () => {
  const risk = {
    score: 60,
    level: 'high' as const,
    factors: [],
    assessedAt: '2026-03-01T09:00:00.000Z',
    assessedBy: 'grace@example.com',
  };
  const businessHistory = { chargebacksLastYear: 2 };
  expect(map(form({ admin: { risk }, businessHistory }))).toMatchObject({
    riskLevel: 'high',
    riskMetrics: { riskScore: 60, chargebackCount: 2, lastRiskReview: 'day of 2026-03-01T09:00:00.000Z' },
  });
});

test('if an application has no business name, the merchant gets the name of the location or the id of the application', () => {
  expect(map(form({ basics: { locName: 'Pier 9' } })).merchantName).toBe('Pier 9');
  expect(map(form({ basics: {} }))).toMatchObject({ merchantName: 'app_65YB3N0G2M1' });
});

test('sensitive values are mapped as plain text, without ciphertext', async () => {
  const owner = { id: 1, uniqueId: 'ada', name: 'Ada Byron' };
  const encrypt = async (path: string, plain: string) => ({
    jwe: await knownKeys.encrypt(placeInApplication(decided, path), plain),
    faults: [],
  });
  const application = form({
    businessBanking: { bankAccount: await encrypt('businessBanking.bankAccount', '000123456789') },
    basics: { dbaTaxId: await encrypt('basics.dbaTaxId', '12-3456789') },
    businessOwners: [
      {
        ...owner,
        driversLicenseNumber: await encrypt('businessOwners[ada].driversLicenseNumber', 'D1234567'),
      },
    ],
  });
  const merchant = mapToMerchant(application, {
    values: await decryptApplication(application, knownKeys),
    dayOf: day,
  });
  expect(merchant.banking).toEqual({ accountNumber: '000123456789' });
  expect(merchant.principals).toEqual([
    { firstName: 'Ada', lastName: 'Byron', driversLicenseNumber: 'D1234567' },
  ]);
  expect(JSON.stringify(merchant)).not.toMatch(/jwe|nonce/);
});

const lead = (rest: Partial<Lead> = {}): Lead => ({
  id: 1,
  accountId: asAccountId('acme') ?? expect.fail(),
  version: 1,
  createdAt: '2026-03-01T09:00:00.000Z',
  updatedAt: '2026-03-01T09:00:00.000Z',
  firstName: 'Ada',
  lastName: 'Byron',
  archived: false,
  ...rest,
});

test('an application is prefilled with the data of its lead', () => {
  expect(
    prefillFromLead(
      lead({
        company: 'Harbor Street Coffee',
        email: 'ada@example.com',
        phone: '+1 415 555 0134',
        productsServicesSold: 'Coffee',
        currentPaymentProcessor: 'Northwind',
        monthlyTransactionVolume: 0,
        notes: 'Call after lunch.',
      }),
    ),
  ).toEqual({
    body: {
      basics: {
        dbaName: 'Harbor Street Coffee',
        dbaContact: 'Ada Byron',
        dbaEmail: 'ada@example.com',
        dbaPhone: '+1 415 555 0134',
      },
      businessDetails: { productsServicesSold: 'Coffee' },
      businessHistory: { previousCcProcessor: 'Northwind' },
      scheduleABasics: { highMonthlyVolume: 0 },
    },
    warnings: [],
  });
  expect(prefillFromLead(lead())).toEqual({ body: { basics: { dbaContact: 'Ada Byron' } }, warnings: [] });
});

test('a text of a lead is truncated to the maximum length of the application field, without splitting a character', () => {
  const {
    body: { basics },
    warnings,
  } = prefillFromLead(lead({ company: '𝄞'.repeat(1000), firstName: 'A'.repeat(200) }));
  expect(basics?.dbaName).toBe('𝄞'.repeat(200));
  expect(basics?.dbaContact).toBe('A'.repeat(200));
  expect(warnings).toEqual([
    { field: 'basics.dbaName', message: 'was cut to 200 characters' },
    { field: 'basics.dbaContact', message: 'was cut to 200 characters' },
  ]);
});

test('an invalid email or phone of a lead is not copied to the application, and a warning gives the reason', () => {
  const basicsOf = (fields: Partial<Lead>) => prefillFromLead(lead(fields)).body.basics;
  for (const email of ['ask at the counter', 'ada@', '@example.com', `${'a'.repeat(250)}@b.test`])
    expect(basicsOf({ email }), email).toEqual({ dbaContact: 'Ada Byron' });
  for (const phone of ['call the shop', ' ', `+1 ${'4'.repeat(63)}`])
    expect(basicsOf({ phone }), phone).toEqual({ dbaContact: 'Ada Byron' });
  expect(prefillFromLead(lead({ email: 'ask at the counter', phone: 'call the shop' })).warnings).toEqual([
    {
      field: 'basics.dbaEmail',
      message: 'was not filled, because the lead’s email is not an email address',
    },
    {
      field: 'basics.dbaPhone',
      message: 'was not filled, because the lead’s phone is not a telephone number',
    },
  ]);
  expect(prefillFromLead(lead({ email: '', phone: ' ' })).warnings).toEqual([]);
  expect(basicsOf({ email: ' ada@example.com ', phone: ' +1 415 555 0134 x7 ' })).toMatchObject({
    dbaEmail: 'ada@example.com',
    dbaPhone: '+1 415 555 0134 x7',
  });
});
