import '../quiet-sdk.ts';
import { randomBytes } from 'node:crypto';
import { maxAccountNameLength } from '../../shared/accounts/schema.ts';
import { emailAddress, plainName } from '../../shared/formats.ts';
import { command, print } from './command.ts';
import { createAccount } from './create-account.ts';
import type { ValueType } from './options.ts';
import { serviceNote, serviceOption, useTableOf } from './service-at.ts';

const email: ValueType<string> = {
  expected: 'an email address',
  parse: (given) => (given.length <= 254 && emailAddress.test(given) ? given : undefined),
};

const accountName: ValueType<string> = {
  expected: `1 to ${maxAccountNameLength} characters without control characters or direction marks`,
  parse: (given) => {
    const name = given.trim();
    const fits = name !== '' && [...name].length <= maxAccountNameLength;
    return fits && new RegExp(plainName, 'u').test(name) ? name : undefined;
  },
};

const password: ValueType<string> = {
  expected: 'at least 12 characters',
  parse: (given) => (given.length >= 12 ? given : undefined),
};

await command(
  {
    name: 'account:create',
    summary: 'Creates an account, its administrator and an API key. Prints the credentials as JSON.',
    options: {
      name: { type: accountName, required: true, help: 'name of the account' },
      email: { type: email, required: true, help: 'email address of the administrator' },
      password: { type: password, help: 'password of the administrator; default: a random one' },
      ...serviceOption,
    },
    notes: [serviceNote],
  },
  async ({ name, email, password = randomBytes(18).toString('base64url'), stage }) => {
    await useTableOf(stage);
    print(await createAccount({ name, adminEmail: email, adminPassword: password }));
  },
);
