import { generate } from 'otplib';
import { expect, test } from 'vitest';
import { goTo, open } from './console-page.ts';
import { post, provedSession } from './proved-session.ts';
import { page, pageErrors, running } from './service-page.ts';

const password = 'a password of their own';

interface Added {
  factor: { id: number };
  secret: string;
}
interface Confirmed {
  recoveryCodes: string[];
}

test('a user with a second factor signs in to the console with a code, and a wrong code is rejected', async () => {
  const email = running.credentials.adminEmail;
  const token = await provedSession(password);
  const { factor, secret } = await post<Added>('/auth/factors', { type: 'totp', name: 'Phone' }, token);
  const code = await generate({ secret });
  const { recoveryCodes } = await post<Confirmed>(`/auth/factors/${factor.id}/confirm`, { code }, token);

  await open('records');
  const caller = page.getByRole('region', { name: 'Caller' });
  await caller.getByText('Sign in as another user').click();
  await caller.getByLabel('Email').fill(email);
  await caller.getByLabel('Password').fill(password);
  await caller.getByRole('button', { name: 'Sign in' }).click();
  const dialog = page.getByRole('dialog', { name: 'Prove your identity' });
  await dialog.getByText(`${email} has a second factor.`).waitFor();
  await dialog.getByLabel('Code of the second factor').fill('000000');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect.poll(() => dialog.getByRole('alert').textContent()).not.toBe('');
  await dialog.getByLabel('Code of the second factor').fill(recoveryCodes[0] ?? '');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect
    .poll(() => page.getByLabel('Requests are sent by').inputValue())
    .toMatch(new RegExp(`^${email} in `));
  await goTo('records/users');
  await page.getByRole('link', { name: email, exact: true }).first().waitFor();
  expect(pageErrors).toEqual([]);
});
