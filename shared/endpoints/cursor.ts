import { invalid } from '../errors.ts';

/** The order in which a cursor reads records: their order in the list, or the order of their changes. */
type Walk = 'list' | 'changes';

/** The first letter of a cursor, for each walk. The rest is a position as base64url: in the list, or in the event log. */
const letters: Readonly<Record<Walk, string>> = { list: 'a', changes: 'c' };
const positions: Readonly<Record<Walk, RegExp>> = { list: /^[\w#:.-]+$/, changes: /^[1-9]\d{0,15}$/ };

export const cursorOf = (position: string, walk: Walk = 'list'): string =>
  letters[walk] + Buffer.from(position).toString('base64url');

export const isOfChanges = (cursor: string): boolean => cursor.startsWith(letters.changes);

/** Returns the position from which a request reads: that of its cursor, or the end of its range if this is earlier. */
export const earlier = (inCursor: string, end = ''): string =>
  inCursor === '' || (end !== '' && end < inCursor) ? end : inCursor;

/** Returns the position in a cursor; empty for an empty cursor, which is the first page. */
export function positionIn(cursor: string, walk: Walk = 'list'): string {
  if (cursor === '') return '';
  const position = Buffer.from(cursor.slice(1), 'base64url').toString();
  if (!positions[walk].test(position) || cursorOf(position, walk) !== cursor)
    throw invalid(
      'cursor',
      'must be empty for the first page, or the nextCursor of the previous page with the same parameters',
    );
  return position;
}
