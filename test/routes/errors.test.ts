import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import createApiKey from '../../functions/apikeys/create-api-key.ts';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { addKeywords } from '../../infra/build/keywords.ts';
import { openApiDocument } from '../../infra/openapi/document.ts';
import { errorsByStatus } from '../../infra/openapi/errors.ts';
import { type Contract, permissionsOf } from '../../shared/endpoints/contract.ts';
import { type Endpoint, endpoint } from '../../shared/endpoints/endpoint.ts';
import { allPermissions, limitedPermissions } from '../../shared/resources/derived.ts';
import type { Permission } from '../../shared/resources/registry.ts';
import { object, string } from '../../shared/schema.ts';
import { mintAppKey } from '../../shared/security/app-keys.ts';
import { applicant, plantAppKey } from '../harness/applicant.ts';
import { childAccount } from '../harness/child-account.ts';
import { routesEvery } from '../harness/heavy.ts';
import { member } from '../harness/member.ts';
import { type Client, client, tenant } from '../harness/tenant.ts';
import { recordFor } from './happy-paths.ts';
import { exampleBody, requiredQuery } from './records.ts';

/** The tests derive the errors of each route from its contract, so a new endpoint is tested automatically. */
const all = await loadEndpoints();
const routes = all
  .filter(({ endpoint }) => endpoint.contract.method !== 'ANY')
  .map(({ endpoint }) => ({ route: `${endpoint.contract.method} ${endpoint.contract.path}`, endpoint }));
const accessOf = ({ contract }: Endpoint) => contract.access ?? 'account';
const where = (condition: (contract: Contract) => unknown) =>
  routes.filter(({ endpoint }) => condition(endpoint.contract));
const withAccess = (...kinds: string[]) =>
  routes.filter(({ endpoint }) => kinds.includes(accessOf(endpoint)));
const guarded = withAccess('account', 'home', 'session');
const ofAnAccount = withAccess('account', 'home');

const [acme, other] = [await tenant(), await tenant()];
const { authorization = '' } = acme.admin.headers;

const keyWith = async (flatPermissionsList: string[], owner = acme): Promise<Client> => {
  const body = { description: 'For one test', flatPermissionsList };
  const { apiKey, apiSecret } = await owner.admin.ok(createApiKey, { body });
  return client({ 'x-account-id': owner.accountId, 'x-api-key': apiKey, 'x-api-secret': apiSecret });
};
const powerless = await keyWith([]);
const simpleMember = await member(acme);
/** API keys by their permissions. Tests share them, because an account may have only 100 keys. */
const single = new Map<string, Promise<Client>>();
const permissionNamesOf = ({ contract }: Endpoint): string => permissionsOf(contract).join();
function withOnly(permissions: readonly Permission[]): Promise<Client> {
  const name = permissions.join();
  const known = single.get(name) ?? keyWith([...permissions]);
  single.set(name, known);
  return known;
}
const withExactly = (endpoint: Endpoint): Promise<Client> => withOnly(permissionsOf(endpoint.contract));

/**
 * A request with an invalid query and an invalid body. The query parameter `user` names another user. Input
 * errors are returned only if all access checks pass.
 */
const invalidInput = { query: { nonsense: 'yes', user: 'grace@example.com' }, rawBody: '{"nonsense":' };
const errorOf = async (principal: Client, endpoint: Endpoint, sent: object = invalidInput) => {
  const { status, body } = await principal.call(endpoint, sent);
  return `${status} ${body.error}`;
};

/**
 * Returns a function that selects the cases for a route. The first route of each kind gets all cases, and each further
 * route gets the next `some` cases.
 */
const byTurns = <T>(cases: readonly T[], some: number) => {
  const routesMet = new Map<string, number>();
  return (kind: unknown): T[] => {
    const key = JSON.stringify(kind);
    const turn = routesMet.get(key) ?? 0;
    routesMet.set(key, turn + 1);
    const others = () => Array.from({ length: some }, (_, n) => cases[(turn * some + n) % cases.length] as T);
    return turn === 0 ? [...cases] : others();
  };
};
/** The properties of an endpoint that determine who may call it, or when its reads start. */
const accessTermsOf = ({ contract, read }: Endpoint) => {
  const { access, sessionOnly, anyPermission, administratorOnly, orSelf, applicant, sensitive, readsMany } =
    contract;
  return [
    access,
    sessionOnly,
    !anyPermission,
    administratorOnly,
    orSelf,
    applicant,
    sensitive,
    !read,
    readsMany,
  ];
};

