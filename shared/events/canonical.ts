import canonicalize from 'canonicalize';

/** Returns canonical JSON (RFC 8785). Hashes and signatures need a fixed field order, which the table does not keep. */
export function canonicalJson(value: object): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Error('The value cannot be represented in JSON.');
  return text;
}
