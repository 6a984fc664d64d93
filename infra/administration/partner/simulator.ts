import { createHash, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { compactDecrypt } from 'jose';
import { signedHeaders } from '../../../shared/messaging/webhooks/signature.ts';
import { verifiedMessageId } from '../../../shared/messaging/webhooks/verify-signature.ts';
import { startLoopbackServer } from '../loopback-server.ts';

/** Switches that a test or a developer may change at any time. */
export interface PartnerBehaviour {
  /** The time before each response, in milliseconds. */
  slow?: number;
  /** The status of each response, instead of handling the request. */
  failing?: number;
  /** Sends each event twice. */
  duplicating?: boolean;
  /** Sends the events of an application in reverse order. */
  reordering?: boolean;
  /** Sends no events by itself. */
  silent?: boolean;
  /** After an application is boarded, sends a support request in this category. */
  supportCategory?: number;
}

/** An event in the format of Partner contract v1. */
interface SentEvent {
  type: string;
  data: Record<string, unknown>;
  /** Default: a new id. */
  id?: string;
  /** Default: now. */
  at?: Date;
  /** Default: the secret of the connection. */
  secret?: string;
}

interface SimulatedDocument {
  id: string;
  url: string;
  sha256: string;
}

/** An application as the simulator received it. */
interface SimulatedApplication {
  id: string;
  /** The body of the last request. */
  body: Record<string, unknown> & { id: string; sensitive?: string; documents: SimulatedDocument[] };
  /** The decrypted sensitive values by path. */
  sensitive: Record<string, string>;
  sequence: number;
  status: string;
  mids?: string[];
  /** The sent statuses, oldest first. */
  statuses: { sequence: number; status: string }[];
}

interface SimulatorOptions {
  /** The secret of the connection. Called for each request and event. */
  secret: () => string;
  /** The URL of `POST /integrations/partner/{accountId}/events`. */
  eventsUrl: () => string;
  behaviour?: PartnerBehaviour;
  /** Reports each request and event. */
  log?: (line: string) => void;
  /** Default 0: any free port. */
  port?: number;
  /** The time between two events, in milliseconds. Default 0. */
  pace?: number;
  /** Default: the clock of this machine. */
  now?: () => Date;
}

export type PartnerSimulator = Awaited<ReturnType<typeof startPartnerSimulator>>;

/** After this many attempts, an event is given up. */
const mostAttempts = 100;

/**
 * Starts a partner on 127.0.0.1 that implements Partner contract v1. It verifies signatures, decrypts sensitive values,
 * downloads and checks documents, and moves each application to `boarded`.
 */
export async function startPartnerSimulator({
  secret,
  eventsUrl,
  behaviour = {},
  log = () => {},
  port = 0,
  pace = 0,
  now = () => new Date(),
}: SimulatorOptions) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const applications = new Map<string, SimulatedApplication>();
  /** The first response for each Idempotency-Key. */
  const responses = new Map<string, { status: number; body: object }>();
  const comments: { ticketId: string; id: string; body: string }[] = [];
  const faults: string[] = [];
  const requests: string[] = [];
  const walks: Promise<unknown>[] = [];
  let stopped = false;

  async function sendEvent({
    type,
    data,
    id = `evt_${randomUUID()}`,
    at,
    secret: key = secret(),
  }: SentEvent) {
    const body = Buffer.from(JSON.stringify({ type, timestamp: now().toISOString(), data }));
    const headers = {
      'content-type': 'application/json',
      ...signedHeaders(body, [key], id, at ?? now()),
    };
    const { status } = await fetch(eventsUrl(), { method: 'POST', headers, body });
    log(`sent ${type} (${id}): ${status}`);
    return status;
  }

  /** Sends an event until the service accepts it. */
  async function deliverEvent(event: SentEvent): Promise<void> {
    const stamped = { id: `evt_${randomUUID()}`, ...event };
    for (let attempt = 1; attempt <= mostAttempts && !stopped; attempt++) {
      const status = await sendEvent(stamped).catch(() => 0);
      if (status >= 200 && status < 300) return;
      await sleep(Math.min(100 * attempt, 2_000));
    }
  }

  async function deliverAll(events: SentEvent[]): Promise<void> {
    const ordered = behaviour.reordering ? [...events].reverse() : events;
    for (const event of ordered) {
      const stamped = { id: `evt_${randomUUID()}`, ...event };
      await deliverEvent(stamped);
      if (behaviour.duplicating) await deliverEvent(stamped);
      await sleep(pace);
    }
  }

  /** Changes the status of an application, and returns the event about the change. */
  function statusEvent(application: SimulatedApplication, status: string, more: object = {}): SentEvent {
    application.sequence += 1;
    application.status = status;
    application.statuses.push({ sequence: application.sequence, status });
    const { sequence } = application;
    return {
      type: 'application.status',
      data: { applicationId: application.body.id, sequence, status, ...more },
    };
  }

  async function walk(application: SimulatedApplication): Promise<void> {
    const { documents, id: applicationId } = application.body;
    await checkDocuments(documents);
    const steps = ['received', 'in_review', 'approved'].map((status) => statusEvent(application, status));
    application.mids = [`44${createHash('sha256').update(applicationId).digest().readUInt32BE(0)}`];
    await deliverAll([
      ...(documents.length > 0
        ? [
            {
              type: 'documents.received',
              data: { applicationId, documents: documents.map(({ id, sha256 }) => ({ id, sha256 })) },
            },
          ]
        : []),
      ...steps,
      { type: 'application.note', data: { applicationId, text: 'The site inspection is complete.' } },
      statusEvent(application, 'boarded', { mids: application.mids }),
      ...supportRequests(application),
    ]);
  }

  function supportRequests({ id }: SimulatedApplication): SentEvent[] {
    if (behaviour.supportCategory === undefined) return [];
    const request = {
      ticketId: `case_${id}`,
      subject: 'The terminal has not arrived',
      description: 'The merchant waits for its first terminal.',
      categoryId: behaviour.supportCategory,
      requesterName: 'Support of the partner',
      requesterEmail: 'support@partner.example',
    };
    return [{ type: 'ticket.created', data: request }];
  }

  async function checkDocuments(documents: readonly SimulatedDocument[]): Promise<void> {
    for (const { id, url, sha256 } of documents) {
      const response = await fetch(url);
      const bytes = Buffer.from(await response.arrayBuffer());
      const found = createHash('sha256').update(bytes).digest('hex');
      if (found !== sha256) faults.push(`The document ${id} has the SHA-256 ${found}.`);
    }
  }

  async function acceptApplication(body: SimulatedApplication['body']) {
    const sensitive = body.sensitive ? await decrypted(body.sensitive, body.id, privateKey) : {};
    const known = applications.get(body.id);
    if (known) {
      Object.assign(known, { body, sensitive });
      return { status: 200, body: { id: known.id } };
    }
    const application: SimulatedApplication = {
      ...{ id: `pa_${applications.size + 1}_${randomUUID().slice(0, 8)}`, body, sensitive },
      ...{ sequence: 0, status: 'received', statuses: [] },
    };
    applications.set(body.id, application);
    if (!behaviour.silent) walks.push(walk(application));
    return { status: 201, body: { id: application.id } };
  }

  async function handle(method: string, path: string, body: string) {
    if (method === 'POST' && path === '/test') return { status: 200, body: {} };
    if (method === 'POST' && path === '/applications') return acceptApplication(JSON.parse(body));
    const [, partnerId] = /^\/applications\/([^/]+)$/.exec(path) ?? [];
    if (method === 'GET' && partnerId !== undefined) {
      const found = [...applications.values()].find(({ id }) => id === decodeURIComponent(partnerId));
      if (!found) return { status: 404, body: { error: 'not_found' } };
      const { id, sequence, status, mids } = found;
      return { status: 200, body: { id, sequence, status, ...(status === 'boarded' && { mids }) } };
    }
    const [, ticketId] = /^\/tickets\/([^/]+)\/comments$/.exec(path) ?? [];
    if (method === 'POST' && ticketId !== undefined) {
      comments.push({ ticketId: decodeURIComponent(ticketId), ...JSON.parse(body) });
      return { status: 201, body: {} };
    }
    return { status: 404, body: { error: 'not_found' } };
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const bytes = await buffer(request);
    const respond = (status: number, body: object) => {
      log(`${method} ${url}: ${status}`);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    requests.push(`${method} ${url}`);
    await sleep(behaviour.slow ?? 0);
    if (behaviour.failing !== undefined) return respond(behaviour.failing, { error: 'switched_off' });
    if (!verifiedMessageId(bytes, headers, [secret()], now()))
      return respond(401, { error: 'bad_signature' });
    const key = headers['idempotency-key'];
    if (method === 'POST' && typeof key !== 'string') return respond(400, { error: 'no_idempotency_key' });
    const earlier = responses.get(String(key));
    if (method === 'POST' && earlier) return respond(earlier.status, earlier.body);
    try {
      const answer = await handle(method, url, bytes.toString());
      if (method === 'POST') responses.set(String(key), answer);
      respond(answer.status, answer.body);
    } catch (error) {
      faults.push(String(error));
      respond(422, { error: 'unreadable' });
    }
  }

  const server = await startLoopbackServer((request, response) => void serve(request, response), port);
  return {
    url: server.endpoint,
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    behaviour,
    applications,
    comments,
    /** The violations of the contract that the simulator found. */
    faults,
    /** The method and path of each request. */
    requests,
    /** Sends one event once, and returns the status of the response. */
    sendEvent,
    /** Sends an event until the service accepts it. */
    deliverEvent,
    statusEvent,
    /** Waits until the events of all applications so far were sent. */
    walked: () => Promise.all(walks),
    async stop() {
      stopped = true;
      await server.stop();
    },
  };
}

async function decrypted(jwe: string, application: string, key: KeyObject): Promise<Record<string, string>> {
  const { plaintext, protectedHeader } = await compactDecrypt(jwe, key);
  if (protectedHeader.application !== application) throw new Error('The JWE is for another application.');
  return JSON.parse(Buffer.from(plaintext).toString());
}
