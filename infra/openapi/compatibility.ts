import { isDeepStrictEqual } from 'node:util';
import { apiDiff } from 'api-smart-diff';
import type { OpenAPIV3_1 } from 'openapi-types';
import { shortenedList } from '../shortened-list.ts';
import type { OpenApiDocument } from './document.ts';

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

const texts = new Set([
  'description',
  'summary',
  'title',
  'example',
  'examples',
  'externalDocs',
  'tags',
  'headers',
]);
/** The keys of these objects are names, not keywords. For example, `title` in `properties` is the name of a field. */
const named = new Set(['properties', 'schemas', 'parameters', 'responses', 'paths', 'content']);

/** Reduces a document to the part that must stay compatible. */
export function publishedOf({ openapi, info, paths, components, webhooks }: OpenApiDocument): Published {
  const { schemas, parameters, responses, securitySchemes } = components;
  const payloads = Object.entries(webhooks).map(([kind, { post }]) => [
    `/webhook events/${kind}`,
    { get: { responses: { 200: post.requestBody } } },
  ]);
  return {
    openapi,
    info: { title: info.title, version: info.version },
    paths: withoutTexts({ ...paths, ...Object.fromEntries(payloads) }, true) as OpenAPIV3_1.PathsObject,
    components: withoutTexts({ schemas, parameters, responses, securitySchemes }, true),
  };
}

function withoutTexts(value: unknown, isNamed: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutTexts(item, false));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => isNamed || !texts.has(name))
      .map(([name, inner]) => [name, withoutTexts(inner, !isNamed && named.has(name))]),
  );
}

/**
 * Returns a sentence for each change that may break a client. Clients must ignore unknown fields, error codes and event
 * kinds (see changes.md), so new values in responses are compatible.
 */
export function incompatibilities(before: Published, after: Published): string[] {
  // A comparison of two complete documents takes two seconds, also if they are equal.
  if (isDeepStrictEqual(before, after)) return [];
  // `apiDiff` adds properties to the documents that it compares.
  const breaking = apiDiff(structuredClone(before), structuredClone(after)).filter(
    ({ type, action, path }) => {
      if (action === 'add' && path.includes('responses') && path.includes('enum')) return false;
      // api-smart-diff does not report a removed request field as breaking. Here it is breaking, because the
      // service rejects unknown fields.
      const isField = path.at(-2) === 'properties';
      return type === 'breaking' || (action === 'remove' && isField && path.includes('requestBody'));
    },
  );
  return [
    ...new Set(
      breaking.map(({ path, description = '' }) => {
        const [, route = '', method = ''] = path.map(String);
        return `${method.toUpperCase()} ${route}: ${description || path.slice(3).join('/')}`;
      }),
    ),
  ];
}

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
