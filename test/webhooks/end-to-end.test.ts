import { expect, test } from 'vitest';
import { commit } from '../../shared/events/outbox.ts';
import { recoveryWrites } from '../../shared/messaging/webhooks/recover.ts';
import { webhooks } from '../../shared/messaging/webhooks/store.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { behaviours, receiver } from '../harness/receiver.ts';
import { happens, newAccount, webhook } from './subscribed.ts';

test('an event reaches its webhook through stream, relay, queues and work queue, and each function has enough permissions', async () => {
  const account = newAccount();
  const to = await receiver(behaviours.responds(200));
  const now = clock.now();
  const { stored } = await webhook(account, to.url, { now });
  await happens(account, now);
  await drain();
  expect(to.received).toHaveLength(1);

  to.behave(behaviours.responds(410));
  await happens(account, clock.now());
  await drain();
  const disabled = await webhooks.get(account, stored.id);
  expect(disabled).toMatchObject({ active: false, updatedBy: 'system' });

  to.behave(behaviours.responds(200));
  const enabled = { ...disabled, active: true, version: disabled.version + 1 };
  const writes = [
    ...webhooks.replace(disabled, enabled),
    ...recoveryWrites(enabled, { since: now, until: clock.now() }, clock.now()),
  ];
  await commit({ writes, events: [], deadline: Date.now() + 60_000 });
  await drain();
  expect(to.received.map(({ headers }) => headers['webhook-id'])).toHaveLength(3);
});
