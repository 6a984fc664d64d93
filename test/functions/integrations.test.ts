import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, test } from 'vitest';
import createMapping from '../../functions/integrations/create-ticket-type-mapping.ts';
import deleteMapping from '../../functions/integrations/delete-ticket-type-mapping.ts';
import listMappings from '../../functions/integrations/list-ticket-type-mappings.ts';
import replaceMapping from '../../functions/integrations/replace-ticket-type-mapping.ts';
import createTicketType from '../../functions/ticket-types/create-ticket-type.ts';
import deleteTicketType from '../../functions/ticket-types/delete-ticket-type.ts';
import setTicketTypeStatus from '../../functions/ticket-types/set-ticket-type-status.ts';
import { maxMappings } from '../../shared/support/ticket-type-mappings/schema.ts';
import { tableName } from '../../shared/table/client.ts';
import { quotaKey } from '../../shared/table/keys.ts';
import { documents } from '../harness/documents.ts';
import { noFaults } from '../harness/faults.ts';
import { beforeNextTransaction } from '../harness/interleave.ts';
import { tenant } from '../harness/tenant.ts';
import { faultOf } from '../tickets/new-tickets.ts';
import { kindsOf } from './event-kinds.ts';

afterEach(noFaults);

const [acme, globex] = [await tenant(), await tenant()];
const { admin } = acme;
const typeOf = (category: 'technical' | 'billing' = 'technical', owner = acme) =>
  owner.admin.ok(createTicketType, { body: { name: 'Fault', description: 'It is broken', category } });
const type = await typeOf();
let categories = 0;
const map = (body: object = {}) =>
  admin.call(createMapping, {
    body: { partnerCategoryId: ++categories, serviceTicketTypeId: type.uniqueId, ...body },
  });
const mapped = async (body: object = {}) => {
  const { status, body: mapping } = await map(body);
  expect(status, JSON.stringify(mapping)).toBe(201);
  return mapping;
};
const put = (id: number, body: object) =>
  admin.call(replaceMapping, {
    params: { id },
    body: { partnerCategoryId: 0, serviceTicketTypeId: type.uniqueId, ...body },
  });

