import { describe, expect, test } from 'vitest';
import createTicketComment from '../../functions/tickets/create-ticket-comment.ts';
import deleteTicket from '../../functions/tickets/delete-ticket.ts';
import listTicketComments from '../../functions/tickets/list-ticket-comments.ts';
import readTicket from '../../functions/tickets/read-ticket.ts';
import updateTicket from '../../functions/tickets/update-ticket.ts';
import updateUser from '../../functions/users/update-user.ts';
import { mintId } from '../../shared/id/mint.ts';
import type { TicketCommentInput } from '../../shared/support/ticket-comments/schema.ts';
import { clockEntries } from '../../shared/support/tickets/clock-entries.ts';
import { tickets } from '../../shared/support/tickets/store.ts';
import { putAll } from '../../shared/table/batch-write.ts';
import { childKey } from '../../shared/table/keys.ts';
import { measure } from '../costs/meter.ts';
import { clock } from '../harness/clock.ts';
import { member, provesAgain } from '../harness/member.ts';
import { eventsAbout } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';
import { newTicketOf, ticketInput } from './new-tickets.ts';

const acme = await tenant();
const { admin, accountId: account } = acme;
const minute = 60_000;
/** A member who may not read internal comments. */
const staff = await member(acme, ['readTickets', 'writeTickets']);

const create = (fields: Parameters<typeof newTicketOf>[1] = {}) => newTicketOf(admin, fields);
const at = ({ id }: { id: number | string }) => ({ params: { ticketId: String(id) } });
const read = (ticket: { id: number }) => admin.ok(readTicket, at(ticket));
const comment = (ticket: { id: number }, body: Partial<TicketCommentInput> = {}) =>
  admin.ok(createTicketComment, { ...at(ticket), body: { body: 'A new one is on its way.', ...body } });
const refused = async (ticket: { id: number | string }, body: object) => {
  const sent = { ...at(ticket), rawBody: JSON.stringify(body) };
  const response = await admin.call(createTicketComment, sent);
  const { details, error } = response.body;
  return `${response.status} ${details?.[0]?.field ?? error}`;
};
/** The events of a ticket except its creation, in order. */
const eventsOf = async ({ id }: { id: number }) =>
  (await eventsAbout(account, id))
    .filter(({ kind }) => kind !== 'ticket_created')
    .map(({ kind, data }) => [kind, data]);
const ledgerOf = async ({ id }: { id: number }) =>
  (await clockEntries.of({ id, accountId: account })).map(({ kind, status }) =>
    status === undefined ? kind : `${kind} ${status}`,
  );

