import { type Contract, makesDataKeys, replacedRecord, requireListed } from '../endpoints/contract.ts';
import type { Endpoint, Outcome, Request, WithLists } from '../endpoints/endpoint.ts';
import { requireNoDisclosure } from '../endpoints/impersonation-rule.ts';
import { reachRequirement } from '../endpoints/reached.ts';
import { fieldsThatDiffer } from '../endpoints/read-only-fields.ts';
import { previewOnly, runsOnce } from '../endpoints/run-once.ts';
import { ApiError, type FieldError } from '../errors.ts';
import type { DataKeys, OpenDataKeys } from '../security/data-keys.ts';
import { isCounterDelta } from '../table/operations.ts';
import { bytesOfBody } from './body.ts';
import type { PartsOf } from './commit-parts.ts';
import { limitCalls } from './rate-limit.ts';
import type { Authorized, Decided } from './steps.ts';

/** Modules that are bundled into a function only if its contract needs them. */
export interface DecideModules {
  /** For sensitive contracts. */
  openDataKeys?: OpenDataKeys;
  /** For contracts that commit parts. */
  partsOf?: PartsOf;
  /** For contracts that run lists. */
  lists?: WithLists['lists'];
}

/**
 * Returns a function that runs `read` and `decide` of the endpoint. After a version conflict, the function is called
 * again. Only the first call uses the reads that were started in parallel with authentication.
 */
export function decider(
  endpoint: Endpoint,
  authorized: Authorized,
  { openDataKeys, partsOf, lists }: DecideModules,
): () => Promise<Decided> {
  const { contract } = endpoint;
  const { event, headers, readOnly, dryRun, read } = authorized;
  const parts = partsOf?.(contract, authorized);
  const countCall: Request['countCall'] = (principal, counter) => limitCalls(authorized, principal, counter);
  const dataKeys = dataKeysOf(contract, authorized, openDataKeys);
  const rawBody = () => bytesOfBody(event);
  const requireReach = reachRequirement(contract, authorized.principal);
  const given = {
    ...authorized,
    ...{ path: event.rawPath, countCall, dataKeys, lists, rawBody, requireReach },
    ...parts?.given,
  };
  const runOnceAfter = dryRun ? () => previewOnly : runsOnce();
  let { loading } = authorized;

  return async () => {
    const reading = loading ?? read(given);
    loading = undefined;
    const loaded = await reading;
    let changedReadOnly: FieldError[] | undefined;
    const checkReadOnly: Request['checkReadOnly'] = async (shown) => {
      changedReadOnly = Object.keys(readOnly).length > 0 ? fieldsThatDiffer(readOnly, await shown()) : [];
    };
    const decide = async (runOnce: Request['runOnce']) =>
      endpoint.decide({ ...given, checkReadOnly, runOnce }, loaded);
    const check = (outcome: Outcome<unknown>) =>
      checkConditions(contract, headers['if-match'], changedReadOnly, outcome);
    const runOnce = runOnceAfter(async () => {
      const isConditional = headers['if-match'] !== undefined && !contract.noDryRun;
      // The conditions depend on the outcome, so `decide` runs first without the side effect.
      if (isConditional || changedReadOnly?.length) check(await decide(previewOnly));
    });
    // Waits until all parts have ended, so that nothing is written after the response.
    const outcome = await decide(runOnce).finally(() => parts?.ended());
    requireListed(contract, outcome.events ?? []);
    requireNoDisclosure(authorized.principal, outcome.events);
    check(outcome);
    return { outcome, done: parts?.done() ?? { writes: [], events: [] } };
  };
}

/** Decrypts the account's data keys at the first call. A request that changes nothing does not store new keys. */
function dataKeysOf(
  contract: Contract,
  { account, dryRun, dataKeysRead, deadline }: Authorized,
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

/**
 * Checks the read-only fields and If-Match. These checks come after `decide`, which throws if the caller may not make
 * the change. Otherwise, such a caller could find stored values by sending guesses.
 */
function checkConditions(
  contract: Contract,
  ifMatch: string | undefined,
  changedReadOnly: FieldError[] | undefined,
  outcome: Outcome<unknown>,
): void {
  if (replacedRecord(contract) && !changedReadOnly)
    throw new Error(`${contract.method} ${contract.path} does not call checkReadOnly.`);
  if (changedReadOnly?.length) throw new ApiError('invalid_input', { details: changedReadOnly });
  // If-Match is not checked for an endpoint that commits parts: it changes many records, but If-Match
  // contains only one version.
  if (!contract.commitsParts) checkIfMatch(ifMatch, outcome);
}

/**
 * Compares If-Match with the version on which the first write is based. If no write is based on a version, uses the
 * version in the response.
 */
function checkIfMatch(header: string | undefined, { response, headers, writes }: Outcome<unknown>): void {
  if (header === undefined || header.trim() === '*') return;
  const version = etagVersion(header);
  if (version === undefined) throw new ApiError('invalid_if_match');
  const based = writes?.flatMap((write) => (isCounterDelta(write) ? [] : (write.basedOn ?? [])))[0];
  const shown = (response as { version?: number } | null | undefined)?.version;
  const current = based ?? shown ?? etagVersion(headers?.etag);
  if (current !== undefined && current !== version) throw new ApiError('version_mismatch');
}

/** Returns the version in an ETag of a record. */
function etagVersion(etag = ''): number | undefined {
  const [, version] = /^\s*"(\d{1,16})"\s*$/.exec(etag) ?? [];
  return version === undefined ? undefined : Number(version);
}