/**
 * Selects routes: the first route of each kind, and every n-th of all routes. Routes of one kind share the tested code.
 */
function sample<T extends { endpoint: Endpoint }>(
  from: readonly T[],
  kindOf: (endpoint: Endpoint) => unknown = accessTermsOf,
): T[] {
  const known = new Set<string>();
  return from.filter(({ endpoint }, n) => {
    const kind = JSON.stringify(kindOf(endpoint));
    const isFirst = !known.has(kind);
    known.add(kind);
    return isFirst || n % routesEvery === 0;
  });
}
const resourceOf = ({ contract }: Endpoint) => contract.path.split('/')[1];

describe('a caller without a credential', () => {
  const strangers: [string, Record<string, string>][] = [
    ['no credential', {}],
    ['an account and no credential', { 'x-account-id': acme.accountId }],
    ['an invalid token', { authorization: 'Bearer garbage' }],
    ['a token with three invalid parts', { authorization: 'Bearer a.b.c', 'x-account-id': acme.accountId }],
    ['another scheme', { authorization: 'Basic YWNtZTpwYXNzd29yZA==' }],
    ['a key without its secret', { 'x-api-key': acme.apiKey, 'x-account-id': acme.accountId }],
    ['a key with a wrong secret', { 'x-api-key': acme.apiKey, 'x-api-secret': other.apiSecret }],
  ];
  const tried = byTurns(strangers, 1);
  test.each(sample(guarded))(
    'a caller without a credential gets 401 before any other error: $route',
    async ({ endpoint }) => {
      for (const [title, headers] of tried(accessTermsOf(endpoint)))
        expect(await errorOf(client(headers), endpoint), title).toBe('401 not_authenticated');
    },
  );
});

test.each(sample(withAccess('account')))(
  'a user without x-account-id gets 400 account_required: $route',
  async ({ endpoint }) => {
    expect(await errorOf(client({ authorization }), endpoint)).toBe('400 account_required');
  },
);

test.each(withAccess('home'))(
  'a user without x-account-id acts in the primary account: $route',
  async ({ endpoint }) => {
    expect(await errorOf(client({ authorization }), endpoint)).toMatch(
      /^400 (invalid_(json|input)|scim_value_invalid)$/,
    );
  },
);

/** Removes the headers whose values differ between otherwise equal responses. */
const comparable = ({
  'x-request-id': _,
  'ratelimit-remaining': __,
  'ratelimit-reset': ___,
  ...headers
}: Record<string, string>) => headers;

const document = openApiDocument(all.map(({ name, endpoint }) => ({ name, contract: endpoint.contract })));
const operationOf = ({ contract: { method, path } }: Endpoint) =>
  document.paths[path]?.[method.toLowerCase()];
/** Reports whether the OpenAPI document allows API keys for an endpoint. */
const offersKeys = (endpoint: Endpoint) =>
  operationOf(endpoint)?.security?.some((schemes) => 'apiKey' in schemes);

test('the OpenAPI document lists 400, 401, 403 and 500 for every route of an account, and 404 for paths with a parameter', () => {
  for (const { route, endpoint } of ofAnAccount) {
    const wanted = ['400', '401', '403', ...(endpoint.contract.path.includes('{') ? ['404'] : []), '500'];
    expect(Object.keys(operationOf(endpoint)?.responses ?? {}), route).toEqual(
      expect.arrayContaining(wanted),
    );
  }
});

test.each(sample(guarded.filter(({ endpoint }) => offersKeys(endpoint))))(
  'an API key without x-account-id acts in its own account, if the OpenAPI document allows keys: $route',
  async ({ endpoint }) => {
    const { 'x-account-id': _, ...headers } = acme.directKey.headers;
    expect(await errorOf(client(headers), endpoint)).toMatch(
      /^400 (invalid_(json|input)|scim_value_invalid)$/,
    );
  },
);

