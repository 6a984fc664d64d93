import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import workQueueSweep from '../../events/schedules/work-queue-sweep.ts';
import listApplicationNotes from '../../functions/applications/list-application-notes.ts';
import submitToPartner from '../../functions/applications/submit-to-partner.ts';
import syncWithPartner from '../../functions/applications/sync-with-partner.ts';
import createTicketTypeMapping from '../../functions/integrations/create-ticket-type-mapping.ts';
import listMids from '../../functions/merchants/list-mids.ts';
import createTicketType from '../../functions/ticket-types/create-ticket-type.ts';
import createTicketComment from '../../functions/tickets/create-ticket-comment.ts';
import listTickets from '../../functions/tickets/list-tickets.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { amount } from '../harness/heavy.ts';
import { killAt } from '../harness/kill.ts';
import { eventsAbout } from '../harness/raw-table.ts';
import { runSchedule } from '../harness/run-schedule.ts';
import { watchWire } from '../harness/wire.ts';
import { approved, type Connected, closeUnanswered, connected, partnerStateOf } from './world.ts';

// Hides the metric that every sweep logs.
beforeEach(() => void vi.spyOn(process.stdout, 'write').mockImplementation(() => true));
afterEach(() => {
  vi.restoreAllMocks();
  clock.reset();
});

const supportCategory = 7;

/** A partner that boards an application and sends a support request, and an application that was not submitted yet. */
async function prepared() {
  const world = await connected({ supportCategory });
  const { admin } = world.owner;
  const { uniqueId: serviceTicketTypeId } = await admin.ok(createTicketType, {
    body: { name: 'Partner request', description: 'Sent by the partner', category: 'technical' },
  });
  await admin.ok(createTicketTypeMapping, {
    body: { partnerCategoryId: supportCategory, serviceTicketTypeId },
  });
  return { world, params: await approved(world.owner), secondMid: `second-${clock.now().getTime()}` };
}
type Prepared = Awaited<ReturnType<typeof prepared>>;

const once = (name: string) => ({ 'idempotency-key': name });

const ticketsOf = async ({ owner }: Connected) => (await owner.admin.ok(listTickets)).data;

/**
 * Submits and boards the application, comments on the partner's ticket, and reads a change of the status about which no
 * event was sent. Repeats the requests of an interrupted run with the same Idempotency-Keys.
 */
async function journey({ world, params, secondMid }: Prepared, isCurrent: () => boolean): Promise<void> {
  const { owner, partner } = world;
  const settled = async () => {
    await drain();
    await partner.walked();
    // If the function that receives events was killed, the next run processes the queues.
    if (isCurrent()) await drain();
    return isCurrent();
  };
  await owner.admin.ok(submitToPartner, { params, headers: once('submission') });
  if (!(await settled())) return;
  const received = partner.applications.get(params.applicationId);
  if (received?.mids?.length === 1) {
    received.mids.push(secondMid);
    partner.statusEvent(received, 'boarded');
  }
  const [ticket] = await ticketsOf(world);
  if (ticket)
    await owner.admin.ok(createTicketComment, {
      ...{ params: { ticketId: ticket.uniqueId }, headers: once('comment') },
      body: { body: 'It was shipped today.' },
    });
  // Without the partner's id of the application, the status cannot be read yet.
  await owner.admin.call(syncWithPartner, { params, headers: once('sync') });
  await settled();
}

