import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { updated } from '../../shared/events/emit.ts';
import { ofReachedMerchant } from '../../shared/sales/merchants/reached-merchant.ts';
import { merchants } from '../../shared/sales/merchants/store.ts';
import { Note, NoteParams, NotePatch } from '../../shared/sales/notes/schema.ts';
import { notes, toStoredNote } from '../../shared/sales/notes/store.ts';
import { revise } from '../../shared/table/revise.ts';

export default endpoint({
  method: 'PATCH',
  path: '/merchants/{merchantId}/notes/{noteId}',
  permission: 'writeMerchants',
  reach: 'merchant',
  params: NoteParams,
  body: NotePatch,
  response: Note,
  emits: ['note_updated'],
  summary: 'Change the given fields of a note',
  description: 'The author and the date do not change.',
  read: (input) =>
    ofReachedMerchant(input, notes.get(input.account, input.params.merchantId, input.params.noteId)),
  decide: async (request, before) => {
    await request.checkReadOnly(() => notes.show(before));
    const after = revise(before, toStoredNote(request.body), request);
    return {
      response: notes.show(after),
      writes: [...notes.replace(before, after), ...merchants.requireParent(before, after)],
      events: updated(notes, 'note_updated', notes.forEvents(before), notes.forEvents(after)),
    };
  },
});
