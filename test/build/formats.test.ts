import Ajv from 'ajv';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addKnownFormats } from '../../infra/build/formats.ts';
import { webAddress } from '../../shared/schema.ts';

const ajv = new Ajv.default();
addKnownFormats(ajv);
const isWebAddress = ajv.compile(webAddress());

describe('an address of the web', () => {
  test('an address of the web is any http or https address with its port, path, query and fragment', () => {
    const address = fc.webUrl({ withFragments: true, withQueryParameters: true });
    fc.assert(
      fc.property(address, (text) => {
        expect(isWebAddress(text), text).toBe(true);
      }),
    );
    for (const text of [
      'https://example.com',
      'http://localhost:3000/a%20b?c=d#e',
      'https://ada:secret@[2001:db8::1]:8443/',
      'https://192.0.2.1?x',
    ])
      expect(isWebAddress(text), text).toBe(true);
  });

  test('an address of the web has a host and one of the two schemes, and holds nothing that an address must escape', () => {
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
      'https://example.com/\n',
      ' https://example.com',
    ])
      expect(isWebAddress(text), text).toBe(false);
  });
});

test('a format that nobody knows fails the build', () => {
  expect(() => ajv.compile({ type: 'string', format: 'ipv4' })).toThrow('unknown format');
});
