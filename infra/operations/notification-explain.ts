import '../quiet-sdk.ts';
import { ApiError } from '../../shared/errors.ts';
import { findEvent } from '../../shared/events/find-event.ts';
import { asRecordId } from '../../shared/id/mint.ts';
import { explain } from '../../shared/messaging/notification-explanations/explain.ts';
import { requireMember } from '../../shared/people/users/find-member.ts';
import { command, print } from './command.ts';
import { accountId, type ValueType } from './options.ts';
import { serviceNote, serviceOption, useTableOf } from './service-at.ts';
import { userEmail } from './user-by-email.ts';

const eventId: ValueType<number> = { expected: 'an event id', parse: asRecordId };

await command(
  {
    name: 'notification:explain',
    summary:
      'Explains why a user was or was not notified of an event: the deciding rule and the outcome on each channel.',
    options: {
      account: { type: accountId, required: true, help: 'account of the event' },
      event: { type: eventId, required: true, help: 'event to explain' },
      user: { type: userEmail, required: true, help: 'a member of the account' },
      ...serviceOption,
    },
    notes: [
      serviceNote,
      `Prints JSON and changes nothing. A channel with the basis "record" shows the recorded outcome. "decided_anew"
means that no outcome is recorded: the channel shows the outcome under the current rules, memberships and roles.`,
    ],
  },
  async ({ account, event: id, user: email, stage }) => {
    await useTableOf(stage);
    const now = new Date();
    const event = await findEvent(account, id, now);
    if (!event) throw new Error(`No event ${id} in account ${account}.`);
    const { user } = await requireMember(account, email).catch((error) => {
      throw error instanceof ApiError && error.code === 'not_found'
        ? new Error(`No member ${email} in account ${account}.`)
        : error;
    });
    print(await explain(event, user, now));
  },
);
