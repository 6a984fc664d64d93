import type { Event } from '../../../shared/events/envelope.ts';
import { eventKey } from '../../../shared/events/keys.ts';
import { eventName, parseEvent } from '../../../shared/events/read-event.ts';
import type { Exchange, OnActivity } from '../activity.ts';
import { eventOf } from '../event-records.ts';
import type { Invocation, OutgoingRequest, TableCallItem } from '../invocation.ts';
import type { StreamRecord } from '../table-stream.ts';
import { redactedBody, redactedHeaders, redactedUrl } from './redact.ts';

/** A request in the list of the screen Activity. */
export interface RequestSummary {
  /** A number that increases with each request. */
  id: number;
  /** Milliseconds since 1970. */
  startedAt: number;
  milliseconds: number;
  method: string;
  target: string;
  route?: string;
  status: number;
  /** The principal, for example `key:245133521339801`. */
  caller?: string;
  error?: string;
  /** The kinds of the events that the request wrote. They appear when the relay has read them. */
  events: string[];
}

interface RecordedRequest extends RequestSummary {
  requestId?: string;
  requestHeaders: [string, string][];
  requestBody: string;
  responseHeaders: [string, string][];
  responseBody: string;
  invocation?: Pick<Invocation, 'functionName' | 'milliseconds' | 'calls' | 'lines' | 'error'>;
}

/** One call of the relay or of a consumer that processed an event. */
export interface EventStep {
  functionName: string;
  startedAt: number;
  milliseconds: number;
  failed: boolean;
  /** The number of events or messages that the call processed. */
  batch: number;
  /** The written items. In a batch of several messages, only the items whose keys contain the event's id. */
  writes: TableCallItem[];
  requests: readonly OutgoingRequest[];
}

export interface RecordedEvent {
  id: number;
  accountId: string;
  kind: string;
  label?: string;
  occurredAt: string;
  actor: string;
  /** The request that wrote the event, if it is still recorded. */
  request?: number;
  steps: EventStep[];
}

/** What the console sends to its pages when something happened. */
export type RecorderUpdate = { request: RequestSummary } | { event: Omit<RecordedEvent, 'steps'> };

/** The recorded activity of the local service since its start. The oldest records are dropped. */
export interface Recorder {
  onActivity: OnActivity;
  /** Newest first. */
  requests(): RequestSummary[];
  request(id: number): { request: RecordedRequest; events: RecordedEvent[] } | undefined;
  event(accountId: string, id: number): RecordedEvent | undefined;
  /** Newest first, without the events of recorded requests. */
  otherEvents(): RecordedEvent[];
}

/** The limits of the memory: about 2,000 requests and events of at most 16 KB in total 32 MB. */
export const limits = { requests: 1_000, events: 2_000, bytes: 32 * 1024 * 1024, body: 16 * 1024 };

export function createRecorder(publish: (update: RecorderUpdate) => void): Recorder {
  const requests = new Map<number, RecordedRequest>();
  const events = new Map<string, RecordedEvent>();
  /** The requests that wrote an item of an event, by the item's key. */
  const writers = new Map<string, number>();
  /** Invocations of endpoints, until their responses are recorded. By the gateway's request id. */
  const invocations = new Map<string, Invocation>();
  let [last, bytes] = [0, 0];

  function addExchange(exchange: Exchange): void {
    last += 1;
    const invocation = invocations.get(exchange.requestId ?? '');
    invocations.delete(exchange.requestId ?? '');
    const { caller, error } = accessOf(invocation);
    const request: RecordedRequest = {
      id: last,
      startedAt: exchange.startedAt,
      milliseconds: exchange.milliseconds,
      method: exchange.method,
      target: redactedUrl(exchange.target),
      route: exchange.route,
      status: exchange.status,
      caller,
      error,
      events: [],
      requestId: exchange.requestId,
      ...bodiesOf(exchange),
      ...(invocation && { invocation: partOf(invocation) }),
    };
    requests.set(last, request);
    bytes += sizeOf(request);
    for (const key of writtenKeys(invocation)) writers.set(key, last);
    trim();
    publish({ request: summaryOf(request) });
  }

  function trim(): void {
    for (const [id, request] of requests) {
      if (requests.size <= limits.requests && bytes <= limits.bytes) break;
      bytes -= sizeOf(request);
      requests.delete(id);
    }
    dropOldest(events, limits.events);
    dropOldest(writers, limits.events);
    dropOldest(invocations, limits.requests);
  }

  function addEvent(event: Event): RecordedEvent {
    const { pk, sk } = eventKey(event.accountId, event.id);
    const request = requests.get(writers.get(`${pk} ${sk}`) ?? 0);
    const recorded: RecordedEvent = {
      id: event.id,
      accountId: event.accountId,
      kind: event.kind,
      label: event.subject.label,
      occurredAt: event.occurredAt,
      actor: event.actor.user,
      request: request?.id,
      steps: [],
    };
    events.set(eventName(event), recorded);
    request?.events.push(event.kind);
    if (request) publish({ request: summaryOf(request) });
    return recorded;
  }

  /** Adds a call of the relay or of a consumer to its events. */
  function addStep(invocation: Invocation): void {
    const processed = processedEvents(invocation);
    for (const event of processed.events) {
      const recorded = events.get(eventName(event)) ?? addEvent(event);
      recorded.steps.push(stepOf(invocation, event, processed));
      publish({ event: headOf(recorded) });
    }
    // Consumers of work queues receive no events. They read the events that they send.
    const read =
      processed.events.length > 0 ? [] : [...events.values()].filter((event) => reads(invocation, event));
    for (const recorded of read) {
      recorded.steps.push(stepOf(invocation, recorded, { ...processed, size: read.length }));
      publish({ event: headOf(recorded) });
    }
    trim();
  }

  return {
    onActivity(activity) {
      if (activity.type === 'exchange') addExchange(activity);
      else if (activity.type === 'invocation') {
        const requestId = requestIdOf(activity);
        if (requestId === undefined) addStep(activity);
        else invocations.set(requestId, activity);
      }
    },
    requests: () => [...requests.values()].reverse().map(summaryOf),
    request(id) {
      const request = requests.get(id);
      return request && { request, events: [...events.values()].filter((event) => event.request === id) };
    },
    event: (accountId, id) => events.get(`${accountId}/${id}`),
    otherEvents: () => [...events.values()].filter(({ request }) => !requests.has(request ?? 0)).reverse(),
  };
}

