import type { CDPSession } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { provedSession } from './proved-session.ts';
import { browser, page, pageErrors, running } from './service-page.ts';

const password = 'a password of their own';
/** The same service at a name that browsers accept as the domain of passkeys. */
const site = () => running.credentials.baseUrl.replace('127.0.0.1', 'localhost');

/** Chromium's debugging protocol controls the authenticator. */
let debugging: CDPSession;
let authenticatorId: string;

beforeEach(async () => {
  debugging = await browser.context.newCDPSession(page);
  await debugging.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
  } as const;
  ({ authenticatorId } = await debugging.send('WebAuthn.addVirtualAuthenticator', { options }));
});

interface Answer {
  token: string;
  factor: { id: number; type: string; confirmed: boolean };
  publicKey: object;
  recoveryCodes: string[];
}

/** Sends a request from the page. */
async function send(path: string, body: object, token?: string): Promise<Answer> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...authorization },
    body: JSON.stringify(body),
  };
  return page.evaluate(`fetch('${path}', ${JSON.stringify(request)}).then((response) => response.json())`);
}

/** Adds a passkey as a page does: with the JSON forms of the browser. */
async function addPasskey(token: string): Promise<Answer> {
  const { factor, publicKey } = await send('/auth/factors', { type: 'passkey', name: 'Chromium' }, token);
  const credential = await page.evaluate<object>(
    `navigator.credentials
      .create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(${JSON.stringify(publicKey)}) })
      .then((created) => created.toJSON())`,
  );
  return send(`/auth/factors/${factor.id}/confirm`, { credential }, token);
}

async function signIn(way: string, fields: Record<string, string> = {}) {
  await page.getByRole('button', { name: 'Sign in' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(way).check();
  for (const [label, value] of Object.entries(fields))
    await dialog.getByLabel(label, { exact: true }).fill(value);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
}

test('a passkey of Chromium signs in to the reference with and without a password, and only at its site', async () => {
  const email = running.credentials.adminEmail;
  await page.goto(`${site()}/docs`);
  const added = await addPasskey(await provedSession(password));
  expect(added).toMatchObject({ factor: { type: 'passkey', confirmed: true } });
  expect(added.recoveryCodes).toHaveLength(10);
  const { credentials } = await debugging.send('WebAuthn.getCredentials', { authenticatorId });
  expect(credentials).toMatchObject([{ isResidentCredential: true, rpId: 'localhost' }]);

  await page.reload();
  await signIn('a passkey');
  await page.getByText(`Signed in as ${email}`).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await signIn('email and password', { Email: email, Password: password });
  await page.getByText(`Signed in as ${email}`).waitFor();

  // An authenticator that cannot verify its user gets no session.
  await page.reload();
  await debugging.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await signIn('a passkey');
  await page.getByRole('alert').getByText(/./).waitFor();
  await debugging.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });

  await page.goto(`${running.credentials.baseUrl}/docs`);
  await signIn('a passkey');
  await page.getByRole('alert').getByText('Passkeys belong to localhost').waitFor();
  expect(pageErrors).toEqual([]);
});
