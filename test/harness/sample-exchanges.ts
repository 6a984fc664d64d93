import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { expect } from 'vitest';
import { toHttpEvent } from '../../infra/local/http-event.ts';
import { matchRoute } from '../../shared/endpoints/routes.ts';
import { healthCheckAccount } from '../../shared/events/health-check.ts';
import type { QueueName } from '../../shared/events/queues.ts';
import { anEvent } from './an-event.ts';

/** An input for a function, and a check of its response. `told` is added to the error of a failed check. */
export interface Exchange {
  event: unknown;
  check(response: unknown, told: string): void;
  /** Fields of a log line that the function must write. */
  logged?: Record<string, unknown>;
}

/** The fields of a contract that determine its requests. */
interface Route {
  method: string;
  path: string;
  access?: string;
}

/** A request without a credential. Only public endpoints accept such a request. */
export const unknownRequest = (contract: Route): Exchange => ({
  event: requestTo(contract),
  check: (response, told) => {
    isResponse(response, told);
    if (contract.access !== 'public')
      expect([response.statusCode, JSON.parse(response.body ?? '')], told).toMatchObject([
        401,
        contract.path.startsWith('/scim/') ? { status: '401' } : { error: 'not_authenticated' },
      ]);
  },
});

/** A request with these headers, usually for a record that does not exist. */
export const knownRequest = (contract: Route, headers: Record<string, string>): Exchange => ({
  event: requestTo(contract, { headers, body: {} }),
  check: (response, told) => {
    isResponse(response, told);
    expect(response.statusCode, told).not.toBe(401);
  },
});

/** A login with this body. */
export const login = (contract: Route, body: object): Exchange => ({
  event: requestTo(contract, { body }),
  check: (response, told) => {
    isResponse(response, told);
    expect(JSON.parse(response.body ?? ''), told).toMatchObject({ token: expect.any(String) });
  },
});

interface Sending {
  headers?: Record<string, string>;
  body?: object;
}

/** A request as API Gateway sends it to the Lambda. */
function requestTo({ method, path }: Route, { headers = {}, body }: Sending = {}): unknown {
  const [verb, target] =
    path === '$default' ? ['GET', '/nowhere'] : [method, path.replaceAll(/\{\w+\}/g, '1')];
  const route = { method: verb, path };
  const match = matchRoute([route], verb, target) ?? { route, params: {} };
  const sent = body !== undefined && verb !== 'GET' ? JSON.stringify(body) : '';
  const all = { ...headers, host: 'api.example.com', 'content-type': 'application/json' };
  const request = { method: verb, target, sourceIp: '192.0.2.1', body: Buffer.from(sent) };
  return toHttpEvent({ ...request, headers: Object.entries(all).flat() }, match);
}

type HttpResponse = APIGatewayProxyStructuredResultV2;

/** Asserts a response in API Gateway's payload format 2.0 that is not a server error. */
function isResponse(response: unknown, told: string): asserts response is HttpResponse {
  expect(response, told).toEqual({
    statusCode: expect.any(Number),
    headers: expect.objectContaining({ 'content-type': expect.any(String) }),
    body: expect.any(String),
    ...(isEncoded(response) && { isBase64Encoded: true }),
  });
  const { statusCode = 0, headers = {}, body = '' } = response as HttpResponse;
  expect(statusCode, told).toBeGreaterThanOrEqual(200);
  expect(statusCode, told).toBeLessThan(500);
  for (const value of Object.values(headers)) expect(value, told).toEqual(expect.any(String));
  if (/json/.test(String(headers['content-type'])) && !isEncoded(response)) JSON.parse(body);
}

const isEncoded = (response: unknown) => (response as HttpResponse).isBase64Encoded === true;

/** A call of the APIs' authorizer for a request that does not come from the stage's front. */
export const wrongToken: Exchange = {
  event: { version: '2.0', type: 'REQUEST', identitySource: ['guess'] },
  check: (response, told) => expect(response, told).toEqual({ isAuthorized: false }),
  logged: { OriginRefusals: 1 },
};

/** A batch of records from the table's stream. */
export const recordsOf = (items: readonly object[]): Exchange => ({
  event: {
    Records: items.map((NewImage, index) => ({
      eventID: String(index),
      eventName: 'INSERT',
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: 'us-east-1',
      eventSourceARN: `arn:aws:dynamodb:us-east-1:000000000000:table/merchant-ops-local/stream/now`,
      dynamodb: {
        ApproximateCreationDateTime: Math.floor(Date.now() / 1000),
        NewImage,
        SequenceNumber: String(index + 1),
        SizeBytes: 1000,
        StreamViewType: 'NEW_AND_OLD_IMAGES',
      },
    })),
  },
  check: (response, told) => expect(response, told).toEqual({ batchItemFailures: [] }),
});

/** A batch of messages from a queue: a health check, valid messages, and one invalid message. */
export const batchOf = (queue: QueueName, messages: readonly string[] = []): Exchange => ({
  event: {
    Records: [healthCheck, ...messages, 'no message'].map((body, index) => ({
      messageId: String(index),
      receiptHandle: String(index),
      body,
      attributes: { ApproximateReceiveCount: '1' },
      messageAttributes: {},
      md5OfBody: '',
      eventSource: 'aws:sqs',
      eventSourceARN: `arn:aws:sqs:us-east-1:000000000000:merchant-ops-local-${queue}`,
      awsRegion: 'us-east-1',
    })),
  },
  check: (response, told) =>
    expect(response, told).toEqual({
      batchItemFailures: [{ itemIdentifier: String(messages.length + 1) }],
    }),
  logged: {
    level: 'error',
    failed: 'message',
    queue,
    messageId: String(messages.length + 1),
    code: 'unreadable',
  },
});

const healthCheck = JSON.stringify(anEvent({ kind: 'healthcheck', accountId: healthCheckAccount }));

/** The default event that EventBridge Scheduler sends if a schedule defines no input. */
export const runOf = (name: string): Exchange => ({
  event: {
    version: '0',
    id: '53dc4d37-cffa-4f76-80c9-8b7d4a4d2eaa',
    'detail-type': 'Scheduled Event',
    source: 'aws.scheduler',
    account: '000000000000',
    time: new Date().toISOString(),
    region: 'us-east-1',
    resources: [`arn:aws:scheduler:us-east-1:000000000000:schedule/default/merchant-ops-local-${name}`],
    detail: '{}',
  },
  check: (response, told) => expect(response, told).toBeNull(),
});
