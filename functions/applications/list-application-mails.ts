import { MailSummary, mailOfRecordFields } from '../../shared/correspondence/mails/schema.ts';
import { mailsOfThread } from '../../shared/correspondence/threads/mails-of-thread.ts';
import { restrictedListing } from '../../shared/endpoints/restricted-listing.ts';
import { ApplicationParams } from '../../shared/sales/applications/record/schema.ts';

export default restrictedListing(
  'readInternalComments',
  {
    path: '/applications/{applicationId}/mails',
    permission: 'readApplications',
    reach: 'application',
    params: ApplicationParams,
    item: MailSummary,
    fields: mailOfRecordFields,
    summary: 'List the mails of an application',
    description:
      'Without readInternalComments, held mails are not listed and not counted. Quarantined mails are in GET /mails.',
  },
  (input) =>
    mailsOfThread(input, 'application', input.params.applicationId, async () => input.params.applicationId),
);
