import { createHmac } from 'node:crypto';
import confirmFactor from '../../functions/auth/confirm-factor.ts';
import createFactor from '../../functions/auth/create-factor.ts';
import logIn from '../../functions/auth/log-in.ts';
import { mintId } from '../../shared/id/mint.ts';
import { withNewFactor } from '../../shared/people/factors/rules.ts';
import { factors } from '../../shared/people/factors/store.ts';
import { newTotpSecret } from '../../shared/people/factors/totp.ts';
import { users } from '../../shared/people/users/store.ts';
import { transact } from '../../shared/table/transact.ts';
import { Authenticator } from './authenticator.ts';
import { clock } from './clock.ts';
import { type Member, memberPassword } from './member.ts';
import { type Client, client } from './tenant.ts';

/** The period of a code, in milliseconds. */
export const codePeriod = 30_000;

/** The code that an authenticator app shows, `periods` from now: a second implementation of RFC 6238. */
export function codeOf(secret: string, periods = 0): string {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...secret].map((letter) => digits.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(clock.now().getTime() / codePeriod) + periods));
  const hash = createHmac('sha1', key).update(counter).digest();
  const offset = Number(hash.at(-1)) % 16;
  return String((hash.readUInt32BE(offset) % 2 ** 31) % 1_000_000).padStart(6, '0');
}

/** Adds a factor with the code of the period before, so that the code of this period is still valid. */
export async function addFactor(session: Client) {
  const { factor, secret = '' } = await session.ok(createFactor, { body: { type: 'totp', name: 'Phone' } });
  const params = { factorId: factor.id };
  const { recoveryCodes = [] } = await session.ok(confirmFactor, {
    params,
    body: { code: codeOf(secret, -1) },
  });
  return { secret, recoveryCodes, factorId: factor.id };
}

/** Logs in with the password of a member who has a factor. Returns the challenge. */
export async function challengeOf({ user: { email } }: Member, password = memberPassword): Promise<string> {
  const response = await client({}).ok(logIn, { body: { email, password } });
  if (!('challenge' in response)) throw new Error('The login needs no second factor.');
  return response.challenge;
}

/** Stores a factor that is not confirmed, also for a user without a proved password. Returns its id. */
export async function storedFactor(email: string): Promise<number> {
  const user = await users.findByEmailAcrossAccounts(email);
  if (!user) throw new Error(`No user has the email ${email}.`);
  const now = clock.now();
  const id = mintId(now);
  const { stored } = await newTotpSecret(id, email);
  const before = await factors.of(user);
  const added = { id, type: 'totp' as const, name: 'Phone', createdAt: now.toISOString(), ...stored };
  await transact(factors.replace(user, before, withNewFactor(before, added)), Date.now() + 10_000);
  return id;
}

/** Adds a passkey in a new authenticator. */
export async function addPasskey(session: Client, authenticator = new Authenticator()) {
  const { factor, publicKey } = await session.ok(createFactor, { body: { type: 'passkey', name: 'Laptop' } });
  if (!publicKey) throw new Error('The new factor is not a passkey.');
  const { recoveryCodes = [] } = await session.ok(confirmFactor, {
    params: { factorId: factor.id },
    body: { credential: authenticator.create(publicKey) },
  });
  return { authenticator, recoveryCodes, factorId: factor.id };
}

/** Logs in with the password of a member who has a passkey. Returns the challenge and the options for the browser. */
export async function passkeyChallengeOf({ user: { email } }: Member, password = memberPassword) {
  const response = await client({}).ok(logIn, { body: { email, password } });
  if (!('challenge' in response) || !response.publicKey) throw new Error('The login asks for no passkey.');
  return { challenge: response.challenge, publicKey: response.publicKey };
}
