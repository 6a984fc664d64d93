import { accounts } from '../../shared/accounts/store.ts';
import { moveChild, readTypedChild } from '../../shared/child-accounts/change-child.ts';
import { ChildAccount, ChildAccountMove, ChildAccountParams } from '../../shared/child-accounts/schema.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { asAccountId } from '../../shared/id/account-id.ts';
import { memberships } from '../../shared/people/users/store.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';

export default endpoint({
  method: 'POST',
  path: '/accounts/{id}/move',
  administratorOnly: true,
  params: ChildAccountParams,
  body: ChildAccountMove,
  response: ChildAccount,
  errors: ['accounts_too_deep', 'quota_exceeded'],
  emits: ['account_updated'],
  rights: ['account:write'],
  summary: 'Move a child account to another parent',
  description:
    'The new parent is the parent of the account in x-account-id, or another of its child accounts. To ' +
    'move an account to the parent, the caller must also be an administrator there. The moved account keeps its permissions ' +
    'and limits as far as the new parent can use them. It has no account type until the new parent sets one.',
  read: ({ account, params, body }) => {
    const target = asAccountId(body.parentAccountId);
    return inParallel([readTypedChild(account, params.id), target ? accounts.find(target) : undefined]);
  },
  decide: async (request, [child, target]) => {
    const isUp = target && target.id === child.parent.parentAccountId;
    const membership = isUp ? await memberships.find(target.id, request.principal.id) : undefined;
    return moveChild(child, { target, membership }, request);
  },
});
