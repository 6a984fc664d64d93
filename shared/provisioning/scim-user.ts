import { emailIn } from '../formats.ts';
import type { Membership, ProvisionedProfile } from '../people/users/schema.ts';
import type { PatchedType } from './apply-patch.ts';
import { fieldOfObject, isObject, type Json } from './evaluate-filter.ts';
import { scimError } from './scim-failure.ts';

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';

/** The attributes that a PATCH of a user can name. */
export const patchedUser: PatchedType = {
  schema: userSchema,
  attributes: {
    schemas: 'read-only',
    id: 'read-only',
    meta: 'read-only',
    groups: 'read-only',
    externalId: 'simple',
    userName: 'simple',
    name: 'complex',
    displayName: 'simple',
    active: 'simple',
    emails: 'list',
  },
};

/** The values of a user that an identity provider sets. */
export interface WantedUser {
  /** In lower case. */
  email: string;
  /** Undefined: as before, and active for a new user. */
  active: boolean | undefined;
  /** The name of the person in the account. */
  name: string | undefined;
  provisioned: ProvisionedProfile;
}

const longest = 200;
const mostEmails = 20;

export function textIn(record: unknown, name: string, most = longest): string | undefined {
  const value = fieldOfObject(record, name);
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw scimError('invalidValue', `${name} must be a text.`);
  const text = value.trim();
  if (text.length > most) throw scimError('invalidValue', `${name} must have at most ${most} characters.`);
  if (/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(text))
    throw scimError('invalidValue', `${name} contains a control character.`);
  return text === '' ? undefined : text;
}

/** Reads a truth value. Entra sends "True" and "False" as texts, of which each would be true. Throws `invalidValue`. */
function readTruth(record: unknown, name: string): boolean | undefined {
  const value = fieldOfObject(record, name);
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (text !== 'true' && text !== 'false') throw scimError('invalidValue', `${name} must be true or false.`);
  return text === 'true';
}

/** Removes fields without a value. */
const present = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;

function readEmails(resource: unknown): ProvisionedProfile['emails'] {
  const sent = [fieldOfObject(resource, 'emails') ?? []].flat();
  if (sent.length > mostEmails)
    throw scimError('invalidValue', `A user can have at most ${mostEmails} emails.`);
  const emails = sent.flatMap((one) => {
    const email = isObject(one) ? one : { value: one };
    const value = textIn(email, 'value', 254);
    if (value === undefined) return [];
    const primary = readTruth(email, 'primary');
    return [present({ value, display: textIn(email, 'display'), type: textIn(email, 'type', 64), primary })];
  });
  if (emails.filter(({ primary }) => primary).length > 1)
    throw scimError('invalidValue', 'Only one of the emails can be primary.');
  return emails.length > 0 ? emails : undefined;
}

/** Reads a user as an identity provider sends it. Unsupported attributes are ignored. Throws `invalidValue`. */
export function readScimUser(resource: unknown): WantedUser {
  if (!isObject(resource)) throw scimError('invalidValue', 'The body must be an object.');
  const email = emailIn(textIn(resource, 'userName', 254));
  if (email === undefined)
    throw scimError('invalidValue', 'userName must be the email address with which the user signs in.');
  const sentName = fieldOfObject(resource, 'name');
  if (sentName !== undefined && sentName !== null && !isObject(sentName))
    throw scimError('invalidValue', 'name must be an object.');
  const name = present({
    formatted: textIn(sentName, 'formatted'),
    familyName: textIn(sentName, 'familyName'),
    givenName: textIn(sentName, 'givenName'),
  });
  const displayName = textIn(resource, 'displayName');
  const whole = [name.givenName, name.familyName].filter(Boolean).join(' ').slice(0, longest);
  return {
    email: email.toLowerCase(),
    active: readTruth(resource, 'active'),
    name: displayName ?? name.formatted ?? (whole || undefined),
    provisioned: present({
      externalId: textIn(resource, 'externalId', 500),
      displayName,
      name: Object.keys(name).length > 0 ? name : undefined,
      emails: readEmails(resource),
    }),
  };
}

/** A group of a user: its id, and the name at the identity provider. */
interface GroupOfUser {
  id: string;
  displayName: string;
}

/** Shows a membership as a user of SCIM. `base` is the address of the API's SCIM endpoints. */
export function showScimUser(member: Membership, groups: readonly GroupOfUser[], base: string): Json {
  const { id, email, active, name, provisioned, version, createdAt, updatedAt } = member;
  const shown = provisioned ?? { displayName: name };
  return present({
    schemas: [userSchema],
    id: String(id),
    externalId: provisioned?.externalId,
    userName: email,
    name: provisioned?.name,
    displayName: shown.displayName,
    active,
    emails: provisioned?.emails,
    groups:
      groups.length > 0
        ? groups.map((group) => ({
            value: group.id,
            $ref: `${base}/Groups/${group.id}`,
            display: group.displayName,
            type: 'direct',
          }))
        : undefined,
    meta: {
      resourceType: 'User',
      created: createdAt,
      lastModified: updatedAt,
      location: `${base}/Users/${id}`,
      version: `"${version}"`,
    },
  });
}
