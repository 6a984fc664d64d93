import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { weightOfWindow } from '../../shared/endpoints/listing.ts';
import { reportRules } from '../../shared/sales/underwriting-rules/report.ts';
import { ReportQuery, RuleReport } from '../../shared/sales/underwriting-rules/schema.ts';
import { readReportPeriod } from '../../shared/sales/underwriting-rules/test-rule.ts';

export default endpoint({
  method: 'GET',
  path: '/underwriting-rules/report',
  permission: ['readUnderwritingRules', 'readApplications', 'readMerchants'],
  query: ReportQuery,
  response: RuleReport,
  readsMany: true,
  weigh: () => weightOfWindow,
  summary: 'Report how often each underwriting rule applied, acted and was overruled',
  description:
    'Counts the submissions of a period, at most 20,000. A rule was overruled if it acted, or applied in shadow mode, and a person later decided otherwise. A request counts as ten requests of the caller’s limit.',
  read: ({ account, query, now }) => reportRules(account, readReportPeriod(query, now)),
  decide: (_, response) => ({ response }),
});
