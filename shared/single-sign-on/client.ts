import {
  allowInsecureRequests,
  type ClientAuth,
  type ClientMetadata,
  Configuration,
  customFetch,
} from 'openid-client';
import { type Provider, type ProviderRequests, signingAlgorithms } from './provider.ts';

/** Returns the configuration of openid-client. Its requests go through `fetch`. */
export function configurationOf(
  { metadata }: Provider,
  client: Partial<ClientMetadata> & { client_id: string },
  authentication: ClientAuth,
  fetch?: ProviderRequests['fetch'],
): Configuration {
  const server = { ...metadata, id_token_signing_alg_values_supported: [...signingAlgorithms] };
  const config = new Configuration(server, client.client_id, client, authentication);
  if (fetch) config[customFetch] = fetch;
  // `send` allows http only for the loopback addresses of the stage `local`.
  allowInsecureRequests(config);
  return config;
}
