import { removeLimits } from '../../shared/people/sessions/throttle-login.ts';
import type { StageSettings } from '../stage-settings.ts';
import { print } from './print.ts';
import { useTableOf } from './service-at.ts';
import { describeSignIn, readSignIn, userByEmail } from './user-by-email.ts';

type Options = { user: string; source?: string; json?: boolean; stage?: StageSettings };

export default async function ({ user: email, source, json, stage }: Options): Promise<void> {
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
}
