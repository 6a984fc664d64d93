import '../quiet-sdk.ts';
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { ApiError } from '../../shared/errors.ts';
import { createAccount } from './create-account.ts';

const usage = `Makes an account, its administrator and its first API key.

  npm run account:create -- --name "Acme Payments" --email admin@example.com

  --name       the account's name
  --email      the administrator's email
  --password   at least 12 characters; made up and printed when left out

The table is the one in TABLE_NAME, in the region and with the credentials of the AWS environment
(AWS_ENDPOINT_URL_DYNAMODB for a local engine).`;

/** The command: reads its arguments, makes the account, prints what the administrator needs as JSON. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { name: { type: 'string' }, email: { type: 'string' }, password: { type: 'string' } },
  });
  const { name, email, password = randomBytes(18).toString('base64url') } = values;
  if (!name || !email) throw new Error(`--name and --email are needed.\n\n${usage}`);
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new Error(`${email} is not an email address.`);
  if (password.length < 12) throw new Error('The password must have 12 characters or more.');
  const credentials = await createAccount({ name, adminEmail: email, adminPassword: password });
  process.stdout.write(`${JSON.stringify(credentials, null, 2)}\n`);
}

main().catch((error: unknown) => {
  const known = error instanceof ApiError || error instanceof Error;
  process.stderr.write(`${known ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
