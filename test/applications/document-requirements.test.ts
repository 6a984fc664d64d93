import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ApplicationFile,
  documentRequirements,
} from '../../shared/sales/applications/completeness/document-requirements.ts';
import {
  completenessOf,
  isDocumentKey,
} from '../../shared/sales/applications/completeness/required-items.ts';
import { documentRules, processingMethod } from '../../shared/sales/applications/completeness/rules.ts';
import type { FilledForm } from '../../shared/sales/applications/record/form-fields.ts';
import {
  DocumentRequirements,
  type ProcessingMethod,
  processingMethods,
} from '../../shared/sales/applications/record/schema.ts';
import { anOwner, completeForm, emptyForm } from './forms.ts';

/** Yields every combination of one value from each list. */
function* combinations<T extends Record<string, readonly unknown[]>>(
  lists: T,
): Generator<{ [K in keyof T]: T[K][number] }> {
  const names = Object.keys(lists);
  const total = names.reduce((product, name) => product * (lists[name]?.length ?? 0), 1);
  for (let index = 0; index < total; index++) {
    let rest = index;
    const chosen = names.map((name) => {
      const list = lists[name] ?? [];
      const value = list[rest % list.length];
      rest = Math.floor(rest / list.length);
      return [name, value];
    });
    yield Object.fromEntries(chosen) as { [K in keyof T]: T[K][number] };
  }
}

/** Values on both sides of each limit. */
const aroundTheLimits = {
  method: processingMethods,
  struct: [undefined, 'sole proprietorship', 'llc'],
  tin: [undefined, 'EIN', 'SSN'],
  previous: [undefined, 'Northwind'],
  average: [999, 1000],
  maximum: [2499, 2500],
  volume: [49_999, 50_000, 99_999, 100_000],
  bankruptcy: [false, true],
  termination: [false, true],
} as const;
const withAndWithout = {
  ...aroundTheLimits,
  struct: [undefined, 'llc'],
  tin: [undefined, 'EIN'],
  average: [undefined, 1000],
  maximum: [undefined, 2500],
  volume: [undefined, 100_000],
  bankruptcy: [undefined, true],
  termination: [undefined, true],
} as const;
type Answers = {
  [K in keyof typeof aroundTheLimits]:
    | (typeof aroundTheLimits)[K][number]
    | (typeof withAndWithout)[K][number];
};

/** The expected documents, computed independently of the rules. */
function expectedDocuments(a: Answers): string[] {
  const keys = ['voided-check', 'business-license'];
  const volume = a.volume ?? 0;
  if (a.method !== 'card_present' || volume > 49_999) keys.push('bank-statement');
  if (a.struct === 'llc') keys.push('corporation-documents');
  if (a.tin === 'EIN') keys.push('ein-letter');
  if (a.previous || (a.average ?? 0) > 999 || (a.maximum ?? 0) > 2499) keys.push('processing-statements');
  if (volume > 99_999 || a.bankruptcy === true || a.termination === true) keys.push('tax-returns');
  if (a.method === 'moto' || a.method === 'mixed') keys.push('moto-questionnaire');
  if (a.method === 'moto' || a.method === 'ecommerce') keys.push('fulfillment-agreement');
  return keys.sort();
}

const formOf = (a: Answers): FilledForm => ({
  ...emptyForm(),
  basics: { dbaStruct: a.struct, tinType: a.tin },
  businessHistory: {
    previousCcProcessor: a.previous,
    bankruptcyBool: a.bankruptcy,
    cardAcceptTerminationBool: a.termination,
  },
  scheduleABasics: { avgSaleAmount: a.average, maxSaleAmount: a.maximum, highMonthlyVolume: a.volume },
});

const requiredKeys = (form: FilledForm, method?: ProcessingMethod) =>
  documentRequirements(completenessOf(form, method)).requiredDocuments.map(({ key }) => key);

