import { describe, expect, test } from 'vitest';
import createTicketRotation from '../../functions/ticket-rotations/create-ticket-rotation.ts';
import deleteTicketRotation from '../../functions/ticket-rotations/delete-ticket-rotation.ts';
import createTicketType from '../../functions/ticket-types/create-ticket-type.ts';
import deleteTicketType from '../../functions/ticket-types/delete-ticket-type.ts';
import listTicketTypes from '../../functions/ticket-types/list-ticket-types.ts';
import readTicketType from '../../functions/ticket-types/read-ticket-type.ts';
import replaceTicketType from '../../functions/ticket-types/replace-ticket-type.ts';
import setTicketTypeStatus from '../../functions/ticket-types/set-ticket-type-status.ts';
import { uniqueIdOf } from '../../shared/id/unique-id.ts';
import { eventsAbout } from '../harness/raw-table.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';
import { faultOf } from '../tickets/new-tickets.ts';

const [acme, globex] = [await tenant(), await tenant()];
const { admin } = acme;
const given = { name: 'Terminal fault', description: 'It takes no cards', category: 'technical' } as const;
const made = (body: object = {}) => admin.ok(createTicketType, { body: { ...given, ...body } });
const post = (body: object) => admin.call(createTicketType, { body: { ...given, ...body } });
const put = (id: string | number, body: object = {}) =>
  admin.call(replaceTicketType, { params: { id: String(id) }, body: { ...given, ...body } });
const rotationOf = ({ admin, adminEmail }: Tenant) =>
  admin.ok(createTicketRotation, {
    body: { name: 'Everybody', userRotationArray: [{ userId: adminEmail, weight: 1 }] },
  });
const eventsOf = async ({ id }: { id: number }) =>
  (await eventsAbout(acme.accountId, id)).map(({ kind, data }) => [kind, data] as const);

