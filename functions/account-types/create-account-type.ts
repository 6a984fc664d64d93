import { typeFrom } from '../../shared/child-accounts/change-type.ts';
import { AccountType, AccountTypeInput } from '../../shared/child-accounts/schema.ts';
import { accountTypes } from '../../shared/child-accounts/store.ts';
import { createRecord } from '../../shared/endpoints/record-endpoints.ts';
import { newRecord } from '../../shared/table/record-fields.ts';

export default createRecord(accountTypes, {
  path: '/account-types',
  administratorOnly: true,
  proof: 'rights',
  body: AccountTypeInput,
  response: AccountType,
  errors: ['permission_unknown', 'grant_exceeds_own', 'quota_exceeded'],
  emits: 'account_type_created',
  record: (request) => ({ ...newRecord(request), ...typeFrom({ limits: {}, ...request.body }, request) }),
  summary: 'Create an account type',
  description:
    'A type can have the permissions that the account itself can use. An account has at most 50 types.',
});
