import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, expect, test } from 'vitest';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import readMerchant from '../../functions/merchants/read-merchant.ts';
import createRole from '../../functions/roles/create-role.ts';
import { freshMilliseconds } from '../../shared/security/proofs.ts';
import { clock } from '../harness/clock.ts';
import { filledMerchant } from '../harness/filled-merchant.ts';
import { member } from '../harness/member.ts';
import { type Client, client, tenant } from '../harness/tenant.ts';
import { CookieBrowser, receiveLogouts } from '../single-sign-on/real-provider.ts';
import {
  type Browser,
  began,
  calledBack,
  connected,
  exchanged,
  fragmentOf,
  holdDomain,
} from '../single-sign-on/world.ts';
import { type KeycloakUser, startKeycloak } from './server.ts';

const acme = await tenant();
await holdDomain(acme, 'acme.example.com');
const ada = { email: 'ada@acme.example.com', emailVerified: true, password: 'the password of Ada' };
const bob = { email: 'bob@acme.example.com', emailVerified: false, password: 'the password of Bob' };
for (const { email } of [ada, bob]) await member(acme, ['readMerchants', 'writeMerchants'], { email });
/** Users of Keycloak who are not members yet. */
const grace = { ...ada, email: 'grace@acme.example.com', groups: ['managers'] };
const joan = { ...ada, email: 'joan@acme.example.com', groups: ['agents'] };
const role = await acme.admin.ok(createRole, {
  body: { name: 'Managers', flatPermissionsList: ['readMerchants'] },
});
const { id: merchantId } = await acme.admin.ok(createMerchant, { body: filledMerchant });

const clientSecret = 'a secret of the client';
const logouts = await receiveLogouts(acme);
const keycloak = await startKeycloak({
  clientSecret,
  logoutUrl: logouts.url,
  users: [ada, bob, grace, joan],
});
afterAll(keycloak.stop);
afterEach(clock.reset);

const connection = await connected(acme, keycloak, {
  clientSecret,
  domains: ['acme.example.com'],
  provisioning: true,
  roleMappings: [{ claim: 'groups', value: 'managers', roles: [role.name] }],
});
logouts.connectionId = connection.id;

/** The address to which a form of a page is sent. Undefined if the page does not have the form. */
function actionOf(page: string, form: RegExp): string | undefined {
  const tag = page.match(/<form[^>]*>/g)?.find((tag) => form.test(tag));
  const [, action] = /action="([^"]+)"/.exec(tag ?? '') ?? [];
  return action && new URL(action.replaceAll('&amp;', '&'), keycloak.issuer).href;
}

/** A person's browser at Keycloak. */
class KeycloakBrowser extends CookieBrowser {
  /** Follows redirects until the callback of the service, or until a page. `form`: the address of its login form. */
  async follow(url: string, options?: RequestInit): Promise<{ form?: string; callback?: string }> {
    let response = await this.send(url, options);
    for (let n = 0; n < 10 && response.headers.has('location'); n++) {
      const location = new URL(response.headers.get('location') ?? '', url).href;
      if (!location.startsWith(keycloak.issuer)) return { callback: location };
      response = await this.send(location);
    }
    return { form: actionOf(await response.text(), /kc-form-login/) };
  }

  sendPassword(form: string | undefined, { email, password }: Pick<KeycloakUser, 'email' | 'password'>) {
    const body = new URLSearchParams({ username: email, password });
    return this.follow(form ?? '', { method: 'POST', body });
  }

  async signOut(): Promise<void> {
    const page = await (await this.send(`${keycloak.issuer}/protocol/openid-connect/logout`)).text();
    const [, code = ''] = /name="session_code" value="([^"]+)"/.exec(page) ?? [];
    const body = new URLSearchParams({ session_code: code, confirmLogout: 'Logout' });
    await this.send(actionOf(page, /logout-confirm/) ?? '', { method: 'POST', body });
  }
}

