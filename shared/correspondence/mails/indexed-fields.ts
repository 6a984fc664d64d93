import { indexedFields } from '../../search/indexed-fields.ts';
import { type MailSummary, mailDirections } from './schema.ts';

/**
 * The fields by which lists and the search index find mails. Subject and preview have the use `text`, which adds at most
 * eight entries for both, because customers send many mails.
 */
export const indexedMailFields = indexedFields<MailSummary>({
  resource: 'mail',
  fields: {
    createdAt: ['sort'],
    updatedAt: ['sort'],
    direction: ['filter'],
    state: ['unindexed filter'],
    recordType: ['unindexed filter'],
    fromAddress: ['filter'],
    subject: ['text'],
    preview: ['text'],
    receivedAt: ['sort'],
    sentAt: ['sort'],
  },
  always: { field: 'direction', values: mailDirections },
});
