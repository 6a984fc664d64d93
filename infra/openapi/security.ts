import type { OpenAPIV3_1 } from 'openapi-types';
import type { Contract } from '../../shared/endpoints/contract.ts';

export const securitySchemes: Record<string, OpenAPIV3_1.SecuritySchemeObject> = {
  sessionToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'A session token from `POST /auth/login`, valid for twelve hours. Recommended.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'An API key, together with its secret. For testing and maintenance.',
  },
  apiSecret: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-secret',
    description: 'The secret of the API key. It is shown only when the key is created.',
  },
  appKey: {
    type: 'apiKey',
    in: 'query',
    name: 'appKey',
    description: 'The appKey of the application in the path. Also send `acctId`.',
  },
};

type Requirement = OpenAPIV3_1.SecurityRequirementObject;

const bySession: Requirement = { sessionToken: [] };
const byKey: Requirement = { apiKey: [], apiSecret: [] };
const byAppKey: Requirement = { appKey: [] };

/** A session token, or an API key with its secret. */
export const signedIn: Requirement[] = [bySession, byKey];

/** The credentials that an endpoint accepts. An API key never has administrator access. */
export function securityOf({ access, sessionOnly, administratorOnly, applicant }: Contract): Requirement[] {
  if (access === 'public') return [];
  if (applicant) return [...signedIn, byAppKey];
  return sessionOnly || administratorOnly ? [bySession] : signedIn;
}
