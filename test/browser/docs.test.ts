import { describe, expect, test } from 'vitest';
import { screenshot, violations } from './check-page.ts';
import { startChromium } from './chromium.ts';
import { browser, heading, page, pageErrors, running } from './service-page.ts';

async function open(width: number, address = '/docs') {
  await page.setViewportSize({ width, height: 900 });
  await page.goto(running.credentials.baseUrl + address);
}

async function signIn(way: string, fields: Record<string, string>) {
  await page.getByRole('button', { name: 'Sign in' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(way).check();
  for (const [label, value] of Object.entries(fields))
    await dialog.getByLabel(label, { exact: true }).fill(value);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
}

/** Opens the form, sends it and returns the displayed response. */
async function send(): Promise<{ status: string; body: unknown }> {
  const form = page.locator('.try');
  if (!(await form.getByRole('button', { name: 'Send' }).isVisible())) await form.getByText('Try it').click();
  await form.getByRole('button', { name: 'Send' }).click();
  await form.getByRole('status').getByText(/ ms$/).waitFor();
  const body = await form.locator('.answer').textContent();
  return { status: (await form.getByRole('status').textContent()) ?? '', body: JSON.parse(body ?? '') };
}

const contents = () => page.getByRole('navigation', { name: 'Contents' });

describe.each(['light', 'dark'] as const)('the %s reference', (colorScheme) => {
  test.each([400, 820, 1400])('has no accessibility problems and fits the screen at %i px', async (width) => {
    await page.emulateMedia({ colorScheme });
    for (const [name, address] of [
      ['start', '/docs'],
      ['operation', '/docs?operation=createLead'],
      ['nested', '/docs?operation=updateApplication'],
      ['delivery', '/docs?operation=receiveLeadCreated'],
    ] as const) {
      await open(width, address);
      await screenshot(page, `docs-${name}-${width}-${colorScheme}`);
      for (const closed of await page.locator('main details > summary').all())
        if (await closed.isVisible()) await closed.click();
      expect(await violations(page), name).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(width);
    }
    await page.getByRole('button', { name: 'Sign in' }).first().click();
    expect(await violations(page)).toEqual([]);
    expect(pageErrors).toEqual([]);
  });
});

test.each([
  ['wide', 1280],
  ['narrow', 390],
])(
  'on a %s screen, a reader signs in with an API key, opens an operation and sends a request',
  async (_, width) => {
    await open(width);
    await signIn('an API key', {
      'API key': running.credentials.apiKey,
      Secret: running.credentials.apiSecret,
    });
    await page.getByText(`Signed in as ${running.credentials.apiKey}`).waitFor();
    if (width < 960) await page.getByText('Contents').click();
    await contents().getByRole('link', { name: 'List leads' }).click();
    await heading('List leads').waitFor();
    expect(await send()).toMatchObject({
      status: expect.stringMatching(/^200 /),
      body: { data: expect.any(Array) },
    });
    expect(pageErrors).toEqual([]);
  },
);

test('without JavaScript, the guide, the headings and the pages of operations are readable', async () => {
  const { context, close } = await startChromium({ javaScriptEnabled: false });
  const plain = await context.newPage();
  await plain.goto(`${running.credentials.baseUrl}/docs`);
  await plain.getByRole('heading', { name: 'Receiving webhooks' }).waitFor();
  await plain.getByRole('heading', { name: 'Create a lead', exact: true }).getByRole('link').click();
  await plain.getByRole('heading', { level: 1, name: 'Create a lead' }).waitFor();
  await plain.getByText('Python', { exact: true }).click();
  await plain.getByText('requests.post(').waitFor();
  await close();
});

test('the first load is small, and pages need little CPU time', async () => {
  const session = await browser.context.newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await session.send('Network.enable');
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  const seconds = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
  };
  await open(1400);
  await page.waitForTimeout(500);
  const readable = await seconds();
  expect(readable).toBeLessThan(1);
  expect(bytes).toBeLessThan(300 * 1024);
  await contents()
    .getByRole('link', { name: /Create an application$/ })
    .click();
  await heading('Create an application').waitFor();
  await page.waitForTimeout(500);
  expect((await seconds()) - readable).toBeLessThan(0.5);
});

test('the address contains the open operation, and the back button returns to the previous page', async () => {
  await open(1280);
  await contents().getByRole('link', { name: 'List leads' }).click();
  await heading('List leads').waitFor();
  expect(page.url()).toBe(`${running.credentials.baseUrl}/docs?operation=listLeads`);
  expect(await page.title()).toBe('List leads');
  await contents().getByRole('link', { name: 'Retrying safely' }).click();
  await page.getByRole('heading', { name: 'Retrying safely' }).waitFor();
  expect(page.url()).toBe(`${running.credentials.baseUrl}/docs#retrying-safely`);
  await page.goBack();
  await heading('List leads').waitFor();
  await page.reload();
  await heading('List leads').waitFor();
  const current = contents().locator('[aria-current]');
  expect(await current.textContent()).toBe('get List leads');
});

test('a sample can be copied, and its language stays selected on the next page', async () => {
  await browser.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(1280, '/docs?operation=createLead');
  await page.getByText('TypeScript', { exact: true }).click();
  await page.getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(
    /^import .*\n[\s\S]*console\.log\(data\);$/,
  );
  await contents().getByRole('link', { name: 'Read a lead with its audit log' }).click();
  await page.getByText("client.GET('/leads/{leadId}'").waitFor();
});

test('the example body in the form is valid, and the form sends the parameters that a reader enters', async () => {
  await open(1280, '/docs?operation=createLead');
  await signIn('an API key', {
    'API key': running.credentials.apiKey,
    Secret: running.credentials.apiSecret,
  });
  await page.getByText(/^Signed in as/).waitFor();
  const created = await send();
  expect(created).toMatchObject({
    status: expect.stringMatching(/^201 /),
    body: { accountId: running.credentials.accountId },
  });
  const { id } = created.body as { id: number };

  await contents().getByRole('link', { name: 'Read a lead with its audit log' }).click();
  await heading('Read a lead with its audit log').waitFor();
  await page.getByText('Try it').click();
  await page.getByLabel('leadId').fill(String(id));
  expect(await send()).toMatchObject({ status: expect.stringMatching(/^200 /), body: { id } });

  await contents().getByRole('link', { name: 'List leads' }).click();
  await heading('List leads').waitFor();
  await page.getByText('Try it').click();
  await page.getByLabel('company').fill('Nobody, None');
  expect(await send()).toMatchObject({ status: expect.stringMatching(/^200 /), body: { totalCount: 0 } });
  await page.getByLabel('teamId').fill('1,2');
  expect(await send()).toMatchObject({
    status: expect.stringMatching(/^400 /),
    body: { details: [{ field: 'teamId', message: 'must be the id of an existing record' }] },
  });
});

test('a reader signs in with an email and a password, and signs out', async () => {
  await open(1280, '/docs?operation=readSession');
  await signIn('email and password', {
    Email: running.credentials.adminEmail,
    Password: running.credentials.adminPassword,
  });
  await page.getByText(`Signed in as ${running.credentials.adminEmail}`).waitFor();
  expect(await send()).toMatchObject({
    status: expect.stringMatching(/^200 /),
    body: { email: running.credentials.adminEmail },
  });

  await page.getByRole('button', { name: 'Sign out' }).click();
  expect(await send()).toMatchObject({
    status: expect.stringMatching(/^401 /),
    body: { error: 'not_authenticated' },
  });
});

test('a reader signs in with a session token', async () => {
  const login = await fetch(`${running.credentials.baseUrl}/auth/login`, {
    method: 'POST',
    headers: { 'x-api-key': running.credentials.apiKey, 'x-api-secret': running.credentials.apiSecret },
  });
  const { token } = (await login.json()) as { token: string };
  await open(1280, '/docs?operation=readSession');
  await signIn('a session token', { 'Session token': token });
  await page.getByText(`Signed in as ${running.credentials.apiKey}`).waitFor();
  expect(await send()).toMatchObject({ status: expect.stringMatching(/^200 /) });
});

test('wrong credentials show an error, and the reader can correct them', async () => {
  await open(1280);
  await signIn('an API key', { 'API key': running.credentials.apiKey, Secret: 'wrong' });
  await page.getByRole('alert').getByText('These credentials are not valid.').waitFor();
  await page.getByRole('dialog').getByLabel('Secret').fill(running.credentials.apiSecret);
  await page.keyboard.press('Enter');
  await page.getByText(/^Signed in as/).waitFor();
});

test('the search finds operations and chapters, opens the first result with Enter, and reports if it finds nothing', async () => {
  await open(1280);
  const search = page.getByRole('searchbox');
  const links = contents().getByRole('link');
  const all = await links.count();
  await search.fill('rate limits');
  expect(await contents().getByRole('link', { name: 'Rate limits' }).isVisible()).toBe(true);
  await search.fill('/leads/{leadId}/convert');
  expect(await links.count()).toBeLessThan(4);
  await search.press('Enter');
  await heading('Convert a lead to an application').waitFor();
  await search.fill('no such thing');
  await contents().getByRole('status').getByText('Nothing found for “no such thing”.').waitFor();
  expect(await links.count()).toBe(0);
  await search.fill('');
  expect(await links.count()).toBe(all);
  expect(await contents().getByRole('status').textContent()).toBe('');
});

test('the page does not run injected scripts', async () => {
  await open(1280);
  await page.evaluate(
    `document.body.append(Object.assign(document.createElement('script'), { text: 'window.foreign = 1' }))`,
  );
  expect(await page.evaluate('window.foreign')).toBeUndefined();
  expect(pageErrors.join()).toContain('Content Security Policy');
});

test('a reader whose proof is old enters the password once, and the request is sent again', async () => {
  const { adminEmail, adminPassword, accountId } = running.credentials;
  const { id } = await running.api('POST', '/merchants', { merchantName: 'Harbor Street Coffee' });
  await open(1280, '/docs?operation=readMerchant');
  await signIn('email and password', { Email: adminEmail, Password: adminPassword });
  await page.getByText(`Signed in as ${adminEmail}`).waitFor();
  // A session cannot be made old here, so the first response is replaced.
  const stepUp = { purpose: 'reveal', subject: { accountId, id: String(id) }, method: 'password' };
  await page.route(
    `**/merchants/${id}*`,
    (route) => route.fulfill({ status: 403, json: { error: 'step_up_required', stepUp } }),
    { times: 1 },
  );
  const tryIt = page.locator('.try');
  await tryIt.getByText('Try it').click();
  await tryIt.getByLabel(/merchantId/).fill(String(id));
  await tryIt.getByRole('button', { name: 'Send' }).click();
  const dialog = page.getByRole('dialog', { name: 'Prove your identity' });
  await dialog.getByLabel('Password').fill('wrong');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByText('The current password is wrong.').waitFor();
  expect(await violations(page)).toEqual([]);
  await dialog.getByLabel('Password').fill(adminPassword);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await tryIt.getByRole('status').getByText(/^200/).waitFor();
  expect(await tryIt.locator('.answer').textContent()).toContain('Harbor Street Coffee');
  expect(pageErrors).toEqual([]);
});