test.each(guarded.filter(({ endpoint }) => !offersKeys(endpoint)))(
  'an API key is rejected if the OpenAPI document does not allow keys: $route',
  async ({ endpoint }) => {
    expect(await errorOf(acme.directKey, endpoint)).toBe(
      endpoint.contract.sessionOnly ? '401 not_authenticated' : '403 administrator_only',
    );
  },
);

const everybody = [acme.admin, acme.key, acme.directKey];
const comingTo = (...accounts: string[]) =>
  accounts.flatMap((account) => everybody.map((principal) => ({ account, principal })));
const child = await childAccount(acme);
const fromChild = [child.admin, child.key, child.directKey].map((principal) => ({
  account: acme.accountId as string,
  principal,
}));
const strayed = byTurns(
  [...comingTo(other.accountId, child.accountId, 'acc_nowhere', '../..', 'a#b'), ...fromChild],
  1,
);
test.each(sample(ofAnAccount))(
  'a caller for another account gets 403 account_forbidden: $route',
  async ({ endpoint }) => {
    for (const { account, principal } of strayed(accessTermsOf(endpoint)))
      expect(
        await errorOf(client({ ...principal.headers, 'x-account-id': account }), endpoint),
        account,
      ).toBe('403 account_forbidden');
  },
);

test.each(sample(ofAnAccount))(
  'a member or API key without permissions is rejected: $route',
  async ({ endpoint }) => {
    const { administratorOnly } = endpoint.contract;
    const expected = administratorOnly ? '403 administrator_only' : '403 permission_denied';
    for (const principal of [powerless, simpleMember.client])
      expect(await errorOf(principal, endpoint)).toBe(expected);
  },
);

test.each(where(({ orSelf }) => orSelf))(
  'a user may act only on its own data: $route',
  async ({ endpoint }) => {
    const at = (email: string) =>
      errorOf(simpleMember.client, endpoint, {
        ...invalidInput,
        params: { email },
        query: { ...invalidInput.query, user: email },
      });
    expect(await at(simpleMember.user.email)).toMatch(/^400 (invalid_(json|input)|scim_value_invalid)$/);
    expect(await at(acme.adminEmail)).toMatch(/^403 (administrator_only|permission_denied)$/);
  },
);

describe('a caller without the permission', () => {
  const permitted = where(({ permission }) => permission);
  /**
   * An API key for each missing permission. Routes share these keys, and they belong to a separate account, because an
   * account may have only 100 keys.
   */
  const keysWithout = new Map<Permission, Promise<Client>>();
  const separate = tenant();
  const without = (missing: Permission): Promise<Client> => {
    const parts = [missing, ...Object.values(limitedPermissions[missing] ?? {})];
    const others = allPermissions.filter((name) => !parts.includes(name));
    const known = keysWithout.get(missing) ?? separate.then((owner) => keyWith(others, owner));
    keysWithout.set(missing, known);
    return known;
  };
  test.each(sample(permitted, permissionNamesOf))(
    'a caller with exactly the needed permissions is accepted: $route',
    async ({ endpoint }) => {
      expect(await errorOf(await withExactly(endpoint), endpoint)).toMatch(
        /^400 (invalid_(json|input)|scim_value_invalid)$/,
      );
    },
  );
  test.each(sample(permitted, permissionNamesOf))(
    'a caller with all permissions except a needed one gets 403 permission_denied: $route',
    async ({ endpoint }) => {
      for (const missing of permissionsOf(endpoint.contract))
        expect(await errorOf(await without(missing), endpoint), missing).toBe('403 permission_denied');
    },
  );
});

test.each(where(({ anyPermission }) => anyPermission))(
  'a caller with any one of the permissions is accepted: $route',
  async ({ endpoint }) => {
    for (const permission of endpoint.contract.anyPermission ?? [])
      expect(await errorOf(await withOnly([permission]), endpoint), permission).toMatch(
        /^400 invalid_(json|input)$/,
      );
  },
);

test.each(where(({ administratorOnly }) => administratorOnly))(
  'an API key gets 403 administrator_only: $route',
  async ({ endpoint }) => {
    for (const principal of [acme.key, acme.directKey, powerless])
      expect(await errorOf(principal, endpoint)).toBe('403 administrator_only');
  },
);

