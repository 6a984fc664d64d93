import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import updateAccount from '../../functions/accounts/update-account.ts';
import createLead from '../../functions/leads/create-lead.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import readLead from '../../functions/leads/read-lead.ts';
import listPermissions from '../../functions/permissions/list-permissions.ts';
import { ApiError } from '../../shared/errors.ts';
import { readBody } from '../../shared/http/body.ts';
import { codePoint } from '../harness/code-point.ts';
import { tenant } from '../harness/tenant.ts';

const acme = await tenant();
const send = (rawBody: string | Buffer) => acme.key.call(createLead, { rawBody });
const withNotes = (json: string) => `{"firstName":"Ada","lastName":"Byron","notes":${json}}`;
const codeOf = async (rawBody: string | Buffer) => {
  const { status, body } = await send(rawBody);
  return status === 201 ? status : `${status} ${body.error}`;
};

describe('an invalid body', () => {
  const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  test.each<[string, string | Buffer, string]>([
    ['that is empty', '', '400 invalid_json'],
    ['over 256 KB', withNotes(`"${'x'.repeat(256 * 1024)}"`), '413 body_too_large'],
    ['of more than 256 KB of spaces', ' '.repeat(256 * 1024 + 1), '413 body_too_large'],
    [
      'of more than 256 KB, but fewer than 256 × 1024 characters,',
      withNotes(`"${'я'.repeat(131_072)}"`),
      '413 body_too_large',
    ],
    ['that is not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), '400 invalid_json'],
    ['in UTF-16', Buffer.from(withNotes('"x"'), 'utf16le'), '400 invalid_json'],
    ['with an overlong encoding', Buffer.from([0x22, 0xc0, 0xaf, 0x22]), '400 invalid_json'],
    ['with an unpaired surrogate as bytes', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), '400 invalid_json'],
    ['with an escaped unpaired surrogate', withNotes('"\\ud800"'), '400 invalid_json'],
    ['with an unpaired surrogate in a name', '{"\\udc00":1}', '400 invalid_json'],
    [
      'with a field __proto__',
      '{"firstName":"A","lastName":"B","__proto__":{"archived":true}}',
      '400 invalid_json',
    ],
    ['with a field constructor', '{"constructor":{"prototype":{}}}', '400 invalid_json'],
    ['with a nested field prototype', withNotes('{"a":[{"prototype":1}]}'), '400 invalid_json'],
    ['with a number that is too large for a double', withNotes('1e400'), '400 invalid_json'],
    ['with a negative number outside the range of a double', withNotes('-1e400'), '400 invalid_json'],
    ['with 2^53 + 1', '{"numberOfEmployees":9007199254740993}', '400 invalid_json'],
    ['with −(2^53 + 1)', '{"numberOfEmployees":-9007199254740993}', '400 invalid_json'],
    ['with 2^53 + 2 in a field that is not an integer', withNotes('9007199254740994'), '400 invalid_json'],
    ['with more digits than a double can represent', withNotes('0.1000000000000000055'), '400 invalid_json'],
    ['with a number too close to zero for a double', withNotes('1e-400'), '400 invalid_json'],
    ['with a number too close to zero for the table', withNotes('1e-131'), '400 invalid_json'],
    [
      'with a number that is too large, even if a later field has the same name,',
      '{"a":1e400,"a":1}',
      '400 invalid_json',
    ],
    ['with an empty field name', withNotes('{"":1}'), '400 invalid_json'],
    ['of 20 levels, with an array in a text field,', withNotes(deep(19)), '400 invalid_input'],
    ['21 levels deep', withNotes(deep(20)), '400 invalid_json'],
    ['50,000 levels deep', deep(50_000), '400 invalid_json'],
    ['with 100,000 nested arrays that are not closed', '['.repeat(100_000), '400 invalid_json'],
    ['with 50,000 nested objects that are not closed', '{"a":'.repeat(50_000), '400 invalid_json'],
    ['with a comment', '{/* */}', '400 invalid_json'],
    ['with NaN', withNotes('NaN'), '400 invalid_json'],
    ['with two values', '{}{}', '400 invalid_json'],
    ['with a field name in the wrong case', '{"firstname":"Ada","lastName":"Byron"}', '400 invalid_input'],
    ['with a number instead of a string', withNotes('1'), '400 invalid_input'],
    [
      'with a string instead of a number',
      '{"firstName":"A","lastName":"B","numberOfEmployees":"3"}',
      '400 invalid_input',
    ],
    [
      'with a fraction instead of an integer',
      '{"firstName":"A","lastName":"B","numberOfEmployees":1.5}',
      '400 invalid_input',
    ],
    ['with a string that is too long', withNotes(`"${'x'.repeat(65_537)}"`), '400 invalid_input'],
  ])('a body %s is rejected', async (_, rawBody, code) => {
    expect(await codeOf(rawBody)).toBe(code);
  });
});

