import { isIP } from 'node:net';
import { command, group } from '../command.ts';
import { flag, optionalOption, requiredOption, userEmail, type ValueType } from '../options.ts';
import { serviceNote, serviceOption } from './service-option.ts';

const ipAddress: ValueType<string> = {
  expected: 'an IP address',
  parse: (given) => (isIP(given) > 0 ? given : undefined),
};

const unlock = command({
  brief: 'Removes the limits that prevent a login, and prints other reasons that may prevent it',
  notes: [
    serviceNote,
    `A user reaches these limits with wrong passwords and requested reset mails. The limits are 10 wrong passwords for
each user and network, and 100 for each network. Without this command, they end 15 minutes after the first wrong
password.`,
  ],
  flags: {
    user: requiredOption(userEmail, 'the user, in any account'),
    source: optionalOption(ipAddress, 'also removes the limits of this network, which all its users share'),
    json: flag('prints the result as JSON'),
    ...serviceOption,
  },
  loader: () => import('../users-unlock.ts'),
});

const reset = command({
  brief: 'Ends all sessions of a user, and sends the user a mail with a token that sets a new password',
  notes: [
    serviceNote,
    `The command also removes the user's limits, like "users unlock". Only the mail contains the token, which is valid for
an hour. The old password stays valid until the user sets a new one. The actor of the events in the account's log
is "operator".`,
  ],
  flags: {
    user: requiredOption(userEmail, 'the user, in any account'),
    factors: flag('also removes the second factors, for a user who has lost them and the recovery codes'),
    json: flag('prints the result as JSON'),
    ...serviceOption,
  },
  loader: () => import('../users-reset.ts'),
});

export const userCommands = group('Help users to log in', { unlock, reset });
