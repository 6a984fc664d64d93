import { changeAccountType } from '../../shared/child-accounts/change-type.ts';
import { AccountType, AccountTypePatch } from '../../shared/child-accounts/schema.ts';
import { accountTypes } from '../../shared/child-accounts/store.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'PATCH',
  path: '/account-types/{id}',
  administratorOnly: true,
  proof: [{ purpose: 'rights', ifBody: ['permissions'] }],
  params: RecordParams,
  body: AccountTypePatch,
  response: AccountType,
  errors: ['permission_unknown', 'grant_exceeds_own'],
  emits: ['account_type_updated'],
  summary: 'Change an account type',
  description:
    'The change applies to the accounts of the type, and to their child accounts, within a minute.',
  read: ({ account, params }) => accountTypes.get(account, params.id),
  decide: async (request, before) => {
    await request.checkReadOnly(() => before);
    return changeAccountType(before, request.body, request);
  },
});
