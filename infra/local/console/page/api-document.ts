import type { RecordHint } from '../../../openapi/records.ts';
import type { UploadHint } from '../../../openapi/uploads.ts';
/** The part of a JSON Schema that the screen uses. */
export interface DocumentedSchema {
  type?: string | string[];
  $ref?: string;
  properties?: Record<string, DocumentedSchema>;
  items?: DocumentedSchema;
  required?: string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: DocumentedSchema[];
  oneOf?: DocumentedSchema[];
  format?: string;
  pattern?: string;
  description?: string;
  examples?: unknown[];
  readOnly?: boolean;
  'x-text'?: string;
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: DocumentedSchema;
}

interface Content {
  content?: Record<string, { schema: DocumentedSchema }>;
}

interface RawOperation {
  summary: string;
  description?: string;
  operationId: string;
  tags: string[];
  security?: object[];
  parameters?: (Parameter & { $ref?: string })[];
  requestBody?: Content;
  responses: Record<string, Content>;
  'x-record'?: RecordHint;
  'x-upload'?: UploadHint;
  'x-destructive'?: true;
}

interface OpenApiDocument {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, RawOperation>>;
  components: { schemas: Record<string, DocumentedSchema>; parameters: Record<string, Parameter> };
  'x-references': Record<string, string>;
}

export interface DocumentedOperation extends RawOperation {
  method: string;
  path: string;
  /** All parameters, with those that many operations share. */
  inputs: Parameter[];
  /** The schema of the body, without the fields that describe the file of an upload. */
  body?: DocumentedSchema;
  /** The content types that an upload accepts; absent if the document does not limit them. */
  fileTypes?: string[];
  /** The schema of a successful response; absent if the response is not JSON. */
  response?: DocumentedSchema;
}

/** A path of the API that the screen can show, with the values of its parameters. */
export interface ApiPlace {
  template: string;
  values: Record<string, string>;
}

/** Values of a JSON object. */
export type JsonFields = Record<string, unknown>;

export const isFields = (value: unknown): value is JsonFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The document of the API, as the service serves it. */
export type ApiDocument = ReturnType<typeof describe>;

let loading: Promise<ApiDocument> | undefined;

/** Loads the document once. */
export function apiDocument(): Promise<ApiDocument> {
  loading ??= fetch('/openapi.json').then(async (response) => describe(await response.json()));
  return loading;
}

const segmentsOf = (path: string): string[] => path.split('/').slice(1);
const parameterIn = (segment: string): string | undefined => /^\{(\w+)\}$/.exec(segment)?.[1];

/** Replaces the parameters of a template. A parameter without a value remains. */
export const pathAt = ({ template, values }: ApiPlace): string =>
  template.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name];
    return value === undefined ? whole : encodeURIComponent(value);
  });

/** The address of a place in the console. */
export const addressOf = (place: ApiPlace): string => `#/records${pathAt(place)}`;

