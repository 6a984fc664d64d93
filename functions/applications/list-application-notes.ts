import { listing } from '../../shared/endpoints/listing.ts';
import { applicationNotes } from '../../shared/sales/applications/notes.ts';
import { ApplicationParams } from '../../shared/sales/applications/schema.ts';
import { ApplicationNote } from '../../shared/sales/applications/underwriting-schema.ts';

export default listing(
  {
    path: '/applications/{applicationId}/notes',
    permission: 'readApplications',
    params: ApplicationParams,
    item: ApplicationNote,
    fields: { createdAt: ['sort'], content: ['search'], createdBy: ['filter'] },
    summary: 'List the notes on an application',
  },
  ({ account, params }) => applicationNotes.listOf(account, params.applicationId),
);
