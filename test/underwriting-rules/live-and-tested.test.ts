import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asAccountId } from '../../shared/id/account-id.ts';
import type { FilledForm } from '../../shared/sales/applications/record/form-fields.ts';
import type { StoredApplication } from '../../shared/sales/applications/record/stored-application.ts';
import { addToComparison, emptyComparison, resultOf } from '../../shared/sales/underwriting-rules/compare.ts';
import { parseCondition } from '../../shared/sales/underwriting-rules/parse-condition.ts';
import { ruleFields } from '../../shared/sales/underwriting-rules/rule-fields.ts';
import type { RuleAction, StoredRule } from '../../shared/sales/underwriting-rules/schema.ts';
import type {
  StoredSubmission,
  SubmissionOutcome,
} from '../../shared/sales/underwriting-rules/submissions.ts';
import { submitWithRules } from '../../shared/sales/underwriting-rules/submit-with-rules.ts';
import { testedRules } from '../../shared/sales/underwriting-rules/test-rule.ts';
import { attributesOf, itemOf } from '../../shared/table/attributes.ts';
import { recordOf } from '../../shared/table/item.ts';
import { isCounterDelta, type Write } from '../../shared/table/operations.ts';
import { authoredBy } from '../../shared/table/revise.ts';
import { application } from '../applications/decided-application.ts';
import { anOwner, completeForm, encrypted } from '../applications/forms.ts';

const account = asAccountId('acme') ?? expect.fail();
const now = new Date('2026-03-05T09:00:00.000Z');

const fieldsOf = (kind: string) => Object.keys(ruleFields).filter((field) => ruleFields[field] === kind);
const field = (...kinds: string[]) => fc.constantFrom(...kinds.flatMap(fieldsOf));
const bound = fc.constantFrom(0, 1, 10, 18, 40, 400, 25_000);
const range = fc.oneof(
  fc.record({ from: bound }),
  fc.record({ to: bound }),
  fc.tuple(bound, bound).map(([one, other]) => ({ from: Math.min(one, other), to: Math.max(one, other) })),
);
const leaf = fc.oneof(
  fc.record({ field: field('number'), between: range }),
  fc.record({ field: fc.constantFrom('application.createdAt', 'basics.dbaTraded'), age: range }),
  fc.record({
    field: field('text', 'number'),
    among: fc.array(fc.constantFrom('CA', 'sole proprietorship', 5814, 'low', 'Ada'), { minLength: 1 }),
  }),
  fc.record({ filled: field('text', 'number', 'boolean') }),
  fc.record({ isMissing: field('text', 'number', 'boolean', 'secret') }),
  fc.record({ yes: field('text', 'boolean') }),
  fc.record({ total: fc.array(field('number'), { minLength: 1, maxLength: 3 }), between: range }),
  fc.record({ field: field('number'), lessThan: field('number') }),
  fc.record({ method: fc.subarray(['card_present', 'ecommerce', 'moto', 'mixed'], { minLength: 1 }) }),
  fc.record({ collisions: fc.integer({ min: 1, max: 3 }) }),
  fc.constantFrom(
    { field: 'businessOwners[].socialSecurityNumber', sharedByOwners: true },
    { field: 'businessOwners[].socialSecurityNumber', duplicate: true },
    { field: 'businessOwners[].socialSecurityNumber', fault: 'ssn_never_issued' },
    { field: 'basics.dbaTaxId', fault: 'tax_id_digits' },
    {
      anyOwner: {
        all: [{ filled: 'businessOwners[].name' }, { field: 'owners.count', between: { from: 2 } }],
      },
    },
  ),
);
const condition = fc.letrec((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    leaf,
    fc.record({ all: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('node') }),
  ),
})).node as fc.Arbitrary<Readonly<Record<string, unknown>>>;

/** Actions without encryption. `approve` is tested over HTTP. */
const action: fc.Arbitrary<RuleAction> = fc.constantFrom(
  { kind: 'flag', reason: 'Look twice.' },
  { kind: 'assign', priority: 'high' },
  { kind: 'assign', assignedTo: '77' },
  {
    kind: 'request_information',
    reason: 'Which?',
    requested: [{ documentKey: 'driver-license', message: 'Both sides.' }],
  },
);

