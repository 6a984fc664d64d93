import { arrayListing } from '../../shared/endpoints/listing.ts';
import { ApiKey } from '../../shared/people/apikeys/schema.ts';
import { apiKeys } from '../../shared/people/apikeys/store.ts';
import { withEffective } from '../../shared/people/roles/account-permissions.ts';

export default arrayListing(
  {
    path: '/apikeys',
    permission: 'readApiKeys',
    item: ApiKey,
    fields: {
      createdAt: ['sort'],
      updatedAt: ['sort'],
      expiresAt: ['sort'],
      description: ['filter', 'search', 'sort'],
      apiKey: ['filter', 'search'],
      lastFourOfSecret: ['filter', 'search'],
      createdBy: ['filter'],
    },
    summary: 'List API keys',
    showTo: (key, principal) =>
      withEffective(
        key,
        key.permissions.map(({ name }) => name),
        principal,
      ),
  },
  ({ account }) => apiKeys.listOf(account),
);
