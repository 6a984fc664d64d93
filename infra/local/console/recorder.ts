import type { SQSRecord } from 'aws-lambda';
import { actorText } from '../../../shared/events/actor-text.ts';
import type { Event } from '../../../shared/events/envelope.ts';
import { eventKey } from '../../../shared/events/keys.ts';
import { parseEvent } from '../../../shared/events/read-event.ts';
import { messageIdOf } from '../../../shared/messaging/webhooks/signature.ts';
import { accessLineIn } from '../access-line.ts';
import type { Exchange, OnActivity, StoredMessage } from '../activity.ts';
import { eventInRecord } from '../event-records.ts';
import type { Invocation, OutgoingRequest, TableCall, TableCallItem } from '../invocation.ts';
import type { StreamRecord } from '../table-stream.ts';
import { boundedMap } from './bounded-map.ts';
import { kindText } from './kind-text.ts';
import { redactedHeaders, redactedJson, redactedUrl } from './redact.ts';

/** A request in the list of the screen Activity. */
interface RequestSummary {
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
  /** The kinds of the events that the request wrote. A kind is added when the relay has processed the event. */
  events: string[];
}

/** A request with all details that the console shows. Secret values are replaced. */
interface RequestDetails extends RequestSummary {
  requestId?: string;
  requestHeaders: [string, string][];
  requestBody: string;
  responseHeaders: [string, string][];
  responseBody: string;
  /** The call of the endpoint's function. Absent if the gateway itself responded. */
  invocation?: RecordedCall;
}

type RecordedCall = Pick<Invocation, 'functionName' | 'milliseconds' | 'calls' | 'lines' | 'error'>;

/** One call of the relay or of a consumer that processed an event. */
interface EventStep {
  functionName: string;
  startedAt: number;
  milliseconds: number;
  /** True if the call failed for this event. The call is then repeated. */
  failed: boolean;
  error?: string;
  /** When the message was sent to the queue. Absent for the relay and for work queues. */
  queuedAt?: number;
  /** The number of times that the queue has delivered the message. If it is greater than 1, the call is a retry. */
  receives?: number;
  /** The number of events that the call processed. */
  batch: number;
  /**
   * The written items. If the batch has several events, includes only items whose keys contain this event's
   * id.
   */
  writes: TableCallItem[];
  /** The attempts to deliver this event to webhooks. */
  attempts: OutgoingRequest[];
}

interface RecordedEvent {
  id: number;
  accountId: string;
  kind: string;
  label?: string;
  occurredAt: string;
  actor: string;
  /** The request that wrote the event, if it is still recorded. */
  request?: number;
  /** In the order of their start. */
  steps: EventStep[];
}

type EventSummary = Omit<RecordedEvent, 'steps'>;

/** An update that the console sends to its pages. */
export type RecorderUpdate =
  | { request: RequestSummary }
  | { event: EventSummary }
  | { message: StoredMessage };

/** The recorded activity of the local service since its start. The oldest records are dropped. */
export interface Recorder {
  onActivity: OnActivity;
  /** Newest first. */
  requests(): RequestSummary[];
  request(id: number): { request: RequestDetails; events: EventSummary[] } | undefined;
  event(accountId: string, id: number): RecordedEvent | undefined;
  /** Newest first, without the events of recorded requests. */
  otherEvents(): EventSummary[];
  /** Returns a stored mail or text message by the id that the mailbox returned to the sender. */
  message(id: string): StoredMessage | undefined;
  /** The estimated size of all records. */
  bytes(): number;
}

const megabyte = 1024 * 1024;

/** The limits of the recorded data, which add up to 48 MB. A body is recorded if it has at most `body` bytes. */
export const limits = {
  requests: { count: 1_000, bytes: 32 * megabyte },
  events: { count: 2_000, bytes: 8 * megabyte },
  /** Calls of endpoints' functions whose responses are not sent yet. */
  calls: { count: 1_000, bytes: 6 * megabyte },
  messages: { count: 1_000, bytes: megabyte },
  writers: { count: 5_000, bytes: megabyte },
  body: 256 * 1024,
  /** The maximum number of recorded steps of an event. */
  steps: 100,
};

