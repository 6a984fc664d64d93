const listOf = (codes: string): readonly string[] => codes.split(' ');

/**
 * The currencies of ISO 4217 by the number of digits of their smallest unit. Funds, metals and test codes are left out.
 * `Intl` is not used for the digits, because its data differs from ISO 4217 for some currencies, such as IQD.
 */
const codesByDigits: readonly (readonly [digits: number, codes: readonly string[]])[] = [
  [0, listOf('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF')],
  [
    2,
    listOf(
      'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP ' +
        'CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR ' +
        'IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN ' +
        'NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP ' +
        'STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG',
    ),
  ],
  [3, listOf('BHD IQD JOD KWD LYD OMR TND')],
];

const digitsByCode: ReadonlyMap<string, number> = new Map(
  codesByDigits.flatMap(([digits, codes]) => codes.map((code) => [code, digits] as const)),
);

/** The codes of all currencies, sorted. */
export const currencyCodes: readonly string[] = [...digitsByCode.keys()].sort();

/** The number of digits of the currency's smallest unit: 2 for USD, 0 for JPY. */
export const minorDigitsOf = (currency: string): number => digitsByCode.get(currency) ?? 2;

/** Returns an amount in the smallest unit for printed pages, such as `1,234.50` for 123450 and USD. */
export function printedAmount(amount: number, currency: string): string {
  const [whole = '', ...fraction] = decimalOf(amount, currency).split('.');
  return [whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ','), ...fraction].join('.');
}

/** Returns an amount in the smallest unit as a decimal, such as `1234.50` for 123450 and USD. */
export function decimalOf(amount: number, currency: string): string {
  const digits = minorDigitsOf(currency);
  const text = String(Math.abs(amount)).padStart(digits + 1, '0');
  const sign = amount < 0 ? '-' : '';
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
