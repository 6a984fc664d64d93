import { AccountType } from '../../shared/child-accounts/schema.ts';
import { accountTypes } from '../../shared/child-accounts/store.ts';
import { deleteRecord } from '../../shared/endpoints/record-endpoints.ts';

export default deleteRecord(accountTypes, {
  path: '/account-types/{id}',
  administratorOnly: true,
  response: AccountType,
  errors: ['account_type_in_use'],
  emits: 'account_type_deleted',
  summary: 'Delete an account type that no account has',
});
