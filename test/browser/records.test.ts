import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { readAddresses } from '../../infra/administration/addresses.ts';
import type { OpenApiDocument } from '../../infra/openapi/document.ts';
import { filledApplication } from '../harness/filled-application.ts';
import { check, goTo, open } from './console-page.ts';
import { heading, page, pageErrors, running } from './service-page.ts';

const button = (name: string) => page.getByRole('button', { name, exact: true });
const link = (name: string) => page.getByRole('link', { name, exact: true });
const form = (name: string) =>
  page.locator('details.operation', { has: page.getByText(name, { exact: true }) });
const openForm = (name: string) => form(name).locator('summary').first().click();
const field = (operation: string, name: string) =>
  form(operation).getByLabel(new RegExp(`^${name}( required)?$`));
const fields = () => page.getByRole('region', { name: 'Fields' });
/** A field of the record itself, not of its audit log. */
const ownField = (name: string) => fields().locator('> dl > dt').getByText(name, { exact: true });
const status = (text: string) => page.getByRole('status').filter({ hasText: text });

let document: OpenApiDocument;
/** The lists that can be read without further values. */
let lists: string[];

beforeAll(async () => {
  document = (await (await fetch(`${running.credentials.baseUrl}/openapi.json`)).json()) as OpenApiDocument;
  const needsNoValue = (path: string) => {
    const parameters = document.paths[path]?.get?.parameters ?? [];
    return !parameters.some((one) => 'required' in one && one.required);
  };
  const records = Object.entries(document.paths).filter(([, { get }]) => get?.['x-record']);
  lists = records.map(([path]) => path).filter((path) => !path.includes('{') && needsNoValue(path));
  await createRecords();
});

/** Creates a record of most kinds, so that the lists are not empty. */
async function createRecords(): Promise<void> {
  const { api } = running;
  const team = await api('POST', '/teams', { name: 'Field sales' });
  await api('POST', '/lead-sources', { name: 'Trade fair', teamId: team.id });
  await running.createLead('Lovelace', { notes: 'Call after lunch.\nAsk for the owner.' });
  await api('POST', '/roles', { name: 'Reader', flatPermissionsList: ['readLeads'] });
  const grace = await api('POST', '/users', { email: 'grace@example.com', name: 'Grace Hopper' });
  await api('POST', '/applications', filledApplication);
  const merchant = await api('POST', '/merchants', { merchantName: 'Harbor Street Coffee' });
  await api('POST', `/merchants/${merchant.id}/notes`, { content: 'Prefers mail.' });
  const ticket = await api('POST', '/tickets', {
    ...{ subject: 'No receipt', description: 'The terminal prints nothing.', category: 'technical' },
    ...{ requesterType: 'merchant', requesterId: String(merchant.id), requesterEmail: 'ada@example.com' },
  });
  await api('POST', `/tickets/${ticket.id}/comments`, { body: 'Which lamp is on?' });
  await api('POST', '/invoices', {
    ...{ customerType: 'merchant', customerId: String(merchant.id), currency: 'USD' },
    lines: [{ description: 'Card terminal', quantity: 1, unitAmount: 12_500 }],
  });
  await api('POST', '/webhooks', { url: 'http://127.0.0.1:9/', events: ['lead_created'] });
  await api('POST', '/account-types', { name: 'Agent', permissions: ['readLeads'], limits: { users: 3 } });
  await api('POST', '/underwriting-rules', {
    ...{ name: 'Look twice', priority: 100, action: { kind: 'flag', reason: 'The risk is high.' } },
    when: { field: 'risk.score', between: { from: 0 } },
  });
  await api('POST', '/domains', { domain: 'pay.example.com' });
  const beneficiary = { type: 'user', id: String(grace.id) };
  const share = { basisPoints: 5_000, of: 'net' };
  await api('POST', '/residual-formats', {
    ...{ name: 'Northwind', processor: 'Northwind', columns: { mid: 'MID', net: { add: ['Net'] } } },
  });
  await api('POST', '/residual-agreements', { beneficiary, share, validFrom: '2026-10' });
  await api('POST', '/residual-adjustments', {
    kind: 'bonus',
    beneficiary,
    month: '2026-10',
    amount: 5_000_000,
  });
  await api('POST', '/residual-runs', { month: '2026-10' });
  await receiveSpam();
}

/** Receives a mail that is quarantined, because it is spam. The local service proves only domains that begin with `verified`. */
async function receiveSpam(): Promise<void> {
  const { api, folder } = running;
  const { id } = await api('POST', '/mail-domains', { domain: 'verified.example.com' });
  await api('POST', `/mail-domains/${id}/validate`);
  const address = { address: 'support@verified.example.com', purpose: 'tickets' };
  const { inboundAddress } = await api('POST', '/mail-addresses', address);
  const { smtpPort: port } = readAddresses(join(folder, 'runner.json')) ?? expect.fail();
  await createTransport({ host: '127.0.0.1', port, ignoreTLS: true }).sendMail({
    ...{ from: 'ada@example.com', to: String(inboundAddress), subject: 'Dark display', text: 'It beeps.' },
    headers: { 'X-Local-Verdicts': 'spam=FAIL' },
  });
  await vi.waitUntil(async () => Number((await api('GET', '/mails')).totalCount) > 0, 30_000);
}

