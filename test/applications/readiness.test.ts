import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readiness, readinessForApplicant } from '../../shared/sales/applications/completeness/readiness.ts';
import {
  Readiness,
  type ReadinessRequest,
  type ReadinessStep,
} from '../../shared/sales/applications/completeness/readiness-schema.ts';
import { completenessOf } from '../../shared/sales/applications/completeness/required-items.ts';
import { validation } from '../../shared/sales/applications/completeness/validate-application.ts';
import type { FilledForm } from '../../shared/sales/applications/record/form-fields.ts';
import { type InfoRequest, processingMethods } from '../../shared/sales/applications/record/schema.ts';
import { anOwner, completeForm, emptyForm, encrypted, withField } from './forms.ts';

const pending = { status: 'pending' } as const;
const ready = (form: FilledForm, requests: InfoRequest[] = [], requireComplete = false) =>
  readiness({ ...form, ...pending }, requests, requireComplete);
/** The field or the document that a step or a request is about. */
type Targets = Pick<ReadinessRequest, 'field' | 'documentKey'>;
const targetOf = ({ field, documentKey }: Targets) => field ?? documentKey ?? '';
const targets = (steps: readonly ReadinessStep[]) => steps.map(targetOf);
const validate = new Ajv2020({ strict: false }).compile(Readiness);

/** Answers that make no other field or document required. */
const harmless: Record<string, unknown> = {
  'basics.dbaStruct': 'sole proprietorship',
  'basics.tinType': 'SSN',
  'businessDetails.mccNumber': 5814,
  'businessHistory.yearsInBiz': 6,
  'scheduleABasics.avgSaleAmount': 18,
  'scheduleABasics.maxSaleAmount': 400,
  'scheduleABasics.highMonthlyVolume': 25_000,
};

/** Completes a step: fills in the field or uploads the document. */
function fulfilled(form: FilledForm, { field, documentKey }: Targets): FilledForm {
  if (documentKey) return { ...form, uploads: { ...form.uploads, [documentKey]: 1 } };
  const path = field ?? '';
  const isEncrypted = /TaxId$|bankAccount$|socialSecurityNumber$|dateOfBirth$/.test(path);
  return withField(form, path, isEncrypted ? encrypted(path, '123-45-6789') : (harmless[path] ?? 'given'));
}
const answered = (requests: readonly InfoRequest[], step: ReadinessStep): InfoRequest[] =>
  requests.map((request) =>
    (request.field ?? request.documentKey) === targetOf(step) ? { ...request, answered: true } : request,
  );

const fields = [
  'basics.dbaName',
  'basics.dbaZip',
  'basics.dbaStruct',
  'basics.dbaTaxId',
  'basics.tinType',
  'businessDetails.mccNumber',
  'businessHistory.yearsInBiz',
  'businessBanking.bankAccount',
  'businessOwners[own_1].name',
  'businessOwners[own_1].dateOfBirth',
  'businessOwners[own_2].socialSecurityNumber',
  'scheduleABasics.avgSaleAmount',
  'scheduleABasics.maxSaleAmount',
  'scheduleABasics.highMonthlyVolume',
  'scheduleADiscountRates.billType',
];
const documents = ['driver-license_own_1', 'driver-license_own_2', 'voided-check', 'business-license'];
const claims = [
  'basics.locationDifferent',
  'businessHistory.bankruptcyBool',
  'businessHistory.cardAcceptTerminationBool',
];

/** Generates forms with two owners and random missing items, processing methods and conditional answers. */
const anyForm: fc.Arbitrary<FilledForm> = fc
  .record({
    taken: fc.subarray(fields),
    uploaded: fc.subarray(documents),
    claimed: fc.subarray(claims),
    share: fc.constantFrom('cardSwipePercent', 'cardKeyedPercent', 'cardInternetPercent', 'none'),
  })
  .map(({ taken, uploaded, claimed, share }) => {
    const start: FilledForm = {
      ...completeForm(),
      businessOwners: [anOwner('own_1'), anOwner('own_2')],
      orderProcessing: {},
      uploads: Object.fromEntries(uploaded.map((key) => [key, 1])),
    };
    const shared = share === 'none' ? start : withField(start, `orderProcessing.${share}`, 100);
    const claiming = claimed.reduce((form, path) => withField(form, path, true), shared);
    return taken.reduce((form, path) => withField(form, path, undefined), claiming);
  });