/** Ends a sign-in with the callback. Returns the response of the exchange. */
async function finished(callback: string | undefined, browser: Browser) {
  const query = Object.fromEntries(new URL(callback ?? '').searchParams);
  const { headers } = await calledBack(query, browser);
  const { code = '', error, message } = fragmentOf(headers);
  expect({ error, message }).toEqual({});
  return exchanged(code, browser.codeVerifier);
}

async function sessionOf(callback: string | undefined, browser: Browser): Promise<Client> {
  const { status, body } = await finished(callback, browser);
  expect(status, JSON.stringify(body)).toBe(200);
  return client({ authorization: `Bearer ${body.token}`, 'x-account-id': acme.accountId });
}

/** Begins a sign-in and sends the password to Keycloak. */
async function sentPassword(atKeycloak: KeycloakBrowser, user: KeycloakUser) {
  const browser = await began(connection);
  const { form } = await atKeycloak.follow(browser.location);
  return { browser, ...(await atKeycloak.sendPassword(form, user)) };
}

const record = { params: { merchantId } };
const reveal = { ...record, query: { reveal: true } };

test('Keycloak signs in a member, and its logout ends the session', async () => {
  const atKeycloak = new KeycloakBrowser();
  const { callback, browser } = await sentPassword(atKeycloak, ada);
  const session = await sessionOf(callback, browser);
  await session.ok(readMerchant, record);

  await atKeycloak.signOut();
  await expect.poll(() => logouts.responses.length).toBeGreaterThan(0);
  expect((await Promise.all(logouts.responses)).map(({ status }) => status)).toEqual([200]);
  expect((await session.call(readMerchant, record)).status).toBe(401);
});

test('after a wrong password, Keycloak shows its form again and gives no code', async () => {
  const atKeycloak = new KeycloakBrowser();
  const { browser, ...wrong } = await sentPassword(atKeycloak, { ...ada, password: 'a wrong password' });
  expect(wrong).toEqual({ form: expect.stringContaining(keycloak.issuer) });
  const { callback } = await atKeycloak.sendPassword(wrong.form, ada);
  await (await sessionOf(callback, browser)).ok(readMerchant, record);
});

test('a user whose address Keycloak has not verified is not linked to the member with this address', async () => {
  const { callback, browser } = await sentPassword(new KeycloakBrowser(), bob);
  expect(await finished(callback, browser)).toMatchObject({
    status: 403,
    body: { error: 'sign_on_not_allowed', message: expect.stringContaining('email_verified') },
  });
});

test('a group of Keycloak gives its role to a new member', async () => {
  for (const [user, status] of [[grace, 200] as const, [joan, 403] as const]) {
    const { callback, browser } = await sentPassword(new KeycloakBrowser(), user);
    const session = await sessionOf(callback, browser);
    expect((await session.call(readMerchant, record)).status, user.email).toBe(status);
  }
});

test('with fresh=true, Keycloak asks for the password again, and only this sign-in is a new proof', async () => {
  const atKeycloak = new KeycloakBrowser();
  const first = await sentPassword(atKeycloak, ada);
  await sessionOf(first.callback, first.browser);
  const proved = Date.now();
  // The time in which the first proof must be too old and the second proof must be fresh, in milliseconds.
  await setTimeout(10_000);

  const second = await began(connection);
  const { callback } = await atKeycloak.follow(second.location);
  const withCookie = await sessionOf(callback, second);
  expect((await withCookie.call(readMerchant, reveal)).status).toBe(200);

  const third = await began(connection, true);
  const asked = await atKeycloak.follow(third.location);
  expect(asked).toEqual({ form: expect.stringContaining(keycloak.issuer) });
  const withPassword = await sessionOf((await atKeycloak.sendPassword(asked.form, ada)).callback, third);

  clock.advance(proved + freshMilliseconds - Date.now());
  expect(await withCookie.call(readMerchant, reveal)).toMatchObject({
    status: 403,
    body: { error: 'step_up_required', stepUp: { method: 'single_sign_on' } },
  });
  expect((await withPassword.call(readMerchant, reveal)).status).toBe(200);
});
