import { describe, expect, test } from 'vitest';
import { card, check, goTo, open } from './console-page.ts';
import { heading, page, pageErrors, running } from './service-page.ts';

const button = (name: string) => page.getByRole('button', { name, exact: true });
const link = (name: string) => page.getByRole('link', { name, exact: true });
const row = (table: string, text: string) => card(table).getByRole('row').filter({ hasText: text });

test('a child account loses a permission, is deleted and is reopened', async () => {
  const { id: accountTypeId } = await running.api('POST', '/account-types', {
    name: 'Sales agent',
    permissions: ['readLeads', 'writeLeads'],
    limits: { users: 1, requestsPerMinute: 300 },
  });
  const adminEmail = 'agent@example.com';
  await running.api('POST', '/accounts', { name: 'Harbor Agents', accountTypeId, adminEmail });
  await open('accounts');
  await row('Account types', 'Sales agent').getByText('2 permissions').waitFor();
  await row('Account types', 'Sales agent').getByText('1 user, 300 requests per minute').waitFor();
  await row('Tree of accounts', 'Harbor Agents').getByText('Sales agent').waitFor();
  await link('Harbor Agents').click();
  await heading('Harbor Agents').waitFor();
  await page.getByLabel('writeLeads').uncheck();
  await button('Set the permissions').click();
  await page.getByText('The permissions are set.').waitFor();
  expect(await page.getByLabel('writeLeads').isChecked()).toBe(false);

  await page.getByLabel('Its name, as a confirmation').fill('Harbor');
  await button('Delete the account').click();
  await page.getByText('confirmName must be the name of the account.').waitFor();
  await page.getByLabel('Its name, as a confirmation').fill('Harbor Agents');
  await button('Delete the account').click();
  await card('Deletion').getByText('Until then, the account can be reopened.').waitFor();
  await button('Reopen the account').click();
  await card('Deletion').getByText('The account is open.').waitFor();
  await link('Accounts').last().click();
  expect(await row('Tree of accounts', 'Harbor Agents').textContent()).toMatch(
    /active\s*Sales agent\s*1\s*$/,
  );
  expect(pageErrors).toEqual([]);
});

test('a requested domain shows its TXT record, and the response of the API to its validation', async () => {
  await open('domains');
  await page.getByLabel('Domain', { exact: true }).fill('münchen.example.com');
  await button('Request').click();
  const domain = card('münchen.example.com');
  await domain.getByText('_merchant-ops-challenge.xn--mnchen-3ya.example.com').waitFor();
  await page.getByText('The domain is requested.').waitFor();
  expect(await page.getByLabel('Domain', { exact: true }).inputValue()).toBe('');
  await button('Activate xn--mnchen-3ya.example.com').click();
  await domain.getByText('Validate the domain first.').waitFor();
  expect(pageErrors).toEqual([]);
});

test('a draft is opened, partly paid by the provider’s notification, and paid by hand', async () => {
  const { data } = (await running.api('GET', '/accounts/children')) as { data: { id: string }[] };
  await running.api('POST', '/invoices', {
    ...{ customerType: 'account', customerId: data[0]?.id, currency: 'USD' },
    lines: [{ description: 'Card terminal', quantity: 2, unitAmount: 12_500, taxRate: 825 }],
  });
  await open('billing');
  await button('Create a payment provider').click();
  await card('Payment provider').getByText('active', { exact: true }).waitFor();
  await card('Invoices').getByRole('link', { name: 'draft' }).click();
  await heading('Draft for Harbor Agents').waitFor();
  await button('Open').click();
  await heading('INV-000001').waitFor();
  const notice = card('Notification of the payment provider');
  await notice.getByLabel('Amount, smallest unit').fill('7063');
  await notice.getByRole('button', { name: 'Send as the provider' }).click();
  await page.getByText('The API accepted the notification: applied.').waitFor();
  await row('Payments, refunds and credits', '70.63 USD').getByText('200.00 USD').waitFor();
  const entry = card('Record an entry');
  expect(await entry.getByLabel('Amount, smallest unit').inputValue()).toBe('20000');
  await entry.getByRole('button', { name: 'Record' }).click();
  await page.getByText('paid', { exact: true }).waitFor();
  await button('Show the page for printing').click();
  await card('Page for printing').waitFor();
  await page.frameLocator('iframe.mail').getByText('INV-000001').first().waitFor();
  await goTo('billing');
  await card('Payment provider').getByLabel('Invoice').fill('INV-000009');
  await card('Payment provider').getByRole('button', { name: 'Send as the provider' }).click();
  await row('Unmatched payments', 'unknown invoice').waitFor();
  expect(pageErrors).toEqual([]);
});

test('an impersonation is ended, and a captured body is shown with a reason', async () => {
  const email = 'grace@example.com';
  await running.api('POST', '/users', { email, name: 'Grace Hopper' });
  await running.api('POST', `/users/${email}/impersonation`, { reason: 'Ticket TKT-000001' });
  await open('support-access');
  await row('Impersonations', 'Ticket TKT-000001').getByText('read-only').waitFor();
  await button(`End the impersonations of ${email}`).click();
  await row('Impersonations', 'Ticket TKT-000001').getByText('ended').waitFor();

  await button('Switch capture on').click();
  await card('Captured bodies').getByText('Capture is on', { exact: true }).waitFor();
  await running.createLead('Captured');
  const event = row('Captured bodies', 'lead_created');
  await event.getByRole('button', { name: /^Show the request body/ }).click();
  await card('Captured bodies')
    .getByText(/^reason /)
    .waitFor();
  await page.getByLabel('Reason for showing a body').fill('Ticket TKT-000002');
  await event.getByRole('button', { name: /^Show the request body/ }).click();
  await page.getByRole('region', { name: 'Shown body' }).getByText('"Captured"').waitFor();
  await button('Switch capture off').click();
  await card('Captured bodies').getByText('Capture is off.', { exact: true }).waitFor();
  expect(pageErrors).toEqual([]);
});

describe.each(['light', 'dark'] as const)('the %s screens of the account', (colorScheme) => {
  test.each([400, 820, 1400])('have no accessibility problems and fit the screen at %i px', async (width) => {
    await page.emulateMedia({ colorScheme });
    await open('accounts', width);
    await heading('Accounts').waitFor();
    await check('accounts', colorScheme);
    await link('Harbor Agents').click();
    await card('Deletion').waitFor();
    await check('account', colorScheme);
    await goTo('domains');
    await card('münchen.example.com').waitFor();
    await check('domains', colorScheme);
    await goTo('billing');
    await card('Unmatched payments').getByRole('row').first().waitFor();
    await check('billing', colorScheme);
    await link('INV-000001').click();
    await button('Show the page for printing').click();
    await page.frameLocator('iframe.mail').getByText('INV-000001').first().waitFor();
    await check('invoice', colorScheme);
    await goTo('support-access');
    await row('Captured bodies', 'lead_created').waitFor();
    await check('support-access', colorScheme);
    expect(pageErrors).toEqual([]);
  });
});
