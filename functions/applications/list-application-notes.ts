import { listing } from '../../shared/endpoints/listing.ts';
import { ApplicationParams } from '../../shared/sales/applications/record/schema.ts';
import { applicationNotes } from '../../shared/sales/applications/underwriting/notes.ts';
import { ApplicationNote } from '../../shared/sales/applications/underwriting/underwriting-schema.ts';

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
