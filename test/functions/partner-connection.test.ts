import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import deletePartnerConnection from '../../functions/integrations/delete-partner-connection.ts';
import readPartnerConnection from '../../functions/integrations/read-partner-connection.ts';
import rotatePartnerSecret from '../../functions/integrations/rotate-partner-secret.ts';
import savePartnerConnection from '../../functions/integrations/save-partner-connection.ts';
import testPartnerConnection from '../../functions/integrations/test-partner-connection.ts';
import { drain } from '../harness/drain.ts';
import { eventsAbout, scanTable } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';
import { connected } from '../partner/world.ts';

const unreachable = { url: 'http://127.0.0.1:9/', active: true };

test('the secret of a connection is shown once and stored encrypted', async () => {
  const { admin } = await tenant();
  const { secret = '' } = await admin.ok(savePartnerConnection, { body: unreachable });
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(await admin.ok(readPartnerConnection)).not.toHaveProperty('secret');
  expect(await admin.ok(savePartnerConnection, { body: unreachable })).not.toHaveProperty('secret');
  const rotated = await admin.ok(rotatePartnerSecret);
  expect(rotated.secret).not.toBe(secret);
  expect((await admin.ok(readPartnerConnection)).previousSecretUntil).toBe(rotated.previousSecretUntil);
  const stored = JSON.stringify(await scanTable());
  for (const one of [secret, rotated.secret]) expect(stored).not.toContain(one.slice(6));
});

test('both secrets are valid after a rotation, and only the new secret with expireNow', async () => {
  const { owner, partner, secret } = await connected({ silent: true });
  const event = { type: 'settlement.closed', data: {} };
  const { secret: second } = await owner.admin.ok(rotatePartnerSecret);
  for (const one of [secret, second]) expect(await partner.sendEvent({ ...event, secret: one })).toBe(202);
  const { secret: third } = await owner.admin.ok(rotatePartnerSecret, { body: { expireNow: true } });
  for (const one of [secret, second]) expect(await partner.sendEvent({ ...event, secret: one })).toBe(401);
  expect(await partner.sendEvent({ ...event, secret: third })).toBe(202);
});

test('a private key, a short key, another curve and a private address are rejected with their field', async () => {
  const { admin } = await tenant();
  const pem = { publicKeyEncoding: { type: 'spki', format: 'pem' } } as const;
  const rsa = generateKeyPairSync('rsa', {
    modulusLength: 1024,
    ...pem,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const other = generateKeyPairSync('ec', { namedCurve: 'secp384r1', ...pem } as never) as never as {
    publicKey: string;
  };
  for (const publicKey of [rsa.privateKey, rsa.publicKey, other.publicKey, 'no key']) {
    const { body } = await admin.call(savePartnerConnection, { body: { ...unreachable, publicKey } });
    expect(body.details).toMatchObject([{ field: 'publicKey' }]);
  }
  for (const url of ['https://10.0.0.1/', 'https://partner.example.com/?key=1']) {
    const { body } = await admin.call(savePartnerConnection, { body: { url, active: true } });
    expect(body.details).toMatchObject([{ field: 'url' }]);
  }
});

test('a test request sets the health, and an inactive connection accepts no requests and no events', async () => {
  const { owner, partner } = await connected({ silent: true });
  await owner.admin.ok(testPartnerConnection);
  await drain();
  expect(partner.requests).toEqual(['POST /test']);
  expect((await owner.admin.ok(readPartnerConnection)).health).toMatchObject({
    status: 'healthy',
    waiting: 0,
  });
  await owner.admin.ok(savePartnerConnection, { body: { url: partner.url, active: false } });
  const { body } = await owner.admin.call(testPartnerConnection);
  expect(body.error).toBe('partner_inactive');
  expect(await partner.sendEvent({ type: 'settlement.closed', data: {} })).toBe(401);
});

test('the waiting requests of a deleted connection fail, and an event reports it', async () => {
  const { admin, accountId } = await tenant();
  await admin.ok(savePartnerConnection, { body: unreachable });
  await admin.ok(testPartnerConnection);
  await admin.ok(deletePartnerConnection);
  await drain();
  const errors = (await eventsAbout(accountId, accountId)).filter(
    ({ kind }) => kind === 'partner_integration_error',
  );
  expect(errors.map(({ data }) => data)).toEqual([
    { operation: 'test', reason: 'The connection to the partner was deleted.' },
  ]);
  expect((await admin.call(testPartnerConnection)).body.error).toBe('partner_not_connected');
});