describe('POST /tickets/{ticketId}/comments', () => {
  test('by default, a comment is public and its author is the caller, and the author of a customer comment is the requester', async () => {
    const ticket = await create();
    const own = await comment(ticket, { body: 'Have you tried another roll?' });
    expect(own).toEqual({
      ...{ id: own.id, accountId: account, version: 1, ticketId: ticket.id },
      ...{ createdAt: own.createdAt, createdBy: acme.adminEmail, updatedAt: own.createdAt },
      ...{ body: 'Have you tried another roll?', visibility: 'public' },
      ...{ authorType: 'staff', author: acme.adminEmail },
    });
    const theirs = await comment(ticket, { authorType: 'customer' });
    expect([theirs.author, theirs.createdBy]).toEqual([ticketInput.requesterEmail, acme.adminEmail]);
    expect(await comment(ticket, { authorType: 'customer', author: 'Ada’s husband' })).toMatchObject({
      author: 'Ada’s husband',
    });
    expect(await read(ticket)).toMatchObject({
      responseCount: 1,
      internalNoteCount: 0,
      lastResponseAt: own.createdAt,
      status: 'open',
      version: 4,
    });
  });

  test('an invalid comment reports its field, and a comment on an unknown ticket returns 404', async () => {
    const ticket = await create();
    for (const [body, wrong] of [
      [{}, '400 body'],
      [{ body: '' }, '400 body'],
      [{ body: 'x'.repeat(10_001) }, '400 body'],
      [{ body: 'x', visibility: 'secret' }, '400 visibility'],
      [{ body: 'x', authorType: 'robot' }, '400 authorType'],
      [{ body: 'x', author: 'somebody@else.test' }, '400 author'],
      [{ body: 'x', status: 'asleep' }, '400 status'],
      [{ body: 'x', authorType: 'customer', visibility: 'internal' }, '400 visibility'],
    ] as const)
      expect(await refused(ticket, body), JSON.stringify(body).slice(0, 60)).toBe(wrong);
    expect(await refused({ id: 7 }, { body: 'x' })).toBe('404 not_found');
    expect(await eventsOf(ticket)).toEqual([]);
    await admin.ok(deleteTicket, at(ticket));
    expect(await refused(ticket, { body: 'x' })).toBe('404 not_found');
  });

  test('a reply that changes the status is a first response', async () => {
    const ticket = await create({ priority: 'urgent' });
    clock.advance(3 * minute);
    const { id: commentId } = await comment(ticket, { status: 'resolved' });
    expect(await read(ticket)).toMatchObject({
      status: 'resolved',
      firstResponseTime: 3,
      slaFirstResponseMet: true,
      resolutionTime: 3,
      slaResolutionMet: true,
      responseCount: 1,
      version: 2,
    });
    expect(await ledgerOf(ticket)).toEqual(['created open', 'response', 'status resolved']);
    expect(await eventsOf(ticket)).toEqual([
      ['ticket_comment_added', { commentId, visibility: 'public', authorType: 'staff' }],
      ['ticket_updated', { changes: { status: { from: 'open', to: 'resolved' } } }],
      ['ticket_status_changed', { from: 'open', to: 'resolved' }],
    ]);

    // The response is recorded before the status changes, because the response time cannot be measured on a
    // paused clock.
    const waiting = await create({ priority: 'urgent' });
    clock.advance(2 * minute);
    await comment(waiting, { status: 'waiting_customer' });
    clock.advance(60 * minute);
    expect(await read(waiting)).toMatchObject({
      firstResponseTime: 2,
      slaFirstResponseMet: true,
      slaStatus: 'paused',
    });
    expect(await ledgerOf(waiting)).toEqual(['created open', 'response', 'status waiting_customer']);
  });

  test('an internal comment does not count as a response', async () => {
    const ticket = await create({ priority: 'urgent' });
    clock.advance(minute);
    const { id: commentId } = await comment(ticket, { visibility: 'internal' });
    const noted = await read(ticket);
    expect(noted).toMatchObject({ responseCount: 0, internalNoteCount: 1, version: 2 });
    for (const field of [
      'firstResponseTime',
      'slaFirstResponseMet',
      'lastResponseAt',
      'lastCustomerResponseAt',
    ])
      expect(noted).not.toHaveProperty(field);
    expect(await ledgerOf(ticket)).toEqual(['created open']);
    expect(await eventsOf(ticket)).toEqual([
      ['ticket_comment_added', { commentId, visibility: 'internal', authorType: 'staff' }],
    ]);

    // The target is still missed, and the next comment announces the breach.
    clock.advance(20 * minute);
    await comment(ticket, { visibility: 'internal' });
    const breachedAt = noted.slaFirstResponseDue;
    expect((await eventsOf(ticket)).slice(2)).toEqual([
      ['ticket_updated', { change: 'sla_breached', target: 'firstResponse', breachedAt }],
    ]);
    expect(await read(ticket)).toMatchObject({ slaStatus: 'breached', slaFirstResponseMet: false });
  });

  test('a customer’s reply reopens a ticket like a PATCH', async () => {
    const changesOf = async (id: number) =>
      (await eventsOf({ id })).filter(([kind]) => kind !== 'ticket_comment_added');
    const figures = ({
      id: _id,
      uniqueId: _uniqueId,
      ticketNumber: _number,
      createdAt: _createdAt,
      updatedAt: _updatedAt,
      slaFirstResponseDue: _due,
      slaResolutionDue: _resolutionDue,
      lastCustomerResponseAt: _at,
      ...same
    }: Awaited<ReturnType<typeof read>>) => same;
    for (const status of ['waiting_customer', 'resolved', 'closed'] as const) {
      const [patched, replied] = [await create(), await create()];
      clock.advance(5 * minute);
      for (const ticket of [patched, replied])
        await admin.ok(updateTicket, { ...at(ticket), body: { status } });
      clock.advance(7 * minute);
      await admin.ok(updateTicket, { ...at(patched), body: { status: 'open' } });
      await comment(replied, { authorType: 'customer' });
      expect(await changesOf(replied.id), status).toEqual(await changesOf(patched.id));
      const after = await read(replied);
      expect(figures(after), status).toEqual(figures(await read(patched)));
      expect(after).toMatchObject({ status: 'open', reopenCount: status === 'waiting_customer' ? 0 : 1 });
      expect(after.lastCustomerResponseAt).toBe(after.updatedAt);
    }
    const busy = await create({ status: 'in_progress' });
    await comment(busy, { authorType: 'customer' });
    expect(await read(busy)).toMatchObject({ status: 'in_progress' });
  });

  test('a customer’s reply reopens a ticket and removes an inactive assignee', async () => {
    const { user } = await member(acme);
    const ticket = await create({ assignedTo: user.email, status: 'resolved' });
    await provesAgain(admin);
    await admin.ok(updateUser, { params: { email: user.email }, body: { active: false } });
    await comment(ticket, { authorType: 'customer' });
    expect(await read(ticket)).not.toHaveProperty('assignedTo');
    expect((await eventsOf(ticket)).map(([kind]) => kind)).toEqual([
      'ticket_comment_added',
      'ticket_updated',
      'ticket_assigned',
      'ticket_status_changed',
    ]);
  });

  test('a status sent with a customer’s reply overrides the status open', async () => {
    const ticket = await create({ status: 'resolved' });
    await comment(ticket, { authorType: 'customer', status: 'closed' });
    expect(await read(ticket)).toMatchObject({ status: 'closed', reopenCount: 0 });
  });

  test('comments and a PATCH that are sent concurrently are all applied, and every comment is counted', async () => {
    const ticket = await create();
    await Promise.all([
      ...Array.from({ length: 4 }, () => comment(ticket)),
      ...Array.from({ length: 3 }, () => comment(ticket, { visibility: 'internal' })),
      ...Array.from({ length: 2 }, () => comment(ticket, { authorType: 'customer' })),
      admin.ok(updateTicket, { ...at(ticket), body: { priority: 'high' } }),
    ]);
    expect(await read(ticket)).toMatchObject({
      responseCount: 4,
      internalNoteCount: 3,
      priority: 'high',
      version: 11,
    });
    const { data, totalCount } = await admin.ok(listTicketComments, at(ticket));
    expect([totalCount, new Set(data.map(({ id }) => id)).size]).toEqual([9, 9]);
  });
});

