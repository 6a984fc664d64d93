import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { createConnection, readSurroundings } from '../../shared/single-sign-on/change-connection.ts';
import { SsoConnection, SsoConnectionInput } from '../../shared/single-sign-on/schema.ts';
import { showSsoConnection } from '../../shared/single-sign-on/show-connection.ts';

export default endpoint({
  method: 'POST',
  path: '/sso-connections',
  administratorOnly: true,
  proof: 'rights',
  sensitive: true,
  repairsSignOn: true,
  body: SsoConnectionInput,
  response: SsoConnection,
  success: 'created',
  errors: ['domain_not_validated', 'role_unknown', 'team_unknown', 'grant_exceeds_own', 'quota_exceeded'],
  happenings: ['sso_connection_created'],
  rights: ['account:write', 'domains:hold'],
  summary: 'Connect an identity provider (OpenID Connect)',
  description: 'Members sign in at `startPath`. The secret is stored encrypted and never shown.',
  read: ({ account }) => readSurroundings(account),
  decide: async (request, surroundings) => {
    const { connection, writes, events } = await createConnection(request, surroundings);
    return { response: showSsoConnection(connection, surroundings.all), writes, events };
  },
});
