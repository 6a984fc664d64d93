import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { deleteConnection, readSurroundings } from '../../shared/single-sign-on/change-connection.ts';
import { SsoConnection } from '../../shared/single-sign-on/schema.ts';
import { showSsoConnection } from '../../shared/single-sign-on/show-connection.ts';
import { ssoConnections } from '../../shared/single-sign-on/store.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'DELETE',
  path: '/sso-connections/{id}',
  administratorOnly: true,
  proof: 'rights',
  repairsSignOn: true,
  params: RecordParams,
  response: SsoConnection,
  happenings: ['sso_connection_deleted'],
  rights: ['account:write'],
  summary: 'Delete a single sign-on connection',
  description:
    'Its domains are no longer enforced. Open sessions continue until they expire. If a connection with the same issuer is created again, the links of members apply again.',
  read: ({ account, params }) =>
    inParallel([ssoConnections.get(account, params.id), readSurroundings(account)]),
  decide: (request, [before, surroundings]) => {
    const { connection, writes, events } = deleteConnection(before, request, surroundings);
    return { response: showSsoConnection(connection, surroundings.all), writes, events };
  },
});
