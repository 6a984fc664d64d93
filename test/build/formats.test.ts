import Ajv from 'ajv';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addKnownFormats } from '../../infra/build/formats.ts';
import { asWebAddress, emailIn, isWebAddress } from '../../shared/formats.ts';
import { date } from '../../shared/schema.ts';

const ajv = new Ajv.default();
addKnownFormats(ajv);

describe('a web address', () => {
  test('a web address is a complete http or https URL', () => {
    const address = fc.webUrl({ withFragments: true, withQueryParameters: true });
    fc.assert(
      fc.property(address, (text) => {
        expect(isWebAddress(text), text).toBe(true);
        expect(asWebAddress(` ${text} `)).toBe(text);
      }),
    );
    for (const text of [
      'https://example.com',
      'http://localhost:3000/a%20b?c=d#e',
      'https://[2001:db8::1]:8443/',
      'https://192.0.2.1?x',
    ])
      expect(isWebAddress(text), text).toBe(true);
  });

  test('a web address is invalid if a browser cannot open it, or if it contains a user name or a character that must be escaped', () => {
    for (const text of [
      '',
      'example.com',
      '//example.com',
      'https://',
      'https:///path',
      'https:example.com',
      'ftp://example.com',
      'javascript:alert(1)//http://x',
      'https://exa mple.com',
      'https://example.com/<script>',
      'https://example.com/"',
      'https://example.com/%zz',
      'https://example.com/ä',
      'https://example.com:port',
      'https://example.com:99999',
      'https://1.2.3.4.5/',
      'https://%2f/',
      'https://[::g]/',
      'https://ada:secret@example.com/',
      'https://example.com/\n',
      ' https://example.com',
    ])
      expect(isWebAddress(text), text).toBe(false);
  });

  test('a URL is stored as browsers send it', () => {
    for (const [text, stored] of [
      ['\thttps://example.com\n', 'https://example.com'],
      ['https://bücher.example', 'https://xn--bcher-kva.example/'],
      ['https://example.com/ä?ö#ü', 'https://example.com/%C3%A4?%C3%B6#%C3%BC'],
      ['https://exa\nmple.com/ä', 'https://exa\nmple.com/ä'],
      ['not an address ä', 'not an address ä'],
    ] as const)
      expect(asWebAddress(text)).toBe(stored);
  });
});

describe('an email address', () => {
  test('the domain of an email address is stored in lower case and in Punycode', () => {
    for (const [text, stored] of [
      ['Ada@Example.COM', 'Ada@example.com'],
      [' info@bücher.example ', 'info@xn--bcher-kva.example'],
      ['info@bu\u0308cher.example', 'info@xn--bcher-kva.example'],
      ['info@例え。テスト', 'info@xn--r8jz45g.xn--zckzah'],
    ] as const)
      expect(emailIn(text)).toBe(stored);
  });

  test('a stored email address does not change', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (text) => {
        const stored = emailIn(text);
        expect(stored?.toLowerCase()).toBe(text.toLowerCase());
        expect(emailIn(stored)).toBe(stored);
      }),
    );
  });

  test('a text is not an email address if SES cannot send to it', () => {
    for (const text of [
      '',
      'ada',
      'ada@',
      '@example.com',
      'ada@example',
      'ada@b@example.com',
      'jürgen@example.com',
      'ada@bü cher.example',
      'ada@bü/cher.example',
      'ada@bücher.example/',
      'ada@１.２.３.４',
      'ada@ü',
      'ada\n@example.com',
      `${'a'.repeat(250)}@b.test`,
    ])
      expect(emailIn(text), text).toBeUndefined();
  });
});

describe('a date', () => {
  const isDate = ajv.compile(date());

  test('a date must exist in the calendar', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 9999 }),
        fc.nat(13),
        fc.oneof(fc.nat(32), fc.integer({ min: 28, max: 31 })),
        (year, month, day) => {
          const moved = new Date(0);
          moved.setUTCFullYear(year, month - 1, day);
          const real = moved.getUTCMonth() === month - 1 && moved.getUTCDate() === day;
          const digits = (value: number, length: number) => String(value).padStart(length, '0');
          const text = `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}`;
          expect(isDate(text), text).toBe(real);
        },
      ),
      { numRuns: 2000 },
    );
    for (const text of ['2024-02-29', '2000-02-29', '2026-12-31']) expect(isDate(text), text).toBe(true);
    for (const text of ['2026-02-29', '1900-02-29', '2100-02-29', '2026-04-31'])
      expect(isDate(text), text).toBe(false);
  });

  test('a date is valid only in the format YYYY-MM-DD', () => {
    const others = ['2026-3-1', '26-03-01', '20260301', '2026/03/01', '2026-03-01T00:00:00Z', ' 2026-03-01'];
    for (const text of ['', ...others]) expect(isDate(text), text).toBe(false);
  });
});

test('an unknown format fails the build', () => {
  expect(() => ajv.compile({ type: 'string', format: 'ipv4' })).toThrow('unknown format');
});
