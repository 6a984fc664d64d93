import { randomUUID } from 'node:crypto';
import { signedHeaders } from '../../../shared/messaging/webhooks/signature.ts';
import { partnerStatuses } from '../../../shared/sales/applications/record/partner-schema.ts';

/** The result of one check. `detail` describes the response. */
interface ContractCheck {
  check: string;
  passed: boolean;
  detail: string;
}

interface CheckedPartner {
  url: string;
  /** The secret with which the partner verifies our requests. */
  secret: string;
}

interface SentCheck {
  method?: 'GET';
  path: string;
  body?: object;
  /** Default: the partner's secret. */
  secret?: string;
  signedAt?: Date;
  /** The body that is sent instead of the signed body. */
  altered?: object;
  key?: string;
}

interface CheckedResponse {
  status: number;
  body: Record<string, unknown>;
}

/** In milliseconds. The service waits as long for a response. */
const longestResponse = 15_000;

/**
 * Tests a partner's implementation against Partner contract v1. It receives one fictional application. Throws if the
 * partner cannot be reached.
 */
export async function checkPartnerContract({ url, secret }: CheckedPartner): Promise<ContractCheck[]> {
  const send = (sent: SentCheck) => request(url, { secret, ...sent });
  const results: ContractCheck[] = [];
  const check = (name: string, passes: (response: CheckedResponse) => boolean) => async (sent: SentCheck) => {
    const response = await send(sent);
    const detail = response.status === 0 ? String(response.body.error) : `status ${response.status}`;
    results.push({ check: name, passed: passes(response), detail });
    return response;
  };
  const isOk = ({ status }: CheckedResponse) => status >= 200 && status < 300;
  const isRejected = ({ status }: CheckedResponse) => status >= 400 && status < 500;
  const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const test = { path: '/test', body: { version: 1, accountId: 'conformance' } };

  const first = await check('POST /test accepts a signed request', isOk)(test);
  if (first.status === 0) throw new Error(`The partner at ${url} cannot be reached: ${first.body.error}`);
  await check('POST /test rejects another secret', isRejected)({ ...test, secret: other });
  await check(
    'POST /test rejects a timestamp of six minutes ago',
    isRejected,
  )({
    ...test,
    signedAt: new Date(Date.now() - 6 * 60_000),
  });
  await check(
    'POST /test rejects a body that was altered after signing',
    isRejected,
  )({
    ...test,
    altered: { ...test.body, accountId: 'another' },
  });

  const body = conformanceApplication();
  const key = `mo_conformance_${randomUUID()}`;
  const accepts = (response: CheckedResponse) => isOk(response) && isPartnerId(response.body.id);
  const { body: created } = await check(
    'POST /applications returns an id',
    accepts,
  )({
    ...{ path: '/applications', body, key },
  });
  const isSame = (response: CheckedResponse) => accepts(response) && response.body.id === created.id;
  await check('a repeated Idempotency-Key returns the same id', isSame)({ path: '/applications', body, key });
  await check(
    'a second submission of the application returns the same id',
    isSame,
  )({
    ...{ path: '/applications', body: { ...body, submission: 2 } },
  });
  await check(
    'POST /applications rejects another secret',
    isRejected,
  )({
    ...{ path: '/applications', body, secret: other },
  });

  const path = `/applications/${encodeURIComponent(String(created.id))}`;
  await check('GET /applications/{id} returns sequence and status', hasStatus)({ method: 'GET', path });
  await check(
    'GET /applications/{id} rejects another secret',
    isRejected,
  )({ method: 'GET', path, secret: other });
  await check(
    'GET /applications/{id} returns 404 for an unknown id',
    ({ status }) => status === 404,
  )({
    ...{ method: 'GET', path: `/applications/${randomUUID()}` },
  });
  return results;
}

const isPartnerId = (id: unknown): boolean => typeof id === 'string' && /^[!-~]{1,100}$/.test(id);

const hasStatus = ({ status, body }: CheckedResponse): boolean =>
  status === 200 &&
  Number.isSafeInteger(body.sequence) &&
  partnerStatuses.some((one) => one === body.status) &&
  (body.status !== 'boarded' || (Array.isArray(body.mids) && body.mids.length > 0));

/** A fictional application without sensitive values and documents. */
const conformanceApplication = () => ({
  version: 1,
  id: `conformance-${randomUUID()}`,
  accountId: 'conformance',
  submission: 1,
  submittedAt: new Date().toISOString(),
  basics: { dbaName: 'Conformance test' },
  businessOwners: [],
  documents: [],
});

async function request(
  url: string,
  { method, path, body, secret = '', signedAt = new Date(), altered, key }: SentCheck,
): Promise<CheckedResponse> {
  const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body));
  const id = key ?? `mo_conformance_${randomUUID()}`;
  const headers = {
    ...(body && { 'content-type': 'application/json', 'idempotency-key': id }),
    ...signedHeaders(bytes, [secret], id, signedAt),
  };
  try {
    const response = await fetch(`${url.replace(/\/$/, '')}${path}`, {
      ...{ method: method ?? 'POST', headers, redirect: 'manual' },
      ...(body && { body: altered ? JSON.stringify(altered) : bytes }),
      signal: AbortSignal.timeout(longestResponse),
    });
    const parsed: unknown = await response.json().catch(() => ({}));
    return { status: response.status, body: Object(parsed) as Record<string, unknown> };
  } catch (error) {
    return { status: 0, body: { error: error instanceof Error ? error.message : String(error) } };
  }
}
