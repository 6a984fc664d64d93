/** Replaces `@stablelib/base64`, which would add 3 KB to the bundle. `standardwebhooks` uses these two functions. */
export const encode = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

/** Throws for text that is not base64. */
export const decode = (text: string): Uint8Array => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
