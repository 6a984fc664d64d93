import { ApiError } from '../../shared/errors.ts';
import { findEvent } from '../../shared/events/find-event.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { explain } from '../../shared/messaging/notification-explanations/explain.ts';
import { requireMember } from '../../shared/people/users/find-member.ts';
import type { StageSettings } from '../stage-settings.ts';
import { print } from './print.ts';
import { useTableOf } from './service-at.ts';

type Options = { account: AccountId; event: number; user: string; stage?: StageSettings };

export default async function ({ account, event: id, user: email, stage }: Options): Promise<void> {
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
}
