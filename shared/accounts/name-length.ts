/** In characters. */
export const maxAccountNameLength = 200;
