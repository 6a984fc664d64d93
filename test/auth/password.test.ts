import { scryptSync } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import changePassword from '../../functions/auth/change-password.ts';
import logIn from '../../functions/auth/log-in.ts';
import createUser from '../../functions/users/create-user.ts';
import { hashPassword, passwordMatches } from '../../shared/security/passwords.ts';
import { member, memberPassword } from '../harness/member.ts';
import { client, tenant } from '../harness/tenant.ts';

process.env.FULL_SCRYPT = 'yes';

/** Records the key length and the cost parameters of each call of scrypt. */
const { derived } = vi.hoisted(() => ({ derived: [] as unknown[] }));
vi.mock('node:crypto', async (importOriginal) => {
  const real = await importOriginal<typeof import('node:crypto')>();
  const scrypt = (password: string, salt: Buffer, length: number, ...rest: never[]) => {
    derived.push([length, rest[0]]);
    return (real.scrypt as (...given: unknown[]) => void)(password, salt, length, ...rest);
  };
  return { ...real, scrypt };
});

const acme = await tenant();
const stranger = client({});
const password = 'correct horse battery staple';
const cost = [32, { N: 2 ** 14, r: 8, p: 5 }];

test('each password is hashed with its own salt, at the cost that OWASP recommends', async () => {
  const stored = [await hashPassword(password), await hashPassword(password)];
  expect(new Set(stored).size).toBe(2);
  for (const text of stored) {
    const [, salt = '', hash] = /^\$scrypt\$ln=14,r=8,p=5\$([\w+/]{22})\$([\w+/]{43})$/.exec(text) ?? [];
    const key = scryptSync(password, Buffer.from(salt, 'base64'), 32, { N: 2 ** 14, r: 8, p: 5 });
    expect(key.toString('base64').replace(/=+$/, '')).toBe(hash);
  }
  expect(await passwordMatches(password, stored[0])).toBe(true);
  expect(await passwordMatches(`${password} `, stored[0])).toBe(false);
  expect(derived.slice(-4)).toEqual([cost, cost, cost, cost]);
});

test('a password is verified at the cost with which it was stored, so that users can log in after the cost changes', async () => {
  const salt = Buffer.alloc(16, 7);
  const hash = scryptSync(password, salt, 32, { N: 2 ** 10, r: 8, p: 1 });
  const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  const stored = `$scrypt$ln=10,r=8,p=1$${base64(salt)}$${base64(hash)}`;
  expect(await passwordMatches(password, stored)).toBe(true);
  expect(await passwordMatches('another password', stored)).toBe(false);
});

test('a login derives one key at the same cost for users with a password, users without a password, and unknown users', async () => {
  const invited = 'invited@tenant.test';
  await acme.admin.ok(createUser, { body: { email: invited } });
  const tries: [string, string, number][] = [
    [acme.adminEmail, acme.adminPassword, 200],
    [acme.adminEmail, 'wrong', 401],
    [invited, 'wrong', 401],
    ['nobody@nowhere.test', 'wrong', 401],
  ];
  for (const [email, attempt, status] of tries) {
    derived.length = 0;
    expect((await stranger.call(logIn, { body: { email, password: attempt } })).status).toBe(status);
    expect(derived, email).toEqual([cost]);
  }
});

test('no password is accepted for a user without a stored password', async () => {
  expect(await passwordMatches('', undefined)).toBe(false);
});

test('composed and decomposed Unicode forms of a password are equal', async () => {
  vi.stubEnv('FULL_SCRYPT', '');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { user, client: keyboard } = await member(acme);
  const composed = 'caf\u00e9 \ufb01ne \u212bngstr\u00f6m';
  const typed = 'cafe\u0301 fine A\u030angstro\u0308m';
  expect(typed).not.toBe(composed);
  await keyboard.ok(changePassword, { body: { currentPassword: memberPassword, newPassword: composed } });
  await stranger.ok(logIn, { body: { email: user.email, password: typed } });
  await keyboard.ok(changePassword, { body: { currentPassword: typed, newPassword: `${typed} again` } });
  await stranger.ok(logIn, { body: { email: user.email, password: `${composed} again` } });
});
