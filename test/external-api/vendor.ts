import createApiKey from '../../functions/apikeys/create-api-key.ts';
import type { Permission } from '../../shared/resources/registry.ts';
import { type Client, client, signIn, type Tenant } from '../harness/tenant.ts';

/** A key of a vendor, with its only permission and its session. */
interface Vendor extends Client {
  id: number;
  apiKey: string;
}

/** Creates a key with `useExternalApi`, and with further permissions if a test needs them. */
export async function vendorOf(
  { accountId, admin }: Tenant,
  further: readonly Permission[] = [],
): Promise<Vendor> {
  const flatPermissionsList = ['useExternalApi', ...further];
  const { id, apiKey, apiSecret } = await admin.ok(createApiKey, {
    body: { description: 'Lead vendor', flatPermissionsList },
  });
  const authorization = await signIn({ apiKey, apiSecret });
  return { id, apiKey, ...client({ 'x-account-id': accountId, authorization }) };
}
