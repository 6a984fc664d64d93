import { beforeAll, describe, expect, test } from 'vitest';
import completeTicketDocument from '../../functions/tickets/complete-ticket-document.ts';
import createTicketDocument from '../../functions/tickets/create-ticket-document.ts';
import deleteTicketDocument from '../../functions/tickets/delete-ticket-document.ts';
import linkTicketDocument from '../../functions/tickets/link-ticket-document.ts';
import listTicketDocuments from '../../functions/tickets/list-ticket-documents.ts';
import readTicket from '../../functions/tickets/read-ticket.ts';
import updateTicketDocument from '../../functions/tickets/update-ticket-document.ts';
import { describedScan, putFile } from '../../infra/administration/upload-file.ts';
import { clock } from '../harness/clock.ts';
import { storedEvents } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';
import { withFile } from '../routes/uploaded-document.ts';
import { newTicketOf } from './new-tickets.ts';

const acme = await tenant();
const { admin } = acme;
let ticket: Awaited<ReturnType<typeof newTicketOf>>;
beforeAll(async () => {
  ticket = await newTicketOf(admin);
});
const body = { ...describedScan, type: 'photo' };
const of = (documentId: string) => ({
  params: { ticketId: String(ticket.id), documentId: Number(documentId) },
});
const read = () => admin.ok(readTicket, { params: { ticketId: ticket.uniqueId } });
/** Creates and completes a document. */
async function attached() {
  const made = await admin.ok(createTicketDocument, { params: { ticketId: ticket.uniqueId }, body });
  await withFile(completeTicketDocument)(acme, of(made.id).params, made);
  return made;
}
const eventsSince = async (start: number) =>
  (await storedEvents(acme.accountId)).slice(start).map(({ kind, subject }) => [kind, subject]);

describe('the documents of a ticket', () => {
  test('any ticket reference can be used to create, upload, list, read, review and delete a document', async () => {
    const before = (await storedEvents(acme.accountId)).length;
    const named = [String(ticket.id), ticket.uniqueId, ticket.ticketNumber];
    const [byId = '', byUniqueId = '', byNumber = ''] = named;
    const made = await admin.ok(createTicketDocument, { params: { ticketId: byNumber }, body });
    expect(made).toMatchObject({ ticketId: ticket.id, type: 'photo', status: 'pending' });
    expect((await read()).attachmentCount).toBe(0);
    await putFile(made);
    const documentId = Number(made.id);
    const document = await admin.ok(completeTicketDocument, { params: { ticketId: byUniqueId, documentId } });
    expect(document.url).toBe(`/tickets/${ticket.id}/documents/${made.id}/link`);
    expect(await read()).toMatchObject({ attachmentCount: 1, version: 2 });
    // A second completion does not increase the count again.
    await admin.ok(completeTicketDocument, { params: { ticketId: byId, documentId } });
    expect(await read()).toMatchObject({ attachmentCount: 1, version: 2 });

    for (const ticketId of named) {
      const listed = await admin.ok(listTicketDocuments, { params: { ticketId } });
      expect([listed.totalCount, listed.data]).toEqual([1, [document]]);
      const { url } = await admin.ok(linkTicketDocument, { params: { ticketId, documentId } });
      expect(await (await fetch(url)).text()).toContain('%PDF-1.7');
    }

    const review = (change: object) =>
      admin.ok(updateTicketDocument, { params: { ticketId: byNumber, documentId }, body: change });
    await review({ type: 'receipt' });
    expect(await read()).toMatchObject({ attachmentCount: 1, version: 2 });
    await review({ status: 'rejected', reason: 'Nothing can be seen.' });
    expect(await read()).toMatchObject({ attachmentCount: 0, version: 3 });
    await review({ status: 'approved' });
    expect(await read()).toMatchObject({ attachmentCount: 1, version: 4 });
    await admin.ok(deleteTicketDocument, { params: { ticketId: byNumber, documentId } });
    expect(await read()).toMatchObject({ attachmentCount: 0, version: 5 });

    const subject = expect.objectContaining({
      type: 'document',
      id: Number(documentId),
      label: body.name,
      parent: { type: 'ticket', id: ticket.id },
    });
    expect(await eventsSince(before)).toEqual([
      ['file_upload_url_requested', subject],
      ['file_uploaded', subject],
      ...Array.from({ length: 3 }, () => ['file_requested', subject]),
      ...Array.from({ length: 3 }, () => ['file_meta_data_updated', subject]),
      ['file_deleted', subject],
    ]);
  });

  test('the documents of an unknown ticket are not found by any reference', async () => {
    for (const ticketId of ['7', 'TKT-999999', 'nothing']) {
      const params = { ticketId };
      expect((await admin.call(createTicketDocument, { params, body })).status, ticketId).toBe(404);
      for (const query of [{}, { sort: 'name' }, { page: 101, pageSize: 100 }])
        expect((await admin.call(listTicketDocuments, { params, query })).status).toBe(404);
      const one = { params: { ...params, documentId: 7 } };
      expect((await admin.call(linkTicketDocument, one)).status, ticketId).toBe(404);
    }
  });

  test('concurrently completed files are all counted, even on a closed ticket', async () => {
    ticket = await newTicketOf(admin, { status: 'closed' });
    await Promise.all(Array.from({ length: 4 }, attached));
    expect(await read()).toMatchObject({ attachmentCount: 4, status: 'closed' });
  });

  test('completing a file announces a breach of a target that has passed', async () => {
    ticket = await newTicketOf(admin, { priority: 'urgent' });
    const made = await admin.ok(createTicketDocument, { params: { ticketId: ticket.uniqueId }, body });
    await putFile(made);
    clock.advance(20 * 60_000);
    const before = (await storedEvents(acme.accountId)).length;
    await admin.ok(completeTicketDocument, of(made.id));
    const events = (await storedEvents(acme.accountId)).slice(before);
    expect(events.map(({ kind }) => kind)).toEqual(['file_uploaded', 'ticket_updated']);
    expect(events[1]?.data).toEqual({
      change: 'sla_breached',
      target: 'firstResponse',
      breachedAt: ticket.slaFirstResponseDue,
    });
  });
});
