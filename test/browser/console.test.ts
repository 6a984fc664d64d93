import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { behaviours, receiver } from '../harness/receiver.ts';
import { startChromium } from './chromium.ts';
import { card, check, open } from './console-page.ts';
import { atEnd, browser, heading, page, pageErrors, running } from './service-page.ts';

test('a request appears with its event, audit entry, notification, mail and webhook attempts, without a reload', async () => {
  const to = await receiver((response, request) => {
    const responds =
      to.received.length === 1
        ? behaviours.responds(500, {}, 'not now')
        : behaviours.responds(200, {}, 'accepted');
    responds(response, request);
  });
  await running.api('POST', '/webhooks', { url: to.url, events: ['lead_created'] });
  await running.api('PUT', `/users/${running.credentials.adminEmail}/notification-preferences`, [
    { event: 'lead_created', deliveryPref: ['website', 'email'] },
  ]);
  await open('activity');
  await heading('Activity').waitFor();
  await page.evaluate('window.isSamePage = true');

  await running.createLead('Byron');
  const row = page.getByRole('row').filter({ hasText: '/leads' });
  await row.filter({ hasText: 'lead_created' }).waitFor();
  expect(await row.textContent()).toMatch(/POST.*\/leads.*201.* ms.*user:\d+/s);

  await row.getByRole('link').click();
  await page.getByRole('heading', { level: 1, name: /^POST/ }).waitFor();
  expect(await card('DynamoDB calls').textContent()).toMatch(
    /TransactWriteItems.*units.*put.*ACCOUNT#acc_\w+#EVENT/s,
  );
  expect(await card('Writes').textContent()).toMatch(/put.*#LEAD#\d+.*RECORD.*firstName, lastName/s);
  expect(await card('Request').textContent()).toContain('"lastName": "Byron"');
  expect(await card('Request').textContent()).toMatch(/authorization\s*REDACTED/);

  await card('Events').getByRole('link', { name: 'lead_created' }).click();
  await heading('lead_created').waitFor();
  await card('Audit entry').getByText('contains the event').waitFor();
  await card('Mails and text messages').getByRole('link', { name: 'Lead created: Ada Byron' }).waitFor();
  const recipients = card('Recipients').getByRole('row').filter({ hasText: running.credentials.adminEmail });
  expect(await recipients.allTextContents()).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/website\s*sent\s*own rule/),
      expect.stringMatching(/email\s*sent\s*own rule/),
      expect.stringMatching(/sms\s*left out\s*not chosen/),
    ]),
  );
  for (const step of ['Relay', 'Audit log', 'Recipients', 'Webhook deliveries', 'Webhook attempts', 'Mail'])
    await card('Timeline').getByText(step, { exact: true }).first().waitFor();
  const attempts = card('Webhook deliveries').locator('tbody tr');
  await attempts.filter({ hasText: 'not now' }).first().waitFor();

  // The retry also appears without a reload.
  await attempts.filter({ hasText: 'accepted' }).waitFor();
  expect(await attempts.allTextContents()).toEqual([
    expect.stringMatching(/^\s*1.*500.*not now\s*$/s),
    expect.stringMatching(/^\s*2.*200.*accepted\s*$/s),
  ]);
  await card('Webhook deliveries').getByText('delivered', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Lead created: Ada Byron' }).click();
  await heading('Mailbox').waitFor();
  await page.getByText('Lead created: Ada Byron').first().waitFor();
  expect(await page.evaluate('window.isSamePage')).toBe(true);
  expect(pageErrors).toEqual([]);
});

test('home shows credentials that can be copied, commands that sign in, and the state of each part', async () => {
  await browser.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open('home');
  await page.getByRole('button', { name: 'Copy API secret' }).click();
  await page.getByRole('button', { name: 'Copy API secret' }).getByText('Copied').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(running.credentials.apiSecret);
  await page.getByRole('region', { name: 'the command for the API key' }).waitFor();
  for (const name of ['DynamoDB', 'SQS', 'S3', 'SES and SNS'])
    await card('Engines').getByRole('row').filter({ hasText: name }).getByText('responds in').waitFor();
  await card('Events').getByText('all events are processed').waitFor();
  for (const name of ['notifications', 'webhooks', 'MAIL', 'JOBS', 'SEALING'])
    await card('Events').getByRole('cell', { name, exact: true }).first().waitFor();
  expect(await card('Events').textContent()).toMatch(/Dead letters\s*none/);
});

test('filters select requests by route, status, caller and event kind', async () => {
  await running.createLead('Filtered');
  await fetch(`${running.credentials.baseUrl}/leads/1`);
  await open('activity');
  const rows = page.getByRole('region', { name: 'Requests' }).locator('tbody tr');
  await page.getByLabel('Status').selectOption('4xx');
  await expect.poll(async () => (await rows.allTextContents()).every((text) => /40\d/.test(text))).toBe(true);
  await page.getByLabel('Status').selectOption('any');
  await page.getByLabel('Event kind').fill('lead_created');
  await expect
    .poll(async () => (await rows.allTextContents()).every((text) => text.includes('lead_created')))
    .toBe(true);
  await page.getByLabel('Caller').fill('nobody');
  await page.getByText('No request matches the filters.').waitFor();
});