test.each<[string, string | Buffer]>([
  ['with a byte order mark', `\ufeff${withNotes('"x"')}`],
  ['with a repeated field name', withNotes('"first","notes":"last"')],
  ['with line breaks, an emoji and noncharacters', withNotes(JSON.stringify('\n\t"\\/\u2028😀\uffff\ufffd'))],
  [
    'with the largest integer',
    '{"firstName":"A","lastName":"B","monthlyTransactionVolume":9007199254740991}',
  ],
  ['of exactly 256 KB', withNotes('"x"').padEnd(256 * 1024)],
  ['with a string of the largest length', withNotes(`"${'я'.repeat(65_536)}"`)],
])('a body %s is accepted', async (_, rawBody) => {
  expect(await codeOf(rawBody)).toBe(201);
});

test('a text with unusual characters is returned unchanged', async () => {
  const notes = '\n\t"\\/😀\uffff\ufffd __proto__';
  const { body } = await send(withNotes(JSON.stringify(notes)));
  expect((await acme.key.ok(readLead, { params: { leadId: body.id } })).notes).toBe(notes);
});

test('random bytes never cause a 500', async () => {
  const parts = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    ':',
    ',',
    '1e999',
    '\\ud83d',
    '__proto__',
    'firstName',
    '\u0000',
  );
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
        fc.array(parts, { maxLength: 20 }).map((all) => Buffer.from(all.join(''))),
        fc.json({ maxDepth: 25 }).map((text) => Buffer.from(text)),
        fc
          .record({
            firstName: fc.string({ unit: codePoint }),
            lastName: fc.string({ unit: codePoint }),
            notes: fc.string({ unit: codePoint }),
          })
          .map((value) => Buffer.from(JSON.stringify(value))),
      ),
      async (bytes) => {
        expect((await send(bytes)).status).toBeLessThan(500);
      },
    ),
    { numRuns: 150 },
  );
});

test('an accepted body is parsed to the value that JSON.parse returns', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      try {
        expect(JSON.stringify(readBody({ body: text, isBase64Encoded: false }))).toBe(
          JSON.stringify(JSON.parse(text)),
        );
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError);
      }
    }),
  );
});

const parsed = (body: string) => readBody({ body, isBase64Encoded: false });

test('a number that cannot be stored exactly is rejected, with the path of its field', () => {
  const wide = '{"a 1":"0.1000000000000000055","b":[1e3,{"c":[-0.1000000000000000055,"\\\\"]}],"d":2}';
  expect(() => parsed(wide)).toThrow(
    expect.objectContaining({
      code: 'invalid_json',
      message: expect.stringContaining('15 digits'),
      details: [{ field: 'b[1].c[0]', message: expect.stringContaining('15 digits') }],
    }),
  );
});

