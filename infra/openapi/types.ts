/** The part of OpenAPI 3.1 that the document uses. Schemas are JSON Schema 2020-12, as the contracts have them. */
export interface OpenApiDocument {
  openapi: '3.1.0';
  info: {
    title: string;
    version: string;
    summary: string;
    description: string;
    license: { name: string; identifier: string };
  };
  servers: { url: string; description: string }[];
  tags: { name: string; description: string }[];
  security: SecurityRequirement[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    securitySchemes: Record<string, unknown>;
    parameters: Record<string, Parameter>;
    headers: Record<string, Header>;
    responses: Record<string, Response>;
    examples: Record<string, Example>;
    schemas: Record<string, JsonSchema>;
  };
}

/** A schema as plain JSON, free of the types it stands for. */
export type JsonSchema = { [keyword: string]: unknown };

export interface Reference {
  $ref: string;
}

/** Schemes that a caller must satisfy together; a list of requirements means any one of them. */
export type SecurityRequirement = Record<string, never[]>;

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: JsonSchema;
  example?: unknown;
}

export interface Header {
  description: string;
  schema: JsonSchema;
}

export interface Example {
  summary: string;
  value: unknown;
}

export interface MediaType {
  schema: JsonSchema;
  example?: unknown;
  examples?: Record<string, Example | Reference>;
}

export interface Response {
  description: string;
  headers?: Record<string, Header | Reference>;
  content?: Record<string, MediaType>;
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security: SecurityRequirement[];
  parameters?: (Parameter | Reference)[];
  requestBody?: { required: boolean; content: Record<string, MediaType> };
  responses: Record<string, Response | Reference>;
  /** The permission without which the answer is 403. */
  'x-required-permission'?: string;
  /** Open to administrators of the account only. */
  'x-administrator-only'?: true;
  /** The kinds of events that a success can announce. */
  'x-announces'?: readonly string[];
}
