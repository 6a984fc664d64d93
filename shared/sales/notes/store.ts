import { hidden } from '../../events/changes.ts';
import type { EventDraft } from '../../events/envelope.ts';
import { type Described, subjectOf } from '../../events/subject.ts';
import { childStore } from '../../table/child-store.ts';
import type { Note, NotePatch, StoredNote } from './schema.ts';

const children = childStore<StoredNote, 'note'>({
  parent: 'MERCHANT',
  kind: 'NOTE',
  subject: 'note',
  parentOf: ({ merchantId }) => merchantId,
});

/** The notes about merchants. */
export const notes = {
  ...children,

  show: showNote,
  forEvents,
  describe: ({ merchantId }: Pick<StoredNote, 'merchantId'>): Described => ({
    parent: { type: 'merchant', id: merchantId },
  }),
};

/** A note as the API shows it. */
function showNote({ accountId, createdAt, listId, kind, ...note }: StoredNote): Note {
  return { ...note, id: String(note.id), type: kind };
}

/** What a request says of a note, as it is stored. */
export const toStored = ({ type, ...fields }: NotePatch) => ({ ...fields, kind: type });

/** What events tell of a note: of its content that it changed and nothing else. */
function forEvents({ id, version, merchantId, author, content, kind, visibility }: StoredNote) {
  return { id, version, merchantId, author, content: hidden(content), type: kind, visibility };
}

/** The event of a deleted note, which says whose it was. */
export const noteDeleted = (note: StoredNote): EventDraft[] => [
  { kind: 'note_deleted', subject: subjectOf(notes, note), data: { merchantId: note.merchantId } },
];
