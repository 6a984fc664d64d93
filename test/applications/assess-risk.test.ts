import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assessRisk } from '../../shared/sales/applications/assess-risk.ts';
import type { FilledForm } from '../../shared/sales/applications/form-fields.ts';
import { riskRules } from '../../shared/sales/applications/rules.ts';
import { anOwner, completeForm, emptyForm, sealed, withField } from './forms.ts';

const form = completeForm();
const rulesOf = (of: FilledForm, collisions = 0) =>
  assessRisk(of, collisions).factors.map(({ rule }) => rule);
const answered = (answers: Record<string, unknown>) =>
  Object.entries(answers).reduce((left, [path, value]) => withField(left, path, value), form);

/** For each rule, what makes it count and what does not quite. */
/** For each rule a field, a value that it counts and one that it does not. The form itself has neither. */
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
  test('of an empty form has no facts but that nobody says how cards are taken', () => {
    expect(rulesOf(emptyForm())).toEqual(['card_partly_present']);
  });

  test.each(Object.entries(counted))(
    'counts %s where it is the case, and not just below',
    (rule, [path, yes, no]) => {
      expect(rulesOf(answered({ [path]: yes }))).toContain(rule);
      expect(rulesOf(no === undefined ? form : answered({ [path]: no }))).not.toContain(rule);
    },
  );

  test('counts values that other records have too, by how many there are', () => {
    expect(rulesOf(form, 0)).not.toContain('collision');
    expect(rulesOf(form, 1)).toContain('collision');
    expect(rulesOf(form, 2)).not.toContain('several_collisions');
    expect(rulesOf(form, 3)).toContain('several_collisions');
  });

  test('has a case here for every rule', () => {
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
  ])('takes %j for a young business: %s', (answers, expected) => {
    expect(rulesOf(answered(answers)).includes('young_business')).toBe(expected);
  });

  test('says each factor with its points and its fact, and adds warnings up to a limit', () => {
    const odd = answered({ 'basics.dbaZip': 'none', 'businessHistory.bankruptcyBool': true });
    expect(assessRisk(odd, 2)).toEqual({
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
        { rule: 'warnings', points: 3, fact: '1 of dba_zip' },
      ],
    });
    const owners = Array.from({ length: 25 }, (_, index) =>
      anOwner(`own_${index}`, {
        socialSecurityNumber: sealed('businessOwners[x].socialSecurityNumber', '666-12-3456'),
      }),
    );
    const [warnings] = assessRisk({ ...form, businessOwners: owners }, 0).factors.slice(-1);
    expect(warnings).toEqual({
      rule: 'warnings',
      points: 15,
      fact: '50 of ssn_never_issued, ssn_of_two_owners',
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
  ])('puts %j at %i, which is %s', (answers, score, level) => {
    expect(assessRisk(answered(answers), 0)).toMatchObject({ score, level });
  });

  test('is the same each time, between 0 and 100, and never better for one more thing against it', () => {
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

  test('shows no sensitive value', () => {
    const bad = {
      ...form,
      businessOwners: [
        anOwner('a', {
          socialSecurityNumber: sealed('businessOwners[a].socialSecurityNumber', '666-12-3456'),
        }),
      ],
    };
    expect(JSON.stringify(assessRisk(bad, 1))).not.toMatch(/3456|sealed|hash/);
  });
});
