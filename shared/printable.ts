/** Control characters, line separators, and marks that change the writing direction. */
const unsafe = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * Converts a text to one line that a terminal shows as it is: names and messages of other people could otherwise
 * contain escape sequences, or look like further lines. Replaces each unsafe character by its JSON escape, such as
 * `\u001b`, so that a line of JSON keeps its meaning.
 */
export const printable = (text: string): string =>
  text.replace(unsafe, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
