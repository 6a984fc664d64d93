import { commit } from '../../events/outbox.ts';
import { systemEvent } from '../../events/system-event.ts';
import type { AccountId } from '../../id/account-id.ts';
import { isActiveMember } from '../../people/users/rules.ts';
import { memberships } from '../../people/users/store.ts';
import { unassigned } from '../../people/users/unassigned.ts';
import { leadsAssignedTo } from '../../sales/leads/list-leads.ts';
import { openStatuses } from '../../sla/schema.ts';
import { backoff } from '../../table/backoff.ts';
import type { ListSource } from '../../table/list-source.ts';
import { VersionConflict } from '../../table/transact.ts';
import { viewOf } from '../../table/views.ts';
import type { Job } from '../../work-queue/jobs.ts';
import type { AttemptRun } from '../../work-queue/work-handler.ts';
import { countOpenTickets } from '../tickets/recompute-clocks.ts';
import { tickets } from '../tickets/store.ts';
import { countLeads } from './assigned-records.ts';
import { leadChanger } from './reassign-lead.ts';
import { ticketChanger } from './reassign-ticket.ts';
import type { ReassignmentRun, RecordChanger } from './record-changer.ts';
import type { ReassignmentContent } from './schema.ts';
import { byRotation } from './start-reassignment.ts';

/** Records are changed in parallel lanes. Each lane updates two of the 16 shards of the totals. */
const lanes = 8;
const pageSize = 5 * lanes;
/** A step ends after this many milliseconds, or this many milliseconds before its deadline. */
const stepTime = 8_000;
const margin = 5_000;
/** The lists are read at most this often. The wait before another pass, in milliseconds. */
const mostPasses = 4;
const passDelay = 5_000;

/**
 * Runs one step of a reassignment. Each record is changed in its own transaction, with its events, in the name of the
 * caller who requested the reassignment. A repeated step finds only the records that still have the old assignee. If
 * records remain after the last list, for example because an index was not up to date, the lists are read again.
 */
export const reassignRecords: Job<ReassignmentContent> = async ({ content }, { account }, run) => {
  const stopped = await reasonToStop(account, content);
  if (stopped) return stopped;
  const until = Math.min(Date.now() + stepTime, run.deadline - margin);
  const changers = changersOf({ account, content, now: run.now });
  let { place, before } = content;
  for (;;) {
    const list = listAt(account, content.from, place);
    if (!list) return passEnd(account, content, run.now);
    const { items, next } = await list.newest({ limit: pageSize, before });
    const changer = place === 0 ? changers.lead : changers.ticket;
    await changeAll(items, changer, { account, content, run });
    [place, before] = next === undefined ? [place + 1, ''] : [place, next];
    if (Date.now() >= until || run.signal.aborted)
      return { content: { ...content, place, before }, again: run.now };
  }
};

const changersOf = (run: ReassignmentRun) => ({ lead: leadChanger(run), ticket: ticketChanger(run) });

/** The job ends if the old assignee is active again, or if the new assignee is no longer active. */
async function reasonToStop(account: AccountId, { from, to }: ReassignmentContent) {
  const isActive = async (userId: string) => {
    const member = await memberships.find(account, Number(userId));
    return member !== undefined && isActiveMember(member);
  };
  if (await isActive(from)) return { status: 'cancelled' as const };
  if (to === byRotation || to === unassigned || (await isActive(to))) return undefined;
  return { status: 'failed' as const, ownFault: true as const, attempt: { error: 'user_unknown' } };
}

/** Returns the list at a place: the leads of a user, or the user's tickets in an open status. */
function listAt(account: AccountId, from: string, place: number): ListSource<{ id: number }> | undefined {
  if (place === 0) return leadsAssignedTo(account, [from]);
  const status = openStatuses[place - 1];
  if (status === undefined) return undefined;
  return viewOf<{ id: number }>(tickets, account, 'holder', [[from, status]], async () => 0);
}

async function passEnd(account: AccountId, content: ReassignmentContent, now: Date) {
  const { from, pass } = content;
  const [leads, openTickets] = await Promise.all([
    countLeads(account, from),
    countOpenTickets(account, from),
  ]);
  if (leads + openTickets === 0) return { status: 'delivered' as const };
  if (pass >= mostPasses)
    return { status: 'failed' as const, ownFault: true as const, attempt: { error: 'incomplete' } };
  const again = new Date(now.getTime() + passDelay);
  return { content: { ...content, place: 0, before: '', pass: pass + 1 }, again };
}

interface Lane extends Pick<ReassignmentRun, 'account' | 'content'> {
  run: AttemptRun;
}

/** Changes the records in parallel lanes. A record that cannot be changed is logged. The next pass tries it again. */
async function changeAll(
  items: readonly { id: number }[],
  changer: RecordChanger,
  lane: Lane,
): Promise<void> {
  await Promise.all(
    Array.from({ length: lanes }, async (_, number) => {
      for (const { id } of items.filter((__, n) => n % lanes === number)) {
        if (lane.run.signal.aborted) return;
        await changeOne(id, changer, [number, number + lanes], lane).catch((error: unknown) =>
          console.error(`Could not reassign record ${id} of account ${lane.account}:`, error),
        );
      }
    }),
  );
}

async function changeOne(
  id: number,
  changer: RecordChanger,
  shards: readonly number[],
  { account, content, run }: Lane,
): Promise<void> {
  for (let attempts = 0; ; await backoff(attempts)) {
    const change = await changer.decide(id);
    if (!change) return;
    const { now, deadline } = run;
    const events = change.events.map((draft) =>
      systemEvent(draft, { account, now, schedule: 'reassignment', actor: content.actor }),
    );
    try {
      return await commit({ writes: change.writes, events, deadline, attempts, shards });
    } catch (error) {
      if (!(error instanceof VersionConflict) || Date.now() >= deadline) throw error;
      attempts = error.attempts;
    }
  }
}
