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

const judge = (form: FilledForm, processingMethod?: ProcessingMethod) =>
  validation({ ...form, status: 'pending' }, { processingMethod });
const missing = (form: FilledForm, method?: ProcessingMethod) =>
  judge(form, method).missingFields.map(({ field }) => field);

/** What every application needs, as the requirement lists it, in the order of the form. */
const alwaysNeeded = [
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

describe('the fields that are required', () => {
  test('of an application with nothing but an owner without answers are all of them, in the order of the form', () => {
    const form: FilledForm = {
      ...emptyForm(),
      businessOwners: [{ id: 1, uniqueId: 'own_1' }],
      orderProcessing: { cardSwipePercent: 100 },
    };
    expect(missing(form)).toEqual(alwaysNeeded);
  });

  test.each(alwaysNeeded)('have %s among them, and a blank text is none', (field) => {
    expect(missing(completeForm())).toEqual([]);
    expect(missing(withField(completeForm(), field, undefined))).toEqual([field]);
    expect(missing(withField(completeForm(), field, ' '))).toEqual([field]);
  });

  test('have an owner among them', () => {
    expect(missing({ ...completeForm(), businessOwners: [] })).toEqual(['businessOwners']);
    const two = { ...completeForm(), businessOwners: [anOwner('a'), anOwner('b', { name: undefined })] };
    expect(missing(two)).toEqual(['businessOwners[b].name']);
  });

  test.each([
    ['businessDetails.mccNumber', 'businessDetails.mccCategory', 'Restaurants'],
    ['businessHistory.yearsInBiz', 'businessHistory.monthsInBiz', 0],
  ])('%s may be given as %s', (field, or, value) => {
    const without = withField(completeForm(), field, undefined);
    expect(judge(without).missingFields).toEqual([
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
  ])('where %s is true are its explanations, and not where it is false', (claim, explained) => {
    const bool = claim.includes('seasonal') ? String : Boolean;
    const claimed = withField(completeForm(), claim, bool(true));
    expect(missing(claimed)).toEqual(explained);
    expect(missing(withField(completeForm(), claim, bool === String ? 'false' : false))).toEqual([]);
    expect(missing(explained.reduce((form, field) => withField(form, field, 'CA'), claimed))).toEqual([]);
  });

  test('have a website for ecommerce, and refunds and a service phone unless the card is present', () => {
    const service = ['orderProcessing.customerServicePhone', 'orderProcessing.refundPolicy'];
    expect(missing(completeForm(), 'card_present')).toEqual([]);
    expect(missing(completeForm(), 'moto')).toEqual(service);
    expect(missing(completeForm(), 'mixed')).toEqual(service);
    expect(missing(completeForm(), 'ecommerce')).toEqual(['businessDetails.website', ...service]);
  });
});

describe('validation', () => {
  test('of a whole application finds nothing', () => {
    expect(judge(completeForm())).toEqual({
      isComplete: true,
      canSubmit: true,
      missingFields: [],
      missingDocuments: [],
      sections: Object.fromEntries(sectionNames.map((name) => [name, { complete: true, missing: [] }])),
      warnings: [],
    });
  });

  test('says of each section what it lacks, and of every missing field its section', () => {
    fc.assert(
      fc.property(fc.subarray(alwaysNeeded), (taken) => {
        const form = taken.reduce((left, field) => withField(left, field, undefined), completeForm());
        const { sections, missingFields, isComplete: complete } = judge(form);
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

  test('is incomplete for one document that is missing', () => {
    for (const key of ['driver-license_own_1', 'voided-check', 'business-license']) {
      const form = { ...completeForm(), uploads: { ...completeForm().uploads, [key]: 0 } };
      expect(judge(form)).toMatchObject({ isComplete: false, missingDocuments: [key], missingFields: [] });
    }
  });

  test('is not made incomplete by what looks wrong', () => {
    const odd = withField(completeForm(), 'basics.dbaZip', 'none');
    expect(judge(odd)).toMatchObject({ isComplete: true, warnings: [{ rule: 'dba_zip' }] });
  });
});

describe('completeness', () => {
  test('that is announced goes by the form alone: a method that is given cannot cause it', () => {
    const online = withField(completeForm(), 'orderProcessing.cardInternetPercent', 60);
    expect(judge(online, 'card_present').isComplete).toBe(true);
    expect(completedNow(online)).toBe(false);
    expect(judge(completeForm(), 'ecommerce').isComplete).toBe(false);
    expect(completedNow(completeForm())).toBe(true);
  });

  test('is announced once, whatever is missing and there again later', () => {
    const before = { ...completeForm(), completedAt: '2026-03-01T09:30:00.000Z' };
    expect(isComplete(before)).toBe(true);
    expect(completedNow(before)).toBe(false);
  });

  test('stands in the way of a submit only where the account asks for it', () => {
    const half = { ...emptyForm(), status: 'pending' } as const;
    expect(canSubmit(half)).toBe(true);
    expect(canSubmit(half, true)).toBe(false);
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
