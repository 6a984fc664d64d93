import { mailAddressChanged } from '../../shared/correspondence/addresses/change-address.ts';
import { MailAddress } from '../../shared/correspondence/addresses/schema.ts';
import { mailAddresses } from '../../shared/correspondence/addresses/store.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'DELETE',
  path: '/mail-addresses/{id}',
  administratorOnly: true,
  params: RecordParams,
  response: MailAddress,
  happenings: ['mail_address_deleted'],
  summary: 'Delete a mail address',
  description:
    'Stop the forwarding of the company first: mail to the inbound address of a deleted address creates no records.',
  read: ({ account, params }) => mailAddresses.get(account, params.id),
  decide: ({ now }, address) => ({
    response: mailAddresses.show(address),
    writes: mailAddresses.delete(address, now),
    events: mailAddressChanged('mail_address_deleted', address),
  }),
});
