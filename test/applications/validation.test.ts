import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  always,
  type Condition,
  evaluate,
  never,
} from '../../shared/sales/applications/completeness/condition.ts';
import { completenessOf } from '../../shared/sales/applications/completeness/required-items.ts';
import {
  canSubmit,
  markCompleted,
  validation,
} from '../../shared/sales/applications/completeness/validate-application.ts';
import { sectionNames } from '../../shared/sales/applications/record/fields.ts';
import type { FilledForm } from '../../shared/sales/applications/record/form-fields.ts';
import type { AppStatus, ProcessingMethod } from '../../shared/sales/applications/record/schema.ts';
import { anOwner, completeForm, emptyForm, encrypted, withField } from './forms.ts';

const validate = (form: FilledForm, processingMethod?: ProcessingMethod) =>
  validation({ ...form, status: 'pending' }, { shown: completenessOf(form, processingMethod) });
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

  test.each(alwaysRequired)('include %s, and report a blank value as missing', (field) => {
    expect(missing(completeForm())).toEqual([]);
    expect(missing(withField(completeForm(), field, undefined))).toEqual([field]);
    expect(missing(withField(completeForm(), field, ' '))).toEqual([field]);
  });

  test('include at least one owner and the name of each owner', () => {
    expect(missing({ ...completeForm(), businessOwners: [] })).toEqual(['businessOwners']);
    const two = { ...completeForm(), businessOwners: [anOwner('a'), anOwner('b', { name: undefined })] };
    expect(missing(two)).toEqual(['businessOwners[b].name']);
  });

  test.each([
    ['businessDetails.mccNumber', 'businessDetails.mccCategory', 'Restaurants'],
    ['businessHistory.yearsInBiz', 'businessHistory.monthsInBiz', 0],
  ])('do not include %s if the field %s is filled in', (field, or, value) => {
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
  ])('include the explanation of %s only if this field is true', (claim, explained) => {
    const bool = claim.includes('seasonal') ? String : Boolean;
    const claimed = withField(completeForm(), claim, bool(true));
    expect(missing(claimed)).toEqual(explained);
    expect(missing(withField(completeForm(), claim, bool === String ? 'false' : false))).toEqual([]);
    expect(missing(explained.reduce((form, field) => withField(form, field, 'CA'), claimed))).toEqual([]);
  });

  test('include a website for ecommerce, and a refund policy and service phone for all methods except card_present', () => {
    const service = ['orderProcessing.customerServicePhone', 'orderProcessing.refundPolicy'];
    expect(missing(completeForm(), 'card_present')).toEqual([]);
    expect(missing(completeForm(), 'moto')).toEqual(service);
    expect(missing(completeForm(), 'mixed')).toEqual(service);
    expect(missing(completeForm(), 'ecommerce')).toEqual(['businessDetails.website', ...service]);
  });
});