describe('required documents', () => {
  test('match the specification for all combinations of answers', () => {
    let compared = 0;
    const wrong: unknown[] = [];
    for (const answers of [aroundTheLimits, withAndWithout])
      for (const one of combinations(answers)) {
        compared += 1;
        const keys = requiredKeys(formOf(one), one.method).sort();
        if (keys.join() !== expectedDocuments(one).join()) wrong.push({ ...one, keys });
      }
    expect(wrong).toEqual([]);
    expect(compared).toBe(4 * 3 * 3 * 2 * 2 * 2 * 4 * 2 * 2 + 4 * 2 ** 8);
  });

  test('depend on the processing method that is derived from the percentages in the form', () => {
    const shares = [undefined, 0, 25, 49, 50, 100];
    const wrong: unknown[] = [];
    for (const one of combinations({ swipe: shares, keyed: shares, moto: shares, internet: shares })) {
      const form: FilledForm = {
        ...emptyForm(),
        orderProcessing: {
          cardSwipePercent: one.swipe,
          cardKeyedPercent: one.keyed,
          cardMoToPercent: one.moto,
          cardInternetPercent: one.internet,
        },
      };
      const expected =
        (one.internet ?? 0) >= 50
          ? 'ecommerce'
          : (one.keyed ?? 0) + (one.moto ?? 0) >= 50
            ? 'moto'
            : (one.swipe ?? 0) >= 50
              ? 'card_present'
              : 'mixed';
      if (processingMethod(form).method !== expected) wrong.push({ ...one, expected });
    }
    expect(wrong).toEqual([]);
  });

  test('depend on a given processing method instead of the derived method', () => {
    for (const method of processingMethods)
      expect(requiredKeys(completeForm(), method).includes('moto-questionnaire')).toBe(
        ['moto', 'mixed'].includes(method),
      );
  });

  test('include a driver’s license for each owner, with the owner’s uniqueId in the document key', () => {
    const form = { ...emptyForm(), businessOwners: [anOwner('a'), anOwner('b-2', { name: undefined })] };
    const { ownerSpecific, byCategory, businessGeneral } = documentRequirements(completenessOf(form));
    expect(ownerSpecific).toEqual([
      expect.objectContaining({ key: 'driver-license_a', ownerName: 'Ada Byron', required: true }),
      expect.not.objectContaining({ ownerName: expect.anything() }),
    ]);
    expect(byCategory.identification).toEqual(ownerSpecific);
    expect(businessGeneral.map(({ key }) => key)).not.toContain('driver-license_a');
  });
});

