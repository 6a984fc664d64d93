/** Text for an element or an attribute in double quotes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/**
 * A script's source for a script element. What would end the element, or start a comment that hides its end, can
 * only stand in a string or a pattern, where the escape means the same.
 */
export const inlineScript = (source: string): string =>
  source.replaceAll('<!--', '\\x3c!--').replaceAll(/<(?=\/script)/gi, '\\x3c');

/** A value as JSON for a script element. */
export const inlineJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');
