import canonicalize from 'canonicalize';

/**
 * A JSON value as the one text that RFC 8785 gives it, whatever order its fields came in: the table keeps no order, and what
 * is hashed or signed must come out the same each time.
 */
export function canonicalJson(value: object): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Error('This is no JSON value.');
  return text;
}
