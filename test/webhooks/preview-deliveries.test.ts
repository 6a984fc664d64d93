import { expect, test } from 'vitest';
import createWebhook from '../../functions/webhooks/create-webhook.ts';
import { previewDeliveries } from '../../shared/messaging/webhooks/preview-deliveries.ts';
import { currentReads } from '../../shared/table/read.ts';
import { eventOf } from '../harness/notify.ts';
import { tenant } from '../harness/tenant.ts';

test('a preview lists the webhooks of an event from the oldest to the newest, in any order of the stored subscriptions', async () => {
  const { accountId, admin } = await tenant();
  const ids: number[] = [];
  for (const path of ['b', 'a', 'c']) {
    const body = { url: `http://127.0.0.1:9/${path}`, events: ['lead_assigned' as const] };
    ids.push((await admin.ok(createWebhook, { body })).id);
  }
  const event = eventOf(accountId);
  for (const ordered of [(names: string[]) => names.sort(), (names: string[]) => names.sort().reverse()]) {
    const previewed = await previewDeliveries([event], {
      ...currentReads,
      async getItem(key) {
        const item = await currentReads.getItem(key);
        return (
          item && {
            ...key,
            ...Object.fromEntries(ordered(Object.keys(item)).map((name) => [name, item[name]])),
          }
        );
      },
    });
    expect(previewed.map(({ id }) => id)).toEqual(ids);
  }
});
