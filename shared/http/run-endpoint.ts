import {
  type Access,
  type Contract,
  makesDataKeys,
  replacedRecord,
  requireListed,
  successStatus,
} from '../endpoints/contract.ts';
import type { Endpoint, Outcome, Request } from '../endpoints/endpoint.ts';
import { fieldsThatDiffer } from '../endpoints/read-only-fields.ts';
import { type HttpResponse, jsonResponse } from '../endpoints/response.ts';
import { previewOnly, runOnceAfter } from '../endpoints/run-once.ts';
import { shaped } from '../endpoints/shape.ts';
import type { Validators } from '../endpoints/validation.ts';
import { ApiError, busy, type FieldError } from '../errors.ts';
import { commit } from '../events/outbox.ts';
import { labelled } from '../events/subject.ts';
import { callMinute } from '../security/call-limit.ts';
import type { DataKeys, OpenDataKeys } from '../security/data-keys.ts';
import { backoff } from '../table/backoff.ts';
import { conditionsOf } from '../table/conditions.ts';
import { quotaReachedKey } from '../table/keys.ts';
import { isCounterDelta } from '../table/operations.ts';
import { transact, VersionConflict } from '../table/transact.ts';
import type { Parts, PartsOf } from './commit-parts.ts';
import { dryRunOf, type PlannedChanges } from './dry-run.ts';
import { emitOnceInBackground } from './emit-once.ts';
import { findStoredResponse, replay, storeResponse } from './idempotency.ts';
import type { PreviewEffects } from './preview-effects.ts';
import { limitCalls } from './rate-limit.ts';
import type { HttpEvent, MiddyContext, RequestContext } from './request-context.ts';
import { toEvent } from './request-trace.ts';

/** A request to an endpoint. The contract can have any `access`. */
type AnyRequest = Request<unknown, unknown, unknown, Access, true, true, boolean>;

/** Modules that are bundled into a function only if its contract needs them. */
export interface CarriedCode {
  /** For sensitive contracts. */
  openDataKeys?: OpenDataKeys;
  /** For contracts that commit parts. */
  partsOf?: PartsOf;
  /** For contracts that accept dry runs. */
  previewEffects?: PreviewEffects;
}

/**
 * Calls `decide`, and commits the result, its events and the idempotency row in one transaction. After a version
 * conflict, reads and decides again until the deadline. If a request with the same Idempotency-Key committed first,
 * returns the response of that request, even if this request would fail. A dry run commits nothing. If an endpoint
 * commits parts, `decide` runs only once, because committed parts are not rolled back.
 */
export const runEndpoint =
  (endpoint: Endpoint, shapes: Shapes, { openDataKeys, partsOf, previewEffects }: CarriedCode) =>
  async (event: HttpEvent, { requestContext }: MiddyContext): Promise<HttpResponse> => {
    if (requestContext.idempotency?.stored)
      return replay(requestContext.idempotency.stored, requestContext.fingerprintInput);
    const parts = partsOf?.(endpoint.contract, event, requestContext);
    const request: AnyRequest = {
      ...requestContext,
      path: event.rawPath,
      countCall: (principal, counter) => limitCalls(event, requestContext, principal, counter),
      dataKeys: dataKeysOf(endpoint.contract, requestContext, openDataKeys),
      runOnce: requestContext.dryRun ? previewOnly : runOnceAfter(() => checkConditionsFirst(deciding)),
      checkReadOnly: async (shown) => {
        const { readOnly = {} } = requestContext;
        deciding.changedReadOnly =
          Object.keys(readOnly).length > 0 ? fieldsThatDiffer(readOnly, await shown()) : [];
      },
      ...parts?.given,
    };
    const deciding: Deciding = {
      ...{ endpoint, shapes, request, parts, previewEffects },
      loaded: undefined,
      changedReadOnly: undefined,
    };
    for (;;) {
      try {
        return await decideAndCommit(deciding, event, requestContext);
      } catch (error) {
        if (!(error instanceof VersionConflict || error instanceof ApiError)) throw error;
        const earlier =
          requestContext.idempotency &&
          (await findStoredResponse(requestContext.idempotency.key, requestContext.now));
        if (earlier) return replay(earlier, requestContext.fingerprintInput);
        if (error instanceof ApiError) {
          if (error.code === 'quota_exceeded' && !requestContext.dryRun)
            emitQuotaExceeded(endpoint.contract, event, requestContext);
          throw error;
        }
        if (endpoint.contract.commitsParts || Date.now() >= requestContext.deadline) throw busy();
        requestContext.attempts = error.attempts;
        await backoff(requestContext.attempts);
      }
    }
  };

type Shapes = Pick<Validators, 'response' | 'dryRun'>;

/** A request during `decide`. */
interface Deciding {
  endpoint: Endpoint;
  shapes: Shapes;
  request: AnyRequest;
  /** The result of the endpoint's `read`. */
  loaded: unknown;
  /** The read-only fields of the body that differ. Undefined until `decide` calls `checkReadOnly`. */
  changedReadOnly: FieldError[] | undefined;
  parts: Parts | undefined;
  previewEffects: PreviewEffects | undefined;
}

