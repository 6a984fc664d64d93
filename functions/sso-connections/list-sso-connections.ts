import { listing } from '../../shared/endpoints/listing.ts';
import { roles } from '../../shared/people/roles/store.ts';
import { SsoConnection } from '../../shared/single-sign-on/schema.ts';
import { showSsoConnection } from '../../shared/single-sign-on/show-connection.ts';
import { ssoConnections } from '../../shared/single-sign-on/store.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';
import { shortListSource } from '../../shared/table/list-source.ts';

export default listing(
  {
    path: '/sso-connections',
    administratorOnly: true,
    repairsSignOn: true,
    item: SsoConnection,
    fields: {
      createdAt: ['sort'],
      updatedAt: ['sort'],
      issuer: ['filter', 'search', 'sort'],
      enforced: ['filter'],
    },
    summary: 'List single sign-on connections',
  },
  ({ account }) =>
    shortListSource(async () => {
      const [connections, all] = await inParallel([ssoConnections.all(account), roles.all(account)]);
      return connections.map((connection) => showSsoConnection(connection, all));
    }),
);