test('the start page links to each list of the API', async () => {
  await open('records');
  for (const path of lists) {
    const above = path.slice(0, path.lastIndexOf('/'));
    if (above === '' || !document.paths[above]?.get)
      await page.locator(`main a[href="#/records${path}"]`).waitFor();
  }
  expect(lists.length).toBeGreaterThan(25);
  expect(pageErrors).toEqual([]);
});

describe.each([
  ['light', 1280],
  ['dark', 390],
] as const)('in %s colors and at %i px, each list and its first record', (colorScheme, width) => {
  test('are shown without errors, have no accessibility problems and fit the screen', async () => {
    await page.emulateMedia({ colorScheme });
    await open('records', width);
    await page.getByRole('heading', { level: 2, name: 'Leads', exact: true }).waitFor();
    await check('records', colorScheme);
    const opened: string[] = [];
    for (const path of lists) {
      await goTo(`records${path}`);
      const summary = document.paths[path]?.get?.summary ?? expect.fail(path);
      await heading(summary).waitFor();
      await check(`list-${path.slice(1).replaceAll('/', '-')}`, colorScheme);
      const first = page.locator('main table td a').first();
      if ((await first.count()) === 0) continue;
      const address = (await first.getAttribute('href')) ?? expect.fail(path);
      await first.click();
      await fields().waitFor();
      expect(page.url(), path).toContain(address);
      await check(`record-${path.slice(1).replaceAll('/', '-')}`, colorScheme);
      expect(await page.getByRole('alert').allTextContents(), path).toEqual([]);
      opened.push(path);
    }
    expect(opened).toEqual(
      expect.arrayContaining([
        ...['/leads', '/applications', '/merchants', '/tickets', '/invoices', '/users', '/webhooks'],
        ...['/apikeys', '/events', '/accounts', '/domains', '/underwriting-rules', '/mails'],
        ...['/residual-formats', '/residual-agreements', '/residual-adjustments', '/residual-runs'],
      ]),
    );
    expect(pageErrors).toEqual([]);
  }, 600_000);
});

test('a lead is created, found by a search, changed, and deleted after a confirmation', async () => {
  await open('records/leads');
  await openForm('Create a lead');
  await field('Create a lead', 'firstName').fill('Katherine');
  await field('Create a lead', 'lastName').fill('Johnson');
  await field('Create a lead', 'skipTeamAndSourceRequirement').selectOption('true');
  await form('Create a lead').getByRole('button', { name: 'Create a lead', exact: true }).click();
  await status('Done.').getByRole('link', { name: 'Open the record' }).waitFor();

  await page.getByLabel('search', { exact: true }).fill('kather');
  await button('Show').click();
  await page.getByText('1 record', { exact: true }).waitFor();
  expect(page.url()).toContain('#/records/leads?search=kather');
  await link('Katherine Johnson').click();
  await heading('Katherine Johnson').waitFor();

  const change = 'Change the given fields of a lead';
  await openForm(change);
  await field(change, 'company').fill('Harbor Street Coffee');
  await form(change).getByRole('button', { name: change, exact: true }).click();
  await status('Done.').waitFor();
  await fields().getByText('Harbor Street Coffee').waitFor();
  await field(change, 'company').fill('');
  await form(change).getByRole('button', { name: change, exact: true }).click();
  await expect.poll(() => ownField('company').count()).toBe(0);
  // The audit entry of a change follows later.
  const shown = async () => {
    await page.reload();
    await heading('Katherine Johnson').waitFor();
    return fields().getByText('lead_updated').count();
  };
  await expect.poll(shown, { timeout: 30_000 }).toBeGreaterThan(0);

  await link('Explain who may read or change a lead').click();
  await fields().getByText('administrator', { exact: true }).first().waitFor({ state: 'attached' });
  await page.goBack();
  await heading('Katherine Johnson').waitFor();

  page.once('dialog', (dialog) => void dialog.dismiss());
  await button('Delete a lead and its audit log').click();
  await heading('Katherine Johnson').waitFor();
  const questions: string[] = [];
  page.once('dialog', (dialog) => {
    questions.push(dialog.message());
    void dialog.accept();
  });
  await button('Delete a lead and its audit log').click();
  await heading('List leads').waitFor();
  expect(questions).toEqual(['Delete a lead and its audit log: Katherine Johnson?']);
  expect(pageErrors).toEqual([]);
});

