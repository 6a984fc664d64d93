import { providerChanged } from '../../shared/billing/provider/events.ts';
import { RotatedProviderSecret } from '../../shared/billing/provider/schema.ts';
import { providers } from '../../shared/billing/provider/store.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { SecretRotation } from '../../shared/messaging/webhooks/schema.ts';
import { rotateSecret } from '../../shared/messaging/webhooks/secrets.ts';
import { revise } from '../../shared/table/revise.ts';

export default endpoint({
  method: 'POST',
  path: '/billing/provider/rotate-secret',
  permission: 'writeInvoices',
  proof: 'secrets',
  sensitive: true,
  body: SecretRotation,
  bodyOptional: true,
  response: RotatedProviderSecret,
  oneTime: ['secret'],
  errors: ['not_found', 'secrets_overlap'],
  happenings: ['payment_provider_secret_rotated'],
  destructive: true,
  summary: 'Rotate the secret of the payment provider',
  description:
    'Both secrets are valid for 24 hours. If expireNow is true, only the new secret is valid. Another rotation within 24 hours requires expireNow.',
  read: ({ account }) => providers.get(account),
  decide: async (request, before) => {
    const { secrets, ...rotated } = await rotateSecret(before, request);
    return {
      response: rotated,
      writes: providers.replace(before, revise(before, { secrets }, request)),
      events: providerChanged('payment_provider_secret_rotated', before),
    };
  },
});
