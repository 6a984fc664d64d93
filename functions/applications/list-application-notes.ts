import { applicationNotes } from '../../shared/applications/notes.ts';
import { ApplicationParams } from '../../shared/applications/schema.ts';
import { ApplicationNote } from '../../shared/applications/underwriting-schema.ts';
import { listing } from '../../shared/http/listing.ts';

export default listing(
  {
    path: '/applications/{applicationId}/notes',
    permission: 'readApplications',
    params: ApplicationParams,
    item: ApplicationNote,
    filters: ['createdBy'],
    sorts: ['createdAt'],
    searchable: ['content'],
    summary: 'List the notes on an application',
  },
  ({ account, params }) => applicationNotes.listOf(account, params.applicationId),
);