const ruleOf = (id: number) =>
  fc
    .record({
      when: condition,
      action,
      priority: fc.integer({ min: 1, max: 3 }),
      mode: fc.constantFrom('live' as const, 'live' as const, 'shadow' as const, 'off' as const),
    })
    .map(
      (made): StoredRule => ({
        ...made,
        id,
        accountId: account,
        version: 1,
        ruleVersion: 1,
        createdAt: '2026-01-01T00:00:00.000Z',
        updatedAt: '2026-01-01T00:00:00.000Z',
        name: `Rule ${id}`,
        archived: false,
        writer: 'user:1',
      }),
    );

const ssn = (text: string) => encrypted('businessOwners[].socialSecurityNumber', text);
const form: fc.Arbitrary<FilledForm> = fc
  .record({
    volume: fc.constantFrom(undefined, 10, 25_000, 260_000),
    sale: fc.constantFrom(undefined, 18, 400),
    state: fc.constantFrom(undefined, 'CA', ' ', 'NY'),
    traded: fc.constantFrom(undefined, '2026-01-20', '1/2/2026', 'no'),
    internet: fc.constantFrom(undefined, 0, 60),
    owners: fc.array(fc.constantFrom('321-54-9876', '000-12-3456', 'x'), { maxLength: 3 }),
  })
  .map(({ volume, sale, state, traded, internet, owners }) => {
    const made = completeForm();
    return {
      ...made,
      basics: { ...made.basics, dbaState: state, dbaTraded: traded },
      orderProcessing: { ...made.orderProcessing, cardInternetPercent: internet },
      scheduleABasics: { ...made.scheduleABasics, highMonthlyVolume: volume, avgSaleAmount: sale },
      businessOwners: owners.map((text, n) =>
        anOwner(`own_${n}`, { id: n + 1, socialSecurityNumber: ssn(text) }),
      ),
    };
  });

/** Returns the items of a type in writes, as the table returns them. */
const storedIn = <R>(writes: readonly Write[], type: string): R[] =>
  writes.flatMap((write) => {
    if (isCounterDelta(write) || !('Put' in write.operation)) return [];
    const item = write.operation.Put.Item;
    return item?.type === type ? [recordOf<R>(itemOf(attributesOf(item)))] : [];
  });

async function submit(
  filled: FilledForm,
  rules: readonly StoredRule[],
  { collisions = 0, requestedByRules = [] as number[] } = {},
) {
  const { submittedAt, submittedBy, decidedAt, ...draft } = application;
  const pending: StoredApplication = { ...draft, ...filled, status: 'pending', admin: {}, requestedByRules };
  const duplicates = filled.businessOwners.slice(0, collisions).map(({ uniqueId }) => ({
    kind: 'ssn' as const,
    field: `businessOwners[${uniqueId}].socialSecurityNumber`,
    records: [],
  }));
  const { after, writes } = await submitWithRules(
    { application: pending, rules, duplicates, activeUnderwriters: new Set(['77']) },
    {
      ...authoredBy('ada@example.com', now),
      account,
      accountRecord: { requireCompleteApplication: false, timezone: 'UTC' },
      dataKeys: () => Promise.reject(new Error('These actions need no keys.')),
    },
  );
  const [submission = expect.fail()] = storedIn<StoredSubmission>(writes, 'submission');
  const [outcome = expect.fail()] = storedIn<SubmissionOutcome>(writes, 'submission-outcome');
  return { after, submission: { ...submission, ...outcome } };
}

describe('a test of a stored submission', () => {
  test('has the same result as the rule had live at the submission', async () => {
    let [applied, acted] = [0, 0];
    await fc.assert(
      fc.asyncProperty(
        form,
        fc.tuple(ruleOf(1), ruleOf(2), ruleOf(3)),
        fc.integer({ min: 0, max: 2 }),
        fc.subarray([1, 2]),
        async (filled, rules, collisions, requestedByRules) => {
          const { after, submission } = await submit(filled, rules, { collisions, requestedByRules });
          for (const rule of rules.filter(({ mode }) => mode === 'live')) {
            const live = after.admin.rules?.find(({ ruleId }) => ruleId === rule.id) ?? expect.fail();
            const state = emptyComparison();
            addToComparison(state, testedRules(rule, rules), submission);
            const { actions, examples, actedFirst } = resultOf(state, rule);
            const isRepeated =
              rule.action.kind === 'request_information' && requestedByRules.includes(rule.id);
            expect(actions[0]?.applications === 1).toBe(live.applied && !isRepeated);
            expect(actions[0]?.acting === 1).toBe(live.acted);
            if (actions[0]?.applications === 1) expect(examples[0]?.facts).toEqual(live.facts);
            const first = after.admin.rules?.find((result) => result.acted);
            if (actedFirst[0]) expect(actedFirst[0].ruleId).toBe(first?.ruleId);
            applied += Number(live.applied);
            acted += Number(live.acted);
          }
        },
      ),
      { numRuns: 500 },
    );
    expect(applied).toBeGreaterThan(50);
    expect(acted).toBeGreaterThan(50);
  });

  test('of 10,000 submissions takes less than 10 s of CPU time', async () => {
    const [rule = expect.fail()] = fc.sample(ruleOf(1), 1);
    const tested = {
      ...rule,
      when: {
        all: [
          { field: 'risk.score', between: { to: 60 } },
          { not: { field: 'basics.dbaState', among: ['NY'] } },
        ],
      },
    };
    const { submission } = await submit(completeForm(), []);
    const attributes = attributesOf({ pk: '', sk: '', ...submission });
    const state = emptyComparison();
    const rules = testedRules(tested, []);
    const before = process.cpuUsage();
    for (let n = 0; n < 10_000; n += 1)
      addToComparison(state, rules, recordOf<StoredSubmission & SubmissionOutcome>(itemOf(attributes)));
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(10_000);
    expect(state.applications).toBe(10_000);
  });
});

