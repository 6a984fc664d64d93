import { MailAddress } from '../../shared/correspondence/addresses/schema.ts';
import { mailAddresses } from '../../shared/correspondence/addresses/store.ts';
import { readRecord } from '../../shared/endpoints/record-endpoints.ts';

export default readRecord(mailAddresses, {
  path: '/mail-addresses/{id}',
  administratorOnly: true,
  response: MailAddress,
  summary: 'Read a mail address',
});
