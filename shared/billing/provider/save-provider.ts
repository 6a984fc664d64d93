import type { Effects } from '../../events/envelope.ts';
import type { AccountId } from '../../id/account-id.ts';
import { firstSecret, validSecrets } from '../../messaging/webhooks/secrets.ts';
import type { DataKeys } from '../../security/data-keys.ts';
import { newRecord } from '../../table/record-fields.ts';
import { type Authored, revise } from '../../table/revise.ts';
import { providerChanged } from './events.ts';
import type { PaymentProvider, PaymentProviderInput } from './schema.ts';
import { providers, type StoredProvider } from './store.ts';

interface ProviderRequest extends Authored {
  account: AccountId;
  body: PaymentProviderInput;
  dataKeys(): Promise<DataKeys>;
}

interface SavedProvider extends Effects {
  after: StoredProvider;
  /** Present if the provider is new. */
  secret?: string;
}

/** Creates the payment provider of an account, or changes its name and state. */
export async function saveProvider(
  request: ProviderRequest,
  before: StoredProvider | undefined,
): Promise<SavedProvider> {
  const { body } = request;
  if (before) {
    const after = revise(before, body, request);
    return {
      after,
      writes: providers.replace(before, after),
      events: before === after ? [] : providerChanged('payment_provider_updated', after),
    };
  }
  const record = newRecord(request);
  const { secret, secrets } = await firstSecret(record, request);
  const after = { ...record, ...body, secrets };
  return {
    after,
    secret,
    writes: providers.insert(after),
    events: providerChanged('payment_provider_created', after),
  };
}

/** Returns a provider as the API shows it, without its secrets. */
export function showProvider({ secrets, ...shown }: StoredProvider, now: Date): PaymentProvider {
  const until = validSecrets(secrets, now)[1]?.until;
  return { ...shown, ...(until !== undefined && { previousSecretUntil: until }) };
}