describe('a ticket type', () => {
  test('a ticket type can be created with defaults, read by each form of its id, listed, deactivated, replaced and deleted', async () => {
    const type = await made();
    expect(type).toEqual({
      ...given,
      id: expect.any(Number),
      uniqueId: uniqueIdOf('tty', type.id),
      accountId: acme.accountId,
      version: 1,
      requiredPermissions: [],
      isActive: true,
      autoAssignmentEnabled: false,
      customFields: [],
      sortOrder: 0,
      createdAt: expect.any(String),
      createdBy: acme.adminEmail,
      updatedAt: type.createdAt,
    });
    for (const id of [
      type.uniqueId,
      String(type.id),
      type.uniqueId.toUpperCase(),
      type.uniqueId.replace('tty_0', 'tty_'),
    ])
      expect(await admin.ok(readTicketType, { params: { id } })).toEqual(type);
    expect((await admin.ok(listTicketTypes)).data).toEqual([type]);

    const params = { id: type.uniqueId };
    const off = await admin.ok(setTicketTypeStatus, { params, body: { isActive: false } });
    expect(off).toMatchObject({ isActive: false, version: 2, uniqueId: type.uniqueId });
    expect(await admin.ok(setTicketTypeStatus, { params, body: { isActive: false } })).toEqual(off);

    const replaced = await put(type.uniqueId, { name: 'Another', sortOrder: 3 });
    expect(replaced.body).toMatchObject({ name: 'Another', sortOrder: 3, isActive: false, version: 3 });
    expect((await put(type.uniqueId, { name: 'Another', sortOrder: 3 })).body).toEqual(replaced.body);
    expect(await admin.ok(deleteTicketType, { params })).toEqual(replaced.body);
    expect((await admin.call(readTicketType, { params })).status).toBe(404);
    expect((await put(type.uniqueId)).status).toBe(404);
    expect((await admin.ok(listTicketTypes)).totalCount).toBe(0);
    const [first, ...others] = await eventsOf(type);
    expect(first).toMatchObject([
      'ticket_type_created',
      { changes: { name: { to: 'Terminal fault' }, isActive: { to: true } } },
    ]);
    expect(others).toEqual([
      ['ticket_type_status_changed', { from: true, to: false }],
      [
        'ticket_type_updated',
        { changes: { name: { from: 'Terminal fault', to: 'Another' }, sortOrder: { from: 0, to: 3 } } },
      ],
      ['ticket_type_deleted', {}],
    ]);
  });

  test('a PUT sets omitted fields to their defaults and refuses missing required fields', async () => {
    const type = await made({
      requiredPermissions: ['bulkTickets', 'readLeads', 'bulkTickets'],
      autoAssignmentEnabled: true,
      isActive: false,
      customFields: [{ key: 'model', label: 'Model', type: 'text' }],
      sortOrder: 7,
    });
    expect(type).toMatchObject({ requiredPermissions: ['bulkTickets', 'readLeads'], isActive: false });
    expect((await put(type.id)).body).toMatchObject({
      ...given,
      requiredPermissions: [],
      autoAssignmentEnabled: false,
      isActive: false,
      customFields: [],
      sortOrder: 0,
    });
    for (const field of ['name', 'description', 'category'])
      expect(faultOf(await put(type.id, { [field]: undefined })), field).toEqual([
        400,
        'invalid_input',
        field,
      ]);
    expect(faultOf(await put(type.id, { isActive: true }))).toEqual([400, 'invalid_input', 'isActive']);
    expect(faultOf(await put(type.id, { category: 'other' }))).toEqual([400, 'invalid_input', 'category']);
  });

  test('an unknown permission is reported with its index', async () => {
    expect(faultOf(await post({ requiredPermissions: ['readLeads', 'flyToTheMoon', 'toString'] }))).toEqual([
      400,
      'invalid_input',
      'requiredPermissions[1]',
      'requiredPermissions[2]',
    ]);
  });

  test('rotationId accepts each form of the id, is stored as uniqueId, and must be a rotation of the account', async () => {
    const rotation = await rotationOf(acme);
    for (const rotationId of [
      rotation.uniqueId,
      String(rotation.id),
      rotation.uniqueId.toUpperCase(),
      rotation.uniqueId.replace('rot_0', 'rot_'),
    ]) {
      const type = await made({ rotationId, autoAssignmentEnabled: true });
      expect(type).toMatchObject({ rotationId: rotation.uniqueId, autoAssignmentEnabled: true });
      expect((await put(type.id, { rotationId })).body.rotationId).toBe(rotation.uniqueId);
      expect((await admin.ok(listTicketTypes, { query: { rotationId, pageSize: 100 } })).data).toMatchObject([
        { id: type.id },
      ]);
      expect((await put(type.id)).body).not.toHaveProperty('rotationId');
    }
    const [theirs, gone] = [await rotationOf(globex), await rotationOf(acme)];
    const [type, other] = [await made({ rotationId: gone.uniqueId }), await made({})];
    await admin.ok(deleteTicketRotation, { params: { id: gone.uniqueId } });
    const unknown = [400, 'rotation_unknown', 'rotationId'];
    for (const rotationId of [
      theirs.uniqueId,
      String(theirs.id),
      gone.uniqueId,
      rotation.uniqueId.replace('rot', 'tty'),
      'rot_7',
      '7',
      'rot_il',
      'rot_zzzzzzzzzzz',
      '',
    ]) {
      expect(faultOf(await post({ rotationId })), rotationId).toEqual(unknown);
      expect(faultOf(await put(other.id, { rotationId })), rotationId).toEqual(unknown);
    }
    // A type keeps the id of a deleted rotation, and its other fields can be changed.
    const params = { id: type.uniqueId };
    const off = await admin.ok(setTicketTypeStatus, { params, body: { isActive: false } });
    expect(off.rotationId).toBe(gone.uniqueId);
    expect(faultOf(await put('tty_1', { rotationId: 'rot_7' }))).toEqual([404, 'not_found']);
  });

  test('the list of types can be filtered, sorted and searched', async () => {
    const { admin: own, accountId } = await tenant();
    const make = (body: object) => own.ok(createTicketType, { body: { ...given, ...body } });
    const [billing, slow] = [
      await make({ category: 'billing', sortOrder: 2 }),
      await make({ isActive: false, sortOrder: 1, name: 'Slow' }),
    ];
    const names = async (query: object) =>
      (await own.ok(listTicketTypes, { query })).data.map(({ id }) => id);
    expect(await names({})).toEqual([slow.id, billing.id]);
    expect(await names({ category: 'billing' })).toEqual([billing.id]);
    expect(await names({ isActive: false })).toEqual([slow.id]);
    expect(await names({ sort: 'sortOrder' })).toEqual([slow.id, billing.id]);
    expect(await names({ search: 'slow' })).toEqual([slow.id]);
    expect(await names({ rotationId: 'rot_il' })).toEqual([]);
    expect(accountId).not.toBe(acme.accountId);
  });
});