test('a reader can open a request and an event by keyboard only, and an update of the page keeps the focus', async () => {
  await running.createLead('Keyboard');
  await open('activity');
  const link = page.getByRole('row').filter({ hasText: 'lead_created' }).first().getByRole('link');
  await link.waitFor();
  const focused = () =>
    page.evaluate<string>('document.activeElement.getAttribute("href") ?? document.activeElement.id');
  const target = await link.getAttribute('href');
  for (let presses = 0; presses < 40 && (await focused()) !== target; presses++)
    await page.keyboard.press('Tab');
  expect(await focused()).toBe(target);
  await running.createLead('Later');
  await page
    .getByRole('row')
    .filter({ hasText: 'lead_created' })
    .nth(1)
    .getByRole('link')
    .and(page.locator(`[href="${target}"]`))
    .waitFor();
  expect(await focused()).toBe(target);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: /^POST/ }).waitFor();
  await expect.poll(focused).toBe('main');
  for (let presses = 0; presses < 10 && !(await focused()).startsWith('#/activity/event/'); presses++)
    await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await heading('lead_created').waitFor();
});

describe.each(['light', 'dark'] as const)('the %s console', (colorScheme) => {
  test.each([390, 820, 1400])('has no accessibility problems and fits the screen at %i px', async (width) => {
    await page.emulateMedia({ colorScheme });
    await running.createLead('Wide');
    await open('home', width);
    await check('home', colorScheme);
    await page.getByRole('link', { name: 'Activity' }).click();
    const row = page.getByRole('row').filter({ hasText: 'lead_created' }).first();
    await row.waitFor();
    await check('activity', colorScheme);
    await row.getByRole('link').click();
    await card('Events').getByRole('link', { name: 'lead_created' }).waitFor();
    await check('request', colorScheme);
    await card('Events').getByRole('link', { name: 'lead_created' }).click();
    await card('Timeline').getByText('Audit log').waitFor();
    await check('event', colorScheme);
    expect(pageErrors).toEqual([]);
  });
});

test('without the token from the printed address, the console shows no data', async () => {
  const { context, close } = await startChromium();
  const other = await context.newPage();
  await other.goto(running.credentials.baseUrl);
  await other.getByText('Open the console at the address that the service printed.').waitFor();
  expect(await other.content()).not.toContain(running.credentials.apiKey);
  await close();
});

test('the console rejects requests and frames from pages of another origin', async () => {
  const site = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<p>Other</p>'),
  );
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  atEnd(() => void site.close());
  const { port } = site.address() as AddressInfo;
  const statuses: number[] = [];
  page.on('response', (response) => {
    if (response.url().startsWith(`${running.credentials.baseUrl}/`)) statuses.push(response.status());
  });
  // 127.0.0.1 with another port is another origin of the same site. `localhost` is another site.
  for (const host of ['127.0.0.1', 'localhost']) {
    await page.goto(`http://${host}:${port}/`);
    const read = await page.evaluate(
      async ({ base, key }) => {
        const attempts = [
          fetch(`${base}/`),
          fetch(`${base}/_local/api/home`, { headers: { 'x-console-token': key } }),
          fetch(`${base}/_local/api/home`, { mode: 'no-cors' }),
          fetch(`${base}/_local/api/home`, { mode: 'no-cors', method: 'POST', body: '{}' }),
        ];
        const results = await Promise.all(
          attempts.map((one) => one.then((got) => got.text()).catch(() => '')),
        );
        return results.join('');
      },
      { base: running.credentials.baseUrl, key: running.token },
    );
    expect(read).toBe('');
    await page.setContent(`<iframe src="${running.credentials.baseUrl}/#${running.token}"></iframe>`);
    await expect.poll(() => page.frames().length).toBe(2);
    await expect.poll(() => page.frames()[1]?.content()).not.toContain('merchant-ops console');
  }
  expect(statuses.length).toBeGreaterThan(0);
  expect(new Set(statuses)).toEqual(new Set([403]));
});

test('the demo data is loaded with a button, which shows the progress', async () => {
  await open('home');
  await card('Demo data').getByRole('button', { name: 'Load demo data' }).press('Enter');
  await card('Demo data')
    .getByText(/[1-9]\d* of \d+ records, now \w+/)
    .waitFor();
  expect(await card('Demo data').getByRole('button').getAttribute('aria-disabled')).toBe('true');
  const users = await fetch(`${running.credentials.baseUrl}/users?pageSize=100`, {
    headers: running.session(),
  });
  expect(((await users.json()) as { totalCount: number }).totalCount).toBeGreaterThan(1);
});
