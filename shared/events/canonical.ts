import canonicalize from 'canonicalize';

/**
 * A JSON value in the canonical form of RFC 8785. The table keeps no field order, but hashes and signatures need one.
 */
export function canonicalJson(value: object): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Error('The value cannot be represented in JSON.');
  return text;
}
