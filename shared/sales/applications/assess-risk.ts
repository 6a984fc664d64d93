import { evaluate, type Fact } from './condition.ts';
import { findWarnings } from './find-warnings.ts';
import type { FilledForm } from './form-fields.ts';
import { processingMethod, riskLevels, riskRules, warningPoints } from './rules.ts';
import type { RiskAssessment } from './schema.ts';

/** A fact as a sentence says it: `scheduleABasics.maxSaleAmount is 5000`. */
const say = ({ field, value }: Fact): string =>
  value === undefined ? `${field} is not filled in` : `${field} is ${value}`;

/**
 * How much risk an application is: 0 is the least, 100 the most. The same form and the same number of `collisions`
 * (sensitive values that other records of the account have too) always give the same answer.
 */
export function assessRisk(
  form: FilledForm,
  collisions: number,
): Pick<RiskAssessment, 'score' | 'level' | 'factors'> {
  const method = processingMethod(form);
  const warnings = findWarnings(form, method);
  const factors = [
    ...riskRules.flatMap(({ id, points, when }) => {
      const { holds, facts } = evaluate(when, { form, method, collisions });
      return holds ? [{ rule: id, points, fact: facts.map(say).join(', ') }] : [];
    }),
    ...(warnings.length > 0
      ? [
          {
            rule: 'warnings',
            points: Math.min(warningPoints.most, warningPoints.each * warnings.length),
            fact: `${warnings.length} of ${[...new Set(warnings.map(({ rule }) => rule))].join(', ')}`,
          },
        ]
      : []),
  ];
  const sum = factors.reduce((total, { points }) => total + points, 0);
  const score = Math.max(0, Math.min(100, sum));
  return { score, level: riskLevels.find(({ from }) => score >= from)?.level ?? 'low', factors };
}
