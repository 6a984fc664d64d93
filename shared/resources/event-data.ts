import { integer, object, optional, string, unsafe } from '../schema.ts';

/**
 * The changed fields, by name or by path in a nested record (`basics.dbaCity`). The fields of a new record
 * have only `to`. Hidden values are omitted. If the changes are too large, all values are omitted.
 */
export type Changes = Record<string, { from?: unknown; to?: unknown }>;

export interface ChangesData {
  changes: Changes;
}

/** The data of an event without details. */
export type NoData = Record<string, never>;

export const changesSchema = unsafe<Changes>({
  type: 'object',
  additionalProperties: { type: 'object', properties: { from: {}, to: {} }, additionalProperties: false },
  description:
    'The old and the new value of each changed field, by field name or path. Sensitive and very large values are omitted.',
  examples: [{ name: { from: 'Harbor Street', to: 'Harbor Street Coffee' } }],
});

export const changed = object({ changes: changesSchema });

export const noData = unsafe<NoData>({ type: 'object', properties: {}, additionalProperties: false });

export const userReference = string({ description: 'The id of a user.', examples: ['214563398120449'] });

/** If `from` is absent, no user was assigned before the change. If `to` is absent, no user is assigned after it. */
export const fromToUser = object({ from: optional(userReference), to: optional(userReference) });

/** The old and the new value of a number. */
export const fromToNumber = (description: string, from: number, to: number) =>
  object({ from: integer({ description, examples: [from] }), to: integer({ examples: [to] }) });

/** The old and the new value of a text. */
export const fromToText = (from: string, to: string) =>
  object({ from: string({ examples: [from] }), to: string({ examples: [to] }) });
