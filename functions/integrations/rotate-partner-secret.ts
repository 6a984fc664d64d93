import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { unnamedChange } from '../../shared/events/unnamed-change.ts';
import {
  encryptSecret,
  mintWebhookSecret,
  nextNumber,
  rotateSecrets,
} from '../../shared/messaging/webhooks/secrets.ts';
import { RotatedPartnerSecret } from '../../shared/partner/schema.ts';
import { connections } from '../../shared/partner/store.ts';
import { boolean, object, optional } from '../../shared/schema.ts';
import { revise } from '../../shared/table/revise.ts';

export default endpoint({
  method: 'POST',
  path: '/integrations/partner/connection/rotate-secret',
  permission: 'writeIntegrations',
  sensitive: true,
  body: object({ expireNow: optional(boolean({ default: false })) }),
  bodyOptional: true,
  response: RotatedPartnerSecret,
  oneTime: ['secret'],
  errors: ['not_found', 'secrets_overlap'],
  emits: ['no_event_name'],
  summary: 'Rotate the secret of the connection to the partner',
  description:
    'Both secrets are valid for 24 hours, in both directions. If expireNow is true, only the new secret is valid. Another rotation within 24 hours requires expireNow.',
  read: ({ account }) => connections.getWithHealth(account),
  decide: async (request, { connection: before }) => {
    const { account, now, body } = request;
    const secret = mintWebhookSecret();
    const number = nextNumber(before.secrets);
    const encrypted = await encryptSecret(before, number, secret, await request.dataKeys());
    const secrets = rotateSecrets(before.secrets, encrypted, { now, expireNow: body.expireNow === true });
    return {
      response: { secret, previousSecretUntil: secrets[1]?.until },
      writes: connections.replace(before, revise(before, { secrets }, request)),
      events: unnamedChange(account, 'partner_connection', 'updated', before),
    };
  },
});
