import { removeLimits } from '../../shared/people/sessions/throttle-login.ts';
import type { StageSettings } from '../stage-settings.ts';
import { print } from './print.ts';
import { resetUser } from './reset-user.ts';
import { useTableOf } from './service-at.ts';
import { describeSignIn, readSignIn, userByEmail } from './user-by-email.ts';

type Options = { user: string; factors?: boolean; json?: boolean; stage?: StageSettings };

export default async function ({ user: email, factors = false, json, stage }: Options): Promise<void> {
  await useTableOf(stage);
  await resetUser(email, { removesFactors: factors });
  const user = await userByEmail(email);
  const removed = await removeLimits({ name: user.email }, new Date());
  const sendsMail = stage === undefined || stage.mailFrom !== undefined;
  const signIn = await readSignIn(user);
  const lines = [
    `All sessions of ${email} have ended.`,
    ...(factors ? [`The second factors of ${email} are removed.`] : []),
    sendsMail
      ? `A mail with a reset token is being sent to ${email}.`
      : `No mail is sent, because the stage ${stage.name} has no mailFrom.`,
    ...describeSignIn(signIn),
  ];
  print({ userId: user.id, sendsMail, removed, ...signIn }, json ? undefined : lines);
}
