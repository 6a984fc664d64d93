/**
 * The first characters of a cell that a spreadsheet may evaluate as a formula, including the full-width forms
 * (owasp.org/www-community/attacks/CSV_Injection).
 */
const formula = '[=+\\-@\uff1d\uff0b\uff0d\uff20\t\r\n]';
const neededBefore = new RegExp(`^'*${formula}`);
const addedBefore = new RegExp(`^'(?='*${formula})`);

/** Adds an apostrophe to a cell that a spreadsheet could evaluate as a formula. The spreadsheet then shows it as text. */
export const neutralCell = (text: string): string => (neededBefore.test(text) ? `'${text}` : text);

/** Removes the apostrophe that `neutralCell` added. */
export const originalCell = (text: string): string => text.replace(addedBefore, '');
