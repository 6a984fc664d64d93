import type { EventDraft } from '../../events/envelope.ts';
import { subjectOf } from '../../events/subject.ts';
import type { StoredNote } from './schema.ts';
import { notes } from './store.ts';

/** The event of a deleted note, which says whose it was. */
export const noteDeleted = (note: StoredNote): EventDraft[] => [
  { kind: 'note_deleted', subject: subjectOf(notes, note), data: { merchantId: note.merchantId } },
];