test('a preview shows the events of a change, and changes nothing', async () => {
  await open('records/leads');
  await link('Ada Lovelace').click();
  await button('Preview: Archive a lead').click();
  await status('Preview. Nothing was changed.').waitFor();
  await page.getByText('Response', { exact: true }).click();
  expect(await page.getByRole('region', { name: 'Response' }).textContent()).toContain('lead_archived');
  await page.reload();
  await ownField('archived').waitFor();
  expect(await fields().textContent()).toMatch(/archived\s*no/);
});

test('a form is not sent if the record has changed since the form was shown', async () => {
  const lead = await running.createLead('Outdated');
  await open(`records/leads/${lead.id}`);
  const change = 'Change the given fields of a lead';
  await openForm(change);
  await running.api('PATCH', `/leads/${lead.id}`, { company: 'Changed meanwhile' });
  await field(change, 'jobTitle').fill('Owner');
  await form(change).getByRole('button', { name: change, exact: true }).click();
  await status('changed').waitFor();
  expect(await running.api('GET', `/leads/${lead.id}`)).not.toHaveProperty('jobTitle');
});

test('an application is submitted and approved, and its link leads to the merchant and its tickets', async () => {
  const application = await running.api('POST', '/applications', filledApplication);
  await open(`records/applications/${application.id}`);
  const submit = 'Submit an application for underwriting';
  await openForm(submit);
  await form(submit).getByRole('button', { name: submit, exact: true }).click();
  await status('Done.').waitFor();
  const decide = 'Approve or reject a submitted application, or request information';
  await openForm(decide);
  await field(decide, 'decision').selectOption('approved');
  page.once('dialog', (dialog) => void dialog.accept());
  await form(decide).getByRole('button', { name: decide, exact: true }).click();
  await status('Done.').waitFor();
  const { admin } = (await running.api('GET', `/applications/${application.id}`)) as {
    admin: { merchantId: number };
  };
  await fields()
    .getByRole('link', { name: String(admin.merchantId) })
    .first()
    .click();
  await expect.poll(() => page.url()).toContain(`#/records/merchants/${admin.merchantId}`);
  await page.getByRole('heading', { level: 2, name: 'List the notes of a merchant' }).waitFor();
  expect(pageErrors).toEqual([]);
});

test('a document of an application is uploaded, and a rejected file is reported', async () => {
  const application = await running.api('POST', '/applications', filledApplication);
  const documents = `/applications/${application.id}/documents`;
  await open(`records${documents}`);
  const create = 'Create a document of an application and get an upload request';
  await openForm(create);
  const choose = async (name: string, mimeType: string, text: string) => {
    await field(create, 'documentKey').fill('voided-check');
    await field(create, 'file').setInputFiles({ name, mimeType, buffer: Buffer.from(text) });
    await form(create).getByRole('button', { name: 'Upload the file' }).click();
  };
  await choose('scan.pdf', 'application/pdf', '%PDF-1.7\nA scan.\n');
  await status('Done.').getByRole('link', { name: 'Open the record' }).waitFor();
  await link('scan.pdf').waitFor();
  expect(await running.api('GET', documents)).toMatchObject({
    data: [{ name: 'scan.pdf', size: 17, uploadedDate: expect.any(String) }],
  });
  // The content shows another type, so the completion fails.
  await choose('drawing.png', 'image/png', 'a text');
  await status('The record was created, but its file was not uploaded.').waitFor();
  await link('drawing.png').waitFor();
  const { data } = (await running.api('GET', documents)) as { data: { name: string; url: string }[] };
  const { url } = await running.api('GET', data.find(({ name }) => name === 'scan.pdf')?.url ?? documents);
  expect(await (await fetch(String(url))).text()).toBe('%PDF-1.7\nA scan.\n');
  expect(pageErrors).toEqual([]);
});

test('a file of residuals is uploaded by keyboard, and is read', async () => {
  await open('records/residual-files');
  const create = 'Request an upload of a file of residuals';
  await form(create).locator('summary').first().press('Enter');
  await field(create, 'processor').fill('Northwind');
  await field(create, 'month').fill('2026-10');
  const buffer = Buffer.from('MID,Net\n4445012345678,12.50\n');
  await field(create, 'file').setInputFiles({ name: 'october.csv', mimeType: 'text/csv', buffer });
  await form(create).getByRole('button', { name: 'Upload the file' }).press('Enter');
  await status('Done.').getByRole('link', { name: 'Open the record' }).press('Enter');
  await heading('october.csv').waitFor();
  const shown = async () => {
    await page.reload();
    await heading('october.csv').waitFor();
    return fields().textContent();
  };
  await expect.poll(shown, { timeout: 30_000 }).toMatch(/state\s*read/);
  expect(pageErrors).toEqual([]);
});