describe('GET /tickets/{ticketId}/comments', () => {
  test('comments are listed newest first, with totals from the ticket', async () => {
    const ticket = await create();
    const made = [];
    for (let n = 0; n < 5; n++)
      made.unshift(await comment(ticket, { visibility: n % 2 ? 'internal' : 'public' }));
    const page = await admin.ok(listTicketComments, { ...at(ticket), query: { pageSize: 2 } });
    expect(page).toEqual({ data: made.slice(0, 2), totalCount: 5, totalPages: 3, currentPage: 1 });
    expect(await admin.ok(listTicketComments, { params: { ticketId: ticket.ticketNumber } })).toMatchObject({
      data: made,
    });
  });

  test('without readInternalComments, pages, totals, filters and search contain public comments only', async () => {
    const ticket = await create();
    const open = [];
    for (const body of ['one', 'two', 'three']) {
      open.unshift(await comment(ticket, { body }));
      for (let n = 0; n < 2; n++) await comment(ticket, { body: `secret ${body}`, visibility: 'internal' });
    }
    const list = (query: object) => staff.client.ok(listTicketComments, { ...at(ticket), query });
    expect(await list({ pageSize: 2 })).toEqual({
      data: open.slice(0, 2),
      totalCount: 3,
      totalPages: 2,
      currentPage: 1,
    });
    expect(await list({ pageSize: 2, page: 2 })).toMatchObject({ data: open.slice(2), totalCount: 3 });
    expect(await list({ search: 'secret' })).toMatchObject({ data: [], totalCount: 0 });
    expect(await list({ visibility: 'internal' })).toMatchObject({ data: [], totalCount: 0 });
    expect(await list({ sort: 'createdAt' })).toMatchObject({ data: [...open].reverse(), totalCount: 3 });
    const all = await admin.ok(listTicketComments, { ...at(ticket), query: { search: 'secret' } });
    expect(all.totalCount).toBe(6);
  });

  test('a page of public comments reads no internal comments, however many and large they are', async () => {
    const ticket = await create();
    const { id } = await comment(ticket);
    const now = clock.now();
    const of = { account, parent: 'TICKET', parentId: ticket.id, kind: 'INTERNALCOMMENT' } as const;
    const stamps = { accountId: account, ticketId: ticket.id, version: 1, createdAt: now.toISOString() };
    await putAll(
      Array.from({ length: 120 }, () => {
        // Each character takes six bytes of JSON, so that 100 comments exceed the limit of a response.
        const one = { id: mintId(now), ...stamps, updatedAt: stamps.createdAt, body: '\u0001'.repeat(9000) };
        const fields = { visibility: 'internal', authorType: 'staff', author: acme.adminEmail };
        return { ...childKey(of, one.id), type: 'ticket-comment', ...one, ...fields };
      }),
    );
    const query = { pageSize: 100, sort: 'author' };
    const { result, read: units } = await measure(() =>
      staff.client.ok(listTicketComments, { ...at(ticket), query }),
    );
    expect(result.data.map((one) => one.id)).toEqual([id]);
    expect(units).toBeLessThan(20);
    // The same page is too large for a caller that may read the internal comments.
    const plain = { ...at(ticket), query: { pageSize: 100 } };
    const tooLarge = await admin.call(listTicketComments, plain);
    expect([tooLarge.status, tooLarge.body.error]).toEqual([400, 'page_too_large']);
    expect((await staff.client.ok(listTicketComments, plain)).data.map((one) => one.id)).toEqual([id]);
  });

  test('a ticket shows the number of internal comments only to callers that may read them', async () => {
    const ticket = await create();
    const by = { ...at(ticket), body: { body: 'Among us', visibility: 'internal' } as const };
    // Writing an internal comment does not need the permission to read internal comments.
    expect(await staff.client.ok(createTicketComment, by)).toMatchObject({ body: 'Among us' });
    expect(await staff.client.ok(readTicket, at(ticket))).not.toHaveProperty('internalNoteCount');
    const changed = await staff.client.ok(updateTicket, { ...at(ticket), body: { priority: 'low' } });
    expect(changed).not.toHaveProperty('internalNoteCount');
    expect((await read(ticket)).internalNoteCount).toBe(1);
    expect((await tickets.get(account, ticket.id)).commentCount).toBe(1);
  });
});
