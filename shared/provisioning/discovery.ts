import { notFound } from '../errors.ts';
import { groupSchema } from './change-groups.ts';
import type { Json } from './evaluate-filter.ts';
import { mostResults } from './scim-endpoint.ts';
import { userSchema } from './scim-user.ts';

/** The documents that describe the server (RFC 7643, 5 to 7, and RFC 7644, 4). */
export const discoveryDocuments = ['ServiceProviderConfig', 'ResourceTypes', 'Schemas'] as const;
type DiscoveryDocument = (typeof discoveryDocuments)[number];

const about = 'urn:ietf:params:scim:schemas:core:2.0:';

interface AttributeRules {
  multiValued?: true;
  required?: true;
  caseExact?: true;
  mutability?: 'readOnly' | 'immutable';
  uniqueness?: 'server';
  returned?: 'always';
  referenceTypes?: readonly string[];
  subAttributes?: readonly Json[];
}

const attribute = (
  name: string,
  type: 'string' | 'boolean' | 'complex' | 'reference',
  description: string,
  rules: AttributeRules = {},
): Json => ({
  name,
  type,
  multiValued: false,
  description,
  required: false,
  ...(type === 'string' || type === 'reference' ? { caseExact: false } : {}),
  mutability: 'readWrite',
  returned: 'default',
  ...(type === 'string' || type === 'reference' ? { uniqueness: 'none' } : {}),
  ...rules,
});

const readOnly = { mutability: 'readOnly' } as const;

const userAttributes = [
  attribute(
    'userName',
    'string',
    'The email address with which the user signs in. Another one is another user.',
    {
      required: true,
      mutability: 'immutable',
      uniqueness: 'server',
    },
  ),
  attribute('name', 'complex', 'The parts of the name.', {
    subAttributes: [
      attribute('formatted', 'string', 'The whole name.'),
      attribute('familyName', 'string', 'The family name.'),
      attribute('givenName', 'string', 'The given name.'),
    ],
  }),
  attribute('displayName', 'string', 'The name that the account sees.'),
  attribute('active', 'boolean', 'False ends all access of the user to the account at once.'),
  attribute('emails', 'complex', 'Contact data. The user signs in with userName.', {
    multiValued: true,
    subAttributes: [
      attribute('value', 'string', 'The address.'),
      attribute('display', 'string', 'The name of the address.'),
      attribute('type', 'string', 'Such as work.'),
      attribute('primary', 'boolean', 'True for at most one address.'),
    ],
  }),
  attribute('groups', 'complex', 'The groups of the user. They change with the groups.', {
    multiValued: true,
    ...readOnly,
    subAttributes: [
      attribute('value', 'string', 'The id of the group.', { ...readOnly, caseExact: true }),
      attribute('$ref', 'reference', 'The address of the group.', { ...readOnly, referenceTypes: ['Group'] }),
      attribute('display', 'string', 'The name of the group.', readOnly),
      attribute('type', 'string', 'Always direct.', readOnly),
    ],
  }),
];

const groupAttributes = [
  attribute('displayName', 'string', 'The name of the group at the identity provider.', {
    required: true,
    uniqueness: 'server',
  }),
  attribute('members', 'complex', 'The users with the role or in the team.', {
    multiValued: true,
    subAttributes: [
      attribute('value', 'string', 'The id of the user.', { mutability: 'immutable', caseExact: true }),
      attribute('$ref', 'reference', 'The address of the user.', {
        mutability: 'immutable',
        referenceTypes: ['User'],
      }),
    ],
  }),
];

const unsupported = { supported: false };

const configOf = (base: string): Json => ({
  schemas: [`${about}ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { ...unsupported, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: mostResults },
  changePassword: unsupported,
  sort: unsupported,
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'API key',
      description:
        'Authorization: Bearer, with the provisioningToken of an API key with the permission provisionUsers.',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
});

const typesOf = (base: string): Json[] =>
  [
    { name: 'User', endpoint: '/Users', description: 'A user of the account.', schema: userSchema },
    {
      name: 'Group',
      endpoint: '/Groups',
      description: 'A role or team of the account.',
      schema: groupSchema,
    },
  ].map((one) => ({
    schemas: [`${about}ResourceType`],
    id: one.name,
    ...one,
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${one.name}` },
  }));

const schemasOf = (base: string): Json[] =>
  [
    { id: userSchema, name: 'User', description: 'A user of the account.', attributes: userAttributes },
    {
      id: groupSchema,
      name: 'Group',
      description: 'A role or team of the account.',
      attributes: groupAttributes,
    },
  ].map((one) => ({
    schemas: [`${about}Schema`],
    ...one,
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${one.id}` },
  }));

const listed = (resources: Json[]): Json => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
  totalResults: resources.length,
  startIndex: 1,
  itemsPerPage: resources.length,
  Resources: resources,
});

export function discoveryDocument(name: DiscoveryDocument, base: string): Json {
  if (name === 'ServiceProviderConfig') return configOf(base);
  return listed(name === 'Schemas' ? schemasOf(base) : typesOf(base));
}

/** Returns one schema or resource type. Throws `not_found`. */
export function discoveryPart(name: DiscoveryDocument, id: string, base: string): Json {
  const parts = name === 'Schemas' ? schemasOf(base) : name === 'ResourceTypes' ? typesOf(base) : [];
  const found = parts.find((one) => one.id === id);
  if (!found) throw notFound(name, id);
  return found;
}
