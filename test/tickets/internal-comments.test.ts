import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import createApiKey from '../../functions/apikeys/create-api-key.ts';
import setApiKeyPermissions from '../../functions/apikeys/set-api-key-permissions.ts';
import createTicketComment from '../../functions/tickets/create-ticket-comment.ts';
import deleteTicket from '../../functions/tickets/delete-ticket.ts';
import listTicketComments from '../../functions/tickets/list-ticket-comments.ts';
import updateTicket from '../../functions/tickets/update-ticket.ts';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { allPermissions } from '../../shared/resources/derived.ts';
import { logged } from '../harness/call.ts';
import { drain, wholeStream } from '../harness/drain.ts';
import { storedEvents } from '../harness/raw-table.ts';
import { client, signIn, tenant } from '../harness/tenant.ts';
import { watchWire } from '../harness/wire.ts';
import { newTicketOf } from './new-tickets.ts';

test('a key without readInternalComments cannot find the text of an internal comment in any list, count, event or queue', async () => {
  const acme = await tenant();
  const { admin, accountId } = acme;
  const canary = `canary-${randomUUID()}`;
  const queued: unknown[] = [];
  const stop = watchWire({
    done: ({ service, input, output }) => service === 'sqs' && queued.push(input, output),
  });
  const ticket = await newTicketOf(admin);
  const of = { params: { ticketId: ticket.uniqueId } };
  await admin.ok(createTicketComment, { ...of, body: { body: 'In public' } });
  for (const status of ['in_progress', 'resolved'] as const)
    await admin.ok(createTicketComment, { ...of, body: { body: canary, visibility: 'internal', status } });
  await admin.ok(createTicketComment, { ...of, body: { body: 'It is back', authorType: 'customer' } });

  const { id, apiKey, apiSecret } = await admin.ok(createApiKey, { body: { description: 'All but one' } });
  const flatPermissionsList = allPermissions.filter((name) => name !== 'readInternalComments');
  await admin.ok(setApiKeyPermissions, { params: { id }, body: { flatPermissionsList } });
  const key = client({ 'x-account-id': accountId, authorization: await signIn({ apiKey, apiSecret }) });

  // Every endpoint that reads tickets, their events or their children.
  const reading = (await loadEndpoints())
    .map(({ endpoint }) => endpoint)
    .filter(({ contract: { method, path } }) => method === 'GET' && /^\/(tickets|events)/.test(path))
    // Excludes the endpoints of a single document or event. A proof contains only digests, and only
    // administrators may read explanations.
    .filter(({ contract: { path } }) => !/\{(documentId|id)\}/.test(path));
  expect(reading.map(({ contract }) => contract.path)).toEqual(
    expect.arrayContaining(['/events', '/tickets/{ticketId}', '/tickets/{ticketId}/comments']),
  );
  const answers: Record<string, unknown> = {};
  for (const endpoint of reading) {
    const { path } = endpoint.contract;
    const answer = await key.call(endpoint, { ...(path.includes('{ticketId}') && of) });
    expect(answer.status, path).toBe(200);
    answers[path] = answer;
    const found = await key.call(endpoint, {
      ...(path.includes('{ticketId}') && of),
      query: { search: canary },
    });
    if (found.status === 200) expect(found.body, path).toMatchObject({ data: [], totalCount: 0 });
  }
  const { body: comments } = await key.call(listTicketComments, of);
  expect([comments.totalCount, comments.data.map(({ body }) => body)]).toEqual([
    2,
    ['It is back', 'In public'],
  ]);
  answers.patch = await key.call(updateTicket, { ...of, body: { tags: ['seen'] } });
  answers.delete = await key.call(deleteTicket, of);
  await drain();
  stop();

  const events = await storedEvents(accountId);
  expect(events.filter(({ kind }) => kind === 'ticket_comment_added')).toHaveLength(4);
  expect(queued.length).toBeGreaterThan(0);
  expect(logged.length).toBeGreaterThan(0);
  for (const [place, what] of Object.entries({ ...answers, events, queued, logged })) {
    expect(JSON.stringify(what), place).not.toContain(canary);
    expect(JSON.stringify(what), place).not.toContain('internalNoteCount');
  }
  // Checks that the search above would find the text: the stream of the table contains it.
  expect(JSON.stringify(await wholeStream())).toContain(canary);
});
