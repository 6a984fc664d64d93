import '../quiet-sdk.ts';
import { randomBytes } from 'node:crypto';
import { longestAccountName } from '../../shared/accounts/schema.ts';
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
  expected: `1 to ${longestAccountName} characters without control characters or direction marks`,
  parse: (given) => {
    const name = given.trim();
    const fits = name !== '' && [...name].length <= longestAccountName;
    return fits && new RegExp(plainName, 'u').test(name) ? name : undefined;
  },
};

const password: ValueType<string> = {
  expected: '12 characters or more',
  parse: (given) => (given.length >= 12 ? given : undefined),
};

await command(
  {
    name: 'account:create',
    summary:
      'Makes an account, its administrator and its first API key, and prints what the administrator needs as JSON.',
    options: {
      name: { type: accountName, required: true, help: 'what the account is called' },
      email: { type: email, required: true, help: 'its administrator' },
      password: { type: password, help: 'of the administrator; made up and printed when left out' },
      ...serviceOption,
    },
    notes: [serviceNote],
  },
  async ({ name, email, password = randomBytes(18).toString('base64url'), stage }) => {
    await useTableOf(stage);
    const credentials = await createAccount({ name, adminEmail: email, adminPassword: password });
    print(credentials);
  },
);
