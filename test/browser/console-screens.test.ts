import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeStored } from '../../infra/administration/stored-file.ts';
import { card, check, goTo, open } from './console-page.ts';
import { browser, heading, page, pageErrors, running } from './service-page.ts';

const button = (name: string) => page.getByRole('button', { name, exact: true });
const link = (name: string) => page.getByRole('link', { name, exact: true });

test('a reset mail appears without a reload, shows its code and its HTML, and explains why it was sent', async () => {
  await browser.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open('mailbox');
  await heading('Mailbox').waitFor();
  await page.evaluate('window.isSamePage = true');
  await running.api('POST', '/auth/password-reset-request', { email: running.credentials.adminEmail });
  await page
    .getByRole('region', { name: 'Messages' })
    .getByRole('link')
    .filter({ hasText: 'Reset your password' })
    .click();

  const mail = card('Reset your password');
  await mail.getByRole('button', { name: 'Copy the code' }).click();
  await mail.getByText('Copied').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^mo_pw_/);
  await page.frameLocator('iframe.mail').getByText('We received a request to reset your password.').waitFor();
  await button('Headers').click();
  await mail.getByRole('cell', { name: 'Auto-Submitted' }).waitFor();
  await button('Text').click();
  expect(await mail.getByRole('region', { name: 'Text' }).textContent()).toContain('This code works once');
  await card('Why it was sent').getByText('the mail is about the user’s own password').waitFor();
  await card('Why it was sent').getByRole('link', { name: 'user_password_reset_requested' }).waitFor();
  await card('Why it was sent')
    .getByRole('row')
    .filter({ hasText: 'email' })
    .getByText('sent', { exact: true })
    .waitFor();
  expect(await page.evaluate('window.isSamePage')).toBe(true);
  expect(pageErrors).toEqual([]);
});

test('scripts, forms and images in a mail have no effect', async () => {
  const hostile = `<p>Hello</p><script>document.body.textContent = 'changed'</script>
<img src="${running.credentials.baseUrl}/health" onerror="document.body.textContent = 'changed'">
<form action="${running.credentials.baseUrl}/auth/login" method="post"><button>Go</button></form>`;
  writeStored(
    join(running.folder, 'mail', '2026-01-01T00-00-00.000Z-11111111-1111-4111-8111-111111111111.eml'),
    `From: a@example.com\r\nTo: b@example.com\r\nSubject: Hostile\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${hostile}`,
  );
  const requests: string[] = [];
  page.on('response', (response) => requests.push(new URL(response.url()).pathname));
  await open('mailbox');
  await page.getByRole('link').filter({ hasText: 'Hostile' }).click();
  const frame = page.frameLocator('iframe.mail');
  await frame.getByText('Hello').waitFor();
  await frame.getByRole('button', { name: 'Go' }).click();
  await card('Why it was sent').getByText('belongs to another data folder').waitFor();
  expect(await frame.locator('body').innerText()).not.toContain('changed');
  expect(requests).not.toContain('/health');
  expect(requests).not.toContain('/auth/login');
});

test('a waiting digest can be sent at once', async () => {
  await running.api('PUT', `/users/${running.credentials.adminEmail}/notification-preferences`, [
    { event: 'lead_created', deliveryPref: ['email', 'weekly_email_digest'] },
  ]);
  await running.createLead('Digest');
  await open('mailbox');
  await button(`Send now: the weekly digest of ${running.credentials.adminEmail}`).click();
  await card('Waiting digests').getByText('The digest was sent.').waitFor();
  await page.getByRole('link').filter({ hasText: '1 notification from the last week' }).click();
  await card('Why it was sent')
    .getByText(/weekly, period .*, 1 event$/)
    .waitFor();
});

