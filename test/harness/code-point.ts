import fc from 'fast-check';

/** The number of surrogates, which are no characters. */
const surrogates = 0x800;

/**
 * Any Unicode character, as the unit of an `fc.string`. fast-check's own unit `binary` takes a second of CPU time, because
 * it builds a table of all characters.
 */
export const codePoint = fc
  .nat(0x10ffff - surrogates)
  .map((n) => String.fromCodePoint(n < 0xd800 ? n : n + surrogates));
