import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sectionNames } from '../../shared/sales/applications/fields.ts';
import type { FilledForm } from '../../shared/sales/applications/form-fields.ts';
import type { ProcessingMethod } from '../../shared/sales/applications/schema.ts';
import {
  canSubmit,
  completedNow,
  isComplete,
  validation,
} from '../../shared/sales/applications/validate-application.ts';
import { anOwner, completeForm, emptyForm, withField } from './forms.ts';

const validate = (form: FilledForm, processingMethod?: ProcessingMethod) =>
  validation({ ...form, status: 'pending' }, { processingMethod });
const missing = (form: FilledForm, method?: ProcessingMethod) =>
  validate(form, method).missingFields.map(({ field }) => field);

/** The fields that every application requires, in the order of the form. */
const alwaysRequired = [
  'basics.dbaName',
  'basics.dbaContact',
  'basics.dbaEmail',
  'basics.dbaPhone',
  'basics.dbaStreet1',
  'basics.dbaCity',
  'basics.dbaState',
  'basics.dbaZip',
  'basics.dbaStruct',
  'basics.dbaTaxId',
  'basics.tinType',
  'businessDetails.mccNumber',
  'businessDetails.productsServicesSold',
  'businessHistory.yearsInBiz',
  'businessBanking.bankName',
  'businessBanking.bankRouting',
  'businessBanking.bankAccount',
  'businessOwners[own_1].name',
  'businessOwners[own_1].socialSecurityNumber',
  'businessOwners[own_1].dateOfBirth',
  'scheduleABasics.avgSaleAmount',
  'scheduleABasics.maxSaleAmount',
  'scheduleABasics.highMonthlyVolume',
  'scheduleADiscountRates.billType',
];

describe('the required fields', () => {
  test('of an empty form are listed in the order of the form', () => {
    const form: FilledForm = {
      ...emptyForm(),
      businessOwners: [{ id: 1, uniqueId: 'own_1' }],
      orderProcessing: { cardSwipePercent: 100 },
    };
    expect(missing(form)).toEqual(alwaysRequired);
  });

  test.each(alwaysRequired)('include %s, and blank text counts as missing', (field) => {
    expect(missing(completeForm())).toEqual([]);
    expect(missing(withField(completeForm(), field, undefined))).toEqual([field]);
    expect(missing(withField(completeForm(), field, ' '))).toEqual([field]);
  });

  test('include an owner, and the name of each owner', () => {
    expect(missing({ ...completeForm(), businessOwners: [] })).toEqual(['businessOwners']);
    const two = { ...completeForm(), businessOwners: [anOwner('a'), anOwner('b', { name: undefined })] };
    expect(missing(two)).toEqual(['businessOwners[b].name']);
  });

  test.each([
    ['businessDetails.mccNumber', 'businessDetails.mccCategory', 'Restaurants'],
    ['businessHistory.yearsInBiz', 'businessHistory.monthsInBiz', 0],
  ])('accept, instead of %s, the field %s', (field, or, value) => {
    const without = withField(completeForm(), field, undefined);
    expect(validate(without).missingFields).toEqual([
      { section: field.split('.')[0], field, message: `or ${or} is required` },
    ]);
    expect(missing(withField(without, or, value))).toEqual([]);
  });

  test.each([
    [
      'basics.locationDifferent',
      ['locAddr1', 'locCity', 'locState', 'locZip'].map((name) => `basics.${name}`),
    ],
    ['businessHistory.bankruptcyBool', ['businessHistory.explainBankruptcy']],
    ['businessHistory.cardAcceptTerminationBool', ['businessHistory.cardAcceptTerminationExplain']],
    ['businessDetails.seasonalMerchantBool', ['businessDetails.seasonalMerchantExplain']],
  ])('include the explanation of %s only if it is true', (claim, explained) => {
    const bool = claim.includes('seasonal') ? String : Boolean;
    const claimed = withField(completeForm(), claim, bool(true));
    expect(missing(claimed)).toEqual(explained);
    expect(missing(withField(completeForm(), claim, bool === String ? 'false' : false))).toEqual([]);
    expect(missing(explained.reduce((form, field) => withField(form, field, 'CA'), claimed))).toEqual([]);
  });

  test('include a website for ecommerce, and a refund policy and service phone unless cards are present', () => {
    const service = ['orderProcessing.customerServicePhone', 'orderProcessing.refundPolicy'];
    expect(missing(completeForm(), 'card_present')).toEqual([]);
    expect(missing(completeForm(), 'moto')).toEqual(service);
    expect(missing(completeForm(), 'mixed')).toEqual(service);
    expect(missing(completeForm(), 'ecommerce')).toEqual(['businessDetails.website', ...service]);
  });
});

