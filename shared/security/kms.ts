import { KMSClient } from '@aws-sdk/client-kms';
import { retryStrategy } from '../table/retries.ts';

let client: KMSClient | undefined;

/** The client of KMS of this instance, made when it is first needed. */
export const kms = (): KMSClient => {
  client ??= new KMSClient({ retryStrategy });
  return client;
};
