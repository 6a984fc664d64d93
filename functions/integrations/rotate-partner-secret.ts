import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { SecretRotation } from '../../shared/messaging/webhooks/schema.ts';
import { rotateSecret } from '../../shared/messaging/webhooks/secrets.ts';
import { connectionChanged } from '../../shared/partner/events.ts';
import { RotatedPartnerSecret } from '../../shared/partner/schema.ts';
import { connections } from '../../shared/partner/store.ts';
import { revise } from '../../shared/table/revise.ts';

export default endpoint({
  method: 'POST',
  path: '/integrations/partner/connection/rotate-secret',
  permission: 'writeIntegrations',
  proof: 'secrets',
  sensitive: true,
  body: SecretRotation,
  bodyOptional: true,
  response: RotatedPartnerSecret,
  oneTime: ['secret'],
  errors: ['not_found', 'secrets_overlap'],
  happenings: ['partner_connection_secret_rotated'],
  destructive: true,
  summary: 'Rotate the secret of the connection to the partner',
  description:
    'Both secrets are valid for 24 hours, in both directions. If expireNow is true, only the new secret is valid. Another rotation within 24 hours requires expireNow.',
  read: ({ account }) => connections.getWithHealth(account),
  decide: async (request, { connection: before }) => {
    const { secrets, ...rotated } = await rotateSecret(before, request);
    return {
      response: rotated,
      writes: connections.replace(before, revise(before, { secrets }, request)),
      events: connectionChanged('partner_connection_secret_rotated', before),
    };
  },
});
