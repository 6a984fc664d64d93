import {
  array,
  boolean,
  dateTime,
  integer,
  nullable,
  object,
  optional,
  recordId,
  type Static,
  string,
  unsafe,
} from '../schema.ts';

const schemas = array(string({ maxLength: 200 }), {
  description: 'The URNs of the schemas.',
  examples: [['urn:ietf:params:scim:schemas:core:2.0:User']],
});
const externalId = string({
  description: 'The id at the identity provider.',
  examples: ['00u1a2b3c4d5e6f7g8h9'],
});

const meta = object({
  resourceType: string({ examples: ['User'] }),
  created: optional(dateTime()),
  lastModified: optional(dateTime()),
  location: string({ examples: ['https://api.example.com/scim/v2/Users/214563398120449'] }),
  version: optional(string({ description: 'The ETag.', examples: ['"1"'] })),
});

const named = object({
  formatted: optional(string({ examples: ['Grace Hopper'] })),
  familyName: optional(string({ examples: ['Hopper'] })),
  givenName: optional(string({ examples: ['Grace'] })),
});

const scimEmail = object({
  value: string({ examples: ['grace@example.com'] }),
  display: optional(string({ examples: ['Grace Hopper'] })),
  type: optional(string({ examples: ['work'] })),
  primary: optional(boolean()),
});

/** A user in SCIM's format. `attributes` and `excludedAttributes` can omit every field but `schemas` and `id`. */
/** No example contains it, because generators of clients read `$ref` as a reference of JSON Schema. */
const reference = string({ description: 'The address of the resource.' });

export const ScimUser = object({
  id: string({ examples: ['214563398120449'] }),
  schemas,
  externalId: optional(externalId),
  userName: optional(
    string({ description: 'The email with which the user signs in.', examples: ['grace@example.com'] }),
  ),
  name: optional(named),
  displayName: optional(string({ examples: ['Grace Hopper'] })),
  active: optional(boolean()),
  emails: optional(array(scimEmail, { description: 'Contact data only.' })),
  groups: optional(
    array(
      object(
        {
          value: string(),
          $ref: optional(reference),
          display: string(),
          type: string(),
        },
        { examples: [{ value: 'role-214563398120450', display: 'Sales', type: 'direct' }] },
      ),
    ),
  ),
  meta: optional(meta),
});

export const ScimGroup = object({
  id: string({ examples: ['role-214563398120450'] }),
  schemas,
  externalId: optional(externalId),
  displayName: optional(string({ examples: ['Sales'] })),
  members: optional(
    array(
      object(
        {
          value: string({ description: 'The id of the user.' }),
          $ref: optional(reference),
        },
        { examples: [{ value: '214563398120449' }] },
      ),
    ),
  ),
  meta: optional(meta),
});

/** A resource in a response: a user or a group. */
export type ScimResource = Static<typeof ScimUser> & Static<typeof ScimGroup>;

const listOf = <T extends typeof ScimUser | typeof ScimGroup>(resource: T) =>
  object({
    schemas,
    totalResults: integer({ minimum: 0, examples: [1] }),
    startIndex: integer({ minimum: 1, examples: [1] }),
    itemsPerPage: integer({ minimum: 0, examples: [1] }),
    Resources: array(resource),
  });

export const ScimUsers = listOf(ScimUser);
export const ScimGroups = listOf(ScimGroup);

/** A body that the endpoint itself reads, because identity providers send many forms of it. */
const scimBody = (description: string, example: object) =>
  unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description,
    examples: [example],
  });

export const ScimUserInput = scimBody(
  'A user. Attributes that GET /scim/v2/Schemas does not list are ignored.',
  {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: 'riley@example.com',
    externalId: '00u1a2b3c4d5e6f7g8h9',
    displayName: 'Riley Quinn',
    active: true,
  },
);

export const ScimGroupInput = scimBody('A group.', {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
  displayName: 'Sales',
});

export const ScimPatch = scimBody('The operations of RFC 7644, 3.5.2.', {
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: [{ op: 'replace', path: 'externalId', value: '00u1a2b3c4d5e6f7g8h9' }],
});

/** A document that describes the server. */
export const ScimDocument = unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true });

export const ScimParams = object({ id: string({ maxLength: 128, examples: ['214563398120449'] }) });

const selection = {
  attributes: optional(
    string({ description: 'The only attributes to return, separated by commas.', examples: ['userName'] }),
  ),
  excludedAttributes: optional(
    string({ description: 'Attributes not to return, separated by commas.', examples: ['members'] }),
  ),
};
export const ScimQuery = object(selection);
export type ScimQuery = Static<typeof ScimQuery>;

export const ScimListQuery = object({
  ...selection,
  filter: optional(
    string({
      maxLength: 2000,
      description: 'A filter of RFC 7644, 3.4.2.2.',
      examples: ['userName eq "grace@example.com"'],
    }),
  ),
  startIndex: optional(
    integer({ description: 'The position of the first result. Default 1.', examples: [1] }),
  ),
  count: optional(integer({ description: 'At most 200. Default 100.', examples: [100] })),
  sortBy: optional(string({ description: 'Ignored. Results are sorted by id.', examples: ['userName'] })),
  sortOrder: optional(string({ description: 'Ignored.', examples: ['ascending'] })),
});
export type ScimListQuery = Static<typeof ScimListQuery>;

/** Accepts every name that SCIM accepts, such as one with a mark of the writing direction. */
const displayName = string({
  minLength: 1,
  maxLength: 200,
  description: 'The name of the group at the identity provider.',
  examples: ['Sales'],
});
const roleId = recordId({ description: 'Members of the group have this role.' });
const teamId = recordId({ description: 'Members of the group belong to this team.' });
const reassignTo = string({
  minLength: 1,
  maxLength: 254,
  description:
    'What happens to the leads, open tickets, applications and merchants of users whom the identity provider deactivates or deletes, as in DELETE /users/{email}: the id of an active user, `rotation` or `none`. If omitted, they keep their assignee.',
  examples: ['none'],
});

export const ProvisioningInput = object({
  groups: array(object({ displayName, roleId: optional(roleId), teamId: optional(teamId) }), {
    maxItems: 200,
    description: 'The groups of the identity provider. Each has either a role or a team.',
    examples: [[]],
  }),
  reassignTo: optional(nullable(reassignTo)),
});

export const Provisioning = object({
  groups: array(object({ displayName, roleId: optional(roleId), teamId: optional(teamId) })),
  reassignTo: optional(reassignTo),
  version: integer({ readOnly: true, examples: [1] }),
});
export type Provisioning = Static<typeof Provisioning>;

/** A group of the identity provider, as the account maps it. */
export interface MappedGroup {
  /** `role-<id>` or `team-<id>`. */
  id: string;
  displayName: string;
  externalId?: string;
  roleId?: number;
  teamId?: number;
  /** True if the identity provider created the group, and with it the role. */
  made?: true;
}

export interface StoredProvisioning {
  /** The id in events. */
  id: number;
  /** 0 if the settings were never stored. */
  version: number;
  groups: readonly MappedGroup[];
  reassignTo?: string;
}
