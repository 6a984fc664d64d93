import { evaluate, type Fact } from '../completeness/condition.ts';
import {
  findWarnings,
  processingMethod,
  riskLevels,
  riskRules,
  warningPoints,
  warningsWithoutPoints,
} from '../completeness/rules.ts';
import type { FilledForm } from '../record/form-fields.ts';
import type { RiskAssessment } from '../record/schema.ts';

/** Formats a fact as text: `scheduleABasics.maxSaleAmount is 5000`. */
const factText = ({ field, value }: Fact): string =>
  value === undefined ? `${field} is not filled in` : `${field} is ${value}`;

/**
 * Computes the risk score, from 0 (lowest) to 100 (highest). The result depends only on the form and on `collisions`,
 * the number of sensitive values that other records of the account also have.
 */
export function assessRisk(
  form: FilledForm,
  collisions: number,
): Pick<RiskAssessment, 'score' | 'level' | 'factors'> {
  const method = processingMethod(form);
  const warnings = findWarnings(form, method).filter(({ rule }) => !warningsWithoutPoints.has(rule));
  const factors = [
    ...riskRules.flatMap(({ id, points, when }) => {
      const { holds, facts } = evaluate(when, { form, method, collisions });
      return holds ? [{ rule: id, points, fact: facts.map(factText).join(', ') }] : [];
    }),
    ...(warnings.length > 0
      ? [
          {
            rule: 'warnings',
            points: Math.min(warningPoints.most, warningPoints.each * warnings.length),
            fact: `warnings: ${warnings.length} (${[...new Set(warnings.map(({ rule }) => rule))].join(', ')})`,
          },
        ]
      : []),
  ];
  const sum = factors.reduce((total, { points }) => total + points, 0);
  const score = Math.max(0, Math.min(100, sum));
  return { score, level: riskLevels.find(({ from }) => score >= from)?.level ?? 'low', factors };
}