test.each(sample(guarded))(
  'an administrator passes all access checks and gets the input errors: $route',
  async ({ endpoint }) => {
    expect(await errorOf(acme.admin, endpoint)).toMatch(/^400 (invalid_(json|input)|scim_value_invalid)$/);
  },
);

/** Reports whether a query accepts other parameters. An identity provider may add some to its redirect. */
const isOpen = (query: Contract['query']) =>
  (query as { additionalProperties?: boolean } | undefined)?.additionalProperties === true;

// An invalid request to a route with a signed body gets 401, because its sender is authenticated first.
test.each(
  sample(
    where(({ signedBody, query }) => !signedBody && !isOpen(query)),
    resourceOf,
  ),
)('an unknown query parameter is rejected: $route', async ({ endpoint }) => {
  const query = { nonsense: 'yes' };
  const { status, body } = await acme.admin.call(endpoint, { query, body: exampleBody(endpoint) });
  expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_input' });
  expect(body.details).toContainEqual({ field: 'nonsense', message: 'is not a field of this request' });
});

test('an account without records gets only errors that the reference lists', async () => {
  const { admin } = await tenant();
  const reads = where(({ method, params }) => params === undefined && ['GET', 'DELETE'].includes(method));
  expect(reads.length).toBeGreaterThan(40);
  for (const { route, endpoint } of reads) {
    const { status, body } = await admin.call(endpoint, { query: requiredQuery(endpoint) });
    if (status >= 400)
      expect(errorsByStatus(endpoint.contract).get(status) ?? [], route).toContain(body.error);
  }
});

describe('a caller with the key of an application', () => {
  /** A test route that accepts application keys, in addition to the real routes. */
  const madeUp = endpoint({
    method: 'POST',
    path: '/made-up/{applicationId}',
    params: object({ applicationId: string() }),
    body: object({}),
    permission: 'writeApplications',
    applicant: true,
    response: object({}),
    summary: 'Tried in this test only',
    decide: () => ({ response: {} }),
  });
  const open = [
    ...where(({ applicant: lets }) => lets),
    { route: 'POST /made-up/{applicationId}', endpoint: madeUp as Endpoint },
  ].map((one, n) => ({ ...one, sourceIp: `198.51.100.${n + 1}` }));
  const mine = { applicationId: 'app_of-these-tests' };
  const plant = async () => ({
    right: await plantAppKey(acme.accountId, mine.applicationId),
    another: await plantAppKey(acme.accountId, 'app_another-of-these'),
    foreign: await plantAppKey(other.accountId, mine.applicationId),
  });
  const planted = plant();
  const acctId = acme.accountId;

  test.each(open)(
    'all invalid application keys get an identical response with 401: $route',
    async ({ endpoint, sourceIp }) => {
      const { right, another, foreign } = await planted;
      const unknownOne = { applicationId: 'app_of-nobody-here' };
      const wrong: [string, object, object][] = [
        ['malformed', { appKey: 'mo_ak_x', acctId }, mine],
        ['no account', { appKey: right }, mine],
        ['unknown to everybody', { appKey: mintAppKey(), acctId }, mine],
        ['of another application', { appKey: another, acctId }, mine],
        ['with the id of an application of another account', { appKey: foreign, acctId }, mine],
        ['for an unknown account', { appKey: right, acctId: 'acc_nowhere' }, mine],
        ['for an unknown application', { appKey: right, acctId }, unknownOne],
      ];
      const responses = new Set<string>();
      for (const [title, credential, params] of wrong) {
        const sent = { ...invalidInput, params };
        const { status, headers, body } = await applicant(credential, sourceIp).call(endpoint, sent);
        expect(status, title).toBe(401);
        responses.add(JSON.stringify([status, comparable(headers), body]));
      }
      expect(responses.size).toBe(1);
    },
  );

  test.each(open)(
    'a request with a valid application key gets the input errors, unless its headers have another credential: $route',
    async ({ endpoint, sourceIp }) => {
      const { right: appKey } = await planted;
      const query = { ...invalidInput.query, appKey, acctId };
      const sent = { ...invalidInput, query, params: mine, sourceIp };
      expect(await errorOf(client({}), endpoint, sent)).toMatch(
        /^400 (invalid_(json|input)|scim_value_invalid)$/,
      );
      expect(await errorOf(powerless, endpoint, sent)).toBe('403 permission_denied');
      for (const header of ['authorization', 'x-api-key', 'x-api-secret'])
        expect(await errorOf(client({ [header]: 'x' }), endpoint, sent)).toBe('401 not_authenticated');
    },
  );

  test.each(sample(guarded.filter(({ endpoint }) => !endpoint.contract.applicant)))(
    'an application key gets 401 on other routes: $route',
    async ({ endpoint }) => {
      const query = { ...invalidInput.query, appKey: (await planted).right, acctId };
      expect(await errorOf(client({}), endpoint, { ...invalidInput, query })).toBe('401 not_authenticated');
    },
  );
});