/** A recorded request. Bodies are redacted only when they are shown, because most bodies are never shown. */
interface KeptRequest {
  summary: RequestSummary;
  requestId?: string;
  requestHeaders: readonly string[];
  requestBody: KeptBody;
  responseHeaders: Exchange['responseHeaders'];
  responseBody: KeptBody;
  call?: RecordedCall;
}

/** JSON, or a sentence in place of a body that is not shown. */
type KeptBody = { json: string } | { note: string };

export function createRecorder(publish: (update: RecorderUpdate) => void): Recorder {
  const requests = boundedMap<number, KeptRequest>(limits.requests, sizeOfRequest);
  const events = boundedMap<string, RecordedEvent>(limits.events, sizeOfEvent);
  const messages = boundedMap<string, StoredMessage>(limits.messages, () => 500);
  /** Calls of endpoints' functions, by the gateway's request id. */
  const calls = boundedMap<string, EndpointCall>(limits.calls, ({ call }) => sizeOfCall(call));
  /** For each event, by the key of its item: the number of the request that wrote the event. */
  const writers = boundedMap<string, number>(limits.writers, () => 200);
  let last = 0;

  function addExchange(exchange: Exchange): void {
    const { requestId = '', route, method, target, status, startedAt, milliseconds } = exchange;
    last += 1;
    const { call, writtenEvents = [], ...access } = calls.get(requestId) ?? {};
    calls.delete(requestId);
    const summary: RequestSummary = {
      id: last,
      ...{ startedAt, milliseconds, method, target: redactedUrl(target), route, status },
      ...access,
      events: [],
    };
    requests.set(last, {
      summary,
      requestId: exchange.requestId,
      requestHeaders: exchange.requestHeaders,
      requestBody: keptBody(exchange.requestBody, typeIn(exchange.requestHeaders)),
      responseHeaders: exchange.responseHeaders,
      responseBody: keptBody(exchange.responseBody, String(exchange.responseHeaders['content-type'] ?? '')),
      call,
    });
    for (const key of writtenEvents) {
      writers.set(key, last);
      // The event is already recorded if the relay processed it before the response was sent.
      const early = events.get(key);
      if (early) link(early, summary);
    }
    publish({ request: summary });
  }

  function link(event: RecordedEvent, request: RequestSummary): void {
    event.request = request.id;
    request.events.push(event.kind);
  }

  function addEvent(key: string, event: Event): RecordedEvent {
    const recorded: RecordedEvent = {
      id: event.id,
      accountId: event.accountId,
      kind: kindText(event),
      label: event.subject.label,
      occurredAt: event.occurredAt,
      actor: actorText(event.actor),
      steps: [],
    };
    const request = requests.get(writers.get(key) ?? 0);
    if (request) {
      link(recorded, request.summary);
      publish({ request: request.summary });
    }
    return recorded;
  }

  function addStep(key: string, recorded: RecordedEvent, step: EventStep): void {
    if (recorded.steps.length >= limits.steps) return;
    recorded.steps.push(step);
    recorded.steps.sort((one, other) => one.startedAt - other.startedAt);
    events.set(key, recorded);
    publish({ event: summaryOf(recorded) });
  }

  /** Adds a call of the relay or of a consumer as a step to each event that the call processed. */
  function addBackgroundCall(invocation: Invocation): void {
    const processed = processedEvents(invocation);
    for (const { event, failed, queuedAt, receives } of processed.events) {
      const key = keyOf(event.accountId, event.id);
      const recorded = events.get(key) ?? addEvent(key, event);
      const step = stepOf(invocation, recorded, processed.size);
      addStep(key, recorded, { ...step, failed, queuedAt, receives });
    }
    if (processed.events.length > 0) return;
    // The consumers of work queues receive no events. They read the events of their work items.
    const read = readKeys(invocation).flatMap((key) => {
      const recorded = events.get(key);
      return recorded ? [{ key, recorded }] : [];
    });
    for (const { key, recorded } of read) addStep(key, recorded, stepOf(invocation, recorded, read.length));
  }

  return {
    onActivity(activity) {
      if (activity.type === 'exchange') addExchange(activity);
      else if (activity.type === 'message') {
        const { type: _, ...message } = activity;
        messages.set(message.id, message);
        publish({ message });
      } else {
        const requestId = requestIdOf(activity);
        if (requestId === undefined) addBackgroundCall(activity);
        else calls.set(requestId, endpointCallOf(activity));
      }
    },
    requests: () =>
      requests
        .values()
        .map(({ summary }) => summary)
        .reverse(),
    request(id) {
      const kept = requests.get(id);
      const own = () => events.values().filter(({ request }) => request === id);
      return kept && { request: detailsOf(kept), events: own().map(summaryOf) };
    },
    event: (accountId, id) => events.get(keyOf(accountId, id)),
    otherEvents: () =>
      events
        .values()
        .filter(({ request }) => request === undefined || !requests.get(request))
        .map(summaryOf)
        .reverse(),
    message: (id) => messages.get(id),
    bytes: () => [requests, events, messages, calls, writers].reduce((sum, map) => sum + map.bytes(), 0),
  };
}