describe('a condition', () => {
  const holds = async (when: object, filled: FilledForm = completeForm(), of = {}) => {
    const rules = fc.sample(ruleOf(1), 1).map((rule) => ({
      ...rule,
      when: when as Readonly<Record<string, unknown>>,
      mode: 'shadow' as const,
    }));
    expect(parseCondition(when).faults).toEqual([]);
    return (await submit(filled, rules, of)).after.admin.rules?.[0];
  };

  test.each([
    [{ field: 'scheduleABasics.highMonthlyVolume', between: { from: 25_000, to: 25_000 } }, true],
    [{ field: 'scheduleABasics.highMonthlyVolume', between: { from: 25_001 } }, false],
    [{ field: 'scheduleABasics.highMonthlyVolume', between: { to: 24_999 } }, false],
    [{ field: 'basics.dbaStruct', among: ['LLC', 'sole-proprietorship'] }, true],
    [{ field: 'businessDetails.mccNumber', among: [5812, 5814] }, true],
    [{ field: 'businessOwners[].name', among: ['ada byron'] }, true],
    [{ field: 'application.createdAt', age: { from: 4, to: 4 } }, true],
    [{ field: 'application.createdAt', age: { from: 5 } }, false],
    [{ field: 'basics.dbaStruct', age: { from: 0 } }, false],
    [{ field: 'risk.level', among: ['low', 'medium'] }, true],
    [{ field: 'documents.missing', between: { to: 0 } }, true],
    [{ method: ['card_present'] }, true],
    [{ field: 'businessOwners[].socialSecurityNumber', sharedByOwners: true }, false],
    [{ collisions: 1 }, false],
  ])('%j is %s for a complete form', async (when, expected) => {
    expect((await holds(when))?.applied).toBe(expected);
  });

  const withoutVolume = () => {
    const { scheduleABasics, ...made } = completeForm();
    return {
      ...made,
      scheduleABasics: { ...scheduleABasics, highMonthlyVolume: undefined },
      businessOwners: [],
    };
  };
  const volume = 'scheduleABasics.highMonthlyVolume';
  const large = { field: volume, between: { from: 30_000 } };

  test.each([
    [large],
    [{ not: large }],
    [{ not: { not: large } }],
    [{ all: [large, { filled: 'basics.dbaCity' }] }],
    [{ not: { all: [large, { filled: 'basics.dbaCity' }] } }],
    [{ not: { any: [large, { isMissing: 'basics.dbaCity' }] } }],
    [{ not: { field: volume, among: [5] } }],
    [{ not: { field: volume, lessThan: 'scheduleABasics.avgSaleAmount' } }],
    [{ not: { field: 'scheduleABasics.avgSaleAmount', lessThan: volume } }],
    [{ not: { total: ['scheduleABasics.avgSaleAmount', volume], between: { from: 30_000 } } }],
    [{ not: { field: 'businessOwners[].name', among: ['Ada Byron'] } }],
    [{ not: { anyOwner: { field: 'businessOwners[].name', among: ['Ada Byron'] } } }],
    [{ not: { field: 'businessOwners[].socialSecurityNumber', duplicate: true } }],
    [{ not: { field: 'businessOwners[].socialSecurityNumber', fault: 'ssn_digits' } }],
    [{ not: { field: 'basics.dbaStruct', age: { to: 3 } } }],
  ])('%j is unknown for a form without a volume and owners', async (when) => {
    expect(await holds(when, withoutVolume())).toMatchObject({ applied: false, unknown: true });
  });

  test.each([
    [{ isMissing: volume }, true],
    [{ not: { isMissing: volume } }, false],
    [{ filled: volume }, false],
    [{ not: { filled: volume } }, true],
    [{ isMissing: 'businessOwners[].socialSecurityNumber' }, true],
    [{ any: [large, { isMissing: volume }] }, true],
    [{ all: [large, { isMissing: 'basics.dbaCity' }] }, false],
    [{ not: { all: [large, { isMissing: 'basics.dbaCity' }] } }, true],
  ])('%j is %s for a form without a volume and owners', async (when, expected) => {
    const result = await holds(when, withoutVolume());
    expect(result).toMatchObject({ applied: expected });
    expect(result).not.toHaveProperty('unknown');
  });

  test('and its negation never both apply, and apply or are unknown together', async () => {
    await fc.assert(
      fc.asyncProperty(form, condition, async (filled, when) => {
        const [one, other] = [await holds(when, filled), await holds({ not: when }, filled)];
        expect(one?.unknown).toBe(other?.unknown);
        expect(Number(one?.applied) + Number(other?.applied)).toBe(one?.unknown ? 0 : 1);
      }),
    );
  });

  test('tests duplicates of sensitive values, and its facts never contain them', async () => {
    const filled = {
      ...completeForm(),
      businessOwners: ['own_1', 'own_2'].map((id) =>
        anOwner(id, { socialSecurityNumber: ssn('000-12-3456') }),
      ),
    };
    const when = {
      all: [
        { field: 'businessOwners[].socialSecurityNumber', sharedByOwners: true },
        { field: 'businessOwners[].socialSecurityNumber', duplicate: true },
        { field: 'businessOwners[].socialSecurityNumber', fault: 'ssn_never_issued' },
        { collisions: 1 },
      ],
    };
    const result = await holds(when, filled, { collisions: 1 });
    expect(result).toMatchObject({ applied: true });
    expect(JSON.stringify(result)).not.toMatch(/000|hash/);
  });

  test('with many facts does not make the application too large', async () => {
    const basics = Object.keys(ruleFields).filter(
      (name) => name.startsWith('basics.') && ruleFields[name] === 'text',
    );
    const when = { any: basics.slice(0, 12).map((name) => ({ filled: name })) };
    const rules = fc
      .sample(ruleOf(1), 1)
      .flatMap((rule) =>
        Array.from({ length: 50 }, (_, n) => ({ ...rule, when, id: n + 1, mode: 'shadow' as const })),
      );
    const filled = {
      ...completeForm(),
      basics: Object.fromEntries(basics.map((name) => [name.slice(7), '字'.repeat(200)])),
    };
    const { after } = await submit(filled, rules);
    const facts = after.admin.rules?.flatMap((rule) => rule.facts) ?? [];
    expect(facts).toHaveLength(100);
    expect(after.admin.rules).toHaveLength(50);
    expect(Buffer.byteLength(JSON.stringify(after.admin.rules))).toBeLessThan(60_000);
  });

  test('any JSON is accepted, or rejected with paths that begin with `when`', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), condition), (when) => {
        for (const { field: path } of parseCondition(when).faults) expect(path).toMatch(/^when\b/);
      }),
    );
  });

  test.each([
    ['when', Array.from({ length: 9 }).reduce<object>((inner) => ({ not: inner }), { collisions: 1 })],
    ['when.all[49]', { all: Array.from({ length: 60 }, () => ({ collisions: 1 })) }],
    ['when.among', { field: 'basics.dbaState', among: Array.from({ length: 201 }, (_, n) => `S${n}`) }],
    ['when.anyOwner', { anyOwner: { anyOwner: { filled: 'businessOwners[].name' } } }],
    ['when.field', { field: 'basics.dbaTaxId', among: ['1'] }],
    ['when.isMissing', { isMissing: 'basics.nothing' }],
    ['when.fault', { field: 'basics.dbaTaxId', fault: 'ssn_digits' }],
    ['when.among[1]', { field: 'basics.dbaState', among: ['CA', '--'] }],
    ['when', { field: 'basics.dbaState' }],
    ['when', { all: [{ collisions: 1 }], any: [{ collisions: 1 }] }],
  ])('a fault is reported at %s', (path, when) => {
    const { faults } = parseCondition(when);
    expect(faults[0]?.field.startsWith(path)).toBe(true);
    expect(faults).toHaveLength(1);
  });
});