function describe(document: OpenApiDocument) {
  const { tags, paths, components } = document;
  const references = document['x-references'];
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): DocumentedOperation => {
      const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1];
      return {
        ...operation,
        ...{ path, method: method.toUpperCase() },
        inputs: (operation.parameters ?? []).map((one) => components.parameters[nameIn(one.$ref)] ?? one),
        ...inputOf(operation),
        response: success?.content?.['application/json']?.schema,
      };
    }),
  );
  const records = operations.flatMap((one) => one['x-record']?.path ?? []);
  /** The places: paths that can be read, and paths of records that their list contains. */
  const places = [
    ...new Set([...operations.filter(({ method }) => method === 'GET').map(({ path }) => path), ...records]),
  ];

  /** Follows the references of a schema. A schema that also accepts null is replaced by its other variant. */
  function resolved(schema: DocumentedSchema): DocumentedSchema {
    const { $ref, anyOf, ...own } = schema;
    const other = anyOf?.filter(({ type }) => type !== 'null');
    if (other?.length === 1 && other[0]) return { ...resolved(other[0]), ...own };
    const target = $ref === undefined ? undefined : components.schemas[nameIn($ref)];
    return target ? { ...resolved(target), ...own } : schema;
  }

  /** The body that a form shows. A form for an upload has an input for the file instead of the fields that describe it. */
  function inputOf({ requestBody, 'x-upload': upload }: RawOperation) {
    const body = requestBody?.content?.['application/json']?.schema;
    if (!body || !upload) return { body };
    const { properties = {}, ...schema } = resolved(body);
    const described: string[] = Object.values(upload.file);
    const own = Object.entries(properties).filter(([name]) => !described.includes(name));
    const { enum: types } = resolved(properties[upload.file.contentType ?? ''] ?? {});
    return {
      body: { ...schema, properties: Object.fromEntries(own) },
      ...(types && { fileTypes: types.map(String) }),
    };
  }

  const operationAt = (method: string, path: string): DocumentedOperation | undefined =>
    operations.find((one) => one.method === method && one.path === path);

  /** The nearest place above a path; undefined if there is none. */
  const placeAbove = (path: string): string | undefined =>
    places.filter((one) => path.startsWith(`${one}/`)).sort((one, other) => other.length - one.length)[0];

  return {
    tags,
    operations,
    resolved,
    operationAt,
    placeAbove,

    /** Finds the place of a path. A place without parameters has priority: `/accounts/children` is no account. */
    placeOf(segments: readonly string[]): ApiPlace | undefined {
      const matching = places.flatMap((template): ApiPlace[] => {
        const parts = segmentsOf(template);
        if (parts.length !== segments.length) return [];
        const values: Record<string, string> = {};
        for (const [n, part] of parts.entries()) {
          const [name, value = ''] = [parameterIn(part), segments[n]];
          if (name === undefined && part !== value) return [];
          if (name !== undefined) values[name] = value;
        }
        return [{ template, values }];
      });
      return matching.sort((one, other) => parameterCount(one) - parameterCount(other))[0];
    },

    /** The places directly below a place, or, without a place, those below none. */
    placesBelow: (template?: string): string[] => places.filter((one) => placeAbove(one) === template),

    /** The operations that change something at a place or below it, but at no nearer place. */
    changesAt: (template?: string): DocumentedOperation[] =>
      operations.filter(
        ({ method, path }) =>
          method !== 'GET' &&
          (path === template || (!places.includes(path) && placeAbove(path) === template)),
      ),

    /** The operation that lists the records of a path. */
    listOf: (template: string): DocumentedOperation | undefined =>
      operations.find((one) => one['x-record']?.path === template && one.path === placeAbove(template)),

    /** The schema of the elements of a list; undefined for another response. */
    rowOf({ response }: DocumentedOperation): DocumentedSchema | undefined {
      const whole = response && resolved(response);
      const list = whole?.properties?.data ?? whole;
      return list?.type === 'array' && list.items ? resolved(list.items) : undefined;
    },

    /** The record to which a field refers. */
    referenceOf(name: string, value: unknown): ApiPlace | undefined {
      const template = references[name];
      const parameter = template === undefined ? undefined : parameterIn(segmentsOf(template).at(-1) ?? '');
      if (template === undefined || parameter === undefined || String(value).startsWith('mo_key_'))
        return undefined;
      return { template, values: { [parameter]: String(value) } };
    },

    /** The place of a record in a response of an operation. */
    recordIn(
      operation: DocumentedOperation | undefined,
      { values }: ApiPlace,
      record: JsonFields,
    ): ApiPlace | undefined {
      const hint = operation?.['x-record'];
      const parameter = hint && parameterIn(segmentsOf(hint.path).at(-1) ?? '');
      const value = hint && record[hint.id];
      if (!hint || parameter === undefined || value === undefined) return undefined;
      return { template: hint.path, values: { ...values, [parameter]: String(value) } };
    },
  };
}

const nameIn = (reference = ''): string => reference.slice(reference.lastIndexOf('/') + 1);

const parameterCount = ({ values }: ApiPlace): number => Object.keys(values).length;

/** The fields that name a record, separated by spaces. Empty if the record has no value in these fields. */
export function titleOf(operation: DocumentedOperation | undefined, record: JsonFields): string {
  const valueAt = (path: string) =>
    path.split('.').reduce<unknown>((value, name) => (isFields(value) ? value[name] : undefined), record);
  const texts = (operation?.['x-record']?.title ?? []).map((path) => String(valueAt(path) ?? '').trim());
  return [...new Set(texts.filter((text) => text !== ''))].join(' ');
}