/** The key of an event's item as one text. */
function keyOf(accountId: string, id: number): string {
  const { pk, sk } = eventKey(accountId as Event['accountId'], id);
  return `${pk} ${sk}`;
}

const summaryOf = ({ steps: _, ...summary }: RecordedEvent): EventSummary => summary;

const sizeOfItems = (items: readonly TableCallItem[]): number =>
  items.reduce(
    (sum, { pk, sk = '', attributes = [] }) => sum + 100 + pk.length + sk.length + 20 * attributes.length,
    0,
  );

const sizeOfCall = ({ calls, lines, error = '' }: RecordedCall): number =>
  500 +
  calls.reduce((sum, { items }) => sum + 200 + sizeOfItems(items), 0) +
  2 * [...lines, error].reduce((sum, { length }) => sum + length, 0);

const lengthsOf = (texts: readonly unknown[]): number =>
  texts.reduce<number>((sum, text) => sum + String(text).length, 0);

const lengthOf = (body: KeptBody): number => ('json' in body ? body.json.length : body.note.length);

const sizeOfRequest = ({ summary, call, ...request }: KeptRequest): number =>
  1_500 +
  2 * (summary.target.length + lengthOf(request.requestBody) + lengthOf(request.responseBody)) +
  2 * lengthsOf([...request.requestHeaders, ...Object.entries(request.responseHeaders).flat(2)]) +
  (call ? sizeOfCall(call) : 0);

const sizeOfEvent = ({ steps }: RecordedEvent): number =>
  500 +
  steps.reduce(
    (sum, { writes, attempts, error = '' }) =>
      sum + 200 + sizeOfItems(writes) + 400 * attempts.length + 2 * error.length,
    0,
  );

function keptBody(body: Buffer, contentType: string): KeptBody {
  if (body.length === 0) return { note: '' };
  if (!/json/.test(contentType)) return { note: `${body.length} bytes of ${contentType || 'unknown type'}` };
  if (body.length > limits.body)
    return { note: `${body.length} bytes. Bodies above 256 KB are not recorded.` };
  return { json: body.toString() };
}

const shownBody = (body: KeptBody): string => ('json' in body ? redactedJson(body.json) : body.note);

const typeIn = (headers: readonly string[]): string => {
  const at = headers.findIndex((name, n) => n % 2 === 0 && /^content-type$/i.test(name));
  return at < 0 ? '' : (headers[at + 1] ?? '');
};

/** Converts alternating names and values to pairs. */
const pairsOf = (headers: readonly string[]): [string, string][] =>
  headers.flatMap((name, at): [string, string][] =>
    at % 2 === 0 ? [[name.toLowerCase(), headers[at + 1] ?? '']] : [],
  );

function detailsOf({ summary, requestId, call, ...kept }: KeptRequest): RequestDetails {
  const responseHeaders = Object.entries(kept.responseHeaders).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  return {
    ...summary,
    requestId,
    requestHeaders: redactedHeaders(pairsOf(kept.requestHeaders)),
    requestBody: shownBody(kept.requestBody),
    responseHeaders: redactedHeaders(responseHeaders),
    responseBody: shownBody(kept.responseBody),
    ...(call && { invocation: call }),
  };
}

interface EndpointCall extends Pick<RequestSummary, 'caller' | 'error'> {
  call: RecordedCall;
  /** The keys of the events that the call wrote. */
  writtenEvents: string[];
}

