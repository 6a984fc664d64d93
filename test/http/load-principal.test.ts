import { describe, expect, test } from 'vitest';
import createApiKey from '../../functions/apikeys/create-api-key.ts';
import { loadPrincipal } from '../../shared/people/sessions/load-principal.ts';
import { type Credential, keyCredential } from '../../shared/security/credential.ts';
import { member, memberPassword } from '../harness/member.ts';
import { type Client, signIn, tenant } from '../harness/tenant.ts';

const acme = await tenant();

/** The principal of a signed token. */
function credentialOf({ headers }: Pick<Client, 'headers'>): Credential & { sessionId: string } {
  const claims = JSON.parse(
    Buffer.from(headers.authorization?.split('.')[1] ?? '', 'base64url').toString(),
  ) as { sub: string; sid: string };
  const [kind, id] = claims.sub.split(':');
  return {
    kind: kind === 'key' ? 'key' : 'user',
    id: Number(id),
    home: acme.accountId,
    sessionId: claims.sid,
  };
}
const principalOf = async (credential: Credential, now = new Date()) =>
  (await loadPrincipal(credential, undefined, now)).principal();
const refused = expect.objectContaining({ code: 'not_authenticated' });

describe('a session', () => {
  test('a session belongs to the principal that opened it', async () => {
    const grace = await member(acme);
    const another = {
      headers: {
        authorization: await signIn({ email: grace.user.email, password: memberPassword }),
      },
    };
    const credentials = [acme.admin, acme.key, grace.client, another].map(credentialOf);
    for (const one of credentials)
      for (const { sessionId, kind, id } of credentials) {
        const principal = principalOf({ ...one, sessionId });
        if (one.kind === kind && one.id === id)
          expect(await principal).toMatchObject({ kind, id, sessionId });
        else await expect(principal).rejects.toEqual(refused);
      }
  });
});

describe('an API key', () => {
  test('an API key is valid until its expiresAt, exclusive', async () => {
    const expiresAt = new Date(Date.now() + 3600_000).toISOString();
    const key = await acme.admin.ok(createApiKey, { body: { description: 'An hour', expiresAt } });
    const credential = keyCredential(key.apiKey, key.apiSecret);
    if (!credential) throw new Error('The key is invalid.');
    const at = (milliseconds: number) =>
      principalOf(credential, new Date(Date.parse(expiresAt) + milliseconds));
    expect(await at(-1)).toMatchObject({ kind: 'key', id: key.id });
    await expect(at(0)).rejects.toEqual(refused);
    await expect(at(1)).rejects.toEqual(refused);
  });
});
