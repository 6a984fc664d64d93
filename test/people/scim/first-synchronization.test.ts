import { expect, test } from 'vitest';
import createScimGroup from '../../../functions/scim/create-scim-group.ts';
import createScimUser from '../../../functions/scim/create-scim-user.ts';
import listScimUsers from '../../../functions/scim/list-scim-users.ts';
import patchScimGroup from '../../../functions/scim/patch-scim-group.ts';
import readScimGroup from '../../../functions/scim/read-scim-group.ts';
import { inBatches } from '../../../shared/table/in-batches.ts';
import { drain } from '../../harness/drain.ts';
import { provisionedUsers } from '../../harness/heavy.ts';
import { newTenant, sentMessages } from '../../messages/world.ts';
import { operations, provider } from './provider.ts';

test('a first synchronization creates every user and the members of a group, and sends no mail', async () => {
  const scim = await provider(await newTenant());
  const began = performance.now();
  // As Entra does: a search before each creation.
  const ids = await inBatches(8, [...Array(provisionedUsers).keys()], async (n) => {
    const userName = `employee${n}@synchronized.test`;
    const { totalResults } = await scim.ok(listScimUsers, { query: { filter: `userName eq "${userName}"` } });
    expect(totalResults).toBe(0);
    const body = { userName, externalId: `e-${n}`, displayName: `Employee ${n}` };
    return (await scim.ok(createScimUser, { body })).id;
  });
  const created = performance.now();
  const { id } = await scim.ok(createScimGroup, { body: { displayName: 'Everybody' } });
  const value = ids.map((one) => ({ value: one }));
  await scim.ok(patchScimGroup, { params: { id }, body: operations({ op: 'Add', path: 'members', value }) });
  const grouped = performance.now();
  const { members = [] } = await scim.ok(readScimGroup, { params: { id } });
  expect(members.map((member) => member.value).sort()).toEqual([...ids].sort());
  expect((await scim.ok(listScimUsers, { query: { count: 1 } })).totalResults).toBe(provisionedUsers + 1);
  console.info(
    `${provisionedUsers} users in ${((created - began) / 1000).toFixed(1)} s, the members of their group in ${((grouped - created) / 1000).toFixed(1)} s`,
  );
  await drain();
  expect(sentMessages).toEqual([]);
});