function endpointCallOf(invocation: Invocation): EndpointCall {
  const { functionName, milliseconds, calls, lines, error } = invocation;
  return {
    ...accessIn(lines),
    call: { functionName, milliseconds, calls, lines, error },
    writtenEvents: writtenItems(calls)
      .filter(({ action, pk }) => action === 'put' && isEventPartition(pk))
      .map(({ pk, sk }) => `${pk} ${sk}`),
  };
}

const isEventPartition = (pk: string): boolean => pk.endsWith('#EVENT');

/** Returns the caller and the error code from the access line. */
function accessIn(lines: readonly string[]): { caller?: string; error?: string } {
  const access = lines.map(accessLineIn).find((line) => line);
  return { caller: access?.principal, error: access?.error };
}

/** The id of the request that called an endpoint's function. Undefined for other functions. */
const requestIdOf = ({ event }: Invocation): string | undefined =>
  (event as { requestContext?: { requestId?: string } } | null)?.requestContext?.requestId;

const isWrite = ({ action }: TableCallItem): boolean =>
  action === 'put' || action === 'update' || action === 'delete';

/** The items of successful writes. */
const writtenItems = (calls: readonly TableCall[]): TableCallItem[] =>
  calls.flatMap(({ items, error }) => (error === undefined ? items.filter(isWrite) : []));

/** The keys of the events that a call read. */
const readKeys = ({ calls }: Invocation): string[] => [
  ...new Set(
    calls.flatMap(({ items }) =>
      items
        .filter(({ action, pk }) => action === 'get' && isEventPartition(pk))
        .map(({ pk, sk }) => `${pk} ${sk}`),
    ),
  ),
];

interface ProcessedEvent extends Pick<EventStep, 'failed' | 'queuedAt' | 'receives'> {
  event: Event;
}

/** The events in the batch of the relay or of a consumer. `size` is the number of records or messages in the batch. */
function processedEvents(invocation: Invocation): { events: ProcessedEvent[]; size: number } {
  const { Records = [] } = (invocation.event ?? {}) as { Records?: (SQSRecord | StreamRecord)[] };
  const { batchItemFailures = [] } = (invocation.result ?? {}) as {
    batchItemFailures?: { itemIdentifier: string }[];
  };
  const failedIds = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  // Lambda repeats a stream's batch from the first failed record.
  const firstFailed = Records.findIndex((record) => failedIds.has(idOf(record)));
  const events = Records.flatMap((record, at): ProcessedEvent[] => {
    const event = 'dynamodb' in record ? eventInRecord(record) : parseEvent(record.body);
    if (!event || event.kind === 'healthcheck') return [];
    const isFailed =
      'dynamodb' in record ? firstFailed >= 0 && at >= firstFailed : failedIds.has(idOf(record));
    return [{ event, failed: invocation.error !== undefined || isFailed, ...queueTimes(record) }];
  });
  return { events, size: Records.length };
}

const idOf = (record: SQSRecord | StreamRecord): string =>
  'dynamodb' in record ? record.dynamodb.SequenceNumber : record.messageId;

function queueTimes(record: SQSRecord | StreamRecord): Pick<EventStep, 'queuedAt' | 'receives'> {
  if ('dynamodb' in record) return {};
  const { SentTimestamp, ApproximateReceiveCount } = record.attributes ?? {};
  return {
    ...(SentTimestamp !== undefined && { queuedAt: Number(SentTimestamp) }),
    ...(ApproximateReceiveCount !== undefined && { receives: Number(ApproximateReceiveCount) }),
  };
}

function stepOf(
  { functionName, startedAt, milliseconds, error, calls, requests }: Invocation,
  event: Pick<RecordedEvent, 'accountId' | 'id'>,
  size: number,
): EventStep {
  const items = writtenItems(calls);
  const messageId = messageIdOf({ accountId: event.accountId as Event['accountId'], id: event.id });
  return {
    ...{ functionName, startedAt, milliseconds, error, batch: size },
    failed: error !== undefined,
    writes: size === 1 ? items : items.filter(({ pk, sk = '' }) => `${pk} ${sk}`.includes(String(event.id))),
    attempts: requests
      .filter((request) => request.messageId === messageId)
      .map((attempt) => ({ ...attempt, url: redactedUrl(attempt.url) })),
  };
}
