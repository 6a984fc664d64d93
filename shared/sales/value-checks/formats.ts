import { emailIn, parsedUrl } from '../../formats.ts';
import { splitName } from './split-name.ts';

/** Formats of texts in the United States. A wrong format causes only a warning, and the request is still accepted. */

const digitsOf = (text: string): string => text.replaceAll(/\D/g, '');

/** USPS codes: states, the District of Columbia, territories, associated states, and military post. */
const postalCodes = new Set(
  (
    'AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA ' +
    'RI SC SD TN TX UT VT VA WA WV WI WY DC AS GU MP PR VI FM MH PW AA AE AP'
  ).split(' '),
);

/**
 * Valid first two digits of routing numbers: Federal Reserve, thrifts, electronic payments, traveler's checks. The
 * American Bankers Association has not assigned the others.
 */
const isRoutingPrefix = (prefix: number): boolean =>
  prefix <= 12 || (prefix >= 21 && prefix <= 32) || (prefix >= 61 && prefix <= 72) || prefix === 80;

/**
 * Published numbers that pass the other checks but belong to no bank: zeros, and the test number in Stripe's
 * documentation.
 */
const routingPlaceholders = new Set(['000000000', '110000000']);

/** The checksum of the American Bankers Association, with weights 3, 7, 1. A valid checksum is a multiple of ten. */
const routingSum = (digits: string): number =>
  [...digits].reduce((sum, digit, index) => sum + Number(digit) * ([3, 7, 1][index % 3] ?? 0), 0);

type RoutingFault = 'routing_digits' | 'routing_placeholder' | 'routing_checksum' | 'routing_prefix';

/** Returns the ids of the warning rules that a routing number breaks. */
export function routingFaults(text: string): RoutingFault[] {
  const digits = text.trim();
  if (!/^\d{9}$/.test(digits)) return ['routing_digits'];
  if (routingPlaceholders.has(digits)) return ['routing_placeholder'];
  return [
    ...(routingSum(digits) % 10 === 0 ? [] : ['routing_checksum' as const]),
    ...(isRoutingPrefix(Number(digits.slice(0, 2))) ? [] : ['routing_prefix' as const]),
  ];
}

const hasNot = (fault: RoutingFault) => (text: string) => !routingFaults(text).includes(fault);

/** Reports whether a text is a web address with a top-level domain. The scheme is optional. */
function isWebsite(text: string): boolean {
  const address = /^https?:\/\//i.test(text.trim()) ? text.trim() : `https://${text.trim()}`;
  return (
    !/\s/.test(address) &&
    /^(?:[a-z0-9-]+\.)+(?:[a-z]{2,}|xn--[a-z0-9-]+)$/i.test(parsedUrl(address)?.hostname ?? '')
  );
}

/** Reports whether a text is a number of the North American Numbering Plan: area code, exchange, four digits. */
function isPhone(text: string): boolean {
  const number = text.trim().replace(/\s*(?:x|ext\.?)\s*\d{1,6}$/i, '');
  return /^[+\d\s().-]*$/.test(number) && /^1?(?!.11)[2-9][0-8]\d(?!.11)[2-9]\d{6}$/.test(digitsOf(number));
}

/**
 * Reports whether an address contains the words PO box, or an abbreviation of them with a number. `Pobox` without a
 * number may be the name of a street.
 */
const isPoBox = (text: string): boolean =>
  /(?<![a-z])(?:p[\s.-]*o[\s.-]+|post[\s-]*office[\s-]*)box(?![a-z])|(?<![a-z])pob(?:ox)?\s*#?\s*\d/i.test(
    text,
  );

const formats = {
  routing_digits: hasNot('routing_digits'),
  routing_placeholder: hasNot('routing_placeholder'),
  routing_checksum: hasNot('routing_checksum'),
  routing_prefix: hasNot('routing_prefix'),
  state: (text) => postalCodes.has(text.trim().toUpperCase()),
  zip: (text) => /^(?!00000)\d{5}(?:-?\d{4})?$/.test(text.trim()),
  phone: isPhone,
  email: (text) => emailIn(text) !== undefined,
  website: isWebsite,
  mcc: (text) => /^\d{1,4}$/.test(text) && Number(text) > 0,
  po_box: isPoBox,
  owner_name: (text) => splitName(text).certain,
} satisfies Record<string, (text: string) => boolean>;

export type Format = keyof typeof formats;

export const fits = (format: Format, text: string): boolean => formats[format](text);
