import { beforeAll, describe, expect, test } from 'vitest';
import readSession from '../../../functions/auth/read-session.ts';
import createLead from '../../../functions/leads/create-lead.ts';
import listLeads from '../../../functions/leads/list-leads.ts';
import readLead from '../../../functions/leads/read-lead.ts';
import saveProvisioning from '../../../functions/provisioning/save-provisioning.ts';
import createScimUser from '../../../functions/scim/create-scim-user.ts';
import deleteScimUser from '../../../functions/scim/delete-scim-user.ts';
import listScimUsers from '../../../functions/scim/list-scim-users.ts';
import patchScimUser from '../../../functions/scim/patch-scim-user.ts';
import readScimUser from '../../../functions/scim/read-scim-user.ts';
import replaceScimUser from '../../../functions/scim/replace-scim-user.ts';
import acceptMembership from '../../../functions/users/accept-membership.ts';
import impersonateUser from '../../../functions/users/impersonate-user.ts';
import listUsers from '../../../functions/users/list-users.ts';
import setUserPermissions from '../../../functions/users/set-user-permissions.ts';
import updateUser from '../../../functions/users/update-user.ts';
import { memberships } from '../../../shared/people/users/store.ts';
import { failCalls } from '../../harness/call-faults.ts';
import { drain } from '../../harness/drain.ts';
import { mailedToken, member } from '../../harness/member.ts';
import { eventsAbout } from '../../harness/raw-table.ts';
import { type Client, client, type Tenant, tenant } from '../../harness/tenant.ts';
import { operations, provider, provisioned, read, session, signsIn } from './provider.ts';

let acme: Tenant;
let scim: Client;
beforeAll(async () => {
  acme = await tenant();
  scim = await provider(acme);
});

const lockedOut = [401, 403];

describe('a user', () => {
  test('is created, read, replaced and deleted', async () => {
    const sent = {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: 'Ada.Byron@Provisioned.test',
      externalId: '00u1',
      name: { givenName: 'Ada', familyName: 'Byron' },
      active: true,
      emails: [{ value: 'ada@work.test', type: 'work', primary: true }],
    };
    const { status, body, headers } = await scim.call(createScimUser, { body: sent });
    expect(status).toBe(201);
    expect(headers['content-type']).toBe('application/scim+json; charset=utf-8');
    expect(headers.location).toBe(`https://api.test/scim/v2/Users/${body.id}`);
    expect(body).toMatchObject({ ...sent, userName: 'ada.byron@provisioned.test' });
    expect(await read(scim, body.id)).toEqual(body);
    const { data } = await acme.admin.ok(listUsers, { query: { email: 'ada.byron@provisioned.test' } });
    expect(data[0]).toMatchObject({ name: 'Ada Byron', active: true, invited: false });

    const replaced = { userName: 'ada.byron@provisioned.test', displayName: 'Ada' };
    const after = await scim.ok(replaceScimUser, { params: { id: body.id }, body: replaced });
    expect(after).toMatchObject({ ...replaced, active: true });
    expect(after).not.toHaveProperty('emails');
    expect(after).not.toHaveProperty('externalId');

    expect((await scim.call(deleteScimUser, { params: { id: body.id } })).status).toBe(204);
    expect((await scim.call(readScimUser, { params: { id: body.id } })).status).toBe(404);
    expect((await scim.call(deleteScimUser, { params: { id: body.id } })).status).toBe(404);
  });

  test('with a userName that exists is a conflict with the type uniqueness', async () => {
    const { email } = await provisioned(scim);
    const { status, body } = await scim.call(createScimUser, { body: { userName: email.toUpperCase() } });
    expect([status, (body as { scimType?: string }).scimType]).toEqual([409, 'uniqueness']);
  });

  test.each([
    [{}, 'invalidValue'],
    [{ userName: 'no address' }, 'invalidValue'],
    [{ userName: 'a@b.test', active: 'perhaps' }, 'invalidValue'],
    [{ userName: 'a@b.test', displayName: 7 }, 'invalidValue'],
    [{ userName: 'a@b.test', displayName: 'a\nb' }, 'invalidValue'],
    [
      {
        userName: 'a@b.test',
        emails: [
          { value: 'x', primary: true },
          { value: 'y', primary: 'True' },
        ],
      },
      'invalidValue',
    ],
  ])('%j is rejected', async (body, scimType) => {
    const response = await scim.call(createScimUser, { body });
    expect(response).toMatchObject({ status: 400, body: { scimType } });
  });

  test('gets no mail, and sets a password with a reset token', async () => {
    const { email } = await provisioned(scim);
    await drain();
    await expect(mailedToken(email, acme)).rejects.toThrow('no open invitation');
    const person = await signsIn(email, acme);
    expect((await person.ok(readSession)).email).toBe(email);
  });

  test('needs a key with provisionUsers', async () => {
    expect((await client({}).call(listScimUsers)).status).toBe(401);
    expect((await client({ authorization: 'Bearer mo_key_x.mo_sk_y' }).call(listScimUsers)).status).toBe(401);
    const { client: reader } = await member(acme, ['readUsers', 'writeUsers']);
    expect((await reader.call(listScimUsers)).status).toBe(403);
    // A user with the permission could give every mapped role to itself.
    const { client: provisioner } = await member(acme, ['provisionUsers']);
    expect((await provisioner.call(listScimUsers)).status).toBe(403);
    // The token is not a credential of other endpoints.
    expect((await scim.call(listUsers)).status).toBe(401);
  });

  test('of another account is not found', async () => {
    const other = await provider(await tenant());
    const { id, email } = await provisioned(scim);
    for (const endpoint of [readScimUser, deleteScimUser] as const)
      expect((await other.call(endpoint, { params: { id } })).status).toBe(404);
    const found = await other.ok(listScimUsers, { query: { filter: `userName eq "${email}"` } });
    expect(found.totalResults).toBe(0);
  });

  test('is not found by an email in the path', async () => {
    const { email } = await provisioned(scim);
    expect((await scim.call(readScimUser, { params: { id: email } })).status).toBe(404);
  });
});