test('a delivery fails in the receiver, is retried, and is redelivered after the receiver succeeds', async () => {
  await open('receiver');
  await button('Subscribe to all events').click();
  await page.getByLabel('fail with 500').check();
  await page.getByText('The receiver will fail with 500.').waitFor();
  await page.evaluate('window.isSamePage = true');
  await running.createLead('Failing');
  const received = card('Received requests')
    .getByRole('listitem')
    .filter({ has: page.locator('summary', { hasText: 'lead_created' }) });
  await received.first().getByText('signature verified').waitFor();
  // The retry appears without a reload, about five seconds after the first attempt.
  await received.nth(1).waitFor();
  expect(await received.locator('summary').allTextContents()).toEqual(
    expect.arrayContaining([expect.stringMatching(/signature verified\s*500/)]),
  );

  await page.getByLabel('succeed with 200').check();
  await page.getByText('The receiver will succeed with 200.').waitFor();
  await received.first().locator('summary').click();
  expect(await received.first().textContent()).toMatch(/webhook-signature\s*v1,/);
  await received.first().getByRole('link', { name: 'Event with all deliveries and attempts' }).click();
  await heading('lead_created').waitFor();
  const deliveries = card('Webhook deliveries');
  await deliveries.getByRole('row').filter({ hasText: 'The receiver is set to fail.' }).nth(1).waitFor();
  await deliveries.getByRole('link', { name: /^http:/ }).click();

  // The generic screen shows the delivery, and redelivers it.
  await page.getByText('Attempt a delivery now', { exact: true }).first().click();
  await button('Attempt a delivery now').click();
  await page.getByRole('status').filter({ hasText: 'Done.' }).waitFor();
  await page.goBack();
  await deliveries.getByRole('row').filter({ hasText: '(requested)' }).getByText('Received.').waitFor();
  await deliveries.getByText('delivered', { exact: true }).waitFor();
  await deliveries.getByText('Request', { exact: true }).click();
  expect(await deliveries.getByRole('region', { name: /^Body of the request/ }).textContent()).toContain(
    '"label": "Ada Failing"',
  );
  expect(await page.evaluate('window.isSamePage')).toBe(true);
  expect(pageErrors).toEqual([]);
});

test('a dead letter appears, is inspected and redriven', async () => {
  await open('queues');
  await card('Dead letters').getByText('There are no dead letters.').waitFor();
  const { data } = (await running.api('GET', '/events?kind=lead_created')) as { data: object[] };
  const { accountId } = running.credentials;
  writeStored(
    join(running.folder, 'dead-letters', 'audit', 'one.json'),
    JSON.stringify({ accountId, ...data[0] }),
  );
  await link('one').click();
  await heading('Dead letter of audit').waitFor();
  expect(await page.getByRole('region', { name: 'Body' }).textContent()).toContain('"kind": "lead_created"');
  await page.getByText('sends messages to audit').waitFor();
  await link('Queues').last().click();
  await button('Redrive one').click();
  await card('Dead letters').getByText('There are no dead letters.').waitFor();
  for (const name of ['audit', 'MAIL']) await page.getByRole('cell', { name, exact: true }).first().waitFor();
  expect(pageErrors).toEqual([]);
});

test('a schedule can be run at once, and the focus stays on its button while the page updates', async () => {
  await open('schedules');
  await button('Run now: sla-sweep').press('Enter');
  await page.getByText(/^sla-sweep ran for .* and succeeded\.$/).waitFor();
  await page.waitForTimeout(2_500);
  expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Run now: sla-sweep');
  expect(pageErrors).toEqual([]);
});

describe.each(['light', 'dark'] as const)('the %s screens', (colorScheme) => {
  test.each([390, 820, 1400])('have no accessibility problems and fit the screen at %i px', async (width) => {
    await page.emulateMedia({ colorScheme });
    writeStored(join(running.folder, 'dead-letters', 'relay', 'two.json'), '{"unknown":true}');
    await open('mailbox', width);
    await page.getByRole('link').filter({ hasText: 'Reset your password' }).first().click();
    await card('Why it was sent').getByText('the mail is about').waitFor();
    await page.frameLocator('iframe.mail').getByText('We received').waitFor();
    await check('mailbox', colorScheme);
    for (const [screen, title] of [
      ['receiver', 'Webhook receiver'],
      ['queues', 'Queues'],
      ['schedules', 'Schedules'],
    ] as const) {
      await goTo(screen);
      await heading(title).waitFor();
      await check(screen, colorScheme);
    }
    await goTo('receiver');
    const received = card('Received requests').getByRole('listitem');
    await received.getByText('lead_created').first().click();
    await received.getByRole('link', { name: 'Event with all deliveries and attempts' }).last().click();
    await card('Webhook deliveries').waitFor();
    await check('delivery', colorScheme);
    await goTo('queues/relay/two');
    await heading('Dead letter of relay').waitFor();
    await check('dead-letter', colorScheme);
    expect(pageErrors).toEqual([]);
  });
});