describe('an invalid body', () => {
  const ajv = addFormats.default(new Ajv.default({ allowUnionTypes: true, discriminator: true }));
  addKeywords(ajv);
  const withBody = where(({ body, signedBody }) => body && !signedBody).map(({ route, endpoint }) => {
    const schema = endpoint.contract.body as {
      type?: string;
      properties?: Record<string, object>;
      additionalProperties?: boolean;
    };
    return { route, endpoint, schema };
  });
  const broken = byTurns(['{', '{"a":1}}', '{a:1}', '\u0000', 'text'], 1);
  const shapes = byTurns(['[]', '"text"', '1', 'null', 'true', '{"nonsense":1}'], 1);

  const bodyKindOf = (endpoint: Endpoint) => {
    const { bodyOptional, body } = endpoint.contract;
    return [bodyOptional, (body as { type?: string } | undefined)?.type, resourceOf(endpoint)];
  };
  test.each(sample(withBody, bodyKindOf))(
    'a body is rejected if it is not JSON or has another JSON type: $route',
    async ({ endpoint, schema }) => {
      const fits = ajv.compile(schema);
      const { bodyOptional } = endpoint.contract;
      for (const rawBody of [
        ...broken(bodyOptional),
        ...shapes([bodyOptional, schema.type]).filter((text) => !fits(JSON.parse(text))),
      ])
        expect(await errorOf(acme.admin, endpoint, { rawBody }), rawBody).toMatch(
          /^400 (invalid_(json|input)|scim_value_invalid)$/,
        );
    },
  );

  test.each(
    sample(
      withBody.filter(({ schema }) => schema.type === 'object' && schema.additionalProperties !== true),
      resourceOf,
    ),
  )('a body with an unknown field is rejected, and the field is named: $route', async ({ endpoint }) => {
    const sent = { ...Object(exampleBody(endpoint)), nonsense: 1 };
    const { body } = await acme.admin.call(endpoint, { body: sent });
    expect(body.details).toContainEqual({ field: 'nonsense', message: 'is not a field of this request' });
  });

  /** The number of wrong fields in a request. A response lists at most twenty errors. */
  const atOnce = 5;
  const withFields = withBody.filter(({ schema }) => Object.keys(schema.properties ?? {}).length > 0);
  test.each(sample(withFields, resourceOf))(
    'the error for body values of a wrong type lists each field: $route',
    async ({ endpoint, schema }) => {
      const wrong = Object.entries(schema.properties ?? {}).map(([field, rules]) => {
        const fits = ajv.compile(rules);
        const value = [{}, 7, [7], 'text'].find((one) => !fits(one));
        if (value === undefined) throw new Error(`${field} accepts any value: give its schema a type.`);
        return [field, value] as const;
      });
      for (let start = 0; start < wrong.length; start += atOnce) {
        const body = Object.fromEntries(wrong.slice(start, start + atOnce));
        const { status, body: answer } = await acme.admin.call(endpoint, { body });
        expect({ status, error: answer.error }).toEqual({ status: 400, error: 'invalid_input' });
        const named = (answer.details ?? []).map((detail) => detail.field.split(/[.[]/)[0]);
        expect(named).toEqual(expect.arrayContaining(Object.keys(body)));
      }
    },
  );
});

describe('an id in a path', () => {
  // A public endpoint returns 401 for every id, because the signature belongs to no account.
  const byId = routes.filter(
    ({ endpoint: { contract } }) =>
      contract.access !== 'public' && /^[^{]*\{(id|\w+Id)\}/.test(contract.path),
  );
  /** Other notations of a numeric id. Account ids are text, and the test uses separate notations for them. */
  const notations: ((id: unknown) => string)[] = [
    (id) => `0x${Number(id).toString(16)}`,
    ...['e0', '.0', '_'].map((end) => (id: unknown) => `${id}${end}`),
    ...['+', '-', '0', ' '].map((start) => (id: unknown) => `${start}${id}`),
    ...['abc', '0', '9007199254740993', '9'.repeat(400)].map((text) => () => text),
  ];
  const notationsInTurn = byTurns(notations, 1);
  /** The properties of a contract that affect how ids are parsed. */
  const rulesOf = ({ contract: { params } }: Endpoint) =>
    Object.values((params as { properties?: object } | undefined)?.properties ?? {})[0];

  test.each(sample(byId, resourceOf))(
    'an id in another notation than plain digits returns 404 like an unknown id: $route',
    async ({ endpoint }) => {
      const { real, nowhere } = await recordFor(endpoint, other);
      const [[parameter, id] = ['id', 0]] = Object.entries(real);
      const texts = endpoint.contract.path.startsWith('/accounts/')
        ? [`${id} `, String(id).toUpperCase(), 'x'.repeat(65)]
        : notationsInTurn(rulesOf(endpoint)).map((spell) => spell(id));
      const query = requiredQuery(endpoint);
      const sent = { body: exampleBody(endpoint), query, headers: { 'idempotency-key': 'one' } };
      const unknown = await other.admin.call(endpoint, { ...sent, params: nowhere });
      for (const text of texts) {
        const response = await other.admin.call(endpoint, { ...sent, params: { [parameter]: text } });
        expect([response.status, response.body.error], text).toEqual([404, unknown.body.error]);
        expect(comparable(response.headers)).toEqual(comparable(unknown.headers));
      }
      // Access and input errors take precedence over 404, as for an unknown id.
      const params = { [parameter]: texts[0] };
      const denied = endpoint.contract.sessionOnly ? /^401 / : /^403 /;
      expect(await errorOf(powerless, endpoint, { params })).toMatch(denied);
      expect(await errorOf(other.admin, endpoint, { ...invalidInput, params })).toMatch(
        /^400 invalid_(json|input)$/,
      );
    },
  );
});

/**
 * Reports whether a route reads a record that the account of the test cannot have. Only a closed account has an export, and
 * only a child account receives invoices and statements. The tests in test/closing, test/billing and test/residuals read
 * them.
 */
const isOfOthers = (route: string) =>
  route === 'GET /accounts/{id}/export' || route.startsWith('GET /received-');

describe('a number in a query', () => {
  const numbers = routes.flatMap(({ route, endpoint }) => {
    const { properties = {} } = (endpoint.contract.query ?? {}) as { properties?: Record<string, object> };
    // RFC 7644, 3.4.2.4, defines the meaning of a negative `count` and `startIndex`.
    if (endpoint.contract.scim) return [];
    return Object.entries(properties)
      .filter(([, rules]) => JSON.stringify(rules).includes('"integer"'))
      .map(([field, rules]) => ({ route, endpoint, field, rules }));
  });
  const notationsInTurn = byTurns(['0x10', '1e1', '+5', '007', '5.0', ' 5', '', '9007199254740993', '-5'], 1);
  const recordOf = new Map<string, Promise<object>>();
  /** Path parameters of a record, created once per route because reads do not change the record. */
  const paramsFor = (route: string, endpoint: Endpoint): Promise<object> => {
    const named = async () =>
      endpoint.contract.path.includes('{') ? (await recordFor(endpoint, acme)).real : {};
    const made = recordOf.get(route) ?? named();
    recordOf.set(route, made);
    return made;
  };
  test.each(sample(numbers, resourceOf))(
    'a number in another notation than plain digits is rejected: $route $field',
    async ({ route, endpoint, field, rules }) => {
      const params = await paramsFor(route, endpoint);
      for (const text of notationsInTurn(rules)) {
        const { status, body } = await acme.admin.call(endpoint, { params, query: { [field]: text } });
        expect({ status, error: body.error }, text).toEqual({ status: 400, error: 'invalid_input' });
        expect(body.details?.[0]?.field.split('[')[0]).toBe(field);
      }
      const { status, body } = await acme.admin.call(endpoint, { params, query: { [field]: '1' } });
      if (isOfOthers(route) && 'id' in params) return expect(status).toBe(404);
      // Filters by the id of another record reject an id that no record has.
      const unknown = { field, message: 'must be the id of an existing record' };
      if (status !== 200) expect(body.details).toEqual([unknown]);
    },
  );
});

/** Routes that do not refuse the id of another account’s record, with the reason. */
const acrossAccounts: Record<string, string> = {
  'PUT /billing/bank-accounts/{id}': 'creates a bank account of the caller’s account with any id',
  'POST /users/{email}/accounts': 'adds a user who exists elsewhere to the account',
};

/** A response without the values of its path parameters. */
const withoutIds = (body: unknown, params: object): string =>
  Object.values(params).reduce<string>(
    (text, id) => text.replaceAll(String(id), '{id}'),
    JSON.stringify(body),
  );

/** Paths that do not contain a record's id and exist in every account. */
const places = ['/lookup/{table}/{field}', '/scim/v2/{document}', '/scim/v2/{document}/{id}'];

describe('another account’s record', () => {
  const named = guarded.filter(
    ({ route, endpoint: { contract } }) =>
      contract.path.includes('{') && !(route in acrossAccounts) && !places.includes(contract.path),
  );

  test.each(named)(
    'a request for a record of another account gets the same response as for an unknown record, except for the id: $route',
    async ({ endpoint }) => {
      const { real, nowhere } = await recordFor(endpoint, other);
      const body = exampleBody(endpoint);
      const query = requiredQuery(endpoint);
      const theirs = await acme.admin.call(endpoint, { params: real, query, body });
      const unknownOne = await acme.admin.call(endpoint, { params: nowhere, query, body });
      expect(theirs.status, JSON.stringify(theirs.body)).toBe(404);
      expect(withoutIds(theirs.body, real)).toBe(withoutIds(unknownOne.body, nowhere));
      expect(comparable(unknownOne.headers)).toEqual(comparable(theirs.headers));
    },
  );

  // A parent may delete and reopen its child account. test/closing/account-deletion.test.ts tests this.
  const ofChildren = ['DELETE /accounts/{id}', 'POST /accounts/{id}/reopen'];
  test.each(
    sample(
      named.filter(({ route }) => !ofChildren.includes(route)),
      resourceOf,
    ),
  )(
    'a parent gets the same response for a record of its child account as for an unknown record: $route',
    async ({ endpoint }) => {
      const { real, nowhere } = await recordFor(endpoint, child);
      const sent = { body: exampleBody(endpoint), query: requiredQuery(endpoint) };
      const theirs = await acme.admin.call(endpoint, { params: real, ...sent });
      const unknownOne = await acme.admin.call(endpoint, { params: nowhere, ...sent });
      expect(theirs.status, JSON.stringify(theirs.body)).toBe(404);
      expect(withoutIds(theirs.body, real)).toBe(withoutIds(unknownOne.body, nowhere));
    },
  );

  test.each(sample(named, resourceOf))(
    'a child account gets the same response for a record of its parent as for an unknown record: $route',
    async ({ endpoint }) => {
      const { real, nowhere } = await recordFor(endpoint, acme);
      const sent = { body: exampleBody(endpoint), query: requiredQuery(endpoint) };
      const theirs = await child.admin.call(endpoint, { params: real, ...sent });
      const unknownOne = await child.admin.call(endpoint, { params: nowhere, ...sent });
      expect(theirs.status, JSON.stringify(theirs.body)).toBe(404);
      expect(withoutIds(theirs.body, real)).toBe(withoutIds(unknownOne.body, nowhere));
    },
  );

  const readable = named.filter(
    ({ route, endpoint }) => endpoint.contract.method === 'GET' && !isOfOthers(route),
  );
  test.each(readable)('the record is readable in its own account: $route', async ({ endpoint }) => {
    const { real } = await recordFor(endpoint, other);
    await other.admin.ok(endpoint, { params: real });
  });
});
