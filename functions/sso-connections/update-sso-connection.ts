import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { readSurroundings, updateConnection } from '../../shared/single-sign-on/change-connection.ts';
import { SsoConnection, SsoConnectionPatch } from '../../shared/single-sign-on/schema.ts';
import { showSsoConnection } from '../../shared/single-sign-on/show-connection.ts';
import { ssoConnections } from '../../shared/single-sign-on/store.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'PATCH',
  path: '/sso-connections/{id}',
  administratorOnly: true,
  proof: 'rights',
  sensitive: true,
  repairsSignOn: true,
  params: RecordParams,
  body: SsoConnectionPatch,
  response: SsoConnection,
  errors: ['domain_not_validated', 'role_unknown', 'team_unknown', 'grant_exceeds_own'],
  happenings: ['sso_connection_updated'],
  rights: ['account:write', 'domains:hold'],
  summary: 'Change the given fields of a single sign-on connection',
  description:
    'A new secret or private key applies to the next sign-in. A change of `authentication` between a secret and a key needs the new value, and so does a new `issuer`. Links of members belong to the issuer, so a new issuer needs a first sign-in of each member.',
  read: ({ account, params }) =>
    inParallel([ssoConnections.get(account, params.id), readSurroundings(account)]),
  decide: async (request, [before, surroundings]) => {
    await request.checkReadOnly(() => showSsoConnection(before, surroundings.all));
    const { connection, writes, events } = await updateConnection(before, request, surroundings);
    return { response: showSsoConnection(connection, surroundings.all), writes, events };
  },
});
