import type { Json } from './evaluate-filter.ts';
import { FilterSyntaxError, parseFilter, type ScimFilter } from './filter-syntax.ts';
import type { ScimListQuery, ScimQuery, ScimResource } from './schema.ts';
import { scimError } from './scim-failure.ts';
import { selectAttributes } from './select-attributes.ts';

/** The terms of every contract below /scim/v2. */
export const scimTerms = {
  scim: true,
  permission: 'provisionUsers',
  noDryRun: 'SCIM 2.0 has no dry runs.',
} as const;

type Headers = Record<string, string | undefined>;

/** Returns the address of the SCIM endpoints, as the client called it. Only loopback addresses use HTTP. */
export function scimBase({ host = 'localhost' }: Headers): string {
  const isLocal = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(host);
  return `${isLocal ? 'http' : 'https'}://${host}/scim/v2`;
}

interface Shown {
  meta?: { location?: unknown; version?: unknown };
}

/** Returns the response with a resource, its ETag and its address. The cast is safe: the schema checks the response in tests. */
export function showResource(
  resource: Json,
  query: ScimQuery,
): { response: ScimResource; headers: Record<string, string> } {
  const { meta } = resource as Shown;
  return {
    response: selectAttributes(resource, query) as ScimResource,
    headers: { etag: String(meta?.version), location: String(meta?.location) },
  };
}

const [defaultCount, mostResults] = [100, 200];

export { mostResults };

/** Parses the filter of a list. Throws `invalidFilter`. */
export function readFilter({ filter }: Pick<ScimListQuery, 'filter'>): ScimFilter | undefined {
  if (filter === undefined || filter.trim() === '') return undefined;
  try {
    return parseFilter(filter);
  } catch (error) {
    if (error instanceof FilterSyntaxError)
      throw scimError('invalidFilter', `The filter is not valid: ${error.message}.`);
    throw error;
  }
}

/** Returns a page of resources (RFC 7644, 3.4.2.4). `fits` can end the page earlier. */
export function showScimPage<S>(
  found: readonly S[],
  { startIndex = 1, count = defaultCount, ...query }: ScimListQuery,
  show: (one: S) => Json,
  fits: (page: readonly S[]) => number = (page) => page.length,
) {
  const start = Math.max(1, startIndex);
  const page = found.slice(start - 1, start - 1 + Math.min(Math.max(0, count), mostResults));
  const shown = page.slice(0, fits(page));
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: found.length,
    startIndex: start,
    itemsPerPage: shown.length,
    Resources: shown.map((one) => selectAttributes(show(one), query) as ScimResource),
  };
}