describe('listed documents', () => {
  const file = (id: number, documentKey: string, rest: Partial<ApplicationFile> = {}): ApplicationFile => ({
    id,
    documentKey,
    name: `${documentKey}.pdf`,
    contentType: 'application/pdf',
    size: 48_213,
    status: 'pending',
    uploadedDate: `2026-03-01T09:30:0${id}.000Z`,
    uploadedBy: 'grace@example.com',
    ...rest,
  });

  test('include optional documents if showAllDocuments is true', () => {
    const few = documentRequirements(completenessOf(completeForm()));
    const all = documentRequirements(completenessOf(completeForm()), { showAllDocuments: true });
    expect(all.allDocuments.map(({ key }) => key)).toEqual(
      documentRules.map(({ id, eachOwner }) => (eachOwner ? `${id}_own_1` : id)),
    );
    expect(all.total).toBe(15);
    expect(few.total).toBe(3);
    expect(few.allDocuments.map(({ key }) => key)).toEqual(few.requiredDocuments.map(({ key }) => key));
    expect(all.requiredDocuments).toEqual(few.requiredDocuments);
    expect(all.completeness).toEqual(few.completeness);
    const never = ['pci-attestation', 'balance-sheet', 'site-photos', 'signed-application', 'other'];
    const listed = Object.values(all.byCategory).flat();
    expect(listed).toHaveLength(all.total);
    for (const key of never) expect(listed.find((one) => one.key === key)?.required, key).toBe(false);
  });

  test('have the status `uploaded` if the upload counter is not 0, and contain the newest file that is not rejected', () => {
    const form = { ...completeForm(), uploads: { 'voided-check': 1 } };
    const shown = documentRequirements(completenessOf(form), {
      files: [
        file(1, 'voided-check'),
        file(3, 'voided-check', { status: 'rejected' }),
        file(2, 'voided-check'),
        file(4, 'business-license', { status: 'rejected' }),
        file(5, 'other'),
      ],
    });
    const of = (key: string) => shown.allDocuments.find((one) => one.key === key);
    expect(of('voided-check')).toMatchObject({ uploaded: true, uploadInfo: { id: '2' } });
    expect(of('business-license')).toMatchObject({ uploaded: false, uploadInfo: { status: 'rejected' } });
    expect(of('driver-license_own_1')).not.toHaveProperty('uploadInfo');
    expect(Object.keys(shown.uploadedDocuments).sort()).toEqual([
      'business-license',
      'other',
      'voided-check',
    ]);
    expect(shown.uploadedDocuments['voided-check']?.files.map(({ id }) => id)).toEqual(['3', '2', '1']);
    expect(shown.completeness).toEqual({ uploaded: 1, required: 3, percentage: 33 });
  });

  test('match the response schema', () => {
    const validate = addFormats.default(new Ajv2020({ strict: false })).compile(DocumentRequirements);
    const files = [file(1, 'voided-check'), file(2, 'other')];
    for (const showAllDocuments of [true, false])
      expect(
        validate(documentRequirements(completenessOf(completeForm()), { showAllDocuments, files })),
        JSON.stringify(validate.errors),
      ).toBe(true);
  });

  test('have the id of the rule as key, and for a driver’s license also the uniqueId of an existing owner', () => {
    const form = completeForm();
    for (const key of ['driver-license_own_1', 'voided-check', 'other', 'site-photos'])
      expect(isDocumentKey(form, key), key).toBe(true);
    for (const key of ['driver-license', 'driver-license_own_2', 'voided-check_own_1', '__proto__', ''])
      expect(isDocumentKey(form, key), key).toBe(false);
  });
});

describe('the percentage', () => {
  test('grows with each required document, is rounded down, and is 100 only after the last upload', () => {
    const key = fc.constantFrom(...processingMethods);
    fc.assert(
      fc.property(key, fc.integer({ min: 0, max: 25 }), fc.boolean(), (method, owners, volume) => {
        const form: FilledForm = {
          ...emptyForm(),
          businessOwners: Array.from({ length: owners }, (_, index) => anOwner(`own_${index}`)),
          scheduleABasics: { highMonthlyVolume: volume ? 100_000 : 10 },
        };
        const keys = requiredKeys(form, method);
        let last = -1;
        for (let count = 0; count <= keys.length; count++) {
          form.uploads = Object.fromEntries(keys.slice(0, count).map((one) => [one, 1]));
          const { completeness } = documentRequirements(completenessOf(form, method));
          expect(completeness).toMatchObject({ uploaded: count, required: keys.length });
          expect(completeness.percentage).toBeGreaterThan(last);

          expect(100 * count - completeness.percentage * keys.length).toBeLessThan(keys.length);
          expect(completeness.percentage * keys.length).toBeLessThanOrEqual(100 * count);
          expect(completeness.percentage === 100).toBe(count === keys.length);
          last = completeness.percentage;
        }
      }),
      { numRuns: 20 },
    );
  });

  test('ignores optional documents', () => {
    const form = { ...completeForm(), uploads: { other: 3, 'site-photos': 1, 'tax-returns': 1 } };
    expect(documentRequirements(completenessOf(form), { showAllDocuments: true }).completeness).toEqual({
      uploaded: 0,
      required: 3,
      percentage: 0,
    });
  });
});
