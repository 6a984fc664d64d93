/** A request to an operation, as the samples send it. */
export interface SampleRequest {
  /** In upper case. */
  method: string;
  /** In OpenAPI's notation: `/leads/{leadId}`. */
  path: string;
  parameters: { path: Record<string, unknown>; query: Record<string, unknown> };
  /** `key`: an API key with its secret. `token`: a session token and the account. `public`: no credentials. */
  credentials: 'key' | 'token' | 'public';
  /** Undefined if the request has no body. */
  body?: unknown;
}

/** The languages of the samples, with their names on the page. */
export const languages = [
  ['curl', 'curl'],
  ['typescript', 'TypeScript'],
  ['python', 'Python'],
] as const;
type Language = (typeof languages)[number][0];

/**
 * Writes one request in each language, ready to run. The samples read `BASE_URL` and the credentials from environment
 * variables.
 */
export const requestSamples = (request: SampleRequest): Record<Language, string> => ({
  curl: curl(request),
  typescript: typescript(request),
  python: python(request),
});

const environment = {
  key: { 'x-api-key': 'API_KEY', 'x-api-secret': 'API_SECRET' },
  token: { authorization: 'SESSION_TOKEN', 'x-account-id': 'ACCOUNT_ID' },
  public: {},
} as const satisfies Record<SampleRequest['credentials'], Record<string, string>>;

const prefixOf = (header: string): string => (header === 'authorization' ? 'Bearer ' : '');

/** The path with its parameters and the query, encoded. */
function target({ path, parameters }: SampleRequest): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(parameters.path[name])),
  );
  const query = new URLSearchParams(
    Object.entries(parameters.query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return query ? `${filled}?${query}` : filled;
}

function curl(request: SampleRequest): string {
  const { method, credentials, body } = request;
  const lines = [
    `curl${method === 'GET' || (method === 'POST' && body !== undefined) ? '' : ` -X ${method}`} "$BASE_URL${target(request)}"`,
    ...Object.entries(environment[credentials]).map(
      ([header, variable]) => `-H "${header}: ${prefixOf(header)}$${variable}"`,
    ),
    ...(body === undefined
      ? []
      : [
          `-H 'content-type: application/json'`,
          `-d '${json(body).replaceAll('\n', '\n  ').replaceAll("'", `'\\''`)}'`,
        ]),
  ];
  return lines.join(' \\\n  ');
}

function typescript({ method, path, parameters, credentials, body }: SampleRequest): string {
  const variables = ['BASE_URL', ...Object.values(environment[credentials])];
  const options = {
    key: '{ baseUrl: BASE_URL, apiKey: API_KEY, apiSecret: API_SECRET }',
    token: '{ baseUrl: BASE_URL, token: SESSION_TOKEN, account: ACCOUNT_ID }',
    public: '{ baseUrl: BASE_URL }',
  }[credentials];
  const params = Object.fromEntries(
    Object.entries(parameters).filter(([, values]) => Object.keys(values).length > 0),
  );
  const init = {
    ...(Object.keys(params).length > 0 && { params }),
    ...(body !== undefined && { body }),
  };
  const more = Object.keys(init).length > 0 ? `, ${literal(init, 'typescript')}` : '';
  return [
    `import { createClient } from 'merchant-ops-client';`,
    '',
    `const { ${variables.map((name) => `${name} = ''`).join(', ')} } = process.env;`,
    `const client = createClient(${options});`,
    `const { data } = await client.${method}('${path}'${more});`,
    'console.log(data);',
  ].join('\n');
}

function python(request: SampleRequest): string {
  const { method, credentials, body } = request;
  const headers = Object.entries(environment[credentials]).map(([header, variable]) => {
    const value = `os.environ["${variable}"]`;
    return `        "${header}": ${prefixOf(header) ? `"${prefixOf(header)}" + ` : ''}${value},`;
  });
  return [
    'import os',
    '',
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    `    os.environ["BASE_URL"] + ${JSON.stringify(target(request))},`,
    ...(headers.length > 0 ? ['    headers={', ...headers, '    },'] : []),
    ...(body === undefined ? [] : [`    json=${literal(body, 'python', '    ')},`]),
    '    timeout=30,',
    ')',
    'response.raise_for_status()',
    'print(response.text)',
  ].join('\n');
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** Writes a JSON value as a literal of TypeScript or Python. */
function literal(value: unknown, language: 'typescript' | 'python', indent = ''): string {
  const isPython = language === 'python';
  const step = isPython ? '    ' : '  ';
  const lines = (parts: string[], [open, close]: readonly [string, string]) =>
    parts.length === 0
      ? open + close
      : `${open}\n${parts.map((part) => `${indent}${step}${part},`).join('\n')}\n${indent}${close}`;
  const inner = (part: unknown) => literal(part, language, indent + step);
  if (Array.isArray(value)) return lines(value.map(inner), ['[', ']']);
  if (typeof value === 'object' && value !== null)
    return lines(
      Object.entries(value).map(([name, part]) => `${key(name, isPython)}: ${inner(part)}`),
      ['{', '}'],
    );
  const text = JSON.stringify(value);
  return isPython ? ({ true: 'True', false: 'False', null: 'None' }[text] ?? text) : text;
}

const key = (name: string, isPython: boolean): string =>
  !isPython && /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
