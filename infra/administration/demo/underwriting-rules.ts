import type { UnderwritingRule } from '../../../shared/sales/underwriting-rules/schema.ts';
import { at, type DemoCompany, ensure, readAll } from './company.ts';

/**
 * The rules of the demo company. The plan decides its applications, so no live rule approves or requests information. The
 * first rule is off.
 */
export const demoRules = [
  {
    name: 'Ask for a voided check',
    description: 'Requests the check that most applications lack.',
    priority: 300,
    when: {
      all: [{ field: 'documents.missing', between: { from: 1 } }, { filled: 'businessBanking.bankName' }],
    },
    action: {
      kind: 'request_information',
      reason: 'The bank account is not proved.',
      requested: [{ documentKey: 'voided-check', message: 'Please upload a voided check.' }],
    },
    mode: 'off',
  },
  {
    name: 'Approve small shops',
    description: 'Approves shops with a low volume and a low risk.',
    priority: 200,
    when: {
      all: [
        { field: 'scheduleABasics.highMonthlyVolume', between: { to: 30_000 } },
        { field: 'risk.score', between: { to: 20 } },
        { not: { collisions: 1 } },
      ],
    },
    action: { kind: 'approve', reason: 'Low volume and low risk.' },
    mode: 'shadow',
  },
  {
    name: 'Flag young businesses with large sales',
    description: 'Shows a reason to the underwriter.',
    priority: 100,
    when: {
      all: [
        { field: 'businessHistory.yearsInBiz', between: { to: 3 } },
        { field: 'scheduleABasics.maxSaleAmount', between: { from: 1000 } },
      ],
    },
    action: { kind: 'flag', reason: 'The sales are large for a young business.' },
    mode: 'live',
  },
] as const;

/** Creates the rules before the applications are submitted. A live rule is first tested, with the existing submissions. */
export async function createRules(company: DemoCompany): Promise<void> {
  const { send, plan } = company;
  const named = (name: string) => `${name} (demo ${plan.seed})`;
  const planned = demoRules.map(({ mode: _, name, ...rule }) => ({ ...rule, name: named(name) }));
  const stored = await ensure<UnderwritingRule>(company, '/underwriting-rules', 'name', planned);
  for (const [n, { mode }] of demoRules.entries()) {
    const rule = at(stored, n);
    if (rule.mode === mode) continue;
    if (mode === 'live') await testRule(company, rule);
    const body = { mode, ...(mode === 'live' && { confirmFewApplications: true }) };
    await send('POST', `/underwriting-rules/${rule.id}/toggle`, body);
  }
}

/** Compares the shadow rules with the decisions in the demo company. */
export async function testShadowRules(company: DemoCompany): Promise<void> {
  const rules = await readAll<UnderwritingRule>(company, '/underwriting-rules');
  for (const rule of rules.filter(({ mode, tested }) => mode === 'shadow' && !tested))
    await testRule(company, rule);
}

/** Tests a rule with the submissions of the last year. */
const testRule = ({ send }: DemoCompany, { id }: Pick<UnderwritingRule, 'id'>) =>
  send('POST', `/underwriting-rules/${id}/test`, {
    from: new Date(Date.now() - 365 * 86_400_000).toISOString(),
  });
