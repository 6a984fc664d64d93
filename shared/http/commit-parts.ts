import type { CommitsParts } from '../endpoints/commits-parts.ts';
import { type Contract, requireListed } from '../endpoints/contract.ts';
import { toApiError } from '../endpoints/response.ts';
import { previewOnly, runsOnce } from '../endpoints/run-once.ts';
import type { EventDraft } from '../events/envelope.ts';
import { commit } from '../events/outbox.ts';
import { failureOf } from '../log.ts';
import { conditionsOf } from '../table/conditions.ts';
import type { Write } from '../table/operations.ts';
import { transact } from '../table/transact.ts';
import { toEvent } from './request-trace.ts';
import type { Authorized, Decided, HttpEvent } from './steps.ts';

/** The parts that an endpoint commits during `decide`. */
interface Parts {
  /** The functions that the endpoint receives as part of the request. */
  given: CommitsParts;
  /** Resolves when every started part has succeeded or failed. */
  ended(): Promise<void>;
  /** The writes and events of the parts that succeeded, in the order in which the parts started. */
  done(): Decided['done'];
}

export type PartsOf = (contract: Contract, authorized: Authorized) => Parts;

export const partsOf: PartsOf = (contract, authorized) => {
  const { event, requestId, dryRun, log, capture } = authorized;
  const done: { writes: readonly Write[]; events: readonly EventDraft[] }[] = [];
  const begun: Promise<void>[] = [];

  const send: CommitsParts['commit'] = async (
    writes,
    drafts,
    { deadline = authorized.deadline, ...options } = {},
  ) => {
    if (dryRun) return transact(conditionsOf(writes), deadline, options.attempts);
    const events = drafts.map((draft) => toEvent(draft, authorized));
    if (events.length > 0) await capture?.storeRequest();
    const references = capture?.references(events) ?? [];
    return commit({
      ...options,
      writes: [...writes, ...references],
      events: capture?.referTo(events) ?? events,
      deadline,
    });
  };

  const commitPart: CommitsParts['commit'] = async (writes, events, options) => {
    requireListed(contract, events);
    const place = done.push({ writes: [], events: [] }) - 1;
    const sending = send(writes, events, options);
    begun.push(sending);
    await sending;
    done[place] = { writes, events };
  };

  return {
    given: {
      commit: commitPart,
      newPart: () => ({ runOnce: dryRun ? previewOnly : runsOnce()() }),
      errorOf(error) {
        const { code } = toApiError(error);
        if (code === 'internal_error')
          log(`${JSON.stringify({ level: 'error', requestId, failure: failureOf(error) })}\n`);
        return code;
      },
      idempotencyKey: authorized.idempotencyKey,
      rawBody: rawBodyOf(event),
    },
    async ended() {
      await Promise.allSettled(begun);
    },
    done: () => ({
      writes: done.flatMap(({ writes }) => writes),
      events: done.flatMap(({ events }) => events),
    }),
  };
};

const rawBodyOf = ({ body = '', isBase64Encoded }: HttpEvent): string =>
  isBase64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body;
