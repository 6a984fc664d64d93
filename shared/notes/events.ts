import { subjectOf } from '../events/emit.ts';
import type { EventDraft } from '../events/envelope.ts';
import type { StoredNote } from './schema.ts';

declare module '../events/data.ts' {
  interface NounEvents {
    note: {
      note_created: Changed;
      note_updated: Changed;
      note_deleted: { merchantId: number };
    };
  }
}

/** The event of a deleted note, which says whose it was. */
export const noteDeleted = (note: StoredNote): EventDraft[] => [
  { kind: 'note_deleted', subject: subjectOf('note', note), data: { merchantId: note.merchantId } },
];