/** Expects that each effect of the journey happened exactly once. */
async function expectOnce({ world, params, secondMid }: Prepared, message: string): Promise<void> {
  const { owner, partner } = world;
  const received = partner.applications.get(params.applicationId);
  expect(partner.applications.size, message).toBe(1);
  expect(partner.faults, message).toEqual([]);
  expect(await partnerStateOf(owner, params), message).toMatchObject({
    ...{ state: 'sent', submission: 1, partnerId: received?.id, documents: 'received' },
    ...{ status: 'boarded', sequence: 5, mids: received?.mids },
  });
  const merchantId = Number(received?.body.merchantId);
  const { data: mids } = await owner.admin.ok(listMids, { params: { merchantId } });
  expect(mids.map(({ mid }) => mid).sort(), message).toEqual([...(received?.mids ?? [])].sort());
  expect(received?.mids, message).toContain(secondMid);

  const events = await eventsAbout(owner.accountId, params.applicationId);
  const count = (kind: string) => events.filter((event) => event.kind === kind).length;
  expect(
    [
      count('application_sent_to_partner'),
      count('partner_documents_transferred'),
      count('partner_note_received'),
      count('partner_status_synced'),
    ],
    message,
  ).toEqual([1, 1, 1, 1]);
  // A status that is applied after a later status is ignored.
  const sequences = events.flatMap(({ kind, data }) =>
    kind === 'partner_status_updated' ? [(data as { sequence: number }).sequence] : [],
  );
  expect(sequences, message).toEqual([...new Set(sequences)].sort());
  const { data: notes } = await owner.admin.ok(listApplicationNotes, { params });
  expect(notes, message).toHaveLength(1);

  const ofAccount = (await eventsAbout(owner.accountId, owner.accountId)).map(({ kind }) => kind);
  // The documents, four statuses, the note, and the support request.
  expect(
    ofAccount.filter((kind) => kind === 'partner_webhook_received'),
    message,
  ).toHaveLength(7);
  expect(ofAccount, message).not.toContain('partner_integration_error');
  const tickets = await ticketsOf(world);
  expect(tickets, message).toMatchObject([{ source: 'api', responseCount: 1 }]);
  const ofTicket = (await eventsAbout(owner.accountId, Number(tickets[0]?.id))).map(({ kind }) => kind);
  expect(
    ofTicket.filter((kind) => kind === 'ticket_created'),
    message,
  ).toHaveLength(1);
  expect(
    ofTicket.filter((kind) => kind === 'ticket_comment_added'),
    message,
  ).toHaveLength(1);
  expect(partner.comments, message).toMatchObject([{ body: 'It was shipped today.' }]);
}

/** The functions whose calls are killed, and the n of an everyday run, which kills every n-th call. */
const functions = [
  ['events-partner', 80],
  ['POST /integrations/partner/{accountId}/events', 40],
  ['POST /applications/{applicationId}/partner-submission', 6],
  ['POST /applications/{applicationId}/partner-sync', 6],
  ['POST /tickets/{ticketId}/comments', 4],
] as const;

let counted: Promise<ReadonlyMap<string, number>> | undefined;

/** Returns the number of calls of each function in a run without kills. Each effect must happen once. */
function callsWithoutKills(): Promise<ReadonlyMap<string, number>> {
  counted ??= countCalls();
  return counted;
}

async function countCalls(): Promise<ReadonlyMap<string, number>> {
  const start = await prepared();
  const calls = new Map<string, number>();
  const stop = watchWire({
    before({ invocation }) {
      const name = invocation?.functionName ?? '';
      calls.set(name, (calls.get(name) ?? 0) + 1);
      return undefined;
    },
  });
  await journey(start, () => true);
  stop();
  await expectOnce(start, 'not killed');
  return calls;
}

describe.each(functions)('if %s is killed', (functionName, everyday) => {
  const step = amount('KILL_STEP', everyday);
  test.each(['before', 'after'] as const)(
    '%s a call takes effect, no request, event, status, ticket or comment is lost or repeated',
    async (when) => {
      const calls = Number((await callsWithoutKills()).get(functionName));
      let kills = 0;
      // The two moments cover different calls if only every n-th call is killed.
      const first = when === 'before' ? 1 : 1 + Math.floor(step / 2);
      for (let n = first; n <= calls; n += step) {
        const start = await prepared();
        let run = 0;
        const next = () => {
          run += 1;
          const mine = run;
          return journey(start, () => mine === run);
        };
        if (await killAt(n, when, next, functionName)) kills += 1;
        closeUnanswered();
        for (let minutes = 0; minutes < 6; minutes += 2) {
          clock.advance(120_000);
          await runSchedule(workQueueSweep, clock.now());
          await next();
        }
        await expectOnce(start, `killed at call ${n}`);
        clock.reset();
      }
      expect(kills).toBeGreaterThan(0);
    },
    900_000,
  );
});
