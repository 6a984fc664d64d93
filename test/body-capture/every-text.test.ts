import { describe, expect, test } from 'vitest';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { cleanBody } from '../../shared/body-capture/clean-body.ts';
import { cleanText } from '../../shared/body-capture/clean-text.ts';
import { capturesBodies, changes } from '../../shared/endpoints/contract.ts';
import type { Shape } from '../../shared/endpoints/shape.ts';
import { validatorsOf } from '../harness/compiled.ts';
import { secretsEvery } from '../harness/heavy.ts';
import { nameOf } from '../routes/records.ts';
import { fieldNames, type Secret, secrets } from './secrets.ts';

const contracts = (await loadEndpoints())
  .map(({ endpoint }) => endpoint.contract)
  .filter((contract) => changes(contract) && capturesBodies(contract));

/** JSON escapes line breaks and quotation marks. */
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
const sentenceWith = ({ text }: Secret): string => `See ${text} today.`;
const leaksOf = (clean: unknown, { hidden }: Secret): string[] => {
  const json = JSON.stringify(clean);
  return hidden.filter((part) => json.includes(inJson(part)));
};

/** Returns a body with texts in all fields, in all names that a client chooses, and at several depths of open objects. */
function filled(shape: Shape, text: () => string): unknown {
  if (shape === 'open') return { note: text(), list: [text()], inner: { note: text(), [text()]: 'a name' } };
  if (typeof shape === 'string') return text();
  if ('items' in shape) return [filled(shape.items, text)];
  if ('values' in shape) return { any: filled(shape.values, text), [text()]: filled(shape.values, text) };
  return Object.fromEntries(Object.entries(shape.fields).map(([name, inner]) => [name, filled(inner, text)]));
}

/** The fields of a shape that contain texts, with their shapes. */
function textFields(shape: Shape, name = 'list'): [string, Shape][] {
  if (typeof shape === 'string') return [[name, shape]];
  if ('items' in shape) return textFields(shape.items, name).map(([inner, of]) => [inner, { items: of }]);
  if ('values' in shape) return [[name, shape]];
  return Object.entries(shape.fields).flatMap(([inner, of]) => textFields(of, inner));
}

const shapes = contracts.flatMap((contract) => {
  const { sent, response } = validatorsOf(contract);
  return [sent, response].flatMap((shape) => (shape ? [{ shape, route: nameOf(contract) }] : []));
});

test('a captured text contains none of more than 200 secrets', () => {
  expect(secrets.length).toBeGreaterThan(200);
  const leaks = secrets.flatMap((secret) => {
    const clean = cleanText(sentenceWith(secret));
    return leaksOf(clean, secret).map((part) => `${JSON.stringify(secret.text)}: ${part}`);
  });
  expect(leaks).toEqual([]);
});

test('no text field of the request or the response of any route keeps any of these secrets', () => {
  // Many routes have fields with the same name and shape, such as the fields of a lead. Each of these is tested once.
  const fields = new Map<string, { name: string; shape: Shape; route: string }>();
  for (const { shape, route } of shapes)
    for (const [name, of] of textFields(shape))
      fields.set(`${name} ${JSON.stringify(of)}`, { name, shape: of, route });
  expect(fields.size).toBeGreaterThan(400);
  const leaks = [...fields.values()].flatMap(({ name, shape, route }, place) =>
    secrets.flatMap((secret, n) => {
      if ((n + place) % secretsEvery !== 0) return [];
      const body = { [name]: filled(shape, () => sentenceWith(secret)) };
      const clean = cleanBody(body, { fields: { [name]: shape } });
      return leaksOf(clean, secret).map((part) => `${route}: ${name}: ${part}`);
    }),
  );
  expect(leaks).toEqual([]);
});

test('a whole body of any route, with another secret in each text, keeps none of them', () => {
  let next = 0;
  const leaks = shapes.flatMap(({ shape, route }) => {
    const sent: Secret[] = [];
    const body = filled(shape, () => {
      const secret = secrets[next++ % secrets.length] as Secret;
      sent.push(secret);
      return sentenceWith(secret);
    });
    const clean = cleanBody(body, shape);
    return sent.flatMap((secret) => leaksOf(clean, secret)).map((part) => `${route}: ${part}`);
  });
  expect(leaks).toEqual([]);
});

describe('the name of a field', () => {
  test.each(fieldNames)('%s removes its value', (name) => {
    const body = { outer: { [name]: 'harbor', other: 'street' } };
    expect(cleanBody(body, 'open')).toEqual({ outer: { [name]: 'REDACTED', other: 'street' } });
    expect(cleanBody({ [name]: ['harbor', { a: 'street' }] }, 'open')).toEqual({ [name]: 'REDACTED' });
  });

  test.each([
    'name',
    'businessName',
    'className',
    'tokens',
    'spin',
    'panel',
    'opinion',
    'company',
    'tinType',
    'key',
  ])('%s keeps its value, unless the name is sensitive', (name) => {
    const isKept = name !== 'tokens';
    expect(cleanBody({ [name]: 'harbor' }, 'open')).toEqual({ [name]: isKept ? 'harbor' : 'REDACTED' });
  });
});