function dropOldest(map: Map<unknown, unknown>, limit: number): void {
  for (const key of map.keys()) {
    if (map.size <= limit) return;
    map.delete(key);
  }
}

const summaryOf = ({
  id,
  startedAt,
  milliseconds,
  method,
  target,
  route,
  status,
  caller,
  error,
  events,
}: RecordedRequest): RequestSummary => ({
  ...{ id, startedAt, milliseconds, method, target, route, status, caller, error, events },
});

const headOf = ({ steps: _, ...head }: RecordedEvent) => head;

const partOf = ({ functionName, milliseconds, calls, lines, error }: Invocation) => ({
  ...{ functionName, milliseconds, calls, lines, error },
});

/** An estimate in bytes: each character of a text and each item of a DynamoDB call. */
const sizeOf = ({ requestBody, responseBody, invocation }: RecordedRequest): number =>
  1_000 +
  2 * (requestBody.length + responseBody.length) +
  (invocation?.calls.reduce((sum, { items }) => sum + 200 + 300 * items.length, 0) ?? 0);

function bodiesOf({ requestHeaders, requestBody, responseHeaders, responseBody }: Exchange) {
  const sent = requestHeaders.flatMap((name, at): [string, string][] =>
    at % 2 === 0 ? [[name.toLowerCase(), String(requestHeaders[at + 1])]] : [],
  );
  const received = Object.entries(responseHeaders).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  const typeOf = (headers: [string, string][]) =>
    headers.find(([name]) => name === 'content-type')?.[1] ?? '';
  return {
    requestHeaders: redactedHeaders(sent),
    requestBody: redactedBody(requestBody, typeOf(sent), limits.body),
    responseHeaders: redactedHeaders(received),
    responseBody: redactedBody(responseBody, typeOf(received), limits.body),
  };
}

/** The caller and the error code, from the access line of the function. See shared/http/access-log.ts. */
function accessOf(invocation: Invocation | undefined): { caller?: string; error?: string } {
  const line = invocation?.lines.find((text) => text.includes('"route":'));
  const { principal, error } = line === undefined ? {} : JSON.parse(line);
  return { caller: principal, error };
}

/** The id of the request that called an endpoint's function. Undefined for other functions. */
const requestIdOf = ({ event }: Invocation): string | undefined =>
  (event as { requestContext?: { requestId?: string } } | null)?.requestContext?.requestId;

const writtenItems = ({ calls }: Invocation): TableCallItem[] =>
  calls.flatMap(({ items, error }) =>
    error === undefined ? items.filter(({ action }) => ['put', 'update', 'delete'].includes(action)) : [],
  );

/** The keys of new items. Events are among them. */
const writtenKeys = (invocation: Invocation | undefined): string[] =>
  invocation === undefined
    ? []
    : writtenItems(invocation).flatMap(({ action, pk, sk }) =>
        action === 'put' && pk.endsWith('#EVENT') ? [`${pk} ${sk}`] : [],
      );

interface Processed {
  events: Event[];
  /** The number of records or messages in the batch. */
  size: number;
}

/** The events in the batch of the relay or of a consumer. */
function processedEvents({ functionName, event }: Invocation): Processed {
  const { Records = [] } = (event ?? {}) as { Records?: (StreamRecord & { body?: string })[] };
  const events = Records.flatMap((record) => {
    const found = functionName === 'events-relay' ? eventOf(record) : parseEvent(record.body ?? '');
    return found && found.kind !== 'healthcheck' ? [found] : [];
  });
  return { events, size: Records.length };
}

const reads = ({ calls }: Invocation, { accountId, id }: RecordedEvent): boolean => {
  const { pk, sk } = eventKey(accountId as Event['accountId'], id);
  return calls.some(({ items }) => items.some((item) => item.pk === pk && item.sk === sk));
};

function stepOf(invocation: Invocation, { id }: { id: number }, { size }: Processed): EventStep {
  const { functionName, startedAt, milliseconds, error, result, requests } = invocation;
  const items = writtenItems(invocation);
  const { batchItemFailures = [] } = (result ?? {}) as { batchItemFailures?: unknown[] };
  return {
    ...{ functionName, startedAt, milliseconds, requests },
    failed: error !== undefined || batchItemFailures.length > 0,
    batch: size,
    writes: size === 1 ? items : items.filter(({ pk, sk = '' }) => `${pk} ${sk}`.includes(String(id))),
  };
}
