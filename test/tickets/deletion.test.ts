import { expect, test } from 'vitest';
import completeTicketDocument from '../../functions/tickets/complete-ticket-document.ts';
import createTicketComment from '../../functions/tickets/create-ticket-comment.ts';
import createTicketDocument from '../../functions/tickets/create-ticket-document.ts';
import deleteTicket from '../../functions/tickets/delete-ticket.ts';
import updateTicket from '../../functions/tickets/update-ticket.ts';
import { describedScan } from '../../infra/administration/upload-file.ts';
import { findObject } from '../../shared/documents/bucket.ts';
import { documentObject, incomingObject } from '../../shared/documents/object-keys.ts';
import { recordKey } from '../../shared/table/keys.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { scanTable } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';
import { withFile } from '../routes/uploaded-document.ts';
import { newTicketOf } from './new-tickets.ts';

test('deleting a ticket with comments, documents and a ledger leaves only its tombstone', async () => {
  const acme = await tenant();
  const { admin, accountId: account } = acme;
  const [ticket, other] = [await newTicketOf(admin), await newTicketOf(admin)];
  const documentIds: number[] = [];
  for (const { id } of [ticket, other]) {
    const of = { params: { ticketId: String(id) } };
    for (const visibility of ['public', 'internal'] as const)
      await admin.ok(createTicketComment, { ...of, body: { body: 'It was the paper.', visibility } });
    await admin.ok(updateTicket, { ...of, body: { status: 'resolved' } });
    const made = await admin.ok(createTicketDocument, { ...of, body: { ...describedScan, type: 'photo' } });
    const documentId = Number(made.id);
    await withFile(completeTicketDocument)(acme, { ...of.params, documentId }, made);
    documentIds.push(documentId);
  }
  const itemsOf = async ({ id }: { id: number }) => {
    const { pk } = recordKey(account, 'TICKET', id);
    return (await scanTable()).filter((item) => item.pk === pk || item.pk.startsWith(`${pk}#`));
  };
  const kept = async (parentId: number, documentId = 0) => {
    const place = { account, parent: 'ticket', parentId, documentId } as const;
    const timing = { now: clock.now(), deadline: Date.now() + 10_000 };
    const keys = [incomingObject(place), documentObject(place)];
    const found = await Promise.all(keys.map((key) => findObject(key, timing)));
    return found.filter((one) => one !== undefined).length;
  };
  await drain();
  const kinds = (await itemsOf(ticket)).map(({ pk, sk }) => pk.split('#')[4] ?? sk).sort();
  expect(kinds).toEqual([
    ...['CLOCK', 'CLOCK', 'CLOCK', 'COMMENT', 'DOCUMENT', 'INTERNALCOMMENT', 'RECORD'],
    ...['SEARCHENTRIES', 'SUMMARY', 'TOTALS'],
  ]);
  const neighbour = await itemsOf(other);
  expect(await kept(ticket.id, documentIds[0])).toBeGreaterThan(0);

  await admin.ok(deleteTicket, { params: { ticketId: String(ticket.id) } });
  await drain();
  expect(await itemsOf(ticket)).toEqual([
    { ...recordKey(account, 'TICKET', ticket.id), id: ticket.id, deletedAt: expect.any(String) },
  ]);
  const left = (await scanTable()).filter(
    ({ type, pk, ...rest }) => type !== 'event' && JSON.stringify([pk, rest]).includes(String(ticket.id)),
  );
  expect(left).toHaveLength(1);
  expect(await kept(ticket.id, documentIds[0])).toBe(0);
  expect(await itemsOf(other)).toEqual(neighbour);
  expect(await kept(other.id, documentIds[1])).toBeGreaterThan(0);
});
