/** An account's id after it was checked: safe as part of a key. */
export type AccountId = string & { readonly brand: 'AccountId' };

/** The account id in a text from outside, or undefined where it cannot be one. */
export const asAccountId = (text: string): AccountId | undefined =>
  /^[A-Za-z0-9_-]{1,64}$/.test(text) ? (text as AccountId) : undefined;
