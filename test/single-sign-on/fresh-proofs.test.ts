import type { JWTPayload } from 'jose';
import { afterAll, expect, test } from 'vitest';
import stepUp from '../../functions/auth/step-up.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import readMerchant from '../../functions/merchants/read-merchant.ts';
import { freshMilliseconds } from '../../shared/security/proofs.ts';
import { asSeconds } from '../../shared/table/item.ts';
import { clock } from '../harness/clock.ts';
import { filledMerchant } from '../harness/filled-merchant.ts';
import { member } from '../harness/member.ts';
import { client, tenant } from '../harness/tenant.ts';
import { LyingProvider } from './provider.ts';
import { began, calledBack, connected, exchanged, fragmentOf, holdDomain } from './world.ts';

const acme = await tenant();
const provider = await LyingProvider.start();
await holdDomain(acme, 'proofs.example.com');
const connection = await connected(acme, provider, { domains: ['proofs.example.com'] });
const email = 'grace@proofs.example.com';
await member(acme, ['readMerchants', 'writeMerchants'], { email });
const { id: merchantId } = await acme.admin.ok(createMerchant, { body: filledMerchant });

afterAll(clock.reset);

/** Signs in, and returns the client of the session and the address at the provider. */
async function signIn(claims: JWTPayload, fresh = false) {
  const browser = await began(connection, fresh);
  const user = { sub: 'grace', email, email_verified: true, ...claims };
  const { headers } = await calledBack(provider.authorize(browser.location, user), browser);
  const { code = '' } = fragmentOf(headers);
  const { body } = await exchanged(code, browser.codeVerifier);
  const session = client({ authorization: `Bearer ${body.token}`, 'x-account-id': acme.accountId });
  return { session, address: new URL(browser.location).searchParams };
}

const reveal = { params: { merchantId }, query: { reveal: true } };
const secondsAgo = (seconds: number) => asSeconds(clock.now()) - seconds;

test('a sign-in is a proof only if the provider names a time in the last ten minutes', async () => {
  const refused = { status: 403, body: { error: 'step_up_required', stepUp: { method: 'single_sign_on' } } };
  for (const claims of [{}, { auth_time: secondsAgo(600) }]) {
    const { session, address } = await signIn(claims);
    expect(address.has('prompt')).toBe(false);
    expect(await session.call(readMerchant, reveal)).toMatchObject(refused);
  }
  const { session } = await signIn({ auth_time: secondsAgo(1) });
  expect((await session.call(readMerchant, reveal)).status).toBe(200);
  clock.advance(freshMilliseconds);
  expect(await session.call(readMerchant, reveal)).toMatchObject(refused);
  expect((await session.call(stepUp, { body: { password: 'a password' } })).body.error).toBe(
    'own_session_required',
  );
});

test('with fresh=true, the provider is asked to prove the identity again, and a missing or older time is not accepted', async () => {
  const { session, address } = await signIn({}, true);
  expect(Object.fromEntries(address)).toMatchObject({ prompt: 'login', max_age: '0' });
  expect((await session.call(readMerchant, reveal)).status).toBe(403);
  const { session: fresh } = await signIn({ auth_time: secondsAgo(1) }, true);
  expect((await fresh.call(readMerchant, reveal)).status).toBe(200);
  const { session: older } = await signIn({ auth_time: secondsAgo(3600) }, true);
  expect((await older.call(readMerchant, reveal)).status).toBe(403);
});
