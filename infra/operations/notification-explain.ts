import '../quiet-sdk.ts';
import { ApiError } from '../../shared/errors.ts';
import { findEvent } from '../../shared/events/find-event.ts';
import { emailAddress } from '../../shared/formats.ts';
import { asRecordId } from '../../shared/id/mint.ts';
import { explain } from '../../shared/messaging/notification-explanations/explain.ts';
import { memberByEmail } from '../../shared/people/users/find-member.ts';
import { normalizeEmail } from '../../shared/people/users/rules.ts';
import { command, print } from './command.ts';
import { accountId, type ValueType } from './options.ts';
import { serviceNote, serviceOption, useTableOf } from './service-at.ts';

const memberEmail: ValueType<string> = {
  expected: 'an email address',
  parse: (given) => (emailAddress.test(given) ? normalizeEmail(given) : undefined),
};

const eventId: ValueType<number> = { expected: 'the id of an event, in decimal digits', parse: asRecordId };

await command(
  {
    name: 'notification:explain',
    summary:
      'Explains why a user heard, or did not hear, of an event: which rule decided, and what became of each channel.',
    options: {
      account: { type: accountId, required: true, help: 'whose event it is' },
      event: { type: eventId, required: true, help: 'its id' },
      user: { type: memberEmail, required: true, help: 'a member of the account' },
      ...serviceOption,
    },
    notes: [
      serviceNote,
      `A channel with basis record says what became of it; decided_anew, that nothing is on record, and what the rules,
memberships and roles of this moment would decide. It prints JSON, and only reads.`,
    ],
  },
  async ({ account, event: id, user: email, stage }) => {
    await useTableOf(stage);
    const now = new Date();
    const event = await findEvent(account, id, now);
    if (!event) throw new Error(`The account has no event ${id}.`);
    const { user } = await memberByEmail(account, email).catch((error) => {
      throw error instanceof ApiError && error.code === 'not_found'
        ? new Error(`The account has no member ${email}.`)
        : error;
    });
    print(await explain(event, user, now));
  },
);
