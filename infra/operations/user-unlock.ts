import '../quiet-sdk.ts';
import { isIP } from 'node:net';
import { removeLimits } from '../../shared/people/sessions/throttle-login.ts';
import { command, print } from './command.ts';
import type { ValueType } from './options.ts';
import { serviceNote, serviceOption, useTableOf } from './service-at.ts';
import { describeSignIn, readSignIn, userByEmail, userEmail } from './user-by-email.ts';

const ipAddress: ValueType<string> = {
  expected: 'an IP address',
  parse: (given) => (isIP(given) > 0 ? given : undefined),
};

await command(
  {
    name: 'user:unlock',
    summary: `Removes the limits that a user has reached with wrong passwords and requested reset mails, and prints
other reasons that may prevent a login.`,
    options: {
      user: { type: userEmail, required: true, help: 'the user, in any account' },
      source: { type: ipAddress, help: 'also removes the limits of this network, which all its users share' },
      json: { type: 'flag', help: 'prints the result as JSON' },
      ...serviceOption,
    },
    notes: [
      serviceNote,
      `The limits are 10 wrong passwords for each user and network, and 100 for each network. Without this command, they
end 15 minutes after the first wrong password.`,
    ],
  },
  async ({ user: email, source, json, stage }) => {
    await useTableOf(stage);
    const user = await userByEmail(email);
    const now = new Date();
    const removed = await removeLimits({ name: user.email }, now);
    const removedOfSource = source === undefined ? 0 : await removeLimits({ source }, now);
    const signIn = await readSignIn(user);
    const lines = [
      removed > 0 ? `${email} is unlocked.` : `${email} had not reached a limit.`,
      ...(source === undefined
        ? []
        : [removedOfSource > 0 ? `${source} is unlocked.` : `${source} had not reached a limit.`]),
      ...describeSignIn(signIn),
    ];
    print({ userId: user.id, removed, removedOfSource, ...signIn }, json ? undefined : lines);
  },
);
