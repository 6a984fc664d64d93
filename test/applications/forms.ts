import { formValueFaults } from '../../shared/sales/applications/completeness/value-faults.ts';
import type { FilledForm } from '../../shared/sales/applications/record/form-fields.ts';
import type { StoredOwner } from '../../shared/sales/applications/record/stored-application.ts';
import type { Encrypted } from '../../shared/security/encrypted-value.ts';

/** The current date in these tests. */
export const today = new Date('2026-03-01T09:30:00.000Z');

export const emptyForm = (): FilledForm => ({ businessOwners: [], uploads: {} });

/** Returns a substitute for the encrypted text, with the ids of the broken rules. Equal texts have equal hashes. */
export const encrypted = (field: string, text: string): Encrypted => ({
  jwe: `encrypted.${field}`,
  faults: formValueFaults(field, text, today),
  blind: `hash of ${text.replaceAll(/\D/g, '')}`,
});

export const anOwner = (uniqueId: string, rest: Partial<StoredOwner> = {}): StoredOwner => ({
  id: 1,
  uniqueId,
  name: 'Ada Byron',
  socialSecurityNumber: encrypted(
    `businessOwners[${uniqueId}].socialSecurityNumber`,
    `123-45-67${uniqueId.length + 10}`,
  ),
  dateOfBirth: encrypted(`businessOwners[${uniqueId}].dateOfBirth`, '1985-12-10'),
  ...rest,
});

/** A complete form with documents, for a sole proprietor who accepts cards in person. */
export const completeForm = (): FilledForm => ({
  basics: {
    dbaName: 'Harbor Street Coffee',
    dbaContact: 'Ada Byron',
    dbaEmail: 'ada@example.com',
    dbaPhone: '+1 415 555 0134',
    dbaStreet1: '12 Harbor Street',
    dbaCity: 'San Francisco',
    dbaState: 'CA',
    dbaZip: '94110',
    dbaStruct: 'Sole Proprietorship',
    dbaTaxId: encrypted('basics.dbaTaxId', '123-45-6788'),
    tinType: 'SSN',
  },
  businessDetails: { mccNumber: 5814, productsServicesSold: 'Coffee and pastries' },
  businessHistory: { yearsInBiz: 0 },
  businessBanking: {
    bankName: 'First Harbor Bank',
    bankRouting: '011000015',
    bankAccount: encrypted('businessBanking.bankAccount', '000123456789'),
  },
  businessOwners: [anOwner('own_1')],
  orderProcessing: { cardSwipePercent: 100 },
  scheduleABasics: { avgSaleAmount: 18, maxSaleAmount: 400, highMonthlyVolume: 25_000 },
  scheduleADiscountRates: { billType: 'tiered' },
  uploads: { 'driver-license_own_1': 1, 'voided-check': 2, 'business-license': 1 },
});

/** Returns a copy with one field changed; undefined removes the field. */
export function withField(form: FilledForm, path: string, value: unknown): FilledForm {
  const copy = structuredClone(form);
  const owner = /^businessOwners\[([^\]]+)\]\.(\w+)$/.exec(path);
  const [section = '', name = ''] = path.split('.');
  const holder: unknown = owner
    ? copy.businessOwners.find(({ uniqueId }) => uniqueId === owner[1])
    : (Reflect.get(copy, section) ?? {});
  if (typeof holder !== 'object' || holder === null) throw new Error(`The form has no field ${path}.`);
  Reflect.set(holder, owner?.[2] ?? name, value);
  if (!owner) Reflect.set(copy, section, holder);
  return copy;
}
