import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenAPIV3_1 } from 'openapi-types';
import project from '../../package.json' with { type: 'json' };
import { apiVersion } from '../../shared/api-version.ts';
import { unsafe } from '../../shared/schema.ts';
import { dryRunSchema } from '../contract-schemas.ts';
import { errorResponses } from './error-responses.ts';
import { groupOf, rankOf } from './groups.ts';
import { sharedHeaders } from './headers.ts';
import type { NamedContract } from './naming.ts';
import { type ApiOperation, operationOf } from './operation.ts';
import { sharedParameters } from './parameters.ts';
import { recordHintOf, recordReferencesOf } from './records.ts';
import { type JsonSchema, shareSchemas } from './schemas.ts';
import { securitySchemes, signedIn } from './security.ts';
import { uploadHintOf } from './uploads.ts';
import { webhookOperations, webhookSchemas } from './webhooks.ts';

/** An OpenAPI document. Some fields that are optional in OpenAPI are always present here. */
export type OpenApiDocument = Omit<
  OpenAPIV3_1.Document,
  'info' | 'tags' | 'paths' | 'webhooks' | 'components'
> & {
  info: OpenAPIV3_1.InfoObject & { summary: string };
  tags: OpenAPIV3_1.TagObject[];
  paths: Record<string, Record<string, ApiOperation>>;
  /** The fields that contain the id of a record, with the path of the record. */
  'x-references': Record<string, string>;
  webhooks: ReturnType<typeof webhookOperations>;
  components: {
    securitySchemes: Record<string, OpenAPIV3_1.SecuritySchemeObject>;
    parameters: Record<string, OpenAPIV3_1.ParameterObject>;
    headers: Record<string, OpenAPIV3_1.HeaderObject>;
    responses: Record<string, OpenAPIV3_1.ResponseObject>;
    examples: Record<string, OpenAPIV3_1.ExampleObject>;
    schemas: Record<string, JsonSchema>;
  };
};

/** The chapters of the guide. */
const guide = ['introduction.md', 'changes.md']
  .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
  .join('\n');
const anyResponse = unsafe<object>({
  type: 'object',
  description: 'The response of the real request. Its secrets and links are not valid.',
});
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Generates the OpenAPI 3.1 document from the contracts. Groups are in the order of `groups.ts`. In each group, paths
 * are sorted. The endpoint for unknown paths is not part of the document.
 */
export function openApiDocument(endpoints: readonly NamedContract[]): OpenApiDocument {
  const documented = endpoints
    .filter(({ contract }) => contract.path !== '$default')
    .sort(byGroupPathAndMethod);
  const contracts = documented.map(({ contract }) => contract);
  const schemas = shareSchemas(documented);
  const errors = errorResponses(documented);
  const present = new Set(contracts.map(({ path }) => groupOf(path)));
  const references = recordReferencesOf(contracts);
  const paths = pathsOf(
    documented.map((endpoint) => {
      const record = recordHintOf(endpoint.contract, contracts, references);
      const upload = uploadHintOf(endpoint.contract, contracts);
      return [
        endpoint,
        {
          ...operationOf(endpoint, schemas, errors),
          ...(record && { 'x-record': record }),
          ...(upload && { 'x-upload': upload }),
        },
      ];
    }),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Merchant operations',
      version: apiVersion,
      summary: project.description,
      description: guide,
      contact: { name: 'The operators of the service' },
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/', description: 'The service that serves this document.' }],
    tags: [...present]
      .sort((one, other) => rankOf(one) - rankOf(other))
      .map(({ name, description }) => ({ name, description })),
    security: signedIn,
    paths,
    'x-references': references,
    webhooks: webhookOperations(),
    components: {
      securitySchemes: schemesUsed(paths),
      parameters: onlyUsed('parameters', sharedParameters, paths),
      headers: sharedHeaders,
      responses: errors.components.responses,
      examples: errors.components.examples,
      schemas: {
        ...errors.components.schemas,
        ...schemas.components,
        DryRun: schemas.refer(dryRunSchema({ response: anyResponse })),
        ...webhookSchemas,
      },
    },
  };
}

function pathsOf(operations: [NamedContract, ApiOperation][]): OpenApiDocument['paths'] {
  const paths: OpenApiDocument['paths'] = {};
  for (const [{ contract }, operation] of operations) {
    paths[contract.path] = { ...paths[contract.path], [contract.method.toLowerCase()]: operation };
  }
  return paths;
}

/** Returns the components that `paths` refers to. */
function onlyUsed<C>(kind: string, components: Record<string, C>, paths: object): Record<string, C> {
  const text = JSON.stringify(paths);
  const used = Object.entries(components).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`));
  return Object.fromEntries(used);
}

function schemesUsed(paths: OpenApiDocument['paths']): typeof securitySchemes {
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const requirements = [...signedIn, ...operations.flatMap(({ security = [] }) => security)];
  const used = new Set(requirements.flatMap((requirement) => Object.keys(requirement)));
  return Object.fromEntries(Object.entries(securitySchemes).filter(([name]) => used.has(name)));
}

function byGroupPathAndMethod({ contract: one }: NamedContract, { contract: other }: NamedContract): number {
  return (
    rankOf(groupOf(one.path)) - rankOf(groupOf(other.path)) ||
    (one.path < other.path ? -1 : one.path > other.path ? 1 : 0) ||
    methods.indexOf(one.method) - methods.indexOf(other.method)
  );
}