async function decideAndCommit(
  deciding: Deciding,
  event: HttpEvent,
  requestContext: RequestContext,
): Promise<HttpResponse> {
  const { endpoint, shapes, request, parts } = deciding;
  const { contract } = endpoint;
  if (requestContext.pathMatchesNoRecord) throw new ApiError('not_found');
  const loaded = await requestContext.reads.next(request);
  deciding.loaded = loaded;
  const decided = async () => endpoint.decide(request, loaded);
  // Waits until all parts have ended, so that nothing is written after the response.
  const outcome = await decided().finally(() => parts?.ended());
  requireListed(contract, outcome.events ?? []);
  checkConditions(deciding, outcome);
  if (requestContext.dryRun) return previewOutcome(outcome, deciding, event, requestContext);
  const { response, headers, writes = [], events = [] } = outcome;
  const httpResponse =
    outcome.httpResponse ?? jsonResponse(successStatus(contract), shaped(response, shapes.response), headers);
  const { idempotency, deadline, attempts } = requestContext;
  const row =
    idempotency &&
    (await storeResponse(idempotency.key, contract, shapes.response, requestContext, httpResponse));
  await commit({
    writes: row ? [...writes, row] : writes,
    events: events.map((draft) => toEvent(draft, event, requestContext)),
    deadline,
    attempts,
  });
  return httpResponse;
}

/**
 * Checks the conditions of the writes, so that a dry run fails if the request would fail. Returns the preview. The
 * preview contains no secrets and no sensitive values: each access to them must be recorded in an event, and a dry run
 * emits no event.
 */
async function previewOutcome(
  { response, writes = [], events = [] }: Outcome<unknown>,
  { shapes, parts, previewEffects }: Deciding,
  event: HttpEvent,
  requestContext: RequestContext,
): Promise<HttpResponse> {
  if (!shapes.dryRun || !previewEffects)
    throw new Error('This endpoint has no dry runs, because it changes nothing.');
  await transact(conditionsOf(writes), requestContext.deadline, requestContext.attempts);
  const done = parts?.done() ?? { writes: [], events: [] };
  const planned: PlannedChanges = {
    writes: [...done.writes, ...writes],
    events: [...done.events, ...events].map((draft) => toEvent(draft, event, requestContext)),
  };
  const effects = await previewEffects(planned.events, requestContext);
  const preview = dryRunOf(response, planned, effects, requestContext);
  return jsonResponse(200, shaped(preview, shapes.dryRun, ['sensitive', 'credential']));
}

/** Decrypts the account's data keys at the first call. A request that changes nothing does not store new keys. */
function dataKeysOf(
  contract: Contract,
  { account, dryRun, dataKeysRead, deadline }: RequestContext,
  openDataKeys: OpenDataKeys | undefined,
): () => Promise<DataKeys> {
  const open = async (): Promise<DataKeys> => {
    if (!account || !openDataKeys) throw new Error('Only sensitive endpoints have data keys.');
    const keep = makesDataKeys(contract) && !dryRun;
    return openDataKeys({ account, read: dataKeysRead, keep, deadline });
  };
  let opening: Promise<DataKeys> | undefined;
  return () => {
    opening ??= open();
    return opening;
  };
}

/** Emits `quota_exceeded` in a separate transaction, because the rejected request commits nothing. */
function emitQuotaExceeded({ path }: Contract, event: HttpEvent, requestContext: RequestContext): void {
  const { account } = requestContext;
  if (account === undefined) return;
  const mark = quotaReachedKey(account, path, callMinute(requestContext.now));
  const subject = { type: 'account', id: account, ...labelled(requestContext.accountRecord?.name) } as const;
  const draft = { kind: 'quota_exceeded', subject, data: { quota: path } } as const;
  emitOnceInBackground('quota event', mark, draft, event, requestContext);
}

/**
 * Checks the read-only fields and If-Match. These checks come after `decide`, which throws if the caller may not make
 * the change. Otherwise, such a caller could find stored values by sending guesses.
 */
function checkConditions(
  { endpoint: { contract }, request, changedReadOnly }: Deciding,
  outcome: Outcome<unknown>,
): void {
  if (replacedRecord(contract) && !changedReadOnly)
    throw new Error(`${contract.method} ${contract.path} does not call checkReadOnly.`);
  if (changedReadOnly?.length) throw new ApiError('invalid_input', { details: changedReadOnly });
  // If-Match is not checked for an endpoint that commits parts: it changes many records, but If-Match
  // contains only one version.
  if (!contract.commitsParts) checkIfMatch(request.headers['if-match'], outcome);
}

/**
 * Checks the conditions before the side effect of a `runOnce` call. They depend on the outcome of `decide`, so this
 * function first runs `decide` with `previewOnly`.
 */
async function checkConditionsFirst(deciding: Deciding): Promise<void> {
  const { endpoint, request, loaded, changedReadOnly } = deciding;
  const isConditional = request.headers['if-match'] !== undefined && !endpoint.contract.noDryRun;
  if (!isConditional && !changedReadOnly?.length) return;
  checkConditions(deciding, await endpoint.decide({ ...request, runOnce: previewOnly }, loaded));
}

/**
 * Compares If-Match with the version on which the first write is based. If no write is based on a version, uses the
 * version in the response.
 */
function checkIfMatch(header: string | undefined, { response, writes }: Outcome<unknown>): void {
  if (header === undefined || header.trim() === '*') return;
  const [, version] = /^\s*"(\d{1,16})"\s*$/.exec(header) ?? [];
  if (version === undefined) throw new ApiError('invalid_if_match');
  const based = writes?.flatMap((write) => (isCounterDelta(write) ? [] : (write.basedOn ?? [])))[0];
  const current = based ?? (response as { version?: number } | null)?.version;
  if (current !== undefined && current !== Number(version)) throw new ApiError('version_mismatch');
}
