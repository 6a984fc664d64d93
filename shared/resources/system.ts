import {
  dateTime,
  integer,
  mapOf,
  object,
  oneOf,
  openObject,
  optional,
  recordId,
  string,
} from '../schema.ts';
import { event, eventGroup } from './declare.ts';
import { noData } from './event-data.ts';

/** The data of `not_found` and `method_not_allowed`. */
const rejected = object({
  route: string({
    description:
      'The method and the path pattern of the request. The pattern is `unknown` if no endpoint has the path.',
    examples: ['GET /leads/{leadId}'],
  }),
});

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
  cron_triggered: event(
    object({
      schedule: string({ examples: ['sla-sweep'] }),
      hour: dateTime({ description: 'The start of the hour. Later runs in this hour emit no event.' }),
      counts: mapOf(integer(), {
        description: 'The number of records that this run changed, or of the work queues that it started.',
        examples: [{ tickets: 2 }],
      }),
    }),
    'A schedule changed records of the account or started its delayed work. Emitted at most once per hour and schedule.',
    { title: 'Schedule', body: 'The schedule {schedule} ran.' },
  ),
  healthcheck: event(noData, 'A health check of the event pipeline ran.', {
    title: 'Health check',
    body: 'The service tested whether its events are delivered.',
  }),
  not_found: event(
    rejected,
    'A request had an unknown path, or named a record that does not exist. Emitted at most once per minute, caller and path pattern.',
    { title: 'Not found', body: '{actor} sent a request that ended in 404: {route}.' },
  ),
  method_not_allowed: event(
    rejected,
    'A request had a method that its path does not support. Emitted at most once per minute, caller and path pattern.',
    { title: 'Method not allowed', body: '{actor} sent a request that ended in 405: {route}.' },
  ),
  no_event_name: event(
    object({
      resource: string({ description: 'The type of the record.', examples: ['invoice'] }),
      change: oneOf(['created', 'updated', 'deleted'], { examples: ['updated'] }),
      recordId: recordId(),
      happening: optional(
        string({
          description:
            'What happened. Happenings can be added at any time. Absent in events from before happenings existed.',
          examples: ['invoice_opened'],
        }),
      ),
      detail: optional(
        openObject({
          description:
            'The fields depend on the happening. GET /event-kinds returns their schema. Fields can be added at any time.',
          examples: [{ number: 'INV-000042', status: 'open' }],
        }),
      ),
    }),
    'A record was changed for which no event kind exists.',
    { title: 'Record changed', body: '{actor} changed a record: {resource} {recordId} was {change}.' },
  ),
});
