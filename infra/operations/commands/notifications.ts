import { asRecordId } from '../../../shared/id/mint.ts';
import { command, group } from '../command.ts';
import { account, requiredOption, userEmail, type ValueType } from '../options.ts';
import { serviceNote, serviceOption } from './service-option.ts';

const eventId: ValueType<number> = { expected: 'an event id', parse: asRecordId };

const explain = command({
  brief: 'Explains why a user was or was not notified of an event',
  notes: [
    serviceNote,
    `Prints the deciding rule and the outcome on each channel as JSON, and changes nothing. A channel with the basis
"record" shows the recorded outcome. "decided_anew" means that no outcome is recorded: the channel shows the outcome
under the current rules, memberships and roles.`,
  ],
  flags: {
    account: requiredOption(account, 'account of the event'),
    event: requiredOption(eventId, 'event to explain'),
    user: requiredOption(userEmail, 'a member of the account'),
    ...serviceOption,
  },
  loader: () => import('../notifications-explain.ts'),
});

export const notificationCommands = group('Explain notifications', { explain });
