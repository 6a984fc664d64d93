import { AccountType } from '../../shared/child-accounts/schema.ts';
import { accountTypes } from '../../shared/child-accounts/store.ts';
import { readRecord } from '../../shared/endpoints/record-endpoints.ts';

export default readRecord(accountTypes, {
  path: '/account-types/{id}',
  administratorOnly: true,
  response: AccountType,
  summary: 'Read an account type',
});
