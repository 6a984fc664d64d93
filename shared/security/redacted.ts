/** What a response shows in place of a sensitive value, and what a request sends to leave the value as it is. */
export const REDACTED = 'REDACTED';
