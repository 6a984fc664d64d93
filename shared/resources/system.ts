import { integer, object, oneOf, recordId, string } from '../schema.ts';
import { event, eventGroup, reserved } from './declare.ts';
import { noData } from './event-data.ts';

export const system = eventGroup('System', 'account', {
  system_error: event(
    object({
      requestId: string({
        description: 'The x-request-id of the request that failed.',
        examples: ['5c3f2a9e-8d41-4b7a-9e0f-6a1b2c3d4e5f'],
      }),
      route: string({ examples: ['PATCH /leads/{leadId}'] }),
    }),
    'A request of the account failed with status 500. Emitted at most once per minute and route.',
    { title: 'System error', body: 'An error occurred in the service.', error: true },
  ),
  quota_exceeded: event(
    object({ quota: string({ description: 'The path whose quota was reached.', examples: ['/webhooks'] }) }),
    'A request was rejected because a quota of the account was reached.',
    {
      title: 'Quota exceeded',
      body: '{actor} exceeded a quota of the account: {quota|unknown}.',
      error: true,
    },
  ),
  api_rate_limited: event(
    object({
      limit: integer({ description: 'Requests per minute.', examples: [600] }),
      minute: string({ examples: ['2026-03-01T09:30'] }),
    }),
    'A caller exceeded its limit of requests per minute.',
    {
      title: 'Request limit reached',
      body: '{actor} reached the limit of {limit|its} requests per minute.',
      error: true,
    },
    { about: ['user', 'api_key', 'application'], link: { path: '/api-keys', opens: 'API keys' } },
  ),
  cron_triggered: reserved('A scheduled task ran.'),
  healthcheck: event(noData, 'A health check of the event pipeline ran.', {
    title: 'Health check',
    body: 'The service tested whether its events are delivered.',
  }),
  not_found: reserved('A request had an unknown path.'),
  method_not_allowed: reserved('A request had a method that its path does not support.'),
  no_event_name: event(
    object({
      resource: oneOf(['view', 'ticket_type_mapping', 'partner_connection']),
      change: oneOf(['created', 'updated', 'deleted']),
      recordId: recordId(),
    }),
    'A record was changed for which no event kind exists.',
    { title: 'Record changed', body: '{actor} changed a record: {resource} {recordId} was {change}.' },
  ),
});
