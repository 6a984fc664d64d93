import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { type Failure, failureOf } from '../shared/log.ts';

const namesOf = (failure: Failure | undefined): string[] =>
  failure ? [failure.message, ...namesOf(failure.cause)] : [];

test('a failure contains the causes of its error to a depth of three', () => {
  const cyclic = new Error('0');
  cyclic.cause = new Error('1', { cause: cyclic });
  expect(namesOf(failureOf(cyclic))).toEqual(['0', '1', '0', '1']);
  expect(failureOf(new Error('0', { cause: 'text' })).cause).toEqual({ name: 'string', message: 'text' });
  expect(failureOf(new Error('0', { cause: 0 })).cause).toEqual({ name: 'number', message: '0' });
});

test('a failure contains the first ten errors of an AggregateError, to a depth of three', () => {
  const errors = Array.from({ length: 12 }, (_, n) => new Error(`no ${n}`));
  const failure = failureOf(new AggregateError(errors, 'all'));
  expect(failure.message).toBe('all');
  expect(failure.errors?.map(({ message }) => message)).toEqual(
    errors.slice(0, 10).map(({ message }) => message),
  );
  const nested = [4, 3, 2, 1].reduce((inner, n) => new AggregateError([inner], String(n)), new Error('5'));
  expect(failureOf(nested).errors?.[0]?.errors?.[0]?.errors).toEqual([
    { name: 'AggregateError', message: '4', stack: expect.any(String) },
  ]);
});

test('a refused connection has a message', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  const refused = (address: string) => new Error(`connect ECONNREFUSED ${address}:${port}`);
  expect(failureOf(new AggregateError([refused('::1'), refused('127.0.0.1')])).message).toBe(
    `connect ECONNREFUSED ::1:${port}; connect ECONNREFUSED 127.0.0.1:${port}`,
  );
  const thrown = await fetch(`http://127.0.0.1:${port}/`).catch((error: unknown) => error);
  expect(namesOf(failureOf(thrown))).toEqual(['fetch failed', `connect ECONNREFUSED 127.0.0.1:${port}`]);
});

test('a failure contains no other properties of errors and no content of objects', () => {
  const secret = { request: { body: 'canary' } };
  const cause = Object.assign(new Error('cause'), secret);
  const failures = [
    failureOf(Object.assign(new Error('x', { cause }), secret)),
    failureOf(Object.assign(new AggregateError([cause, secret, ['canary']]), secret)),
    failureOf(new Error('x', { cause: secret })),
    failureOf(new Error('x', { cause: ['canary'] })),
    failureOf(new Error('x', { cause: { toString: () => 'canary' } })),
    failureOf(secret),
  ];
  expect(JSON.stringify(failures)).not.toContain('canary');
  expect(failures[3]?.cause).toEqual({ name: 'object', message: '[object Array]' });
});

test.each(['text', 7, undefined, null])('a thrown value that is not an error keeps its text: %s', (value) => {
  expect(failureOf(value)).toEqual({ name: typeof value, message: String(value) });
});
