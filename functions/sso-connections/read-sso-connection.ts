import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { roles } from '../../shared/people/roles/store.ts';
import { SsoConnection } from '../../shared/single-sign-on/schema.ts';
import { showSsoConnection } from '../../shared/single-sign-on/show-connection.ts';
import { ssoConnections } from '../../shared/single-sign-on/store.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'GET',
  path: '/sso-connections/{id}',
  administratorOnly: true,
  repairsSignOn: true,
  params: RecordParams,
  response: SsoConnection,
  summary: 'Read a single sign-on connection',
  read: ({ account, params }) => inParallel([ssoConnections.get(account, params.id), roles.all(account)]),
  decide: (_, [connection, all]) => ({ response: showSsoConnection(connection, all) }),
});
