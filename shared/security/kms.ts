import { KMSClient } from '@aws-sdk/client-kms';
import { retryStrategy } from '../table/retries.ts';

let client: KMSClient | undefined;

/** The KMS client of this instance. */
export const kms = (): KMSClient => {
  client ??= new KMSClient({ retryStrategy });
  return client;
};
