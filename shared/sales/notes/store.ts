import { hidden } from '../../events/changes.ts';
import type { EventDraft } from '../../events/envelope.ts';
import { type Described, subjectOf } from '../../events/subject.ts';
import { childStore } from '../../table/child-store.ts';
import type { Note, NotePatch, StoredNote } from './schema.ts';

const children = childStore<StoredNote, 'note'>({
  resource: 'note',
  parent: 'merchant',
  parentOf: ({ merchantId }) => merchantId,
});

export const notes = {
  ...children,

  show: showNote,
  forEvents,
  describe: ({ merchantId }: Pick<StoredNote, 'merchantId'>): Described => ({
    parent: { type: 'merchant', id: merchantId },
  }),
};

function showNote({ accountId, createdAt, listId, kind, ...note }: StoredNote): Note {
  return { ...note, id: String(note.id), type: kind };
}

/** Converts the fields of a request to stored fields. */
export const toStoredNote = ({ type, ...fields }: NotePatch) => ({ ...fields, kind: type });

/** The fields of a note in its events. The content is hidden: an event shows only that the content changed. */
function forEvents({ id, version, merchantId, author, content, kind, visibility }: StoredNote) {
  return { id, version, merchantId, author, content: hidden(content), type: kind, visibility };
}

export const noteDeleted = (note: StoredNote): EventDraft[] => [
  { kind: 'note_deleted', subject: subjectOf(notes, note), data: { merchantId: note.merchantId } },
];