describe('the custom fields of a ticket type', () => {
  const field = { key: 'model', label: 'Model', type: 'text' as const };

  test('custom fields are shown as defined, with date-times in UTC', async () => {
    const customFields = [
      { ...field, required: true, maxLength: 5, default: 'X1', helpText: 'Below the terminal' },
      { key: 'since', label: 'Since', type: 'date_time' as const, min: '2026-01-01T01:00:00+01:00' },
      {
        key: 'kinds',
        label: 'Kinds',
        type: 'multi_select' as const,
        options: [{ value: 'a', label: 'A' }],
        default: ['a'],
      },
      { key: 'ok', label: 'OK', type: 'boolean' as const, default: false },
      { key: 'rate', label: 'Rate', type: 'decimal' as const, min: 0, max: 1.5, default: 0.25 },
    ];
    const type = await made({ customFields });
    expect(type.customFields).toEqual([
      customFields[0],
      { ...customFields[1], min: '2026-01-01T00:00:00.000Z', required: false },
      ...customFields.slice(2).map((one) => ({ ...one, required: false })),
    ]);
    expect(await admin.ok(readTicketType, { params: { id: type.uniqueId } })).toEqual(type);
  });

  test('an invalid custom field returns 400 with its index, in POST and PUT', async () => {
    const type = await made();
    const wrong: [object, string][] = [
      [{ ...field, key: 'first' }, 'customFields[1].key'],
      [{ ...field, type: 'password' }, 'customFields[1].type'],
      [{ ...field, pattern: '.*' }, 'customFields[1].pattern'],
      [{ ...field, default: 1 }, 'customFields[1].default'],
    ];
    for (const [one, place] of wrong) {
      const customFields = [{ ...field, key: 'first' }, one];
      const fault = [400, 'invalid_input', place];
      expect(faultOf(await put(type.id, { customFields }))).toEqual(fault);
      expect(faultOf(await post({ customFields }))).toEqual(fault);
    }
    const many = (count: number) => Array.from({ length: count }, (_, n) => ({ ...field, key: `k${n}` }));
    expect(faultOf(await put(type.id, { customFields: many(51) }))).toEqual([
      400,
      'invalid_input',
      'customFields',
    ]);
    expect((await put(type.id, { customFields: many(50) })).status).toBe(200);
  });

  test('the type of a custom field key cannot change, even after the field was removed', async () => {
    const type = await made({ customFields: [field] });
    const fixed = [400, 'custom_field_type_fixed', 'customFields[0].type'];
    const retyped = { ...field, type: 'integer' };
    expect(faultOf(await put(type.id, { customFields: [retyped] }))).toEqual(fixed);
    await put(type.id, { customFields: [{ ...field, key: 'another' }] });
    expect(faultOf(await put(type.id, { customFields: [retyped] }))).toEqual(fixed);
    const { body } = await put(type.id);
    expect(JSON.stringify(body)).not.toContain('model');
    expect(faultOf(await put(type.id, { customFields: [retyped] }))).toEqual(fixed);
    expect(faultOf(await put(type.id, { customFields: [{ ...retyped, key: 'another' }] }))).toEqual(fixed);
    expect((await put(type.id, { customFields: [{ ...field, label: 'Anew' }] })).status).toBe(200);
    expect((await put(type.id, { customFields: [retyped] })).body.error).toBe('custom_field_type_fixed');
    expect(JSON.stringify([await eventsOf(type), await admin.ok(listTicketTypes)])).not.toContain(
      'formerFields',
    );
    // Another ticket type can define the same key with another type.
    expect((await made({ customFields: [retyped] })).customFields).toMatchObject([{ type: 'integer' }]);
  });
});
