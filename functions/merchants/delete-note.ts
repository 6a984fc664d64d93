import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { ofReachedMerchant } from '../../shared/sales/merchants/reached-merchant.ts';
import { Note, NoteParams } from '../../shared/sales/notes/schema.ts';
import { noteDeleted, notes } from '../../shared/sales/notes/store.ts';

export default endpoint({
  method: 'DELETE',
  path: '/merchants/{merchantId}/notes/{noteId}',
  permission: 'writeMerchants',
  reach: 'merchant',
  params: NoteParams,
  response: Note,
  emits: ['note_deleted'],
  summary: 'Delete a note',
  read: (input) =>
    ofReachedMerchant(input, notes.get(input.account, input.params.merchantId, input.params.noteId)),
  decide: (_, note) => ({
    response: notes.show(note),
    writes: notes.delete(note),
    events: noteDeleted(note),
  }),
});
