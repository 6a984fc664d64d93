import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { root } from '../../infra/build/endpoints.ts';
import { type LocalCredentials, readCredentials } from '../../infra/local/credentials.ts';
import { startRunnerProcess, temporaryFolder } from '../local/runner-process.ts';
import { type Browser, startChromium } from './chromium.ts';

let service: LocalCredentials;
const ends: (() => Promise<void> | void)[] = [];
let browser: Browser;
let page: Page;
/** Errors of the page, including violations of its Content Security Policy. */
let pageErrors: string[];

beforeAll(async () => {
  const atEnd = (end: (typeof ends)[number]) => void ends.unshift(end);
  const folder = temporaryFolder(atEnd);
  [browser] = await Promise.all([startChromium(), startRunnerProcess({ DATA_DIR: folder }, { atEnd })]);
  ends.unshift(browser.close);
  service =
    readCredentials(join(folder, 'credentials.json')) ?? expect.fail('The service wrote no credentials');
});

afterAll(async () => {
  for (const end of ends) await end();
});

beforeEach(async () => {
  await page?.close();
  page = await browser.context.newPage();
  pageErrors = [];
  page.on('pageerror', (error) => pageErrors.push(String(error)));
  page.on('console', (message) => {
    const isApiError = /Failed to load resource: the server responded with a status of 4/.test(
      message.text(),
    );
    if (message.type() === 'error' && !isApiError) pageErrors.push(message.text());
  });
});

async function open(width: number, address = '/docs') {
  await page.setViewportSize({ width, height: 900 });
  await page.goto(service.baseUrl + address);
  await page.locator('.opblock-tag').first().waitFor();
}

async function signIn(way: string, fields: Record<string, string>) {
  await page.getByRole('button', { name: 'Sign in' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(way).check();
  for (const [label, value] of Object.entries(fields))
    await dialog.getByLabel(label, { exact: true }).fill(value);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
}

const operation = (id: string) => page.locator(`[id$="-${id}"].opblock`);

/** Clicks Execute and returns the displayed response. */
async function execute(id: string): Promise<{ status: string; body: unknown }> {
  await operation(id).getByRole('button', { name: 'Execute' }).click();
  const response = operation(id).locator('.live-responses-table .response').first();
  await response.waitFor();
  const status = await response.locator('.response-col_status').textContent();
  const body = await response.locator('.highlight-code code').first().textContent();
  return { status: status?.trim() ?? '', body: JSON.parse(body ?? '') };
}

/** Returns the accessibility problems that axe finds, for example in names, roles, contrast or focus. */
async function violations(): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>('axe.run()');
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** Saves a screenshot in .build/screenshots/ for manual review. */
async function screenshot(name: string) {
  const folder = join(root, '.build', 'screenshots');
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

describe.each([
  ['wide', 1280],
  ['narrow', 390],
])('the reference on a %s screen', (name, width) => {
  test('signs in with an API key and sends a request', async () => {
    await open(width);
    await screenshot(`docs-${name}`);
    await signIn('an API key', { 'API key': service.apiKey, Secret: service.apiSecret });
    await page.getByText(`Signed in as ${service.apiKey}`).waitFor();

    if (width < 960) await page.getByText('Contents').click();
    await page.getByRole('link', { name: 'List leads' }).click();
    expect(await execute('listLeads')).toMatchObject({ status: '200', body: { data: [], totalCount: 0 } });
    await screenshot(`docs-${name}-answer`);
    expect(pageErrors).toEqual([]);
  });

  test('has no accessibility problems', async () => {
    await open(width, '/docs#/Leads/createLead');
    await operation('createLead').getByRole('button', { name: 'Execute' }).waitFor();
    expect(await violations()).toEqual([]);
    await page.getByRole('button', { name: 'Sign in' }).first().click();
    expect(await violations()).toEqual([]);
  });

  test('does not scroll horizontally', async () => {
    await open(width, '/docs#/Leads/createLead');
    await operation('createLead').getByRole('button', { name: 'Execute' }).waitFor();
    await screenshot(`docs-${name}-operation`);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  });
});

test('the reference shows a body example that can be sent unchanged', async () => {
  await open(1280, '/docs#/Leads/createLead');
  await signIn('an API key', { 'API key': service.apiKey, Secret: service.apiSecret });
  await page.getByText(/^Signed in as/).waitFor();
  expect(await execute('createLead')).toMatchObject({
    status: '201',
    body: { accountId: service.accountId },
  });
});

test('the reference signs in with an email and a password, and signs out', async () => {
  await open(1280, '/docs#/Authentication/readSession');
  await signIn('email and password', { Email: service.adminEmail, Password: service.adminPassword });
  await page.getByText(`Signed in as ${service.adminEmail}`).waitFor();
  expect(await execute('readSession')).toMatchObject({ status: '200', body: { email: service.adminEmail } });

  await page.getByRole('button', { name: 'Sign out' }).click();
  expect(await execute('readSession')).toMatchObject({ status: '401', body: { error: 'not_authenticated' } });
});

test('the reference page signs in with an entered session token', async () => {
  const login = await fetch(`${service.baseUrl}/auth/login`, {
    method: 'POST',
    headers: { 'x-api-key': service.apiKey, 'x-api-secret': service.apiSecret },
  });
  const { token } = (await login.json()) as { token: string };
  await open(1280);
  await signIn('a session token', { 'Session token': token });
  await page.getByText(`Signed in as ${service.apiKey}`).waitFor();
});

test('the reference shows an error for wrong credentials, and the user can correct them', async () => {
  await open(1280);
  await signIn('an API key', { 'API key': service.apiKey, Secret: 'wrong' });
  await page.getByRole('alert').getByText('These credentials are not valid.').waitFor();
  await page.getByRole('dialog').getByLabel('Secret').fill(service.apiSecret);
  await page.keyboard.press('Enter');
  await page.getByText(/^Signed in as/).waitFor();
});

test('the search field finds operations by path', async () => {
  await open(1280);
  const links = page.getByRole('navigation').getByRole('link');
  const all = await links.count();
  await page.getByRole('searchbox').fill('/leads/{leadId}');
  const found = await links.count();
  expect(found).toBeGreaterThan(0);
  expect(found).toBeLessThan(all);
});

test('the reference page does not run injected scripts', async () => {
  await open(1280);
  await page.evaluate(
    `document.body.append(Object.assign(document.createElement('script'), { text: 'window.foreign = 1' }))`,
  );
  expect(await page.evaluate('window.foreign')).toBeUndefined();
  expect(pageErrors.join()).toContain('Content Security Policy');
});
