/** A phone number in E.164, without the punctuation that people write; undefined where it is none. */
export function phoneNumberOf(text = ''): string | undefined {
  const number = text.replace(/[\s().\-/]/g, '');
  return /^\+[1-9]\d{6,14}$/.test(number) ? number : undefined;
}
