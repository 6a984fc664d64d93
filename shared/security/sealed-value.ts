/** A sensitive value as it is stored. Nothing opens it to validate: what rules need was judged when it was sealed. */
export interface Sealed {
  /** A JWE in compact form. */
  jwe: string;
  /** The last four characters, where they help to recognise a value. */
  last4?: string;
  /** The warning rules that the plain text breaks. */
  faults: string[];
  /** Its keyed hash, by which the same value is found in other records of the account. */
  blind?: string;
}
