import { type Contract, successStatus } from '../endpoints/contract.ts';
import { type HttpResponse, jsonResponse } from '../endpoints/response.ts';
import { shaped } from '../endpoints/shape.ts';
import type { Validators } from '../endpoints/validation.ts';
import { commit } from '../events/outbox.ts';
import { conditionsOf } from '../table/conditions.ts';
import { transact } from '../table/transact.ts';
import { dryRunOf, type PlannedChanges } from './dry-run.ts';
import { redactedResponse, storeResponse } from './idempotency.ts';
import type { PreviewEffects } from './preview-effects.ts';
import { toEvent } from './request-trace.ts';
import type { Authorized, Decided } from './steps.ts';

/** DynamoDB allows 100 operations in a transaction. An event needs two: its item, and the counter of its month. */
const mostOperations = 100;

/**
 * Commits the writes, the events, the idempotency row and the captured bodies of an outcome in one transaction. Returns the
 * response. Throws VersionConflict if another request changed a record meanwhile.
 */
export async function commitDecided(
  { outcome, done }: Decided,
  contract: Contract,
  shape: Validators['response'],
  authorized: Authorized,
  attempts: number,
): Promise<HttpResponse> {
  const { response, writes = [], events = [] } = outcome;
  const headers = contract.scim ? { ...scimHeaders, ...outcome.headers } : outcome.headers;
  const show = authorized.principal?.impersonation ? redactedResponse : shownResponse;
  const httpResponse =
    outcome.httpResponse ??
    jsonResponse(
      successStatus(contract),
      contract.success === 'empty' ? undefined : show(response, shape, contract),
      headers,
    );
  const { idempotency, deadline, account, capture } = authorized;
  const row =
    idempotency && (await storeResponse(idempotency.key, contract, shape, authorized, httpResponse, writes));
  const made = events.map((draft) => toEvent(draft, authorized));
  const isLogged = done.events.length > 0 || made.some(({ accountId }) => accountId === account);
  const captured = (isLogged && (await capture?.write(httpResponse, made))) || [];
  const own = [...writes, ...(row ? [row] : []), ...(authorized.proofWrites ?? [])];
  // Only the largest transactions have no room for the bodies. Bodies without an event are harmless, and expire.
  const hasRoom = own.length + captured.length + 2 * made.length <= mostOperations;
  if (!hasRoom) await transact(captured, deadline, attempts);
  await commit({
    writes: hasRoom ? [...own, ...captured] : own,
    events: capture?.referTo(made) ?? made,
    deadline,
    attempts,
  });
  return httpResponse;
}

const scimHeaders = { 'content-type': 'application/scim+json; charset=utf-8' };

const shownResponse = (response: unknown, shape: Validators['response']): unknown => shaped(response, shape);

/**
 * Checks the conditions of the writes, so that a dry run fails if the request would fail. Returns the preview. The
 * preview contains no secrets and no sensitive values: each access to them must be recorded in an event, and a dry run
 * emits no event.
 */
export async function previewDecided(
  { outcome: { response, writes = [], events = [] }, done }: Decided,
  shape: Validators['dryRun'],
  authorized: Authorized,
  previewEffects: PreviewEffects | undefined,
  attempts: number,
): Promise<HttpResponse> {
  if (!shape || !previewEffects)
    throw new Error('This endpoint has no dry runs, because it changes nothing.');
  await transact(conditionsOf(writes), authorized.deadline, attempts);
  const planned: PlannedChanges = {
    writes: [...done.writes, ...writes],
    events: [...done.events, ...events].map((draft) => toEvent(draft, authorized)),
  };
  const effects = await previewEffects(planned.events, authorized);
  const preview = dryRunOf(response, planned, effects, authorized);
  return jsonResponse(200, shaped(preview, shape, ['sensitive', 'credential']));
}
