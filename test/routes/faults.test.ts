import { expect, test, vi } from 'vitest';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import { call } from '../harness/call.ts';
import { failCalls, transientFaultsOf } from '../harness/call-faults.ts';
import { faultsPerRequest, faultyRoutesEvery, readRoutesEvery } from '../harness/heavy.ts';
import { startKms } from '../harness/kms.ts';
import { provesAgain } from '../harness/member.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';
import type { WireFault, WireRequest } from '../harness/wire.ts';
import { expectHappy, happyPath } from './happy-paths.ts';
import { nameOf } from './records.ts';

/**
 * `ahead`: the milliseconds added to the process clock so far. `pause`: the milliseconds that each backoff
 * adds.
 */
const time = vi.hoisted(() => ({ ahead: 0, pause: 0 }));
vi.mock('../../shared/table/backoff.ts', () => ({
  backoff: async () => {
    time.ahead += time.pause;
  },
}));

delete process.env.KEY_FILE;
const DATA_KEY_ID = 'alias/merchant-ops-local-data-keys';
Object.assign(process.env, { AWS_ENDPOINT_URL_KMS: await startKms(), DATA_KEY_ID });

// A logout token of an identity provider is valid for a shorter time than data keys are cached.
const all = (await loadEndpoints()).filter(
  ({ endpoint }) => !endpoint.contract.path.startsWith('/auth/sso/logout'),
);
const isRead = ({ endpoint }: (typeof all)[number]) => endpoint.contract.method === 'GET';
const reads = all.filter(isRead).filter((_, n) => n % readRoutesEvery === 0);
/** Services other than DynamoDB: S3 for documents, KMS for sensitive values. */
const usesMore = ({ endpoint: { contract } }: (typeof all)[number]) =>
  contract.sensitive || /\/documents\b/.test(contract.path);
const changing = all
  .filter((one) => !isRead(one))
  .filter((one, n) => n % faultyRoutesEvery === 0 || usesMore(one) || one.endpoint.contract.commitsParts);
const called = new Set([...changing, ...reads]);
const routes = all
  .filter((one) => called.has(one))
  .map(({ endpoint }) => ({ route: nameOf(endpoint.contract), endpoint }));
/**
 * One account per resource, whose routes are called one after another. The session of a single account would expire
 * before all routes are tested.
 */
const owners = new Map<string, Promise<Tenant>>();
function ownerOf({ contract }: Endpoint): Promise<Tenant> {
  const [, resource = ''] = contract.path.split('/');
  const owner = owners.get(resource) ?? tenant();
  owners.set(resource, owner);
  return owner;
}

const realNow = Date.now;
vi.spyOn(Date, 'now').mockImplementation(() => realNow() + time.ahead);

/** For each kind of AWS request, the number of API requests during which this kind kept failing. */
const turns = new Map<string, number>();
const kindOf = ({ service, operation }: WireRequest): string => `${service} ${operation}`;

/**
 * Returns the fault of an operation that keeps failing for a whole request. Each request gets the operation's next
 * possible fault, except `lost`, because that operation takes effect.
 */
function lastingFault(request: WireRequest): WireFault | undefined {
  const faults = transientFaultsOf(request).filter((fault) => fault !== 'lost');
  return faults[(turns.get(kindOf(request)) ?? 0) % faults.length];
}

const isCancellation = (fault: WireFault): boolean =>
  typeof fault === 'object' && fault.error === 'TransactionCanceledException';

/** For each kind of AWS request, the number of faults so far. */
const faultsOf = new Map<string, number>();

/**
 * Fails each AWS request at most `faultsPerRequest` times, so that a retry succeeds. Each failure of an operation uses
 * the next of its possible faults.
 */
function nextFaults(): (request: WireRequest) => WireFault | undefined {
  const failures = new Map<string, number>();
  /** The tokens of transactions that took effect. DynamoDB does not cancel them when they are sent again. */
  const committed = new Set<unknown>();
  return (request) => {
    const { ClientRequestToken: token, ...input } = request.input;
    const faults = transientFaultsOf(request).filter(
      (fault) => !committed.has(token) || !isCancellation(fault),
    );
    const name = `${kindOf(request)} ${JSON.stringify(input)}`;
    const failed = failures.get(name) ?? 0;
    if (failed >= Math.min(faultsPerRequest, faults.length)) return undefined;
    failures.set(name, failed + 1);
    const next = faultsOf.get(kindOf(request)) ?? 0;
    faultsOf.set(kindOf(request), next + 1);
    const fault = faults[next % faults.length];
    if (fault === 'lost') committed.add(token);
    return fault;
  };
}

test.each(routes)(
  '$route responds with success or `busy`, never with 500, while AWS requests fail',
  async ({ route, endpoint }) => {
    const owner = await ownerOf(endpoint);
    await provesAgain(owner.admin);
    const request = await happyPath(endpoint, owner);
    // Lets the cached data keys expire, so that the route calls KMS.
    time.ahead += 300_000;
    const failedBefore = new Set<string>();
    // In each round, another kind of AWS request keeps failing. The rounds end when the endpoint succeeds.
    for (;;) {
      if (endpoint.contract.proof) await provesAgain(owner.admin);
      let failing: string | undefined;
      const passing = nextFaults();
      const { injected, stop } = failCalls((sent) => {
        const kind = kindOf(sent);
        if (!failedBefore.has(kind)) failing ??= kind;
        // Only retries of the operation that keeps failing advance the clock, so only this operation can
        // reach the deadline.
        time.pause = kind === failing ? 1000 : 0;
        return kind === failing ? lastingFault(sent) : passing(sent);
      });
      const response = await call(endpoint, request);
      stop();
      const seen = `${route} ${failing}: ${[...injected.keys()]} ${JSON.stringify(response.body).slice(0, 200)}`;
      if (failing === undefined || response.status < 400) return expectHappy(endpoint, response);
      turns.set(failing, (turns.get(failing) ?? 0) + 1);
      failedBefore.add(failing);
      expect.soft([503, 429], seen).toContain(response.status);
      expect.soft(response.headers['retry-after'], seen).toBeDefined();
    }
  },
);