test('a number may be written in any JSON notation if it can be stored exactly', () => {
  const spellings = ['1.10', '1e3', '-0', '0e5', '1.5E+2', '0.1e-5', '100e-2', '9007199254740991', '0.30'];
  const long = ['1.0000000000000000000000', '12345678901234500000e-5', `${'0.'}${'0'.repeat(100)}1e101`];
  for (const text of [...spellings, ...long]) expect(parsed(`{"a":${text}}`)).toEqual({ a: Number(text) });
});

test('a decimal is accepted if it has at most 15 digits or if the nearest double prints as the same decimal', () => {
  const decimal = (digits: fc.Arbitrary<string>) =>
    fc.record({ digits, point: fc.nat(17), minus: fc.boolean() }).map(({ digits: all, point, minus }) => {
      const places = Math.min(point, all.length - 1);
      const whole = all.slice(0, all.length - places);
      return `${minus ? '-' : ''}${whole}${places > 0 ? `.${all.slice(all.length - places)}` : ''}`;
    });
  const digitsOf = (minLength: number, maxLength: number) =>
    fc
      .tuple(
        fc.integer({ min: 1, max: 9 }),
        fc.array(fc.nat(9), { minLength: minLength - 1, maxLength: maxLength - 1 }),
      )
      .map(([first, others]) => [first, ...others].join(''));
  fc.assert(
    fc.property(decimal(digitsOf(1, 15)), (text) => {
      expect(parsed(`[${text}]`)).toEqual([Number(text)]);
    }),
  );
  const bare = (text: string) => text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
  fc.assert(
    fc.property(decimal(digitsOf(16, 22)), (text) => {
      const safe = !Number.isInteger(Number(text)) || Number.isSafeInteger(Number(text));
      let taken = true;
      try {
        parsed(`[${text}]`);
      } catch {
        taken = false;
      }
      expect(taken).toBe(safe && bare(text) === String(Number(text)));
    }),
  );
});

test('random paths and queries never cause a 500', async () => {
  const wild = fc.oneof(
    fc.string({ unit: codePoint, maxLength: 20 }),
    fc.constantFrom('%', '%ff', '\u0000', '1e5', '-0', '__proto__', '9'.repeat(400)),
  );
  await fc.assert(
    fc.asyncProperty(wild, wild, wild, async (id, name, value) => {
      const path = await acme.key.call(readLead, {
        params: { leadId: (id.replaceAll(/\p{Surrogate}/gu, '') || '0') as never },
      });
      expect([400, 404]).toContain(path.status);
      const query = await acme.key.call(listLeads, { query: { [name]: value } });
      expect([200, 400]).toContain(query.status);
    }),
    { numRuns: 100 },
  );
});

test('an error response lists at most twenty fields', async () => {
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`field${n}`, n]));
  const { body } = await send(JSON.stringify(many));
  expect(body.details).toHaveLength(20);
});

test('an error names a nested field by its path', async () => {
  const body = { slaTargets: { urgent: { firstResponse: 'soon', resolution: 60 } } } as never;
  const response = await acme.admin.call(updateAccount, { params: { id: acme.accountId }, body });
  expect(response.body.details).toEqual([
    { field: 'slaTargets.urgent.firstResponse', message: 'must be a whole number' },
  ]);
});

const named = (name: string, value: unknown = 'polluted') => Object.fromEntries([[name, value]]);

const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__proto__[polluted]'];

test.each(names)('a query parameter with a reserved name is rejected: ?%s=', async (name) => {
  const body = { firstName: 'Ada', lastName: 'Byron' };
  for (const value of ['polluted', ['polluted', 'again']])
    for (const response of [
      await acme.key.call(listLeads, { query: named(name, value) }),
      await acme.key.call(listPermissions, { query: named(name, value) }),
      await acme.key.call(createLead, { query: named(name, value), body }),
    ]) {
      expect(response.body).toMatchObject({ status: 400, error: 'invalid_input' });
      expect(response.body.details).toEqual([{ field: name, message: 'is not a field of this request' }]);
    }
  expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});
