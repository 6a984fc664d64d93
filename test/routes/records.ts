import createUnderwritingRule from '../../functions/underwriting-rules/create-underwriting-rule.ts';
import { exampleOf } from '../../infra/openapi/example.ts';
import type { Route } from '../../infra/scenes/caller.ts';
import type { UnmatchedPayment } from '../../shared/billing/provider/schema.ts';
import { unmatchedPayments } from '../../shared/billing/provider/store.ts';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { emptyComparison } from '../../shared/sales/underwriting-rules/compare.ts';
import { finishTest } from '../../shared/sales/underwriting-rules/run-test.ts';
import type { RuleInput } from '../../shared/sales/underwriting-rules/schema.ts';
import { underwritingRules } from '../../shared/sales/underwriting-rules/store.ts';
import { newRecord } from '../../shared/table/record-fields.ts';
import { authoredBy } from '../../shared/table/revise.ts';
import { transact } from '../../shared/table/transact.ts';
import { clock } from '../harness/clock.ts';
import type { Tenant } from '../harness/tenant.ts';

export const nameOf = ({ method, path }: { method: string; path: string }): Route =>
  `${method} ${path}` as Route;

/** An unused local address, which only the test stage allows. */
export const unreachableWebhook = { url: 'http://127.0.0.1:9/', events: [] };

/** The required parameters of an endpoint's query, from the examples of its schema. */
export function requiredQuery({ contract }: Endpoint): Record<string, unknown> {
  const { required = [], properties = {} } = (contract.query ?? {}) as {
    required?: string[];
    properties?: Record<string, { examples?: unknown[] }>;
  };
  return Object.fromEntries(required.map((name) => [name, properties[name]?.examples?.[0]]));
}

/** The example body of a contract. */
export const exampleBody = ({ contract }: Endpoint): unknown =>
  contract.body && exampleOf(contract.body, 'request');

/** A test of a new rule that continues in the background. */
export async function runningRuleTest({ accountId: account, admin, adminEmail: user }: Tenant) {
  const body = exampleBody(createUnderwritingRule) as RuleInput;
  const { id } = await admin.ok(createUnderwritingRule, { body });
  const rule = await underwritingRules.get(account, id);
  const period = { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' };
  const test = { rule, period, state: emptyComparison(), next: 1 };
  const principal = { actor: { user, apiKey: null } };
  const { response, writes } = finishTest(test, { account, principal, now: new Date() });
  await transact(writes, Date.now() + 60_000);
  return { id, testId: response.testId ?? 0 };
}

let unmatched = 1000;

/** Stores a notification of the payment provider that fits no invoice. */
export async function plantUnmatched(
  account: AccountId,
  more: Partial<UnmatchedPayment> = {},
): Promise<number> {
  unmatched += 1;
  const now = clock.now();
  const payment: UnmatchedPayment = {
    ...newRecord({ account, ...authoredBy('payment_provider', now) }),
    ...{ messageId: 'evt_17', notice: 'payment.received', reason: 'unknown_invoice' },
    ...{ occurredAt: now.toISOString(), invoiceNumber: 'INV-999999', amount: 10, currency: 'USD' },
    ...{ reference: `pi_${unmatched}`, method: 'card' },
    ...more,
  };
  await transact(unmatchedPayments.insert(payment), Date.now() + 60_000);
  return payment.id;
}
