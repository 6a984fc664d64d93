import { beforeAll, expect, test } from 'vitest';
import readSession from '../../../functions/auth/read-session.ts';
import listLeads from '../../../functions/leads/list-leads.ts';
import createScimUser from '../../../functions/scim/create-scim-user.ts';
import patchScimUser from '../../../functions/scim/patch-scim-user.ts';
import replaceScimUser from '../../../functions/scim/replace-scim-user.ts';
import setUserPermissions from '../../../functions/users/set-user-permissions.ts';
import { type Client, type Tenant, tenant } from '../../harness/tenant.ts';
import { operations, provider, provisioned, read, session, signsIn } from './provider.ts';

/** Requests in the forms that Okta and Entra send. Each test reads the user again, or signs in. */
let acme: Tenant;
let scim: Client;
beforeAll(async () => {
  acme = await tenant();
  scim = await provider(acme);
});

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** Each PATCH deactivates a user. */
test.each<[string, object]>([
  ['Entra, with the text False', { op: 'Replace', path: 'active', value: 'False' }],
  ['Entra, with its newer flag', { op: 'Replace', path: 'active', value: false }],
  ['Entra, wrapped', { op: 'Replace', path: 'active', value: [{ $ref: null, value: 'False' }] }],
  ['Entra, together with other fields', { op: 'Replace', value: { active: 'False', displayName: 'Gone' } }],
  ['Okta, without a path', { op: 'replace', value: { active: false } }],
  [
    'with the schema in the path',
    { op: 'replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User:active', value: false },
  ],
  [
    'below the schema',
    { op: 'replace', value: { 'urn:ietf:params:scim:schemas:core:2.0:User': { active: false } } },
  ],
])('a user is locked out by a PATCH of %s', async (_, operation) => {
  const { id, email } = await provisioned(scim);
  const params = { email };
  await acme.admin.ok(setUserPermissions, { params, body: { flatPermissionsList: ['readLeads'] } });
  const before = await signsIn(email, acme);
  expect((await before.call(listLeads)).status).toBe(200);
  await scim.ok(patchScimUser, { params: { id }, body: operations(operation) });
  expect((await read(scim, id)).active).toBe(false);
  expect((await before.call(listLeads)).status).toBe(401);
  // A new sign-in has no access to the account either.
  expect((await (await session(email, acme)).call(listLeads)).status).toBe(403);
});

test('Okta deactivates with a PUT of the whole user, and activates with another', async () => {
  const { id, email } = await provisioned(scim);
  const user = {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    id,
    userName: email,
    name: { givenName: 'Ada', middleName: 'A', familyName: 'Byron' },
    emails: [{ primary: true, value: email, type: 'work', display: email }],
    displayName: 'Ada Byron',
    locale: 'en-US',
    externalId: '00ujl29u0le5T6Aj10h7',
    groups: [],
    meta: { resourceType: 'User' },
  };
  await acme.admin.ok(setUserPermissions, {
    params: { email },
    body: { flatPermissionsList: ['readLeads'] },
  });
  const person = await signsIn(email, acme);
  await scim.ok(replaceScimUser, { params: { id }, body: { ...user, active: false } });
  expect((await person.call(listLeads)).status).toBe(401);
  await scim.ok(replaceScimUser, { params: { id }, body: { ...user, active: true } });
  expect((await (await session(email, acme)).call(listLeads)).status).toBe(200);
  expect(await read(scim, id)).toMatchObject({
    externalId: '00ujl29u0le5T6Aj10h7',
    name: { givenName: 'Ada', familyName: 'Byron' },
    emails: [{ primary: true, value: email, type: 'work', display: email }],
  });
});

test('Entra creates a user with attributes that the service does not have', async () => {
  const userName = 'entra@provisioned.test';
  const { id } = await scim.ok(createScimUser, {
    body: {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', enterprise],
      externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
      userName,
      active: 'True',
      displayName: 'BillG',
      emails: [{ primary: 'True', type: 'work', value: userName }],
      meta: { resourceType: 'User' },
      name: { formatted: 'Bill G', familyName: 'G', givenName: 'Bill' },
      roles: [],
      title: 'Manager',
      addresses: [{ type: 'work', locality: 'Reno' }],
      [enterprise]: { department: 'R', manager: { value: '1' } },
    },
  });
  const user = await read(scim, id);
  expect(user).toMatchObject({
    active: true,
    displayName: 'BillG',
    emails: [{ primary: true, value: userName }],
  });
  expect(user).not.toHaveProperty('title');
  const person = await signsIn(userName, acme);
  expect((await person.ok(readSession)).email).toBe(userName);
});

test('Entra changes several attributes at once, some of which do not exist yet', async () => {
  const { id } = await provisioned(scim);
  await scim.ok(patchScimUser, {
    params: { id },
    body: operations(
      { op: 'Add', path: 'emails[type eq "work"].value', value: 'ada@work.test' },
      { op: 'Add', path: 'name.familyName', value: 'Byron' },
      { op: 'Replace', path: 'externalId', value: 'e-1' },
      { op: 'Add', path: 'title', value: 'Countess' },
      { op: 'Add', path: 'addresses[type eq "work"].formatted', value: 'London' },
      { op: 'Add', path: `${enterprise}:department`, value: 'Engines' },
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+14155550134' },
    ),
  });
  const user = await read(scim, id);
  expect(user).toMatchObject({
    emails: [{ type: 'work', value: 'ada@work.test' }],
    name: { familyName: 'Byron' },
    externalId: 'e-1',
  });
  await scim.ok(patchScimUser, {
    params: { id },
    body: operations({ op: 'Replace', path: 'emails[type eq "work"].value', value: 'countess@work.test' }),
  });
  expect((await read(scim, id)).emails).toEqual([{ type: 'work', value: 'countess@work.test' }]);
  await scim.ok(patchScimUser, {
    params: { id },
    body: operations({ op: 'Remove', path: 'emails[type eq "work"].value' }),
  });
  expect((await read(scim, id)).emails).toBeUndefined();
});

test('a PATCH with one invalid operation changes nothing', async () => {
  const { id } = await provisioned(scim, { displayName: 'Before' });
  const body = operations(
    { op: 'replace', path: 'displayName', value: 'After' },
    { op: 'replace', path: 'active', value: 'maybe' },
  );
  expect((await scim.call(patchScimUser, { params: { id }, body })).status).toBe(400);
  expect(await read(scim, id)).toMatchObject({ displayName: 'Before', active: true });
});
