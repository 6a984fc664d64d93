import '../quiet-sdk.ts';
import { randomBytes } from 'node:crypto';
import { maxAccountNameLength } from '../../shared/accounts/schema.ts';
import { emailIn, textForms, visibleCharacter } from '../../shared/formats.ts';
import { command, print } from './command.ts';
import { createAccount } from './create-account.ts';
import { InvalidOption, type ValueType } from './options.ts';
import { serviceNote, serviceOption, useTableOf } from './service-at.ts';

const email: ValueType<string> = {
  expected: 'an email address',
  parse: emailIn,
};

const accountName: ValueType<string> = {
  expected: `1 to ${maxAccountNameLength} characters without control characters or direction marks`,
  parse: (given) => {
    const name = given.trim();
    const fits = visibleCharacter.test(name) && [...name].length <= maxAccountNameLength;
    return fits && textForms.name.form.test(name) ? name : undefined;
  },
};

/** Reads the password from the environment, because all users of the machine can see command-line options. */
function passwordInEnvironment(): string | undefined {
  const { ADMIN_PASSWORD: password } = process.env;
  if (password && password.length < 12)
    throw new InvalidOption('ADMIN_PASSWORD must have at least 12 characters.');
  return password || undefined;
}

await command(
  {
    name: 'account:create',
    summary: 'Creates an account, its administrator and an API key. Prints the credentials as JSON.',
    options: {
      name: { type: accountName, required: true, help: 'name of the account' },
      email: { type: email, required: true, help: 'email address of the administrator' },
      ...serviceOption,
    },
    notes: [
      'ADMIN_PASSWORD in the environment is the password of the administrator; default: a random one.',
      serviceNote,
    ],
  },
  async ({ name, email, stage }) => {
    const password = passwordInEnvironment() ?? randomBytes(18).toString('base64url');
    await useTableOf(stage);
    print(await createAccount({ name, adminEmail: email, adminPassword: password }));
  },
);
