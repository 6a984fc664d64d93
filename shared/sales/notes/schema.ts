import {
  dateTime,
  integer,
  multilineText,
  object,
  oneOf,
  optional,
  partial,
  recordId,
  type Static,
  string,
} from '../../schema.ts';
import type { Child } from '../../table/child-store.ts';

/** With this length limit, the newest 100 notes of a merchant fit into one response. */
const content = multilineText({ minLength: 1, maxLength: 8000, examples: ['Asked for a second terminal.'] });
const type = oneOf(['general', 'risk', 'support', 'compliance', 'billing', 'agent']);
const visibility = oneOf(['internal', 'merchant', 'all'], { description: 'The audience of the note.' });

export const Note = object({
  id: string({ readOnly: true, examples: ['214563398120450'] }),
  merchantId: recordId({ readOnly: true }),
  date: dateTime({ readOnly: true, description: 'The time of creation, not the time of the last update.' }),
  author: string({
    readOnly: true,
    examples: ['grace@example.com'],
    description: 'The user who created the note.',
  }),
  content,
  type,
  visibility,
  version: integer({ readOnly: true, examples: [1] }),
  updatedAt: dateTime({ readOnly: true }),
  updatedBy: optional(string({ readOnly: true, examples: ['grace@example.com'] })),
});
export type Note = Static<typeof Note>;

/** A note as stored. `kind` is the type of the note, because `type` is the item type. */
export type StoredNote = Child & Omit<Note, 'id' | 'type'> & { kind: Note['type'] };

export const NoteInput = object({ content, ...partial({ type, visibility }).properties });
export const NotePatch = partial({ content, type, visibility });
export type NotePatch = Static<typeof NotePatch>;
export const NoteParams = object({ merchantId: recordId(), noteId: recordId() });
