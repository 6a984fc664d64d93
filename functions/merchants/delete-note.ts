import { endpoint } from '../../shared/http/endpoint.ts';
import { noteDeleted } from '../../shared/notes/events.ts';
import { Note, NoteParams } from '../../shared/notes/schema.ts';
import { notes } from '../../shared/notes/store.ts';

export default endpoint(
  {
    method: 'DELETE',
    path: '/merchants/{merchantId}/notes/{noteId}',
    permission: 'writeMerchants',
    params: NoteParams,
    response: Note,
    emits: ['note_deleted'],
    summary: 'Delete a note',
  },
  {
    read: ({ account, params }) => notes.get(account, params.merchantId, params.noteId),
    decide: (_, note) => ({
      response: notes.show(note),
      writes: notes.delete(note),
      events: noteDeleted(note),
    }),
  },
);
