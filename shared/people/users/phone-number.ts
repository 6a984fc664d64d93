import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { defaultCountry } from '../../accounts/schema.ts';
import { invalid } from '../../errors.ts';

/**
 * Returns a phone number in E.164: `+44 (0)20 7946 0958` becomes `+442079460958`. A national number needs its country
 * (ISO 3166-1). Returns undefined if the text is not a phone number, or has an extension, which E.164 cannot contain.
 * Checks the length but not the area code, because the library may not contain new area codes yet.
 */
export function parsePhoneNumber(text: string, country = ''): string | undefined {
  const parsed = parsePhoneNumberFromString(text.trim(), {
    defaultCountry: isSupportedCountry(country) ? country : undefined,
    // The text must be a phone number. By default, the library searches the text for a phone number.
    extract: false,
  });
  return parsed?.isPossible() && !parsed.ext ? parsed.number : undefined;
}

/** Returns the body of a request with its phone number in E.164. Throws `invalid_input`. */
export function withPhoneNumber<B extends { phone?: string | null }>(
  body: B,
  { country = defaultCountry }: { country?: string },
): B {
  if (typeof body.phone !== 'string') return body;
  const phone = parsePhoneNumber(body.phone, country);
  if (phone) return { ...body, phone };
  throw invalid(
    'phone',
    `must be a phone number without an extension, with "+" and the country code unless it is a number in ${country}`,
  );
}
