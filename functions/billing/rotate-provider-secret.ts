import { RotatedProviderSecret } from '../../shared/billing/provider/schema.ts';
import { providers } from '../../shared/billing/provider/store.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { unnamedChange } from '../../shared/events/unnamed-change.ts';
import {
  encryptSecret,
  mintWebhookSecret,
  nextNumber,
  rotateSecrets,
} from '../../shared/messaging/webhooks/secrets.ts';
import { boolean, object, optional } from '../../shared/schema.ts';
import { revise } from '../../shared/table/revise.ts';

export default endpoint({
  method: 'POST',
  path: '/billing/provider/rotate-secret',
  permission: 'writeInvoices',
  sensitive: true,
  body: object({ expireNow: optional(boolean({ default: false })) }),
  bodyOptional: true,
  response: RotatedProviderSecret,
  oneTime: ['secret'],
  errors: ['not_found', 'secrets_overlap'],
  emits: ['no_event_name'],
  summary: 'Rotate the secret of the payment provider',
  description:
    'Both secrets are valid for 24 hours. If expireNow is true, only the new secret is valid. Another rotation within 24 hours requires expireNow.',
  read: ({ account }) => providers.get(account),
  decide: async (request, before) => {
    const { account, now, body } = request;
    const secret = mintWebhookSecret();
    const number = nextNumber(before.secrets);
    const encrypted = await encryptSecret(before, number, secret, await request.dataKeys());
    const secrets = rotateSecrets(before.secrets, encrypted, { now, expireNow: body.expireNow === true });
    return {
      response: { secret, previousSecretUntil: secrets[1]?.until },
      writes: providers.replace(before, revise(before, { secrets }, request)),
      events: unnamedChange(account, 'payment_provider', 'updated', before),
    };
  },
});
