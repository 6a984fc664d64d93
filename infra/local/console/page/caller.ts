import { call } from './api.ts';
import { isFields, type JsonFields } from './api-document.ts';
import { askForProof, type EnteredProof } from './ask-for-proof.ts';

/** A principal in whose name the console sends requests to the API. */
interface Caller {
  name: string;
  /** The body of its login. An API key sends its credentials with each request instead. */
  login?: JsonFields;
  headers: Record<string, string>;
}

export interface ApiResponse {
  status: number;
  /** The parsed body if it is JSON, otherwise the text. */
  body: unknown;
  headers: Headers;
}

/** An error response of the API. `message` also names the invalid fields. */
class RejectedRequest extends Error {
  readonly status: number;

  constructor(status: number, body: unknown) {
    const { message, details = [] } = (body ?? {}) as ErrorBody;
    const fields = details.map((one) => `${one.field} ${one.message}.`);
    super(fields.join(' ') || (message ?? `The response has the status ${status}.`));
    this.status = status;
  }
}

interface ErrorBody {
  message?: string;
  details?: { field: string; message: string }[];
}

let callers: Caller[] = [];
let chosen = 0;

/** Returns the callers: the administrator and the API key of the first start, and users who signed in here. */
export async function allCallers(): Promise<{ name: string; isChosen: boolean }[]> {
  if (callers.length === 0) {
    const { credentials } = await call<{ credentials: Record<string, string> }>('GET', 'home');
    const { accountId = '', adminEmail = '', adminPassword, apiKey = '', apiSecret = '' } = credentials;
    callers = [
      {
        name: adminEmail,
        login: { email: adminEmail, password: adminPassword },
        headers: { 'x-account-id': accountId },
      },
      { name: 'API key', headers: { 'x-api-key': apiKey, 'x-api-secret': apiSecret } },
    ];
  }
  return callers.map(({ name }, n) => ({ name, isChosen: n === chosen }));
}

export function chooseCaller(index: number): void {
  chosen = index;
}

/** Signs in as another user, and chooses this user in each of its accounts. Throws RejectedRequest. */
export async function signInUser(email: string, password: string): Promise<void> {
  const { token, accounts } = await session({ email, password });
  const added = accounts.map(({ accountId, accountName }) => ({
    name: `${email} in ${accountName}`,
    login: { email, password },
    headers: { 'x-account-id': accountId, authorization: `Bearer ${token}` },
  }));
  callers = [...callers.filter(({ name }) => !added.some((one) => one.name === name)), ...added];
  chosen = callers.length - added.length;
}

interface Session {
  token: string;
  accounts: { accountId: string; accountName: string }[];
}

async function session(login: JsonFields): Promise<Session> {
  const { status, body } = await send('POST', '/auth/login', {}, login);
  if (status !== 200) throw new RejectedRequest(status, body);
  return isFields(body) && body.mfaRequired
    ? sessionByCode(String(login.email), body.challenge)
    : (body as Session);
}

/** Asks for a code of the user's second factor, and opens the session. Throws RejectedRequest if the user cancels. */
async function sessionByCode(email: string, challenge: unknown): Promise<Session> {
  let opened: Session | undefined;
  const prove = async (code: string) => {
    const { status, body } = await send('POST', '/auth/login/verify', {}, { challenge, code });
    if (status !== 200) return new RejectedRequest(status, body).message;
    opened = body as Session;
    return undefined;
  };
  await askForProof({ reason: `${email} has a second factor.`, method: 'code' }, prove);
  if (!opened) throw new RejectedRequest(401, { message: 'The login needs a code of the second factor.' });
  return opened;
}

/** Returns how the user has to prove the identity, if the response demands it. */
function neededProof({ status, body }: ApiResponse): EnteredProof | undefined {
  if (status !== 403 || !isFields(body) || body.error !== 'step_up_required') return undefined;
  return isFields(body.stepUp) && body.stepUp.method === 'code' ? 'code' : 'password';
}

/** Asks for the password or a code, and renews the proof of the caller's session. Returns false if the user cancels. */
function renewProof({ name, login, headers }: Caller, method: EnteredProof): Promise<boolean> {
  const prove = async (secret: string) => {
    const { status, body } = await send('POST', '/auth/step-up', headers, { [method]: secret });
    return status === 200 ? undefined : new RejectedRequest(status, body).message;
  };
  const reason = `The last proof of ${name} is more than ten minutes old, and this request needs a fresh one.`;
  return askForProof({ reason, method, known: String(login?.password ?? '') }, prove);
}

/**
 * Sends a request to the API as the chosen caller. Signs in first, and again if the session has ended. Asks for a proof of the
 * identity if the request needs a fresh one, and then repeats the request.
 */
export async function request(
  method: string,
  path: string,
  { body, headers }: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<ApiResponse> {
  await allCallers();
  const caller = callers[chosen];
  for (let attempt = 1; ; attempt += 1) {
    if (caller?.login && caller.headers.authorization === undefined)
      caller.headers.authorization = `Bearer ${(await session(caller.login)).token}`;
    const response = await send(method, path, { ...caller?.headers, ...headers }, body);
    if (response.status === 401 && caller?.login && attempt === 1) {
      delete caller.headers.authorization;
      continue;
    }
    const proof = neededProof(response);
    if (caller && proof && attempt === 1 && (await renewProof(caller, proof))) continue;
    if (response.status >= 400) throw new RejectedRequest(response.status, response.body);
    return response;
  }
}

async function send(
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<ApiResponse> {
  const response = await fetch(path, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  const text = await response.text();
  return {
    status: response.status,
    body: isJson && text !== '' ? JSON.parse(text) : text,
    headers: response.headers,
  };
}
