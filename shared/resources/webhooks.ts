import { integer, object, optional, recordId, string } from '../schema.ts';
import { changeEvents, event, resource } from './declare.ts';
import { changesSchema, noData } from './event-data.ts';
import { because, changedNotice, did } from './text.ts';

export const webhookResource = resource({
  name: 'webhook',
  readers: 'own',
  portal: 'record',
  exported: { without: ['secrets'] },
  items: { 'webhook-health': { as: 'webhook_health' } },
  unlogged: { HEALTH: 'later' },
  reference: {
    place: 18,
    description: 'Event subscriptions, delivered as signed requests (Standard Webhooks).',
  },
  events: {
    ...changeEvents('webhook', 'A webhook'),
    webhook_updated: event(
      object({
        changes: changesSchema,
        reason: optional(
          string({
            description: 'Why the service disabled the webhook.',
            examples: ['The endpoint responded with 410 Gone.'],
          }),
        ),
      }),
      'A webhook changed or was disabled by the service.',
      {
        ...changedNotice,
        variants: [
          {
            if: { reason: true },
            title: '{Name} disabled',
            body: `The service disabled {record}.${because}`,
            error: true,
          },
        ],
      },
    ),
    webhook_delivery_failed: event(
      object({
        failures: integer({ description: 'The number of failed deliveries in this hour.', examples: [3] }),
        eventId: recordId({ description: 'The newest event that was not delivered.' }),
        error: string({
          description: 'The error of the last attempt.',
          examples: ['The endpoint responded with 500.'],
        }),
      }),
      'Deliveries to a webhook failed after all retries. Emitted at most once per hour and webhook, and never sent to that webhook.',
      {
        title: 'Webhook deliveries failed',
        body: 'Deliveries to {record} failed after all retries. Number of deliveries: {failures|at least one}.[ Reason: {error}.]',
        error: true,
      },
      { link: { below: 'deliveries', opens: 'deliveries' } },
    ),
    webhook_test: event(noData, 'A webhook was tested.', did('tested')),
  },
});
