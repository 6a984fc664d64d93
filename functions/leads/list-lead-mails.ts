import { MailSummary, mailOfRecordFields } from '../../shared/correspondence/mails/schema.ts';
import { mailsOfThread } from '../../shared/correspondence/threads/mails-of-thread.ts';
import { restrictedListing } from '../../shared/endpoints/restricted-listing.ts';
import { LeadParams } from '../../shared/sales/leads/schema.ts';

export default restrictedListing(
  'readInternalComments',
  {
    path: '/leads/{leadId}/mails',
    permission: 'readLeads',
    reach: 'lead',
    params: LeadParams,
    item: MailSummary,
    fields: mailOfRecordFields,
    summary: 'List the mails of a lead',
    description:
      'Without readInternalComments, held mails are not listed and not counted. Quarantined mails are in GET /mails.',
  },
  (input) => mailsOfThread(input, 'lead', input.params.leadId, async () => String(input.params.leadId)),
);
