import { ApiKey } from '../../shared/apikeys/schema.ts';
import { apiKeys } from '../../shared/apikeys/store.ts';
import { arrayListing } from '../../shared/http/listing.ts';

export default arrayListing(
  {
    path: '/apikeys',
    permission: 'readApiKeys',
    item: ApiKey,
    filters: ['description', 'apiKey', 'lastFourOfSecret', 'createdBy'],
    sorts: ['createdAt', 'updatedAt', 'expiresAt', 'description'],
    searchable: ['description', 'apiKey', 'lastFourOfSecret'],
    summary: 'List API keys',
  },
  ({ account }) => apiKeys.listOf(account),
);
