/**
 * Finds the part of a reply that its author wrote. It is only a help for readers: a mail always keeps its whole text.
 * No library is used: email-reply-parser and planer keep the German attribution if a mail client wrapped it.
 */

/** The beginning and the end of the line above a quotation. Mail clients wrap it, so it can have up to four lines. */
const attributions: readonly (readonly [begin: RegExp, end: RegExp])[] = [
  [/^On\s/, /\bwrote:$/],
  [/^Am\s/, /\bschrieb\b.{0,200}:$/],
  [/^.{0,200}\bschrieb\b/, /\bschrieb\b.{0,200}:$/],
  [/^Le\s/, /\ba écrit\s?:$/],
  [/^El\s/, /\bescribió:$/],
  [/^Il\s/, /\bha scritto:$/],
  [/^Em\s/, /\bescreveu:$/],
  [/^Op\s/, /\bschreef\b.{0,200}:$/],
  [/^(?:W dniu|Dnia)\s/, /\bnapisał\(?a?\)?:$/],
];
const mostAttributionLines = 4;

/** Lines above a quotation that is not marked with `>`. The rest of the mail is the quotation. */
const separators = [
  /^-{2,}\s?(?:Original Message|Ursprüngliche Nachricht|Message d'origine|Mensaje original|Messaggio originale|Forwarded message|Weitergeleitete Nachricht)\s?-{2,}$/i,
  /^_{10,}$/,
];
/** The header of the quoted mail, as Outlook writes it. */
const quotedHeader = [
  /^\*?(?:From|Von|De|Da|Van):\*?\s/,
  /^\*?(?:Sent|Gesendet|Envoyé|Enviado|Inviato|Verzonden|Date|Datum):\*?\s/,
];

const isQuoted = (line: string): boolean => line.startsWith('>');

/**
 * Returns the text without quotations, the lines above them, and the signature. Returns the whole text if nothing else
 * remains, for example if the author wrote only inside a quotation.
 */
export function visibleText(text: string): string {
  const lines = text.split('\n').map((line) => line.trimEnd());
  const kept: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    const length = attributionAt(lines, at);
    if (isQuoted(line)) at += 1;
    else if (length > 0 && isQuoted(nextText(lines, at + length))) at += length;
    else if (length > 0 || startsQuotation(lines, at)) break;
    // The signature ends at the next quotation, because some authors write below it.
    else if (line === '--') at = endOfSignature(lines, at);
    else {
      kept.push(line);
      at += 1;
    }
  }
  return trimmed(kept) || trimmed(lines);
}

/** Returns the number of lines of an attribution that begins at a line; 0 if none begins there. */
function attributionAt(lines: readonly string[], at: number): number {
  const begun = attributions.filter(([begin]) => begin.test(lines[at] ?? ''));
  if (begun.length === 0) return 0;
  let joined = '';
  for (let length = 1; length <= mostAttributionLines; length++) {
    const line = lines[at + length - 1];
    if (line === undefined || line === '' || isQuoted(line)) return 0;
    joined = `${joined} ${line.trim()}`.trim();
    // A sentence of the author can have the same words. A real attribution contains the date or the address.
    if (begun.some(([, end]) => end.test(joined)) && /\d|@/.test(joined)) return length;
  }
  return 0;
}

const nextText = (lines: readonly string[], from: number): string =>
  lines.slice(from, from + 3).find((line) => line !== '') ?? '';

const startsQuotation = (lines: readonly string[], at: number): boolean =>
  separators.some((separator) => separator.test(lines[at] ?? '')) ||
  quotedHeader.every((field, index) =>
    lines.slice(at + index, at + index + (index === 0 ? 1 : 3)).some((line) => field.test(line)),
  );

function endOfSignature(lines: readonly string[], from: number): number {
  let at = from + 1;
  while (at < lines.length && !isQuoted(lines[at] ?? '') && attributionAt(lines, at) === 0) at += 1;
  return at;
}

/** Joins lines. Removes empty lines at both ends, and repeated empty lines. */
const trimmed = (lines: readonly string[]): string =>
  lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