/** Requests for missing and present fields and documents, some of which are already answered. */
const anyRequests: fc.Arbitrary<InfoRequest[]> = fc.array(
  fc.oneof(
    fc.record({
      field: fc.constantFrom(...fields, 'basics.dbaStreet2'),
      message: fc.constant('Please check.'),
    }),
    fc.record({ documentKey: fc.constantFrom(...documents, 'other'), message: fc.constant('Once more.') }),
    fc.record({
      field: fc.constantFrom(...fields),
      message: fc.constant('Thanks.'),
      answered: fc.constant(true),
    }),
  ),
  { maxLength: 6 },
);

describe('the list of next steps', () => {
  test('leads to a complete application, no matter in which order the steps are done', () => {
    fc.assert(
      fc.property(anyForm, anyRequests, fc.infiniteStream(fc.nat()), (start, asked, choices) => {
        let form = start;
        let requests = asked;
        let now = ready(form, requests);
        for (let left = now.next.length; left > 0; left--) {
          const step = now.next[(choices.next().value ?? 0) % left] ?? expect.fail('no step');
          const rest = now.next.filter((one) => one !== step);
          expect(now.isComplete).toBe(!now.next.some(({ blocks }) => blocks.includes('completion')));
          form = fulfilled(form, step);
          requests = answered(requests, step);
          now = ready(form, requests);
          expect(targets(now.next)).toEqual(targets(rest));
        }
        expect(now).toMatchObject({ next: [], isComplete: true, canSubmit: true });
        expect(validation({ ...form, ...pending }).isComplete).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  test('contains everything that the validation reports as missing, in the order of the form', () => {
    const { missingFields, missingDocuments } = validation({ ...emptyForm(), ...pending });
    const { next } = ready(emptyForm());
    expect(targets(next)).toEqual([...missingFields.map(({ field }) => field), ...missingDocuments]);
    expect(next.map(({ kind }) => kind)).toEqual([
      ...missingFields.map(() => 'field'),
      ...missingDocuments.map(() => 'document'),
    ]);
  });

  test('begins with the requests of the underwriter, and contains no item twice', () => {
    const form = withField(completeForm(), 'basics.dbaZip', undefined);
    const { next, isComplete } = ready(form, [
      { documentKey: 'other', message: 'The lease, please.' },
      { field: 'basics.dbaCity', message: 'Old.', answered: true },
      { field: 'basics.dbaZip', message: 'All nine digits.' },
      { field: 'basics.dbaZip', message: 'And mind the dash.' },
    ]);
    expect(isComplete).toBe(false);
    expect(next).toEqual([
      {
        kind: 'request',
        documentKey: 'other',
        message: 'The lease, please.',
        rule: 'underwriter_request',
        facts: [],
        blocks: ['decision'],
      },
      {
        kind: 'request',
        section: 'basics',
        field: 'basics.dbaZip',
        message: 'All nine digits. And mind the dash.',
        rule: 'underwriter_request',
        facts: [],
        blocks: ['decision', 'completion'],
      },
    ]);
  });

  test('contains the facts of a rule even if the underwriter requested the same item', () => {
    const form = withField(completeForm(), 'scheduleABasics.highMonthlyVolume', 120_000);
    const isTaxReturns = (step: ReadinessStep) => targetOf(step) === 'tax-returns';
    const byRule = ready(form).next.find(isTaxReturns);
    const asked = ready(form, [{ documentKey: 'tax-returns', message: 'All pages.' }]).next.find(
      isTaxReturns,
    );
    expect(byRule?.facts).not.toEqual([]);
    expect(asked).toMatchObject({ kind: 'request', facts: byRule?.facts });
  });

  test('has only one step for two alternative fields', () => {
    const form = withField(completeForm(), 'businessDetails.mccNumber', undefined);
    const [step, ...rest] = ready(form, [{ field: 'businessDetails.mccCategory', message: 'Which?' }]).next;
    expect(rest).toEqual([]);
    expect(step).toMatchObject({
      kind: 'request',
      field: 'businessDetails.mccCategory',
      blocks: ['decision', 'completion'],
    });
  });

  test('contains the rule and the values that make a document required', () => {
    const form = withField(completeForm(), 'scheduleABasics.highMonthlyVolume', 120_000);
    const { next } = ready(form);
    expect(next.find((step) => targetOf(step) === 'tax-returns')).toEqual({
      kind: 'document',
      documentKey: 'tax-returns',
      message: 'Tax returns',
      rule: 'tax-returns',
      facts: [{ field: 'scheduleABasics.highMonthlyVolume', value: 120_000, threshold: 100_000 }],
      blocks: ['completion'],
    });
  });

  test('marks missing items as blocking the submission only if the account requires complete applications', () => {
    const form = { ...completeForm(), uploads: {} };
    const blocksOf = (requireComplete: boolean) => ready(form, [], requireComplete).next[0]?.blocks;
    expect(blocksOf(false)).toEqual(['completion']);
    expect(blocksOf(true)).toEqual(['completion', 'submission']);
    expect(ready(form, [], true).canSubmit).toBe(false);
    expect(ready(form, [], false).canSubmit).toBe(true);
  });
});

describe('the field `otherwise`', () => {
  test('lists, for every other processing method, the items that become required or are no longer required', () => {
    fc.assert(
      fc.property(anyForm, (form) => {
        const { next, otherwise, processingMethod } = ready(form);
        expect(otherwise.map((one) => one.processingMethod)).toEqual(
          processingMethods.filter((method) => method !== processingMethod),
        );
        for (const { processingMethod: method, adds, drops } of otherwise) {
          const by = validation({ ...form, ...pending }, { shown: completenessOf(form, method) });
          const expected = [...by.missingFields.map(({ field }) => field), ...by.missingDocuments];
          const dropped = new Set(targets(drops));
          const changed = [...targets(next).filter((target) => !dropped.has(target)), ...targets(adds)];
          expect(changed.toSorted()).toEqual(expected.toSorted());
          for (const target of targets(adds)) expect(targets(next)).not.toContain(target);
        }
      }),
      { numRuns: 20 },
    );
  });

  test('lists the additional items that a card-present shop would need for ecommerce', () => {
    const { otherwise } = ready(completeForm());
    const of = (method: string) => otherwise.find(({ processingMethod }) => processingMethod === method);
    expect(targets(of('ecommerce')?.adds ?? [])).toEqual([
      'businessDetails.website',
      'orderProcessing.customerServicePhone',
      'orderProcessing.refundPolicy',
      'bank-statement',
      'fulfillment-agreement',
    ]);
    expect(of('ecommerce')?.drops).toEqual([]);
  });
});

describe('an applicant', () => {
  test('sees the same steps as staff, but without the facts that have a threshold', () => {
    fc.assert(
      fc.property(
        anyForm,
        anyRequests,
        fc.constantFrom(25_000, 60_000, 120_000),
        (form, requests, volume) => {
          const all = ready(withField(form, 'scheduleABasics.highMonthlyVolume', volume), requests);
          const shown = readinessForApplicant(all);
          expect(targets(shown.next)).toEqual(targets(all.next));
          expect(JSON.stringify(shown)).not.toMatch(
            /threshold|50000|100000|highMonthlyVolume","value|Percent/,
          );
          expect(validate(all), JSON.stringify(validate.errors)).toBe(true);
          expect(validate(shown), JSON.stringify(validate.errors)).toBe(true);
        },
      ),
      { numRuns: 30 },
    );
  });

  test('sees facts that have no threshold', () => {
    const form = withField(completeForm(), 'businessHistory.bankruptcyBool', true);
    const { next } = readinessForApplicant(ready(form));
    expect(next.find((step) => targetOf(step) === 'tax-returns')?.facts).toEqual([
      { field: 'businessHistory.bankruptcyBool', value: true },
    ]);
  });
});
