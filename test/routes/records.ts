import type { EndpointFile } from '../../infra/build/endpoints.ts';
import { exampleOf } from '../../infra/openapi/example.ts';
import type { AnyEndpoint } from '../../shared/http/endpoint.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';

type Params = Record<string, string | number>;

/** Path parameters that name a real record, and ones that name nothing anywhere. */
interface Named {
  real: Params;
  nowhere: Params;
}

/** Whose records they are: nobody else in the tests belongs to this account. */
export const owner = await tenant();

/**
 * Records that no POST to their collection can make, by the part of the path that names them. A path that is
 * neither here nor below a collection with a POST fails the suite.
 */
const special: Record<string, (owner: Tenant) => Named> = {
  '/accounts/{id}': ({ accountId }) => ({ real: { id: accountId }, nowhere: { id: 'acc_nowhere' } }),
};

/** What a creation needs beside the example body: because of other records of the owner, or of other records at all. */
const additions: Record<string, (owner: Tenant) => Promise<{ query?: object; body?: object }>> = {
  'POST /leads': async () => ({ query: { skipTeamAndSourceRequirement: true } }),
  'POST /lead-rotations': async ({ adminEmail }) => ({
    body: { userRotationArray: [{ userId: adminEmail, weight: 1 }], currentPosition: 0 },
  }),
};

/** The largest id there can be, which nothing will be given before 2094. */
const nobodysId = Number.MAX_SAFE_INTEGER;

/** The part of a path that names a record: `/apikeys/{id}` of `/apikeys/{id}/permissions`. */
const recordPath = (path: string): string => /^[^{]*\{\w+\}/.exec(path)?.[0] ?? '';

const nameOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;

/** A body that the contract takes, as the reference shows it. */
export const exampleBody = ({ contract }: AnyEndpoint): unknown =>
  contract.body && exampleOf(contract.body, 'request');

const made = new Map<string, Promise<Named>>();

/**
 * A record of the owner that the endpoint's path names, made with the example body of the collection's POST. Throws
 * with what to add where none can be made.
 */
export function recordFor({ contract }: AnyEndpoint, all: EndpointFile[]): Promise<Named> {
  const path = recordPath(contract.path);
  const record = made.get(path) ?? makeRecord(path, nameOf(contract), all);
  made.set(path, record);
  return record;
}

async function makeRecord(path: string, route: string, all: EndpointFile[]): Promise<Named> {
  const known = special[path];
  if (known) return known(owner);
  const [, collection, parameter = ''] = /^(.*)\/\{(\w+)\}$/.exec(path) ?? [];
  const creation = `POST ${collection}`;
  const create = all.find(({ endpoint }) => nameOf(endpoint.contract) === creation)?.endpoint;
  if (!create)
    throw new Error(
      `${route}: no ${creation} makes a record to try this route with. ` +
        `Add one for '${path}' to the table \`special\` in test/routes/records.ts.`,
    );
  const { query, body } = (await additions[creation]?.(owner)) ?? {};
  const sent = { query, body: { ...(exampleBody(create) as object), ...body } };
  const record = (await owner.admin.ok(create, sent)) as Record<string, unknown>;
  const value = record[parameter] ?? record.id;
  return typeof value === 'number'
    ? { real: { [parameter]: value }, nowhere: { [parameter]: nobodysId } }
    : { real: { [parameter]: String(value) }, nowhere: { [parameter]: `nobody-${String(value)}` } };
}
