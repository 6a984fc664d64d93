import { expect, test } from 'vitest';
import updateAccount from '../../functions/accounts/update-account.ts';
import listEvents from '../../functions/events/list-events.ts';
import readExternalApplication from '../../functions/extapi/read-external-application.ts';
import saveExternalApplication from '../../functions/extapi/save-external-application.ts';
import submitExternalApplication from '../../functions/extapi/submit-external-application.ts';
import createRule from '../../functions/underwriting-rules/create-underwriting-rule.ts';
import testRule from '../../functions/underwriting-rules/test-underwriting-rule.ts';
import toggleRule from '../../functions/underwriting-rules/toggle-underwriting-rule.ts';
import type { RuleAction } from '../../shared/sales/underwriting-rules/schema.ts';
import { filledApplication, sectionsOf } from '../harness/filled-application.ts';
import { tenant } from '../harness/tenant.ts';
import { vendorOf } from './vendor.ts';

const field = 'businessBanking.bankRouting';
const question: RuleAction = {
  kind: 'request_information',
  reason: 'secret reason',
  requested: [{ field, message: 'secret question' }],
};

test.each([
  [{ kind: 'approve' } satisfies RuleAction, 'approved', []],
  [question, 'information_requested', [{ field }]],
] as const)(
  'a live rule that acts on a submission of the external API (%o) reports the status %s',
  async (action, status, openRequests) => {
    const acme = await tenant();
    const vendor = await vendorOf(acme);
    await acme.admin.ok(updateAccount, {
      params: { id: acme.accountId },
      body: { requireCompleteApplication: false },
    });
    const when = { field: 'scheduleABasics.highMonthlyVolume', between: { to: 50_000 } };
    const body = { name: 'secret rule', when, action: action as RuleAction };
    const { id } = await acme.admin.ok(createRule, { body });
    const from = new Date(Date.now() - 86_400_000).toISOString();
    await acme.admin.ok(testRule, { params: { id }, body: { from } });
    await acme.admin.ok(toggleRule, { params: { id }, body: { mode: 'live', confirmFewApplications: true } });

    const params = { externalId: 'A-1' };
    await vendor.ok(saveExternalApplication, { body: { ...params, ...sectionsOf(filledApplication) } });
    const submitted = await vendor.ok(submitExternalApplication, { params });
    const read = await vendor.ok(readExternalApplication, { params });
    expect(read).toEqual(submitted);
    expect(read).toMatchObject({ status, openRequests });
    expect(JSON.stringify(read)).not.toContain('secret');
    const { data } = await acme.admin.ok(listEvents, { query: { kind: 'extapi_status_change' } });
    expect(data.map((event) => event.data)).toMatchObject([{ externalId: 'A-1', status }]);
  },
);
