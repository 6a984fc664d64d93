import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/**
 * Options of AWS clients whose requests take less than a second, in milliseconds. A connection that transfers no byte for
 * so long is considered lost, and the client repeats the request. By default, the SDK waits until Lambda ends the function.
 */
export const closesSilentConnections = { requestHandler: { connectionTimeout: 2_000, socketTimeout: 5_000 } };

/** The parts of an AWS client that `tuneClient` changes. */
interface TunableClient {
  config: Pick<DynamoDBClient['config'], 'cacheMiddleware' | 'signer'>;
  middlewareStack: { remove(name: string): boolean };
}

/** Removes repeated work of the SDK, which takes a quarter of the CPU time of a request. Returns the client. */
export function tuneClient<C extends TunableClient>(client: C): C {
  const { config, middlewareStack } = client;
  // Without this setting, the SDK builds a middleware stack for each request.
  config.cacheMiddleware = true;
  // The logger middleware copies each input and output for an unused log.
  middlewareStack.remove('loggerMiddleware');
  // The SDK would create a signer for each request. A signer reads the credentials for each signature, so it also uses
  // renewed credentials.
  const { signer: createSigner } = config;
  let signer: ReturnType<typeof createSigner> | undefined;
  config.signer = (scheme) => {
    signer ??= createSigner(scheme);
    return signer;
  };
  return client;
}
