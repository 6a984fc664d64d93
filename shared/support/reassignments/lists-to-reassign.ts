import type { AccountId } from '../../id/account-id.ts';
import { applications } from '../../sales/applications/store.ts';
import { leadsAssignedTo } from '../../sales/leads/list-leads.ts';
import { merchants } from '../../sales/merchants/store.ts';
import { openStatuses } from '../../sla/schema.ts';
import { inParallel } from '../../table/in-parallel.ts';
import type { RecordId } from '../../table/keys.ts';
import type { ListSource } from '../../table/list-source.ts';
import { listOfIndex } from '../../table/secondary-indexes.ts';
import { tickets } from '../tickets/store.ts';
import { readChanged, readOwned } from './owned-records.ts';
import { leadChanger } from './reassign-lead.ts';
import { applicationChanger, merchantChanger } from './reassign-owned.ts';
import { ticketChanger } from './reassign-ticket.ts';
import type { ReassignmentRun, RecordChanger } from './record-changer.ts';
import { type OwnedType, ownedTypes, type ReassignedType } from './schema.ts';

/** The events of this many milliseconds before the request are read, for changes that have not reached the search index. */
const mostIndexDelay = 15 * 60_000;
const eventsPerPage = 150;

/** A record to change. `decide` is as in `RecordChanger`. */
export interface RecordToChange {
  name: string;
  decide(): ReturnType<RecordChanger['decide']>;
}

/** Reads the page of a list that begins after a position. `next` is the position after the page. */
type ReadPage = (before: string) => Promise<{ changes: RecordToChange[]; next?: string }>;

/**
 * Returns the lists of the records to change: leads, the tickets of each open status, applications, merchants, and the
 * applications and merchants in the events since 15 minutes before the request. Applications come after leads, and merchants
 * after applications, because a rotation gives them the same users.
 */
export function listsToReassign(
  run: ReassignmentRun,
  { createdAt, pageSize }: { createdAt: string; pageSize: number },
): ReadPage[] {
  const { account, content } = run;
  const { from, types = [] } = content;
  const inView =
    (type: 'lead' | 'ticket', changer: RecordChanger, list: ListSource<{ id: number }>): ReadPage =>
    async (before) => {
      const { items, next } = await list.newest({ limit: pageSize, before });
      const ids = items.map(({ id }) => id);
      return { changes: changesOf(type, changer, ids), next };
    };
  const ticket = ticketChanger(run);
  const ticketsIn = (status: string) =>
    listOfIndex<{ id: number }>(tickets, account, 'holder', [[from, status]], async () => 0);
  const moved = ownedTypes.filter((type) => types.includes(type));
  const [application, merchant] = [applicationChanger(run), merchantChanger(run)];
  const changesOfType = {
    application: (ids: readonly RecordId[]) => changesOf('application', application, ids.map(String)),
    merchant: (ids: readonly RecordId[]) => changesOf('merchant', merchant, ids.map(Number)),
  };
  const inIndex =
    (type: OwnedType): ReadPage =>
    async (before) => {
      const { ids, next } = await readOwned(account, type, from, { before, limit: pageSize });
      return { changes: changesOfType[type](ids), next };
    };
  const since = new Date(Date.parse(createdAt) - mostIndexDelay).toISOString();
  const inEvents: ReadPage = async (before) => {
    const { ids, next } = await readChanged(account, moved, { since, before, limit: eventsPerPage });
    const changes = await inParallel(
      moved.map(async (type) => changesOfType[type](await ownedOf(account, type, from, ids.get(type)))),
    );
    return { changes: changes.flat(), next };
  };
  return [
    inView('lead', leadChanger(run), leadsAssignedTo(account, [from])),
    ...openStatuses.map((status) => inView('ticket', ticket, ticketsIn(status))),
    ...moved.map(inIndex),
    ...(moved.length > 0 ? [inEvents] : []),
  ];
}

const changesOf = <I extends RecordId>(
  type: ReassignedType,
  changer: RecordChanger<I>,
  ids: readonly I[],
): RecordToChange[] => ids.map((id) => ({ name: `${type} ${id}`, decide: () => changer.decide(id) }));

/** Returns those of the records that a user owns. */
async function ownedOf(
  account: AccountId,
  type: OwnedType,
  owner: string,
  ids: ReadonlySet<RecordId> = new Set(),
): Promise<RecordId[]> {
  const { index } = { application: applications, merchant: merchants }[type].listOf(account);
  const listed = (await index?.load([...ids])) ?? [];
  return listed.flatMap((one) => (one?.record.ownerId === owner ? [one.record.id] : []));
}