test('a ticket shows its comments, and a comment is added', async () => {
  await open('records/tickets');
  await page.getByRole('link', { name: /No receipt$/ }).click();
  await page.getByRole('cell', { name: 'Which lamp is on?' }).waitFor();
  await page.getByRole('link', { name: /^All, and changes: .*comments/ }).click();
  const add = 'Comment on a ticket';
  await openForm(add);
  await field(add, 'body').fill('The green one.');
  await form(add).getByRole('button', { name: add, exact: true }).click();
  await page.getByRole('cell', { name: 'The green one.' }).waitFor();
  expect(pageErrors).toEqual([]);
});

test('a quarantined mail is listed and shown, released, and quarantined again', async () => {
  await open('records/mails');
  await link('Dark display ada@example.com').click();
  await fields().getByText('It beeps.').waitFor();
  const shown = (text: string) => fields().getByText(text, { exact: true }).first().waitFor();
  await shown('quarantined');
  const decisions = { 'Release a held or quarantined mail': 'received', 'Quarantine a mail': 'quarantined' };
  for (const [decide, state] of Object.entries(decisions)) {
    await openForm(decide);
    await form(decide).getByRole('button', { name: decide, exact: true }).click();
    await shown(state);
  }
  expect(pageErrors).toEqual([]);
});

test('a list and a form are used by keyboard only', async () => {
  await open('records/teams');
  await heading('List teams').waitFor();
  const focus = async (text: string) => {
    const focused = () => page.evaluate<string>('document.activeElement.textContent.trim()');
    for (let presses = 0; presses < 60 && (await focused()) !== text; presses++)
      await page.keyboard.press('Tab');
    expect(await focused()).toBe(text);
  };
  await focus('Create a team');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Night shift');
  await page.keyboard.press('Enter');
  await link('Night shift').waitFor();
  await focus('Night shift');
  await page.keyboard.press('Enter');
  await heading('Night shift').waitFor();
  expect(await page.evaluate('document.activeElement.id')).toBe('main');
});

test('requests are sent by the chosen caller, and a rejection is shown', async () => {
  await open('records/domains');
  await link('pay.example.com').waitFor();
  await page.getByLabel('Requests are sent by').selectOption('API key');
  await page
    .getByRole('alert')
    .filter({ hasText: /session|administrator|credentials/i })
    .waitFor();

  const password = 'correct horse battery staple';
  const email = 'reader@example.com';
  await running.api('POST', '/users', { email, name: 'Only Reader' });
  await running.api('PUT', `/users/${email}/permissions`, { flatPermissionsList: ['readLeads'] });
  await running.api('PUT', `/users/${email}/password`, { password });
  await page.getByText('Sign in as another user').click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill('wrong');
  await button('Sign in').click();
  await status('These credentials are not valid.').waitFor();
  await page.getByLabel('Password').fill(password);
  await button('Sign in').click();
  await page.getByRole('option', { name: `${email} in Local account` }).waitFor({ state: 'attached' });
  await page
    .getByRole('alert')
    .filter({ hasText: /administrator/i })
    .waitFor();
  await goTo('records/leads');
  await link('Ada Lovelace').waitFor();
});

test('an invoice is shown as a page for printing', async () => {
  await open('records/invoices');
  await page.locator('main table td a').first().click();
  await link('Read an invoice as a page for printing').click();
  await page.frameLocator('iframe.mail').getByText('Card terminal').waitFor();
  expect(pageErrors).toEqual([]);
});

test('an amount has its unit, and a page of no record has the summary of its operation as heading', async () => {
  await open('records/residual-adjustments');
  await page.getByRole('columnheader', { name: 'amount (millionths of the currency)' }).waitFor();
  await page.locator('main table td a').first().click();
  await fields().getByText('(millionths of the currency)').first().waitFor();
  await goTo('records/provisioning');
  await heading(document.paths['/provisioning']?.get?.summary ?? expect.fail()).waitFor();
  expect(pageErrors).toEqual([]);
});

test('an address that the API does not have shows this', async () => {
  await open('records/unknown/1');
  await page.getByRole('alert').getByText('The API has no path /unknown/1.').waitFor();
});

test('a caller whose proof is old enters the password once, and the request is sent again', async () => {
  const { accountId } = running.credentials;
  await open('records');
  await page.route(
    ({ pathname }) => pathname === '/leads',
    (route) =>
      route.fulfill({
        status: 403,
        json: {
          error: 'step_up_required',
          stepUp: { purpose: 'reveal', subject: { accountId }, method: 'password' },
        },
      }),
    { times: 1 },
  );
  await goTo('records/leads');
  const dialog = page.getByRole('dialog', { name: 'Prove your identity' });
  // The console suggests the password of the administrator that the first start created.
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await link('Ada Lovelace').first().waitFor();
  expect(pageErrors).toEqual([]);
});
