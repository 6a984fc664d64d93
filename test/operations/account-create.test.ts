import { expect, test } from 'vitest';
import readAccount from '../../functions/accounts/read-account.ts';
import { operatorsCommand } from '../harness/operators-command.ts';
import { client, signIn } from '../harness/tenant.ts';

process.env.FULL_SCRYPT = 'yes';

const accountCreate = operatorsCommand('accounts', 'create');

test('creates an account whose administrator and API key can sign in immediately', async () => {
  const options = ['--name', 'Acme Payments', '--email', 'Ops@Example.com', '--stage', 'local'];
  const { code, stdout, stderr } = await accountCreate.asProcess(...options);
  expect([code, stderr]).toEqual([0, '']);
  const made = JSON.parse(stdout);
  expect(made).toEqual({
    accountId: expect.stringMatching(/^acc_/),
    adminEmail: 'ops@example.com',
    adminPassword: expect.stringMatching(/^.{12,}$/),
    apiKey: expect.stringMatching(/^mo_key_/),
    apiSecret: expect.stringMatching(/^mo_sk_/),
  });
  await signIn({ apiKey: made.apiKey, apiSecret: made.apiSecret });
  const authorization = await signIn({ email: made.adminEmail, password: made.adminPassword });
  const admin = client({ authorization, 'x-account-id': made.accountId });
  expect((await admin.ok(readAccount, { params: { id: made.accountId } })).name).toBe('Acme Payments');

  const again = await accountCreate.here('--name', 'Other', '--email', 'ops@example.com', '--stage', 'local');
  expect(again).toEqual({ code: 1, stdout: '', stderr: 'A user with this email already exists.\n' });
});

const valid = ['--name', 'Acme', '--email', 'a@b.test'];
const wrongName = '--name must be 1 to 200 characters without control characters or direction marks.\n';
const wrongEmail = '--email must be an email address.\n';
test.each([
  [['--name', 'Acme'], '--email needs a value. See --help.\n'],
  [['--name', 'Acme', '--email', 'nobody'], wrongEmail],
  [['--name', 'Acme', '--email', `${'a'.repeat(249)}@b.test`], wrongEmail],
  ...['n'.repeat(201), 'Ac\u001b[31mme', 'Ac\r\nme', 'Ac\u202eme'].map((name): [string[], string] => [
    [...valid.with(1, name)],
    wrongName,
  ]),
  // The name has the maximum length, so only the email is reported.
  [['--name', 'n'.repeat(200), '--email', 'nobody'], wrongEmail],
])('explains the invalid options %j and exits with 2', async (args, stderr) => {
  expect(await accountCreate.here(...args)).toEqual({ code: 2, stdout: '', stderr });
});

test('takes the password from the environment, where other users of the machine cannot see it', async () => {
  const create = async (password: string, email: string) => {
    process.env.ADMIN_PASSWORD = password;
    return accountCreate.here('--name', 'Acme', '--email', email, '--stage', 'local').finally(() => {
      delete process.env.ADMIN_PASSWORD;
    });
  };
  expect(JSON.parse((await create('correct horse battery', 'horse@example.com')).stdout)).toMatchObject({
    adminPassword: 'correct horse battery',
  });
  await signIn({ email: 'horse@example.com', password: 'correct horse battery' });
  const stderr = 'ADMIN_PASSWORD must have at least 12 characters.\n';
  expect(await create('short', 'short@example.com')).toEqual({ code: 2, stdout: '', stderr });
  const option = await accountCreate.here(...valid, '--password', 'correct horse battery');
  expect(option).toMatchObject({ code: 2, stderr: 'Unknown option --password. See --help.\n' });
});
