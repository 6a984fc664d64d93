import { cardNumbersIn, isCardNumber } from '../security/card-numbers.ts';
import { REDACTED } from '../security/merge-fields.ts';
import { redactSpans, type Span } from '../security/spans.ts';
import { type KnownValues, knownValues } from './known-values.ts';
import { labelledNumbersIn, labelledValuesIn } from './labelled-values.ts';
import { ibansIn, nineDigitsIn } from './national-numbers.ts';
import { credentialsIn, pemBlocksIn } from './secret-forms.ts';
import { urlCredentialsIn } from './url-credentials.ts';
import { type WorkBudget, workBudget } from './work-budget.ts';

/** The sensitive values of a request, the time of the request, and the work that the removal may still cost. */
export interface Cleaning {
  known: KnownValues;
  now: Date;
  budget: WorkBudget;
}

export const newCleaning = (
  known: readonly string[] = [],
  now = new Date(),
  budget = workBudget(),
): Cleaning => ({
  known: knownValues(known),
  now,
  budget,
});

/**
 * Replaces the sensitive parts of a text with REDACTED: known values, and parts with the form of a sensitive value. The time
 * is linear in the length of the text. If the budget is spent, replaces the whole text.
 */
export function cleanText(text: string, { known, budget }: Cleaning = newCleaning()): string {
  if (budget.isSpent()) return REDACTED;
  budget.spend(text.length);
  const spans = [...known.placesIn(text, budget), ...formsIn(text)];
  return budget.isSpent() ? REDACTED : redactSpans(text, spans);
}

/** The fewest digits of a number without a label, of an IBAN, and of a number after a label. */
const [fewestDigits, fewestOfIban, fewestAfterLabel] = [9, 2, 3];
const shortestIban = 15;

/** Returns the parts of a text with the form of a sensitive value. */
function formsIn(text: string): Span[] {
  const { digits, hasLabels, longestWord } = featuresOf(text);
  const numbers = digits >= fewestDigits ? [...cardNumbersIn(text), ...nineDigitsIn(text)] : [];
  return [
    withoutIds(text, numbers),
    digits >= fewestOfIban && text.length >= shortestIban ? ibansIn(text) : [],
    digits >= fewestAfterLabel ? labelledNumbersIn(text) : [],
    hasLabels ? labelledValuesIn(text) : [],
    hasLabels ? urlCredentialsIn(text) : [],
    credentialsIn(text, longestWord),
    pemBlocksIn(text),
  ].flat();
}

/** Most texts have no digits and no labels, so this loop saves the searches for forms that the text cannot contain. */
function featuresOf(text: string): { digits: number; hasLabels: boolean; longestWord: number } {
  let [digits, hasLabels, longestWord, wordStart] = [0, false, 0, 0];
  for (let place = 0; place < text.length; place++) {
    const code = text.charCodeAt(place);
    if (code <= space) wordStart = place + 1;
    else if (place - wordStart >= longestWord) longestWord = place - wordStart + 1;
    if ((code >= 48 && code <= 57) || code >= firstOtherDigit) digits++;
    // A colon, an equals sign, the end of a tag, the letter s of the verbs after a label, or the dash of an option.
    else if (code === 58 || code === 61 || code === 62 || code === 115 || code === 45) hasLabels = true;
  }
  return { digits, hasLabels, longestWord };
}
const [space, firstOtherDigit] = [32, 0x660];

/**
 * Generated ids, such as `acc_c4c2977f3ddfad78`, UUIDs and hashes. Their digits stay, even if nine of them are in a row. An
 * id of another service has letters and digits after its prefix. All repetitions that can fail are limited.
 */
const ids =
  /(?<![a-z\d])(?:(?:acc|app|tkt|tty|rot|own|bulk)_[\da-z]{10,}|mo_key_[\w-]{10,}|(?:[a-z]{1,16}_){1,4}(?=\d{0,32}[a-z][a-z\d]{0,32}\d|[a-z]{0,32}\d[a-z\d]{0,32}[a-z])[\da-z]{10,}(?:_[\da-z]+)?|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|(?=\d{0,32}[a-f])[\da-f]{32,})(?![a-z\d])/gi;

/** Returns the numbers that are not a part of an id. */
function withoutIds(text: string, numbers: readonly Span[]): Span[] {
  if (numbers.length === 0) return [];
  const found = [...text.matchAll(ids)].map(({ 0: id, index }) => ({ from: index, to: index + id.length }));
  let next = 0;
  return numbers
    .toSorted((one, other) => one.from - other.from)
    .filter(({ from, to }) => {
      while (next < found.length && (found[next]?.to ?? 0) < to) next++;
      const id = found[next];
      return id === undefined || from < id.from || to > id.to;
    });
}

/** Reports whether a number is known, has nine digits like a Social Security number, or is a card number. */
export function isSensitiveNumber(value: number, { known }: Cleaning): boolean {
  const digits = String(value);
  return /^\d{9}$/.test(digits) || isCardNumber(digits) || known.includes(digits);
}
