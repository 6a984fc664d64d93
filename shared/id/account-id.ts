/** A validated account id, safe as part of a key. */
export type AccountId = string & { readonly brand: 'AccountId' };

/** Returns the text as an account id, or undefined if the text is invalid. */
export const asAccountId = (text: string): AccountId | undefined =>
  /^[A-Za-z0-9_-]{1,64}$/.test(text) ? (text as AccountId) : undefined;
