import {
  mailAddressChanged,
  newMailAddress,
  requireReferences,
} from '../../shared/correspondence/addresses/change-address.ts';
import { MailAddress, MailAddressInput } from '../../shared/correspondence/addresses/schema.ts';
import { mailAddresses } from '../../shared/correspondence/addresses/store.ts';
import { requireServiceMailDomain } from '../../shared/correspondence/threads/service-mail-domain.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';

export default endpoint({
  method: 'POST',
  path: '/mail-addresses',
  administratorOnly: true,
  body: MailAddressInput,
  response: MailAddress,
  success: 'created',
  errors: [
    'mail_address_exists',
    'mail_domain_not_proved',
    'mail_unavailable',
    'quota_exceeded',
    'team_unknown',
    'ticket_type_unknown',
  ],
  happenings: ['mail_address_created'],
  summary: 'Add a mail address',
  description:
    'The company then forwards the mail of the address to `inboundAddress`. An account has at most 100 mail addresses. The domain of the address must be a proved mail domain.',
  read: ({ account, body }) => requireReferences(account, body, body.address),
  decide: (request, references) => {
    requireServiceMailDomain();
    const address = newMailAddress(request, references);
    return {
      response: mailAddresses.show(address),
      writes: mailAddresses.insert(address),
      events: mailAddressChanged('mail_address_created', address),
    };
  },
});
