/**
 * A placeholder for the API's types, without operations. In the package, the types that openapi-typescript
 * generates replace this file.
 */
interface AnyOperation {
  parameters: { query?: Record<string, unknown>; path?: Record<string, string | number> };
  requestBody?: { content: { 'application/json': object } };
  responses: { 200: { content: { 'application/json': unknown } } };
}

export interface paths {
  [path: `/${string}`]: Record<'get' | 'put' | 'post' | 'patch' | 'delete', AnyOperation>;
}

export interface webhooks {
  [kind: string]: {
    post: { requestBody?: { content: { 'application/json': { type: string; data: unknown } } } };
  };
}

export interface components {
  schemas: {
    ErrorDetail: { field: string; message: string };
    AnyError: { error: string; status: number; message: string; requestId: string };
    DryRun: { dryRun: true; answer: unknown; changes: unknown[]; events: unknown[] };
  };
}
