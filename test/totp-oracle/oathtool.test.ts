import { execFileSync } from 'node:child_process';
import { afterEach, expect, test } from 'vitest';
import confirmFactor from '../../functions/auth/confirm-factor.ts';
import createFactor from '../../functions/auth/create-factor.ts';
import verifyLogin from '../../functions/auth/verify-login.ts';
import { clock } from '../harness/clock.ts';
import { challengeOf, codePeriod } from '../harness/factors.ts';
import { member } from '../harness/member.ts';
import { client, tenant } from '../harness/tenant.ts';

const acme = await tenant();
afterEach(clock.reset);

/** The code of oathtool at the time of the clock. */
function oathtool(secret: string): string {
  const now = `${clock.now().toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  return execFileSync('oathtool', ['--totp', '--base32', `--now=${now}`, secret], {
    encoding: 'utf8',
  }).trim();
}

test('a factor is confirmed with a code of oathtool, and each later code of oathtool completes a login', async () => {
  const ada = await member(acme);
  const body = { type: 'totp', name: 'oathtool' } as const;
  const { factor, secret = '', uri = '' } = await ada.client.ok(createFactor, { body });
  expect(new URL(uri).searchParams.get('secret')).toBe(secret);
  const params = { factorId: factor.id };
  await ada.client.ok(confirmFactor, { params, body: { code: oathtool(secret) } });
  // Steps of different lengths, up to a year.
  for (const periods of [1, 2, 7, 2879, 1_051_200]) {
    clock.advance(periods * codePeriod);
    const challenge = await challengeOf(ada);
    const code = oathtool(secret);
    const { status } = await client({}).call(verifyLogin, { body: { challenge, code } });
    expect(status, `${code} after ${periods} periods`).toBe(200);
    const again = await client({}).call(verifyLogin, { body: { challenge, code } });
    expect(again.body).toMatchObject({ error: 'code_wrong' });
  }
});
