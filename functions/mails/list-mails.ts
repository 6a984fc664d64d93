import { indexedMailFields } from '../../shared/correspondence/mails/indexed-fields.ts';
import { mailsOf, partitionsOfStates } from '../../shared/correspondence/mails/list-mails.ts';
import { parentOfMail } from '../../shared/correspondence/mails/parent-of-mail.ts';
import { MailSummary } from '../../shared/correspondence/mails/schema.ts';
import { mailRecordTypes } from '../../shared/correspondence/threads/mail-access.ts';
import { listing } from '../../shared/endpoints/listing.ts';
import { hiddenWithParents } from '../../shared/endpoints/read-shown.ts';

export default listing(
  {
    path: '/mails',
    permission: 'readMails',
    reach: mailRecordTypes,
    parents: hiddenWithParents(parentOfMail),
    item: MailSummary,
    indexedFields: indexedMailFields,
    indexed: ['state'],
    partitions: partitionsOfStates,
    summary: 'List all mails with customers',
    description:
      'With `state=quarantined` and `state=held`, the list contains the mails about which a person must decide. The mails of records that the caller does not reach are left out, and then `totalCount` is exact only on the last page.',
  },
  ({ account }, { state }) => mailsOf(account, state),
);