describe('If-Match', () => {
  test('prevents a change that is based on an earlier version', async () => {
    const { id } = await provisioned(scim);
    const { headers } = await scim.call(readScimUser, { params: { id } });
    const body = operations({ op: 'replace', path: 'displayName', value: 'One' });
    const send = (etag = '') =>
      scim.call(patchScimUser, { params: { id }, body, headers: { 'if-match': etag } });
    expect((await send(headers.etag)).status).toBe(200);
    expect((await send(headers.etag)).status).toBe(412);
    const etag = headers.etag ?? '';
    const deletion = await scim.call(deleteScimUser, { params: { id }, headers: { 'if-match': etag } });
    expect(deletion.status).toBe(412);
    expect((await read(scim, id)).displayName).toBe('One');
  });
});

describe('a deactivation', () => {
  const deactivate = (id: string) =>
    scim.ok(patchScimUser, {
      params: { id },
      body: operations({ op: 'Replace', path: 'active', value: 'False' }),
    });
  const activate = (id: string) =>
    scim.ok(patchScimUser, {
      params: { id },
      body: operations({ op: 'Replace', path: 'active', value: 'True' }),
    });

  test('ends the sessions of the person, also after a new activation', async () => {
    const { id, email } = await provisioned(scim);
    const person = await signsIn(email, acme);
    await acme.admin.ok(setUserPermissions, {
      params: { email },
      body: { flatPermissionsList: ['readLeads'] },
    });
    expect((await person.call(listLeads)).status).toBe(200);
    await deactivate(id);
    expect((await person.call(listLeads)).status).toBe(401);
    await activate(id);
    expect((await person.call(listLeads)).status).toBe(401);
    expect((await (await session(email, acme)).call(listLeads)).status).toBe(200);
  });

  test('changes nothing in another account of the person', async () => {
    const other = await tenant();
    const { user, client: elsewhere } = await member(other, ['readLeads']);
    const { id } = await scim.ok(createScimUser, { body: { userName: user.email } });
    const token = await mailedToken(user.email, acme);
    const params = { email: user.email, accountId: acme.accountId };
    await client({}).ok(acceptMembership, { params, body: { token } });
    const body = { flatPermissionsList: ['readLeads'] };
    await acme.admin.ok(setUserPermissions, { params: { email: user.email }, body });
    const here = client({ ...elsewhere.headers, 'x-account-id': acme.accountId });
    expect((await here.call(listLeads)).status).toBe(200);
    await deactivate(id);
    expect((await here.call(listLeads)).status).toBe(403);
    expect((await elsewhere.call(listLeads)).status).toBe(200);
    await activate(id);
    expect((await here.call(listLeads)).status).toBe(403);
    expect((await elsewhere.call(listLeads)).status).toBe(200);
    expect((await scim.call(deleteScimUser, { params: { id } })).status).toBe(204);
    expect((await elsewhere.call(listLeads)).status).toBe(200);
  });

  test('ends impersonations of the person', async () => {
    const { id, email } = await provisioned(scim);
    const { token } = await acme.admin.ok(impersonateUser, {
      params: { email },
      body: { reason: 'A question about a lead' },
    });
    const acting = client({ authorization: `Bearer ${token}`, 'x-account-id': acme.accountId });
    expect((await acting.call(readSession)).status).toBe(200);
    await deactivate(id);
    await activate(id);
    expect(lockedOut).toContain((await acting.call(readSession)).status);
  });

  test('emits one event', async () => {
    const { id } = await provisioned(scim);
    const { version } = await memberships.get(acme.accountId, Number(id));
    const before = (await eventsAbout(acme.accountId, Number(id))).length;
    await deactivate(id);
    expect((await memberships.get(acme.accountId, Number(id))).version).toBe(version + 1);
    // Nothing differs, so nothing is written.
    await deactivate(id);
    expect((await memberships.get(acme.accountId, Number(id))).version).toBe(version + 1);
    const events = (await eventsAbout(acme.accountId, Number(id))).slice(before);
    expect(events.map(({ kind, data }) => ({ kind, data }))).toEqual([
      { kind: 'user_updated', data: { changes: { active: { from: true, to: false } } } },
    ]);
  });

  test('is one transaction, and changes nothing if the transaction fails', async () => {
    const { id, email } = await provisioned(scim);
    const person = await signsIn(email, acme);
    const { token } = await acme.admin.ok(impersonateUser, {
      params: { email },
      body: { reason: 'A question about a lead' },
    });
    const acting = client({ authorization: `Bearer ${token}`, 'x-account-id': acme.accountId });
    const stored = async () => [
      await memberships.get(acme.accountId, Number(id)),
      await eventsAbout(acme.accountId, Number(id)),
    ];
    const before = await stored();
    let transactions = 0;
    const { stop } = failCalls(({ operation, input }) => {
      // The failure is reported in a transaction of its own.
      if (operation !== 'TransactWriteItems' || JSON.stringify(input).includes('system_error'))
        return undefined;
      transactions += 1;
      return transactions === 1 ? { error: 'ValidationException' } : undefined;
    });
    const params = { id };
    const body = operations({ op: 'replace', path: 'active', value: false });
    expect((await scim.call(patchScimUser, { params, body })).status).toBe(500);
    expect(await stored()).toEqual(before);
    for (const session of [person, acting]) expect((await session.call(readSession)).status).toBe(200);
    expect((await scim.call(patchScimUser, { params, body })).status).toBe(200);
    stop();
    expect(transactions).toBe(2);
    for (const session of [person, acting])
      expect(lockedOut).toContain((await session.call(readSession)).status);
  });

  test('and a deletion reassign what the person holds, as the settings of the account say', async () => {
    const globex = await tenant();
    const ofGlobex = await provider(globex);
    const { user } = await member(globex);
    const reassignTo = String(user.id);
    await globex.admin.ok(saveProvisioning, { body: { groups: [], reassignTo } });
    const [deactivated, deleted] = [await provisioned(ofGlobex), await provisioned(ofGlobex)];
    const leadOf = ({ id }: { id: string }) =>
      globex.admin.ok(createLead, { body: { firstName: 'Grace', lastName: 'Hopper', assignedTo: id } });
    const leads = [await leadOf(deactivated), await leadOf(deleted)];
    const body = operations({ op: 'replace', value: { active: false } });
    await ofGlobex.ok(patchScimUser, { params: { id: deactivated.id }, body });
    expect((await ofGlobex.call(deleteScimUser, { params: { id: deleted.id } })).status).toBe(204);
    await drain();
    for (const { id } of leads)
      expect(await globex.admin.ok(readLead, { params: { leadId: id } })).toMatchObject({
        assignedTo: reassignTo,
      });
  });

  test('fails each of twenty requests that start after the response', async () => {
    const { id, email } = await provisioned(scim);
    await acme.admin.ok(setUserPermissions, {
      params: { email },
      body: { flatPermissionsList: ['readLeads'] },
    });
    const person = await signsIn(email, acme);
    let isOver = false;
    const late: number[] = [];
    const running = Array.from({ length: 20 }, async () => {
      for (let rounds = 0; rounds < 50; rounds++) {
        const startedLate = isOver;
        const { status } = await person.call(listLeads);
        if (startedLate) {
          late.push(status);
          return;
        }
      }
    });
    await deactivate(id);
    isOver = true;
    await Promise.all(running);
    expect(late).toHaveLength(20);
    expect(late.every((status) => lockedOut.includes(status))).toBe(true);
  });
});

