import { listing } from '../../shared/endpoints/listing.ts';
import { ApplicationParams } from '../../shared/sales/applications/record/schema.ts';
import { applicationNotes } from '../../shared/sales/applications/underwriting/notes.ts';
import { ApplicationNote } from '../../shared/sales/applications/underwriting/underwriting-schema.ts';

export default listing(
  {
    path: '/applications/{applicationId}/notes',
    permission: 'readApplications',
    reach: 'application',
    params: ApplicationParams,
    item: ApplicationNote,
    fields: { createdAt: ['sort'], content: ['search'], createdBy: ['filter'] },
    summary: 'List the notes on an application',
  },
  (input) => applicationNotes.listOf(input, input.params.applicationId),
);