describe('validation', () => {
  test('of a complete application finds nothing', () => {
    expect(validate(completeForm())).toEqual({
      isComplete: true,
      canSubmit: true,
      missingFields: [],
      missingDocuments: [],
      sections: Object.fromEntries(sectionNames.map((name) => [name, { complete: true, missing: [] }])),
      warnings: [],
    });
  });

  test('lists the missing fields of each section, and the section of each missing field', () => {
    fc.assert(
      fc.property(fc.subarray(alwaysRequired), (taken) => {
        const form = taken.reduce((left, field) => withField(left, field, undefined), completeForm());
        const { sections, missingFields, isComplete: complete } = validate(form);
        expect(missingFields.map(({ field }) => field)).toEqual(taken);
        expect(Object.values(sections).flatMap((section) => section.missing)).toEqual(taken);
        for (const { field, section } of missingFields) expect(sections[section]?.missing).toContain(field);
        for (const section of Object.values(sections))
          expect(section.complete).toBe(section.missing.length === 0);
        expect(complete).toBe(taken.length === 0);
      }),
      { numRuns: 50 },
    );
  });

  test('reports an application with one missing document as incomplete', () => {
    for (const key of ['driver-license_own_1', 'voided-check', 'business-license']) {
      const form = { ...completeForm(), uploads: { ...completeForm().uploads, [key]: 0 } };
      expect(validate(form)).toMatchObject({ isComplete: false, missingDocuments: [key], missingFields: [] });
    }
  });

  test('reports an application with warnings as complete', () => {
    const wrong = withField(completeForm(), 'basics.dbaZip', 'none');
    expect(validate(wrong)).toMatchObject({ isComplete: true, warnings: [{ rule: 'dba_zip' }] });
  });
});

describe('completeness', () => {
  test('depends on the form only, and not on a given processing method', () => {
    const online = withField(completeForm(), 'orderProcessing.cardInternetPercent', 60);
    expect(validate(online, 'card_present').isComplete).toBe(true);
    expect(completedNow(online)).toBe(false);
    expect(validate(completeForm(), 'ecommerce').isComplete).toBe(false);
    expect(completedNow(completeForm())).toBe(true);
  });

  test('is recorded only once', () => {
    const before = { ...completeForm(), completedAt: '2026-03-01T09:30:00.000Z' };
    expect(isComplete(before)).toBe(true);
    expect(completedNow(before)).toBe(false);
  });

  test('is required to submit only if the account requires it', () => {
    const incomplete = { ...emptyForm(), status: 'pending' } as const;
    expect(canSubmit(incomplete)).toBe(true);
    expect(canSubmit(incomplete, true)).toBe(false);
    expect(canSubmit({ ...completeForm(), status: 'pending' }, true)).toBe(true);
    for (const status of ['submitted', 'approved', 'rejected'] as const)
      expect(canSubmit({ ...completeForm(), status })).toBe(false);
    const online = {
      ...withField(completeForm(), 'orderProcessing.cardInternetPercent', 60),
      status: 'pending',
    } as const;
    expect(validation(online, { processingMethod: 'card_present', requireComplete: true })).toMatchObject({
      isComplete: true,
      canSubmit: false,
    });
  });
});
