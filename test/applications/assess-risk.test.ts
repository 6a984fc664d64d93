import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { riskRules } from '../../shared/sales/applications/completeness/rules.ts';
import type { FilledForm } from '../../shared/sales/applications/record/form-fields.ts';
import { assessRisk } from '../../shared/sales/applications/underwriting/assess-risk.ts';
import { anOwner, completeForm, emptyForm, encrypted, withField } from './forms.ts';

const form = completeForm();
const rulesOf = (of: FilledForm, collisions = 0) =>
  assessRisk(of, collisions).factors.map(({ rule }) => rule);
const answered = (answers: Record<string, unknown>) =>
  Object.entries(answers).reduce((left, [path, value]) => withField(left, path, value), form);

/** For each rule: a field, a value that meets the rule, and a value that does not meet it. */
const counted: Record<string, [path: string, yes: unknown, no?: unknown]> = {
  card_termination: ['businessHistory.cardAcceptTerminationBool', true, false],
  bankruptcy: ['businessHistory.bankruptcyBool', true, false],
  watched_category: ['businessDetails.mccNumber', 7995, 5814],
  card_not_present: ['orderProcessing.cardInternetPercent', 50],
  card_partly_present: ['orderProcessing.cardSwipePercent', 49],
  long_history: ['businessHistory.yearsInBiz', 5, 4],
  high_volume: ['scheduleABasics.highMonthlyVolume', 50_000, 49_999],
  very_high_volume: ['scheduleABasics.highMonthlyVolume', 250_000, 249_999],
  high_ticket: ['scheduleABasics.maxSaleAmount', 2500, 2499],
  very_high_ticket: ['scheduleABasics.maxSaleAmount', 10_000, 9999],
  chargebacks: ['businessHistory.chargebacksLastYear', 5, 4],
  many_chargebacks: ['businessHistory.chargebacksLastYear', 50, 49],
  chargeback_amount: ['businessHistory.chargebackTotalAmount', 5000, 4999],
  seasonal: ['businessDetails.seasonalMerchantBool', 'yes', 'no'],
};

describe('an assessment', () => {
  test('of an empty form has one factor: the mixed processing method', () => {
    expect(rulesOf(emptyForm())).toEqual(['card_partly_present']);
  });

  test.each(Object.entries(counted))(
    'has the factor %s at the threshold of the rule, but not below the threshold',
    (rule, [path, yes, no]) => {
      expect(rulesOf(answered({ [path]: yes }))).toContain(rule);
      expect(rulesOf(no === undefined ? form : answered({ [path]: no }))).not.toContain(rule);
    },
  );

  test('has different factors for one collision and for three collisions', () => {
    expect(rulesOf(form, 0)).not.toContain('collision');
    expect(rulesOf(form, 1)).toContain('collision');
    expect(rulesOf(form, 2)).not.toContain('several_collisions');
    expect(rulesOf(form, 3)).toContain('several_collisions');
  });

  test('is tested with an example of every rule', () => {
    expect([...Object.keys(counted), 'young_business', 'collision', 'several_collisions'].toSorted()).toEqual(
      riskRules.map(({ id }) => id).toSorted(),
    );
  });

  test.each([
    [{}, true],
    [{ 'businessHistory.monthsInBiz': 12 }, false],
    [{ 'businessHistory.yearsInBiz': undefined, 'businessHistory.monthsInBiz': 11 }, true],
    [{ 'businessHistory.yearsInBiz': undefined, 'businessHistory.monthsInBiz': 12 }, false],
    [{ 'businessHistory.yearsInBiz': undefined }, false],
    [{ 'businessHistory.yearsInBiz': 0, 'businessHistory.monthsInBiz': 3 }, true],
    [{ 'businessHistory.yearsInBiz': 1, 'businessHistory.monthsInBiz': 3 }, false],
  ])('of %j has the factor young_business: %s', (answers, expected) => {
    expect(rulesOf(answered(answers)).includes('young_business')).toBe(expected);
  });

  test('lists the points and facts of each factor, caps the points from warnings, and contains no sensitive values', () => {
    const risky = answered({ 'basics.dbaZip': 'none', 'businessHistory.bankruptcyBool': true });
    expect(assessRisk(risky, 2)).toEqual({
      score: 58,
      level: 'high',
      factors: [
        { rule: 'bankruptcy', points: 20, fact: 'businessHistory.bankruptcyBool is true' },
        { rule: 'collision', points: 20, fact: 'collisions is 2' },
        {
          rule: 'young_business',
          points: 15,
          fact: 'businessHistory.yearsInBiz is 0, businessHistory.monthsInBiz is not filled in',
        },
        { rule: 'warnings', points: 3, fact: 'warnings: 1 (dba_zip)' },
      ],
    });
    const owners = Array.from({ length: 25 }, (_, index) =>
      anOwner(`own_${index}`, {
        socialSecurityNumber: encrypted('businessOwners[x].socialSecurityNumber', '666-12-3456'),
      }),
    );
    const assessed = assessRisk({ ...form, businessOwners: owners }, 0);
    expect(JSON.stringify(assessed)).not.toMatch(/3456|encrypted|hash/);
    expect(assessed.factors.at(-1)).toEqual({
      rule: 'warnings',
      points: 15,
      fact: 'warnings: 50 (ssn_never_issued, ssn_of_two_owners)',
    });
  });

  test.each([
    [{ 'businessHistory.yearsInBiz': 6 }, 0, 'low'],
    [{ 'businessHistory.cardAcceptTerminationBool': true, 'businessHistory.yearsInBiz': 1 }, 30, 'medium'],
    [
      {
        'businessHistory.cardAcceptTerminationBool': true,
        'businessHistory.bankruptcyBool': true,
        'businessHistory.yearsInBiz': 1,
      },
      50,
      'high',
    ],
    [
      {
        'businessHistory.cardAcceptTerminationBool': true,
        'businessHistory.bankruptcyBool': true,
        'businessHistory.chargebacksLastYear': 50,
      },
      90,
      'critical',
    ],
  ])('of %j has the score %i and the level %s', (answers, score, level) => {
    expect(assessRisk(answered(answers), 0)).toMatchObject({ score, level });
  });

  test('has a deterministic score from 0 to 100 that never decreases when a risk is added', () => {
    const against: [string, unknown][] = [
      ['businessHistory.cardAcceptTerminationBool', true],
      ['businessHistory.bankruptcyBool', true],
      ['businessDetails.mccNumber', 7995],
      ['scheduleABasics.highMonthlyVolume', 300_000],
      ['scheduleABasics.maxSaleAmount', 20_000],
      ['businessHistory.chargebacksLastYear', 60],
      ['businessHistory.chargebackTotalAmount', 9000],
      ['basics.dbaZip', 'none'],
      ['businessDetails.seasonalMerchantBool', 'true'],
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(against), fc.nat(10), (chosen, collisions) => {
        let current = withField(form, 'businessHistory.yearsInBiz', 6);
        let last = assessRisk(current, collisions).score;
        for (const [path, value] of chosen) {
          current = withField(current, path, value);
          const assessed = assessRisk(current, collisions);
          expect(assessRisk(structuredClone(current), collisions)).toEqual(assessed);
          expect(assessed.score).toBeGreaterThanOrEqual(last);
          expect(assessed.score).toBeLessThanOrEqual(100);
          last = assessed.score;
        }
        expect(assessRisk(current, collisions + 1).score).toBeGreaterThanOrEqual(last);
      }),
      { numRuns: 30 },
    );
  });
});
