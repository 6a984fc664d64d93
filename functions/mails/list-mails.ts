import { indexedMailFields } from '../../shared/correspondence/mails/indexed-fields.ts';
import { mailsOf, partitionsOfStates } from '../../shared/correspondence/mails/list-mails.ts';
import { MailSummary } from '../../shared/correspondence/mails/schema.ts';
import { listing } from '../../shared/endpoints/listing.ts';

export default listing(
  {
    path: '/mails',
    permission: 'readMails',
    item: MailSummary,
    indexedFields: indexedMailFields,
    indexed: ['state'],
    partitions: partitionsOfStates,
    summary: 'List all mails with customers',
    description:
      'With `state=quarantined` and `state=held`, the list contains the mails about which a person must decide.',
  },
  ({ account }, { state }) => mailsOf(account, state),
);
