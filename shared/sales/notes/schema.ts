import {
  dateTime,
  integer,
  object,
  oneOf,
  optional,
  partial,
  recordId,
  type Static,
  string,
} from '../../schema.ts';
import type { Child } from '../../table/child-store.ts';

/** So long that the newest hundred notes of a merchant fit one response. */
const content = string({ minLength: 1, maxLength: 8000, examples: ['Asked for a second terminal.'] });
const type = oneOf(['general', 'risk', 'support', 'compliance', 'billing', 'agent']);
const visibility = oneOf(['internal', 'merchant', 'all'], { description: 'Who may get to see it.' });

/** A note about a merchant. */
export const Note = object({
  id: string({ readOnly: true, examples: ['214563398120450'] }),
  merchantId: recordId({ readOnly: true }),
  date: dateTime({ readOnly: true, description: 'When it was written; a change keeps it.' }),
  author: string({ readOnly: true, examples: ['grace@example.com'], description: 'Who wrote it.' }),
  content,
  type,
  visibility,
  version: integer({ readOnly: true, examples: [1] }),
  updatedAt: dateTime({ readOnly: true }),
  updatedBy: optional(string({ readOnly: true, examples: ['grace@example.com'] })),
});
export type Note = Static<typeof Note>;

/** A note as the table holds it: an item's `type` is what the item is. */
export type StoredNote = Child & Omit<Note, 'id' | 'type'> & { kind: Note['type'] };

export const NoteInput = object({ content, ...partial({ type, visibility }).properties });
export const NotePatch = partial({ content, type, visibility });
export type NotePatch = Static<typeof NotePatch>;
export const NoteParams = object({ merchantId: recordId(), noteId: recordId() });
