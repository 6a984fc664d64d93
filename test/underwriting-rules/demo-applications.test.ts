import { expect, test } from 'vitest';
import createApplication from '../../functions/applications/create-application.ts';
import decideApplication from '../../functions/applications/decide-application.ts';
import submitApplication from '../../functions/applications/submit-application.ts';
import testUnsaved from '../../functions/underwriting-rules/test-unsaved-rule.ts';
import { type ApplicationPlan, demoPlan } from '../../infra/administration/demo/plan.ts';
import { demoRules } from '../../infra/administration/demo/underwriting-rules.ts';
import { forEachInParallel } from '../../infra/administration/for-each-in-parallel.ts';
import type { ApplicationInput } from '../../shared/sales/applications/record/schema.ts';
import type { DecisionInput } from '../../shared/sales/applications/underwriting/underwriting-schema.ts';
import type { RuleInput } from '../../shared/sales/underwriting-rules/schema.ts';
import { demoApplications } from '../harness/heavy.ts';
import { tenant } from '../harness/tenant.ts';

const acme = await tenant();

/** The decision of a person, by the outcome in the plan. The other applications are not decided. */
const decisions: Partial<Record<ApplicationPlan['outcome'], DecisionInput>> = {
  approved: { decision: 'approved' },
  complete: { decision: 'approved' },
  rejected: { decision: 'rejected', reason: 'The volume does not fit the business.' },
  info_requested: { decision: 'info_requested', reason: 'Please check the bank.' },
};

const plans = demoPlan(7, demoApplications / 60)
  .leads.flatMap(({ outcome }) => (typeof outcome === 'object' ? [outcome.application] : []))
  .slice(0, demoApplications);

test(`${demoApplications} demo applications: the rules of the demo company are compared with the decisions of people`, async () => {
  expect(plans).toHaveLength(demoApplications);
  await forEachInParallel(8, plans, async ({ form, outcome }) => {
    const { id: applicationId } = await acme.key.ok(createApplication, { body: form as ApplicationInput });
    const params = { applicationId };
    await acme.key.ok(submitApplication, { params, query: { reveal: false } });
    const body = decisions[outcome];
    if (body) await acme.admin.ok(decideApplication, { params, body });
  });
  const decided = plans.filter(({ outcome }) => decisions[outcome]).length;
  const rows = [];
  for (const { name, when, action } of demoRules) {
    const rule = { when, action } as unknown as Pick<RuleInput, 'when' | 'action'>;
    const from = new Date(Date.now() - 86_400_000).toISOString();
    const { status, result } = await acme.admin.ok(testUnsaved, { body: { rule, from } });
    expect(status).toBe('completed');
    expect(result).toMatchObject({ applications: demoApplications, decided });
    const [compared = expect.fail()] = result?.actions ?? [];
    expect(compared.agree + compared.disagree + compared.undecided).toBe(compared.applications);
    expect(result?.examples.length).toBe(Math.min(50, compared.applications));
    rows.push({ name, ...compared });
  }
  // Shown with `npx vitest run test/underwriting-rules/demo-applications.test.ts --silent=false`.
  console.table(rows);
  expect(rows.map(({ applications }) => applications > 0)).toEqual([true, true, true]);
  expect(rows.some(({ agree, disagree }) => agree > 0 && disagree > 0)).toBe(true);
}, 240_000);
