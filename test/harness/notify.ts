import type { Event } from '../../shared/events/envelope.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { mintId } from '../../shared/id/mint.ts';
import { addToInbox } from '../../shared/messaging/notifications/add-to-inbox.ts';
import { render } from '../../shared/messaging/recipients/templates.ts';
import { users } from '../../shared/people/users/store.ts';
import { clock } from './clock.ts';

interface NotifiedUser {
  account: AccountId;
  email: string;
  portalUrl?: string;
}

/** An event as the notifications consumer receives it. The default kind is `lead_assigned`. */
export const eventOf = (account: AccountId, event: Partial<Event> = {}): Event => ({
  id: mintId(clock.now()),
  kind: 'lead_assigned',
  version: 1,
  accountId: account,
  actor: { user: 'grace@example.com', apiKey: null },
  subject: { type: 'lead', id: 214563398120447, version: 2 },
  data: { to: '214563398120440' },
  request: { method: 'PATCH', path: '/leads/214563398120447', headers: {}, ipAddress: '192.0.2.1' },
  occurredAt: clock.now().toISOString(),
  ...event,
});

/** Adds an event to a user's inbox as the website channel does. Returns the id of the notification. */
export async function notify(
  { account, email, portalUrl }: NotifiedUser,
  overrides: Partial<Event> = {},
): Promise<number> {
  const user = await users.addressByEmailAcrossAccounts(email);
  if (!user) throw new Error(`No user has the email ${email}`);
  const event = eventOf(account, overrides);
  const now = clock.now();
  const deadline = Date.now() + 60_000;
  await addToInbox(
    { account, userId: user.id, event, text: render(event, { portalUrl }) },
    { now, deadline },
  );
  return event.id;
}
