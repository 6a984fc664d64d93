import {
  changedReferences,
  changeMailAddress,
  mailAddressChanged,
  requireReferences,
} from '../../shared/correspondence/addresses/change-address.ts';
import { MailAddress, MailAddressPatch } from '../../shared/correspondence/addresses/schema.ts';
import { mailAddresses } from '../../shared/correspondence/addresses/store.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'PATCH',
  path: '/mail-addresses/{id}',
  administratorOnly: true,
  params: RecordParams,
  body: MailAddressPatch,
  response: MailAddress,
  errors: ['team_unknown', 'ticket_type_unknown'],
  happenings: ['mail_address_updated'],
  summary: 'Change a mail address',
  description: 'Null clears a field. The address itself cannot be changed.',
  read: async ({ account, params, body }) => {
    const before = await mailAddresses.get(account, params.id);
    return { before, references: await requireReferences(account, changedReferences(before, body)) };
  },
  decide: async (request, { before, references }) => {
    await request.checkReadOnly(() => mailAddresses.show(before));
    const after = changeMailAddress(before, request, references);
    return {
      response: mailAddresses.show(after),
      writes: mailAddresses.replace(before, after),
      events: before === after ? [] : mailAddressChanged('mail_address_updated', after),
    };
  },
});
