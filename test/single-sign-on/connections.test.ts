import { generateKeyPairSync } from 'node:crypto';
import { importSPKI, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import createRole from '../../functions/roles/create-role.ts';
import updateRole from '../../functions/roles/update-role.ts';
import createSsoConnection from '../../functions/sso-connections/create-sso-connection.ts';
import deleteSsoConnection from '../../functions/sso-connections/delete-sso-connection.ts';
import listSsoConnections from '../../functions/sso-connections/list-sso-connections.ts';
import readSsoConnection from '../../functions/sso-connections/read-sso-connection.ts';
import updateSsoConnection from '../../functions/sso-connections/update-sso-connection.ts';
import { scanTable } from '../../infra/operations/scan-table.ts';
import type { SsoConnectionInput } from '../../shared/single-sign-on/schema.ts';
import { member } from '../harness/member.ts';
import { storedEvents } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';
import { LyingProvider } from './provider.ts';
import { clientId, codeFor, connected, exchanged, holdDomain, returnUrl, signedIn } from './world.ts';

const acme = await tenant();
const provider = await LyingProvider.start();
await holdDomain(acme, 'acme.example.com');
const ada = await member(acme, [], { email: 'ada@acme.example.com' });
const claims = { sub: 'ada', email: ada.user.email, email_verified: true };

const valid: SsoConnectionInput = {
  issuer: provider.issuer,
  clientId,
  authentication: 'client_secret_basic',
  clientSecret: 'the secret of this test',
  domains: [],
  returnUrls: [returnUrl],
};

test('only administrators manage connections, and nobody can read the secret', async () => {
  const clerk = await member(acme, ['writeUsers', 'readUsers']);
  expect((await clerk.client.call(createSsoConnection, { body: valid })).status).toBe(403);
  const made = await acme.admin.ok(createSsoConnection, { body: valid });
  const params = { id: made.id };
  expect((await acme.key.call(listSsoConnections)).status).toBe(403);
  const shown = [
    made,
    await acme.admin.ok(readSsoConnection, { params }),
    await acme.admin.ok(listSsoConnections),
    await acme.admin.ok(updateSsoConnection, { params, body: { clientSecret: 'the other secret of it' } }),
    await storedEvents(acme.accountId),
  ];
  expect(JSON.stringify(shown)).not.toMatch(/secret of/);
  expect((await storedEvents(acme.accountId)).at(-1)).toMatchObject({
    data: { happening: 'sso_connection_updated', detail: { secretChanged: true } },
  });
  const stored: unknown[] = [];
  for await (const page of scanTable()) stored.push(page);
  expect(JSON.stringify(stored)).not.toMatch(/secret of/);
  await acme.admin.ok(deleteSsoConnection, { params });
  expect((await acme.admin.call(readSsoConnection, { params })).status).toBe(404);
});

test('invalid settings are rejected', async () => {
  const rejected: [object, string][] = [
    [{ issuer: 'https://10.0.0.1' }, 'issuer'],
    [{ issuer: 'http://login.example.com' }, 'issuer'],
    [{ issuer: 'https://login.internal' }, 'issuer'],
    [{ issuer: 'https://login.example.com:8443' }, 'issuer'],
    [{ issuer: 'https://login.example.com/?tenant=1' }, 'issuer'],
    [{ returnUrls: [] }, 'returnUrls'],
    [{ returnUrls: ['http://portal.example.com'] }, 'returnUrls[0]'],
    [{ returnUrls: ['https://portal.example.com/#x'] }, 'returnUrls[0]'],
    [{ domains: ['rival.example.com'] }, 'domains[0]'],
    [{ domains: ['example.com'] }, 'domains[0]'],
    [{ domains: ['not a domain'] }, 'domains[0]'],
    [{ clientSecret: undefined }, 'clientSecret'],
    [{ privateKey: 'x' }, 'privateKey'],
    [{ authentication: 'private_key_jwt' }, 'clientSecret'],
    [{ authentication: 'private_key_jwt', clientSecret: undefined }, 'privateKey'],
    [{ authentication: 'private_key_jwt', clientSecret: undefined, privateKey: 'no key' }, 'privateKey'],
    [{ defaultRoles: ['Nobody'] }, 'roles'],
  ];
  for (const [change, field] of rejected) {
    const { status, body } = await acme.admin.call(createSsoConnection, { body: { ...valid, ...change } });
    expect({ status, field: body.details?.[0]?.field }, JSON.stringify(change)).toEqual({
      status: 400,
      field,
    });
  }
});

test('a domain belongs to one connection, in the form of DNS', async () => {
  const one = await connected(acme, provider, { domains: ['ACME.example.com'] });
  expect(one.domains).toEqual(['acme.example.com']);
  const { body } = await acme.admin.call(createSsoConnection, {
    body: { ...valid, domains: ['acme.example.com'] },
  });
  expect(body.details).toMatchObject([{ field: 'domains[0]', message: 'belongs to another connection' }]);
  await acme.admin.ok(deleteSsoConnection, { params: { id: one.id } });
});

test('a mapping follows the name of its role', async () => {
  const role = await acme.admin.ok(createRole, { body: { name: 'Old', flatPermissionsList: [] } });
  const one = await connected(acme, provider, { defaultRoles: ['Old'] });
  await acme.admin.ok(updateRole, { params: { id: role.id }, body: { name: 'New' } });
  expect((await acme.admin.ok(readSsoConnection, { params: { id: one.id } })).defaultRoles).toEqual(['New']);
  await acme.admin.ok(deleteSsoConnection, { params: { id: one.id } });
});

test('a connection authenticates with a secret in the body, or with a private key, at once after the change', async () => {
  const one = await connected(acme, provider, {
    domains: ['acme.example.com'],
    authentication: 'client_secret_post',
  });
  await signedIn(provider, one, claims);
  expect(provider.tokenRequests.at(-1)?.form.get('client_secret')).toBe('a secret of the client');
  for (const [type, options] of [
    ['rsa', { modulusLength: 2048 }],
    ['ec', { namedCurve: 'P-256' }],
    ['ed25519', {}],
  ] as const) {
    const { privateKey, publicKey } = generateKeyPairSync(type as 'rsa', {
      ...(options as { modulusLength: number }),
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    await acme.admin.ok(updateSsoConnection, {
      params: { id: one.id },
      body: { authentication: 'private_key_jwt', privateKey, keyId: type },
    });
    await signedIn(provider, one, claims);
    const assertion = provider.tokenRequests.at(-1)?.form.get('client_assertion') ?? '';
    const alg = { rsa: 'RS256', ec: 'ES256', ed25519: 'EdDSA' }[type];
    const { payload, protectedHeader } = await jwtVerify(assertion, await importSPKI(publicKey, alg));
    expect(payload).toMatchObject({ iss: clientId, sub: clientId });
    expect(protectedHeader.kid).toBe(type);
  }
  expect(
    (
      await acme.admin.call(updateSsoConnection, {
        params: { id: one.id },
        body: { authentication: 'client_secret_basic' },
      })
    ).body.details?.[0]?.field,
  ).toBe('clientSecret');
});

test('a new issuer needs a new secret, because the stored one belongs to the earlier issuer', async () => {
  const [other, successor] = [await tenant(), await LyingProvider.start()];
  const { id } = await connected(other, provider);
  const params = { id };
  const { body } = await other.admin.call(updateSsoConnection, {
    params,
    body: { issuer: successor.issuer },
  });
  expect(body.details?.[0]?.field).toBe('clientSecret');
  await other.admin.ok(updateSsoConnection, { params, body: { issuer: provider.issuer } });
  await other.admin.ok(updateSsoConnection, {
    params,
    body: { issuer: successor.issuer, clientSecret: 'the secret of the successor' },
  });
});

test('a change of the connection during a sign-in ends the sign-in', async () => {
  const other = await tenant();
  const one = await connected(other, provider);
  const { code = '', codeVerifier } = await codeFor(provider, one, claims);
  await other.admin.ok(updateSsoConnection, { params: { id: one.id }, body: { clientId: 'another' } });
  expect((await exchanged(code, codeVerifier)).body).toMatchObject({ error: 'sign_on_state_invalid' });
});
