import '../quiet-sdk.ts';
import { removeLimits } from '../../shared/people/sessions/throttle-login.ts';
import { command, print } from './command.ts';
import { resetUser } from './reset-user.ts';
import { serviceNote, serviceOption, useTableOf } from './service-at.ts';
import { describeSignIn, readSignIn, userEmail } from './user-by-email.ts';

await command(
  {
    name: 'user:reset',
    summary: `Ends all sessions of a user, removes the user's limits like user:unlock, and sends the user a mail with a
token that sets a new password.`,
    options: {
      user: { type: userEmail, required: true, help: 'the user, in any account' },
      json: { type: 'flag', help: 'prints the result as JSON' },
      ...serviceOption,
    },
    notes: [
      serviceNote,
      `Only the mail contains the token, which is valid for an hour. The old password stays valid until the user sets a new
one. The actor of the two events in the account's log is "operator".`,
    ],
  },
  async ({ user: email, json, stage }) => {
    await useTableOf(stage);
    const user = await resetUser(email);
    const removed = await removeLimits({ name: user.email }, new Date());
    const sendsMail = stage === undefined || stage.mailFrom !== undefined;
    const signIn = await readSignIn(user);
    const lines = [
      `All sessions of ${email} have ended.`,
      sendsMail
        ? `A mail with a reset token is being sent to ${email}.`
        : `No mail is sent, because the stage ${stage.name} has no mailFrom.`,
      ...describeSignIn(signIn),
    ];
    print({ userId: user.id, sendsMail, removed, ...signIn }, json ? undefined : lines);
  },
);
