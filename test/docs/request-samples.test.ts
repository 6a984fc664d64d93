import { execFileSync, spawnSync } from 'node:child_process';
import { transformSync } from 'esbuild';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { openApiDocument } from '../../infra/openapi/document.ts';
import { sampleRequests } from '../../infra/openapi/reference/operation-page.ts';
import { requestSamples, type SampleRequest } from '../../infra/openapi/reference/request-samples.ts';

/** A request as the service receives it. */
interface Sent {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: unknown;
}

const variables = {
  BASE_URL: 'https://api.test',
  API_KEY: 'key',
  API_SECRET: 'secret',
  SESSION_TOKEN: 'token',
  ACCOUNT_ID: 'acme',
};
const credentials = {
  key: { 'x-api-key': 'key', 'x-api-secret': 'secret' },
  token: { authorization: 'Bearer token', 'x-account-id': 'acme' },
  public: {},
};

const endpoints = await loadEndpoints();
const operations = sampleRequests(
  openApiDocument(endpoints.map(({ name, endpoint }) => ({ name, contract: endpoint.contract }))),
);
const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)));
const unusual = fc
  .record<SampleRequest>({
    method: fc.constantFrom('POST', 'PUT', 'PATCH'),
    path: fc.constant('/things/{id}/parts'),
    parameters: fc.record({
      path: fc.record({ id: fc.string({ minLength: 1, unit: 'grapheme' }) }),
      query: fc.record({ filter: fc.string({ unit: 'grapheme' }) }),
    }),
    credentials: fc.constantFrom('key', 'token', 'public'),
    body: json,
  })
  .filter((request) => !JSON.stringify(request).includes('__proto__'));
/** The samples of all operations, and of random requests. */
const requests = [...operations.values(), ...fc.sample(unusual, 100)];

function expected({ method, path, parameters, credentials: kind, body }: SampleRequest): Sent {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(parameters.path[name])),
  );
  const query = new URLSearchParams(
    Object.entries(parameters.query).map(([name, value]): [string, string] => [name, `${value}`]),
  );
  return {
    method,
    url: `https://api.test${filled}${query.size > 0 ? `?${query}` : ''}`,
    headers: credentials[kind],
    ...(body !== undefined && { body }),
  };
}

test('the curl sample of each operation sends its request', () => {
  const script = [
    `curl() { printf '%s\\0' "$@" $'\\x1e'; }`,
    ...requests.map((request) => requestSamples(request).curl),
  ].join('\n');
  const output = execFileSync('bash', { input: script, env: variables, encoding: 'utf8' });
  const calls = output.split('\x1e\0').slice(0, -1).map(sentByCurl);
  expect(calls).toEqual(requests.map(expected));
});

function sentByCurl(call: string): Sent {
  const sent: Sent = { method: 'GET', url: '', headers: {} };
  const words = call.split('\0').slice(0, -1);
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (!word.startsWith('-')) sent.url = word;
    else if (word === '-X') sent.method = words.shift() ?? '';
    else if (word === '-H') {
      const [name = '', value = ''] = words.shift()?.split(': ') ?? [];
      if (name !== 'content-type') sent.headers[name] = value;
    } else {
      expect(word).toBe('-d');
      sent.body = JSON.parse(words.shift() ?? '');
      if (sent.method === 'GET') sent.method = 'POST';
    }
  }
  return sent;
}

test('the TypeScript sample of each operation calls the client with its request', async () => {
  for (const request of requests) {
    const sample = requestSamples(request).typescript;
    const { code } = transformSync(sample.replace(/^import .*$/m, ''), { loader: 'ts', format: 'esm' });
    let call: unknown;
    const createClient = (options: object) => {
      const record =
        (method: string | symbol) =>
        async (...args: unknown[]) => {
          call = [method, options, ...args];
          return {};
        };
      return new Proxy({}, { get: (_, method) => record(method) });
    };
    const run = new Function('createClient', 'process', 'console', `return (async () => {${code}})()`);
    await run(createClient, { env: variables }, { log: () => undefined });
    const { path, query } = request.parameters;
    const params = {
      ...(Object.keys(path).length > 0 && { path }),
      ...(Object.keys(query).length > 0 && { query }),
    };
    const init = {
      ...(Object.keys(params).length > 0 && { params }),
      ...(request.body !== undefined && { body: request.body }),
    };
    const options = {
      baseUrl: 'https://api.test',
      ...{
        key: { apiKey: 'key', apiSecret: 'secret' },
        token: { token: 'token', account: 'acme' },
        public: {},
      }[request.credentials],
    };
    expect(call).toEqual([
      request.method,
      options,
      request.path,
      ...(Object.keys(init).length > 0 ? [init] : []),
    ]);
  }
});

const hasPython = spawnSync('python3', ['--version']).status === 0;

/** Replaces the package `requests` by a recorder. */
const recorder = `
import json, sys, types
class Recorder(types.ModuleType):
    def __getattr__(self, method):
        if method.startswith("__"): raise AttributeError(method)
        def record(url, headers={}, timeout=None, **body):
            print(json.dumps({"method": method.upper(), "url": url, "headers": headers, **({"body": body["json"]} if body else {})}), file=sys.stderr)
            return Response()
        return record
class Response:
    def raise_for_status(self): pass
    text = ""
sys.modules["requests"] = Recorder("requests")
`;

test.skipIf(!hasPython)('the Python sample of each operation sends its request', () => {
  const script = [recorder, ...requests.map((request) => requestSamples(request).python)].join('\n');
  const { stderr } = spawnSync('python3', ['-'], {
    input: script,
    env: { ...variables, PYTHONUTF8: '1' },
    encoding: 'utf8',
  });
  const calls = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(calls).toEqual(requests.map(expected));
});

test('each operation that has a body has a sample with a body', () => {
  const withBody = endpoints.filter(({ endpoint }) => endpoint.contract.body).length;
  expect([...operations.values()].filter(({ body }) => body !== undefined)).toHaveLength(withBody);
});
