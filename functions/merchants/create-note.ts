import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { created } from '../../shared/events/emit.ts';
import { requireReachedMerchant } from '../../shared/sales/merchants/reached-merchant.ts';
import { MerchantParams } from '../../shared/sales/merchants/schema.ts';
import { Note, NoteInput } from '../../shared/sales/notes/schema.ts';
import { notes } from '../../shared/sales/notes/store.ts';
import { newRecord } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'POST',
  path: '/merchants/{merchantId}/notes',
  permission: 'writeMerchants',
  reach: 'merchant',
  params: MerchantParams,
  body: NoteInput,
  response: Note,
  success: 'created',
  emits: ['note_created'],
  summary: 'Add a note to a merchant',
  description: 'The author is the caller, and the date is the current time.',
  read: (input) => requireReachedMerchant(input, input.params.merchantId),
  decide: (request) => {
    const { principal, params, now, body } = request;
    const note = {
      ...newRecord(request),
      ...params,
      date: now.toISOString(),
      author: principal.actor.user,
      content: body.content,
      kind: body.type ?? 'general',
      visibility: body.visibility ?? 'internal',
    };
    return {
      response: notes.show(note),
      writes: notes.insert(note),
      events: created(notes, 'note_created', notes.forEvents(note)),
    };
  },
});