describe('the last administrator', () => {
  test('can be neither deactivated nor deleted', async () => {
    const one = await tenant();
    const ofOne = await provider(one);
    const {
      Resources: [administrator],
    } = await ofOne.ok(listScimUsers);
    const params = { id: administrator?.id ?? '' };
    const body = operations({ op: 'replace', value: { active: false } });
    expect((await ofOne.call(patchScimUser, { params, body })).status).toBe(409);
    expect((await ofOne.call(deleteScimUser, { params })).status).toBe(409);
    const second = await provisioned(ofOne);
    await one.admin.ok(updateUser, { params: { email: second.email }, body: { accountAdmin: true } });
    // Both at once: one of them must remain.
    const both = [params, { id: second.id }].map((of) => ofOne.call(patchScimUser, { params: of, body }));
    expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

describe('a person of another account', () => {
  test('is invited, and the account can do nothing before the acceptance', async () => {
    const other = await tenant();
    const { user, client: elsewhere } = await member(other, ['readLeads']);
    const { id } = await scim.ok(createScimUser, { body: { userName: user.email, displayName: 'Stranger' } });
    const { data } = await acme.admin.ok(listUsers, { query: { email: user.email } });
    expect(data[0]).toMatchObject({ invited: true });
    const here = client({ ...elsewhere.headers, 'x-account-id': acme.accountId });
    expect((await here.call(listLeads)).status).toBe(403);
    // No request of the identity provider changes the name or the sessions elsewhere.
    for (const active of [false, true, false])
      await scim.ok(patchScimUser, {
        params: { id },
        body: operations({ op: 'replace', value: { active } }),
      });
    await scim.call(deleteScimUser, { params: { id } });
    const { data: found } = await other.admin.ok(listUsers, { query: { email: user.email } });
    expect(found[0]).toMatchObject({ name: user.name, active: true });
    expect((await elsewhere.call(listLeads)).status).toBe(200);
  });

  test('cannot be taken over with another userName', async () => {
    const { user } = await member(await tenant());
    const { id, email } = await provisioned(scim);
    for (const call of [
      scim.call(replaceScimUser, { params: { id }, body: { userName: user.email } }),
      scim.call(patchScimUser, {
        params: { id },
        body: operations({ op: 'replace', path: 'userName', value: user.email }),
      }),
    ])
      expect(await call).toMatchObject({ status: 400, body: { scimType: 'mutability' } });
    expect((await read(scim, id)).userName).toBe(email);
  });
});
