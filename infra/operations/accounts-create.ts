import { randomBytes } from 'node:crypto';
import { createAccount } from '../administration/create-account.ts';
import type { StageSettings } from '../stage-settings.ts';
import { InvalidOption } from './options.ts';
import { print } from './print.ts';
import { useTableOf } from './service-at.ts';

/** Reads the password from the environment, because all users of the machine can see command-line options. */
function passwordInEnvironment(): string | undefined {
  const { ADMIN_PASSWORD: password } = process.env;
  if (password && password.length < 12)
    throw new InvalidOption('ADMIN_PASSWORD must have at least 12 characters.');
  return password || undefined;
}

type Options = { name: string; email: string; stage?: StageSettings };

export default async function ({ name, email, stage }: Options): Promise<void> {
  const password = passwordInEnvironment() ?? randomBytes(18).toString('base64url');
  await useTableOf(stage);
  print(await createAccount({ name, adminEmail: email, adminPassword: password }));
}
