import type { OpenAPIV3_1 } from 'openapi-types';
import { shortenedList } from '../shortened-list.ts';
import { operationComparison } from './compare-operations.ts';
import { changeAt } from './compare-schemas.ts';
import type { OpenApiDocument } from './document.ts';
import { documentVersions } from './document-versions.ts';
import { asList, type Rules } from './schema-variants.ts';

/** The part of a document that generated clients and their types depend on, without texts and examples. */
export interface Published {
  openapi: string;
  /** `version` is the version of the API that was published. */
  info: { title: string; version: string };
  /**
   * The operations. For each kind of webhook event, an additional operation returns the payload, so that
   * payloads are compared with the rules for responses.
   */
  paths: OpenAPIV3_1.PathsObject;
  components: unknown;
}

/** The beginning of the paths of payloads. */
const payloads = '/webhook events/';

const texts = new Set(['description', 'summary', 'title', 'example', 'examples', 'externalDocs', 'tags']);
/** The keys of these objects are names, not keywords. For example, `title` in `properties` is the name of a field. */
const named = new Set([
  'properties',
  'schemas',
  'parameters',
  'responses',
  'headers',
  'securitySchemes',
  'content',
  'mapping',
]);
/** These values are data, not schemas. */
const data = new Set(['default', 'const', 'enum']);

/** Reduces a document to the part that must stay compatible. */
export function publishedOf({ openapi, info, paths, components, webhooks }: OpenApiDocument): Published {
  const { schemas, parameters, responses, headers, securitySchemes } = components;
  const payloadPaths = Object.entries(webhooks).map(([kind, { post }]) => [
    `${payloads}${kind}`,
    { get: { responses: { 200: post.requestBody } } },
  ]);
  return {
    openapi,
    info: { title: info.title, version: info.version },
    paths: withoutTexts({ ...paths, ...Object.fromEntries(payloadPaths) }, true) as OpenAPIV3_1.PathsObject,
    components: withoutTexts({ schemas, parameters, responses, headers, securitySchemes }, false),
  };
}

function withoutTexts(value: unknown, isNamed: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutTexts(item, false));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => isNamed || !texts.has(name))
      .map(([name, inner]) =>
        !isNamed && data.has(name) ? [name, inner] : [name, withoutTexts(inner, !isNamed && named.has(name))],
      ),
  );
}

/**
 * Returns a sentence for each change that may break a client. Clients must ignore unknown fields, error codes and event
 * kinds (see changes.md), so new values in responses are compatible. A change of a shared component is named for its
 * first operation only.
 */
export function incompatibilities(before: Published, after: Published): string[] {
  const later = operationsOf(after);
  const compare = operationComparison(documentVersions(before, after));
  const places = new Map<string, { sentence: string; operations: Set<string> }>();
  for (const [operation, value] of operationsOf(before)) {
    const same = later.get(operation);
    const changes = same ? compare(value, same) : [changeAt('', 'the operation is removed')];
    for (const { place, text, isShared } of changes) {
      const what = place === '' ? text : `${place}: ${text}`;
      const sentence = `${operation}: ${what}`;
      const key = isShared ? what : sentence;
      const known = places.get(key) ?? { sentence, operations: new Set() };
      places.set(key, { ...known, operations: known.operations.add(operation) });
    }
  }
  return [...places.values()].map(({ sentence, operations: { size } }) =>
    size === 1 ? sentence : `${sentence} (${size} operations)`,
  );
}

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace'];

/** Returns the operations by name, such as `GET /leads`. The keywords of a path apply to all its operations. */
function operationsOf({ paths }: Published): Map<string, Rules> {
  const operations = new Map<string, Rules>();
  for (const [path, item] of Object.entries(paths as Record<string, Rules>))
    for (const method of methods.filter((name) => name in item))
      operations.set(nameOf(path, method), withKeywordsOfPath(item[method] as Rules, item));
  return operations;
}

function withKeywordsOfPath(operation: Rules, path: Rules): Rules {
  const common = Object.entries(path).filter(([keyword]) => !methods.includes(keyword));
  if (common.length === 0) return operation;
  const parameters = [...asList(operation.parameters), ...asList(path.parameters)];
  return { ...Object.fromEntries(common), ...operation, parameters };
}

const nameOf = (path: string, method: string): string =>
  path.startsWith(payloads) ? `Webhook ${path.slice(payloads.length)}` : `${method.toUpperCase()} ${path}`;

/** Returns the message for a developer whose changes are not compatible with the published document. */
export const incompatibleMessage = (changes: readonly string[]): string =>
  [
    'These changes may break clients:',
    ...shortenedList(changes, 20).map((change) => `- ${change}`),
    'Keep the API compatible. Otherwise, describe the change under a new date in infra/openapi/changes.md, set this date in',
    'shared/api-version.ts, and run `npm run openapi:publish`.',
  ].join('\n');

/**
 * Returns the changes that may break clients of the published document. Returns an empty list if the document has a
 * later version, because a later version may be incompatible.
 */
export function unannouncedChanges(published: Published, document: Published): string[] {
  return document.info.version > published.info.version ? [] : incompatibilities(published, document);
}
