import { expect, test } from 'vitest';
import { asAccountId } from '../../shared/id/account-id.ts';
import { prefillFromLead } from '../../shared/sales/applications/convert-lead.ts';
import type { Lead } from '../../shared/sales/leads/schema.ts';

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
    basics: {
      dbaName: 'Harbor Street Coffee',
      dbaContact: 'Ada Byron',
      dbaEmail: 'ada@example.com',
      dbaPhone: '+1 415 555 0134',
    },
    businessDetails: { productsServicesSold: 'Coffee' },
    businessHistory: { previousCcProcessor: 'Northwind' },
    scheduleABasics: { highMonthlyVolume: 0 },
  });
  expect(prefillFromLead(lead())).toEqual({ basics: { dbaContact: 'Ada Byron' } });
});

test('a text of a lead is cut to the length that an application allows, between characters', () => {
  const { basics } = prefillFromLead(lead({ company: '𝄞'.repeat(1000), firstName: 'A'.repeat(200) }));
  expect(basics?.dbaName).toBe('𝄞'.repeat(200));
  expect(basics?.dbaContact).toBe('A'.repeat(200));
});

test('an invalid email or phone of a lead is not copied to the application', () => {
  const basicsOf = (fields: Partial<Lead>) => prefillFromLead(lead(fields)).basics;
  for (const email of ['ask at the counter', 'ada@', '@example.com', `${'a'.repeat(250)}@b.test`])
    expect(basicsOf({ email }), email).toEqual({ dbaContact: 'Ada Byron' });
  for (const phone of ['call the shop', ' ', `+1 ${'4'.repeat(63)}`])
    expect(basicsOf({ phone }), phone).toEqual({ dbaContact: 'Ada Byron' });
  expect(basicsOf({ email: ' ada@example.com ', phone: ' +1 415 555 0134 x7 ' })).toMatchObject({
    dbaEmail: 'ada@example.com',
    dbaPhone: '+1 415 555 0134 x7',
  });
});