describe('validation', () => {
  test('of a complete application reports no missing item and no warning', () => {
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

const now = new Date('2026-03-02T09:30:00.000Z');
/** Returns `completedAt` after a change to this form. */
const completedAt = (form: FilledForm & { completedAt?: string }) =>
  markCompleted(form, completenessOf(form), now).completedAt;

describe('completeness', () => {
  test('is recorded for the processing method of the form, not for a method passed to the validation', () => {
    const online = withField(completeForm(), 'orderProcessing.cardInternetPercent', 60);
    expect(validate(online, 'card_present').isComplete).toBe(true);
    expect(completedAt(online)).toBeUndefined();
    expect(validate(completeForm(), 'ecommerce').isComplete).toBe(false);
    expect(completedAt(completeForm())).toBe(now.toISOString());
  });

  test('is recorded only once', () => {
    const before = { ...completeForm(), completedAt: '2026-03-01T09:30:00.000Z' };
    expect(completenessOf(before).isComplete).toBe(true);
    expect(completedAt(before)).toBe(before.completedAt);
  });

  test('is required for a submission only if the account requires complete applications', () => {
    const maySubmit = (form: FilledForm, status: AppStatus, requireComplete?: boolean) =>
      canSubmit({ status }, completenessOf(form), requireComplete);
    expect(maySubmit(emptyForm(), 'pending')).toBe(true);
    expect(maySubmit(emptyForm(), 'pending', true)).toBe(false);
    expect(maySubmit(completeForm(), 'pending', true)).toBe(true);
    for (const status of ['submitted', 'approved', 'rejected'] as const)
      expect(maySubmit(completeForm(), status)).toBe(false);
    const online = withField(completeForm(), 'orderProcessing.cardInternetPercent', 60);
    const shown = completenessOf(online, 'card_present');
    expect(validation({ ...online, status: 'pending' }, { shown, requireComplete: true })).toMatchObject({
      isComplete: true,
      canSubmit: false,
    });
  });
});

const volume = 'scheduleABasics.highMonthlyVolume';
const over = (atLeast: number): Condition => ({ total: [volume], atLeast });
const form = completeForm();
const holds = (condition: Condition, of = form) => evaluate(condition, { form: of }).holds;

describe('a condition', () => {
  test('on an empty field is unknown, and so is its negation', () => {
    const conditions: Condition[] = [
      { yes: 'basics.locationDifferent' },
      { field: 'basics.dbaStruct', among: ['', 'undefined'] },
      { field: 'basics.dbaZip', is: 'zip' },
      { field: 'basics.dbaZip', isNot: 'zip' },
      { total: [volume], atLeast: 0 },
      { total: [volume], below: 1 },
      { total: [volume], otherThan: 100 },
      { field: 'scheduleABasics.maxSaleAmount', lessThan: 'scheduleABasics.avgSaleAmount' },
      { field: 'basics.dbaTaxId', fault: 'tax_id_digits' },
      { field: 'businessOwners[].socialSecurityNumber', sharedByOwners: true },
      { method: ['card_present', 'ecommerce', 'moto', 'mixed'] },
    ];
    for (const condition of conditions) {
      expect(holds(condition, emptyForm()), JSON.stringify(condition)).toBeUndefined();
      expect(holds({ not: condition }, emptyForm()), JSON.stringify(condition)).toBeUndefined();
    }
  });

  test('can test whether a field is empty', () => {
    expect(holds({ filled: 'basics.dbaName' }, emptyForm())).toBe(false);
    expect(holds({ isMissing: 'basics.dbaName' }, emptyForm())).toBe(true);
    expect(holds({ filled: 'basics.dbaName' })).toBe(true);
    expect(holds({ isMissing: 'basics.dbaName' })).toBe(false);
    expect(holds({ collisions: 1 }, emptyForm())).toBe(false);
  });

  test('can be a constant', () => {
    expect(evaluate(always, { form })).toEqual({ holds: true, facts: [] });
    expect(evaluate(never, { form })).toEqual({ holds: false, facts: [] });
  });

  test('treats blank text as empty, but not zero, false or an encrypted value', () => {
    expect(holds({ filled: 'basics.dbaName' }, withField(form, 'basics.dbaName', '  '))).toBe(false);
    expect(holds({ filled: 'businessHistory.yearsInBiz' })).toBe(true);
    expect(holds({ filled: 'basics.dbaTaxId' })).toBe(true);
    const no = withField(form, 'basics.locationDifferent', false);
    expect(holds({ filled: 'basics.locationDifferent' }, no)).toBe(true);
    expect(holds({ yes: 'basics.locationDifferent' }, no)).toBe(false);
  });

  test.each([
    [true, true],
    ['true', true],
    ['Yes', true],
    ['Y', true],
    ['1', true],
    ['false', false],
    ['no', false],
    ['0', false],
  ])('reads %j as yes: %s', (value, expected) => {
    const filled = withField(form, 'businessDetails.seasonalMerchantBool', value);
    expect(holds({ yes: 'businessDetails.seasonalMerchantBool' }, filled)).toBe(expected);
  });

  test('compares only the letters and digits of texts, and ignores case', () => {
    const condition: Condition = { field: 'basics.dbaStruct', among: ['soleproprietorship'] };
    for (const text of ['sole_proprietorship', 'Sole Proprietorship', 'SOLE-PROPRIETORSHIP'])
      expect(holds(condition, withField(form, 'basics.dbaStruct', text)), text).toBe(true);
    expect(holds(condition, withField(form, 'basics.dbaStruct', 'partnership'))).toBe(false);
  });

  test('can compare a sum of fields with a limit, and counts an empty field as 0', () => {
    const total = ['orderProcessing.cardKeyedPercent', 'orderProcessing.cardMoToPercent'] as const;
    const keyed = withField(form, 'orderProcessing.cardKeyedPercent', 30);
    const both = withField(keyed, 'orderProcessing.cardMoToPercent', 20);
    expect(holds({ total, atLeast: 50 }, keyed)).toBe(false);
    expect(holds({ total, atLeast: 50 }, both)).toBe(true);
    expect(holds({ total, below: 50 }, keyed)).toBe(true);
    expect(holds({ total, below: 50 }, both)).toBe(false);
    expect(holds({ total, otherThan: 50 }, keyed)).toBe(true);
    expect(holds({ total, otherThan: 50 }, both)).toBe(false);
  });

  test('compares the hashes of two owners’ values, and ignores values without a hash', () => {
    const field = 'businessOwners[].socialSecurityNumber';
    const twins = { ...form, businessOwners: [anOwner('a'), anOwner('b'), anOwner('other')] };
    const of = (index: number, owners = twins) =>
      evaluate({ field, sharedByOwners: true }, { form: owners, owner: owners.businessOwners[index] }).holds;
    expect([of(0), of(1), of(2)]).toEqual([true, true, false]);
    const bare = { jwe: 'x', faults: [] };
    const unhashed = {
      ...form,
      businessOwners: ['a', 'b'].map((id) => anOwner(id, { socialSecurityNumber: bare })),
    };
    expect(of(0, unhashed)).toBe(false);
  });
});

describe('the deciding facts', () => {
  test('contain the field, the value of the field and the threshold', () => {
    expect(evaluate(over(20_000), { form }).facts).toEqual([
      { field: volume, value: 25_000, threshold: 20_000 },
    ]);
    expect(evaluate(over(20_000), { form: emptyForm() }).facts).toEqual([
      { field: volume, threshold: 20_000 },
    ]);
  });

  test('include only the conditions that cause the result', () => {
    const prior: Condition = { filled: 'businessHistory.previousCcProcessor' };
    const named: Condition = { filled: 'basics.dbaName' };
    const fieldsOf = (condition: Condition) => evaluate(condition, { form }).facts.map(({ field }) => field);
    expect(fieldsOf({ any: [prior, named] })).toEqual(['basics.dbaName']);
    expect(fieldsOf({ all: [prior, named] })).toEqual(['businessHistory.previousCcProcessor']);
    expect(fieldsOf({ any: [prior, { not: named }] })).toEqual([
      'businessHistory.previousCcProcessor',
      'basics.dbaName',
    ]);
    expect(fieldsOf({ all: [named, { not: prior }, named] })).toEqual([
      'basics.dbaName',
      'businessHistory.previousCcProcessor',
    ]);
  });

  test('never contain a sensitive value', () => {
    const wrong = withField(form, 'basics.dbaTaxId', encrypted('basics.dbaTaxId', '12'));
    const finding = evaluate({ field: 'basics.dbaTaxId', fault: 'tax_id_digits' }, { form: wrong });
    expect(finding).toEqual({ holds: true, facts: [{ field: 'basics.dbaTaxId' }] });
  });

  test('about a derived processing method include the numbers from which the method is derived', () => {
    const method = { method: 'mixed', facts: [{ field: 'x', value: 3, threshold: 50 }] } as const;
    expect(evaluate({ method: ['mixed'] }, { form, method }).facts).toEqual([
      { field: 'processingMethod', value: 'mixed' },
      { field: 'x', value: 3, threshold: 50 },
    ]);
  });
});
