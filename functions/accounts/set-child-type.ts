import { changeType, readTypedChild } from '../../shared/child-accounts/change-child.ts';
import { requireType } from '../../shared/child-accounts/create-child.ts';
import { ChildAccount, ChildAccountParams, ChildAccountType } from '../../shared/child-accounts/schema.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';

export default endpoint({
  method: 'PUT',
  path: '/accounts/{id}/type',
  administratorOnly: true,
  proof: 'rights',
  params: ChildAccountParams,
  body: ChildAccountType,
  response: ChildAccount,
  emits: ['account_permissions_updated'],
  rights: ['account:write'],
  summary: 'Give a child account another account type',
  read: ({ account, params, body }) =>
    inParallel([readTypedChild(account, params.id), requireType(account, body.accountTypeId)]),
  decide: (request, [child, type]) => changeType(child, type, request),
});
