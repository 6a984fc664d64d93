import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { ApplicationParams } from '../../shared/sales/applications/record/schema.ts';
import { applications } from '../../shared/sales/applications/store.ts';
import { applicationNotes } from '../../shared/sales/applications/underwriting/notes.ts';
import { noteAdded } from '../../shared/sales/applications/underwriting/underwriting-events.ts';
import {
  ApplicationNote,
  ApplicationNoteInput,
} from '../../shared/sales/applications/underwriting/underwriting-schema.ts';
import { newRecord } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'POST',
  path: '/applications/{applicationId}/notes',
  permission: 'writeUnderwriting',
  reach: 'application',
  params: ApplicationParams,
  body: ApplicationNoteInput,
  response: ApplicationNote,
  success: 'created',
  emits: ['underwriting_note_added'],
  summary: 'Add a note to an application',
  description: 'Notes are for the staff of the account. Events do not contain the text of notes.',
  read: ({ account, params: { applicationId }, requireReach }) =>
    requireReach('application', () => applications.getSummary(account, applicationId), applicationId),
  decide: (request) => {
    const { applicationId } = request.params;
    const note = { ...newRecord(request), applicationId, content: request.body.content };
    return {
      response: note,
      writes: applicationNotes.insert(note),
      events: noteAdded({ id: applicationId }, note.id),
    };
  },
});
