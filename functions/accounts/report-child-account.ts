import { readTypedChild } from '../../shared/child-accounts/change-child.ts';
import { countRecords, merchantsOfAgent } from '../../shared/child-accounts/report.ts';
import { ChildAccountParams, ChildAccountReport } from '../../shared/child-accounts/schema.ts';
import { showChild } from '../../shared/child-accounts/show-child.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { weightOfWindow } from '../../shared/endpoints/listing.ts';

export default endpoint({
  method: 'GET',
  path: '/accounts/{id}/report',
  administratorOnly: true,
  params: ChildAccountParams,
  response: ChildAccountReport,
  runsLists: true,
  weigh: () => weightOfWindow,
  summary: 'Read what the account in x-account-id can see of a child account',
  description:
    'Returns the settings and the numbers of records of the child account, and the merchants of the account in x-account-id ' +
    'whose agentAccountId is the child account. A request counts as ten requests of the caller’s limit.',
  read: ({ account, params }) => readTypedChild(account, params.id),
  decide: async (request, { child, type }) => {
    const [counts, agentMerchants] = await Promise.all([
      countRecords(child.id),
      merchantsOfAgent(request, child.id),
    ]);
    return { response: { ...showChild(child), accountTypeName: type?.name, counts, agentMerchants } };
  },
});