describe('a mapping of a partner category', () => {
  test('a mapping can be created, listed with its ticket type, replaced and deleted, and emits an event for each change', async () => {
    const own = await tenant();
    const [technical, billing] = [await typeOf('technical', own), await typeOf('billing', own)];
    const before = await kindsOf(own);
    const sent = {
      partnerCategoryId: 31,
      partnerCategoryName: 'Hardware',
      serviceTicketTypeId: String(technical.id),
    };
    const mapping = await own.admin.ok(createMapping, { body: sent });
    const { uniqueId, name, description, category, isActive } = technical;
    expect(mapping).toEqual({
      ...sent,
      serviceTicketTypeId: uniqueId,
      serviceCategoryEnum: 'technical',
      ticketType: { uniqueId, name, description, category, isActive },
      id: expect.any(Number),
      accountId: own.accountId,
      version: 1,
      createdAt: expect.any(String),
      createdBy: own.adminEmail,
      updatedAt: mapping.createdAt,
    });
    expect(await own.admin.ok(listMappings)).toEqual({ data: [mapping], totalCount: 1 });

    const body = { partnerCategoryId: 32, serviceTicketTypeId: billing.uniqueId.toUpperCase() };
    const params = { id: mapping.id };
    const replaced = await own.admin.ok(replaceMapping, { params, body });
    expect(replaced).toMatchObject({
      ...body,
      serviceTicketTypeId: billing.uniqueId,
      serviceCategoryEnum: 'billing',
      ticketType: { uniqueId: billing.uniqueId },
      version: 2,
    });
    expect(replaced).not.toHaveProperty('partnerCategoryName');
    expect(await own.admin.ok(replaceMapping, { params, body })).toEqual(replaced);
    expect((await own.admin.ok(listMappings)).data).toEqual([replaced]);
    expect(await own.admin.ok(deleteMapping, { params })).toEqual(replaced);
    expect(await own.admin.ok(listMappings)).toEqual({ data: [], totalCount: 0 });
    expect((await own.admin.call(deleteMapping, { params })).status).toBe(404);
    expect((await own.admin.call(replaceMapping, { params, body })).status).toBe(404);
    expect((await kindsOf(own)).slice(before.length)).toEqual(Array(3).fill('no_event_name'));
  });

  test('a category has at most one mapping at a time, even after concurrent requests', async () => {
    const [first, second] = [
      await mapped({ partnerCategoryId: -1 }),
      await mapped({ partnerCategoryId: -2 }),
    ];
    const taken = [400, 'mapping_exists', 'partnerCategoryId'];
    expect(faultOf(await map({ partnerCategoryId: -1 }))).toEqual(taken);
    expect(faultOf(await put(second.id, { partnerCategoryId: -1 }))).toEqual(taken);
    const atOnce = await Promise.all([map({ partnerCategoryId: -3 }), map({ partnerCategoryId: -3 })]);
    expect(atOnce.map(({ status }) => status).sort()).toEqual([201, 400]);
    expect((await put(first.id, { partnerCategoryId: -4 })).status).toBe(200);
    const again = await mapped({ partnerCategoryId: -1 });
    await admin.ok(deleteMapping, { params: { id: again.id } });
    await mapped({ partnerCategoryId: -1 });
    // Another account can map the same category.
    const theirs = await typeOf('billing', globex);
    const body = { partnerCategoryId: -1, serviceTicketTypeId: theirs.uniqueId };
    expect((await globex.admin.call(createMapping, { body })).status).toBe(201);
  });

  test('after two concurrent replacements of a mapping, only the category of the last replacement is taken', async () => {
    const mapping = await mapped({ partnerCategoryId: -10 });
    beforeNextTransaction(async () => void (await put(mapping.id, { partnerCategoryId: -11 })));
    expect((await put(mapping.id, { partnerCategoryId: -12 })).body).toMatchObject({ version: 3 });
    for (const partnerCategoryId of [-10, -11]) await mapped({ partnerCategoryId });
    expect(faultOf(await map({ partnerCategoryId: -12 }))[1]).toBe('mapping_exists');
  });

  test('a mapping accepts any form of a ticket type’s id, but no ticket type of another account', async () => {
    const theirs = await typeOf('technical', globex);
    const unknown = [400, 'ticket_type_unknown', 'serviceTicketTypeId'];
    for (const serviceTicketTypeId of [theirs.uniqueId, 'tty_1', 'rot_1', 'tty_il', 'x', '']) {
      expect(faultOf(await map({ serviceTicketTypeId })), serviceTicketTypeId).toEqual(unknown);
      const { id } = await mapped();
      expect(faultOf(await put(id, { partnerCategoryId: categories, serviceTicketTypeId }))).toEqual(unknown);
    }
    expect(faultOf(await put(1, { serviceTicketTypeId: 'x' }))).toEqual([404, 'not_found']);
    expect(faultOf(await map({ serviceCategoryEnum: 'other' }))).toEqual([
      400,
      'invalid_input',
      'serviceCategoryEnum',
    ]);
    expect((await mapped({ serviceCategoryEnum: 'retention' })).serviceCategoryEnum).toBe('retention');
  });

  test('a mapping shows an inactive ticket type, and null after the type was deleted', async () => {
    const going = await typeOf();
    const mapping = await mapped({ serviceTicketTypeId: going.uniqueId });
    const shown = async () => (await admin.ok(listMappings)).data.find(({ id }) => id === mapping.id);
    const params = { id: going.uniqueId };
    await admin.ok(setTicketTypeStatus, { params, body: { isActive: false } });
    expect((await shown())?.ticketType).toMatchObject({ uniqueId: going.uniqueId, isActive: false });
    await admin.ok(deleteTicketType, { params });
    expect(await shown()).toEqual({ ...mapping, ticketType: null });
    expect(await admin.ok(deleteMapping, { params: { id: mapping.id } })).toEqual({
      ...mapping,
      ticketType: null,
    });
  });

  test('a mapping of another account is not found', async () => {
    const { id } = await mapped();
    const theirs = await typeOf('technical', globex);
    const body = { partnerCategoryId: 1, serviceTicketTypeId: theirs.uniqueId };
    expect((await globex.admin.call(replaceMapping, { params: { id }, body })).status).toBe(404);
    expect((await globex.admin.call(deleteMapping, { params: { id } })).status).toBe(404);
    const seen = (await globex.admin.ok(listMappings)).data.map((one) => one.id);
    expect(seen).not.toContain(id);
  });

  test('an account has at most 500 mappings, and deleted mappings do not count', async () => {
    const { id } = await mapped();
    const key = quotaKey(acme.accountId, 'TICKETTYPEMAPPING', []);
    await documents.send(new PutCommand({ TableName: tableName(), Item: { ...key, count: maxMappings } }));
    expect(faultOf(await map())).toEqual([400, 'quota_exceeded']);
    await admin.ok(deleteMapping, { params: { id } });
    await mapped();
    expect(faultOf(await map())).toEqual([400, 'quota_exceeded']);
  });
});
