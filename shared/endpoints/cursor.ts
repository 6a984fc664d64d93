import { invalid } from '../errors.ts';

/** The first letter of a cursor: the version of its format. The rest is a position in the list, as base64url. */
const version = 'a';

export const cursorOf = (position: string): string => version + Buffer.from(position).toString('base64url');

/** Returns the position in a cursor; empty for an empty cursor, which is the first page. */
export function positionIn(cursor: string): string {
  if (cursor === '') return '';
  const position = Buffer.from(cursor.slice(1), 'base64url').toString();
  if (!/^[\w#:.-]+$/.test(position) || cursorOf(position) !== cursor)
    throw invalid('cursor', 'must be empty for the first page, or the nextCursor of the previous page');
  return position;
}
