import { afterAll, describe, expect, test } from 'vitest';
import deleteAccount from '../../functions/accounts/delete-account.ts';
import readAccount from '../../functions/accounts/read-account.ts';
import requestPasswordReset from '../../functions/auth/request-password-reset.ts';
import resetPassword from '../../functions/auth/reset-password.ts';
import { measure } from '../costs/meter.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { joins, member } from '../harness/member.ts';
import { scanTable } from '../harness/raw-table.ts';
import { client } from '../harness/tenant.ts';
import { hour, newTenant, to } from '../messages/world.ts';

const acme = await newTenant();
const anybody = client({});
const request = (email: string, sourceIp = '192.0.2.1') =>
  anybody.call(requestPasswordReset, { body: { email }, sourceIp });

afterAll(clock.reset);

describe('a reset request', () => {
  test('the endpoint sends the same requests in as many waves for known and unknown addresses', async () => {
    const { email } = (await member(acme)).user;
    const unknown = `x${email.slice(1)}`;
    /** Ids, hashes and times differ for every request. Their lengths do not. */
    const requestsFor = async (address: string) => {
      const { result, exchanges, sequence } = await measure(() => request(address));
      const shapes = exchanges.map(({ operation, input }) => {
        const text = JSON.stringify(input)
          .replaceAll(address, 'ADDRESS')
          .replace(/[\w-]{36,}/g, 'TOKEN');
        return [operation, text.replace(/\d+/g, (digits) => '9'.repeat(digits.length)).length];
      });
      // The requests of one wave are sent in parallel and complete in any order.
      return { status: result.status, body: result.body, sequence, shapes: shapes.map(String).sort() };
    };
    await requestsFor('warm@example.com');
    const found = await requestsFor(email);
    expect(found.shapes).toContainEqual(expect.stringContaining('TransactWriteItems'));
    expect(found).toEqual(await requestsFor(unknown));
  });

  test('a consumer removes the address of a request as soon as it has processed the request', async () => {
    await request('nobody.at.all@example.com');
    const stored = async () => JSON.stringify(await scanTable()).includes('nobody.at.all');
    expect(await stored()).toBe(true);
    await drain();
    expect(await stored()).toBe(false);
  });

  test('an address gets at most five mails in an hour, however many networks send requests', async () => {
    const { email } = (await member(acme)).user;
    const responses = [];
    for (let n = 0; n < 30; n++) responses.push(await request(email, `198.51.100.${n % 15}`));
    expect(new Set(responses.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
    expect(responses[0]?.status).toBe(200);
    await drain();
    expect(to(email)).toHaveLength(5);
    clock.advance(hour);
    await request(email);
    await drain();
    expect(to(email)).toHaveLength(6);
  });
});

test('mail about a person’s password does not depend on the account that the person joined first', async () => {
  const [first, second] = [await newTenant(), await newTenant()];
  const person = await member(first);
  const { email } = person.user;
  await joins(person, second);
  const { name } = await first.admin.ok(readAccount, { params: { id: first.accountId } });
  await first.admin.ok(deleteAccount, { params: { id: first.accountId }, query: { confirmName: name } });
  await request(email, '192.0.2.77');
  await drain();
  const [reset] = to(email);
  expect(reset?.subject).toBe('Reset your password');
  const token = /mo_pw_[\w-]+/.exec(reset?.text ?? '')?.[0] ?? '';
  await anybody.ok(resetPassword, { body: { token, password: 'chosen after the closing' } });
  await drain();
  expect(to(email).map(({ subject }) => subject)).toEqual([
    'Reset your password',
    expect.stringMatching(/password changed/i),
  ]);
});

test('mail about a person’s password that already waits is sent although its account was closed', async () => {
  const [first, second] = [await newTenant(), await newTenant()];
  const person = await member(first);
  const { email } = person.user;
  await joins(person, second);
  await request(email, '192.0.2.78');
  await drain({ stopped: 'messages' });
  expect(to(email)).toEqual([]);
  const { name } = await first.admin.ok(readAccount, { params: { id: first.accountId } });
  await first.admin.ok(deleteAccount, { params: { id: first.accountId }, query: { confirmName: name } });
  await drain();
  expect(to(email).map(({ subject }) => subject)).toEqual(['Reset your password']);
});
