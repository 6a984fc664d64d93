import type { EventDraft } from '../../shared/events/envelope.ts';
import { commit } from '../../shared/events/outbox.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import type { Ownership } from '../../shared/people/ownership/schema.ts';
import { teams } from '../../shared/people/teams/store.ts';
import { isActiveMember } from '../../shared/people/users/rules.ts';
import { readAllMembers } from '../../shared/people/users/store.ts';
import { applicationUpdated } from '../../shared/sales/applications/events.ts';
import { applications } from '../../shared/sales/applications/store.ts';
import { leads } from '../../shared/sales/leads/store.ts';
import { merchantUpdated } from '../../shared/sales/merchants/event-fields.ts';
import { merchants } from '../../shared/sales/merchants/store.ts';
import { backoff } from '../../shared/table/backoff.ts';
import { inBatches } from '../../shared/table/in-batches.ts';
import type { Write } from '../../shared/table/operations.ts';
import type { Bounds, QueryResult } from '../../shared/table/read.ts';
import type { Versioned } from '../../shared/table/record-fields.ts';
import { authoredBy, type Revision, revise } from '../../shared/table/revise.ts';
import { VersionConflict } from '../../shared/table/transact.ts';
import {
  type ApplicationOrigin,
  type ChosenOwner,
  type OwnerChoice,
  type OwnerSource,
  ownerOfApplication,
  ownerOfMerchant,
  userNamed,
  usersByName,
} from './choose-owner.ts';
import { byOperator } from './operator-event.ts';
import { writeDeadline } from './scan-table.ts';

const pageSize = 100;
/** The number of records that are changed in parallel. */
const parallelism = 10;

/** The numbers of records of a type. A record without an owner is counted under its source, or as undecided. */
export type FilledRecords = Record<OwnerSource | 'owned' | 'undecided', number>;

export interface FilledOwners {
  applications: FilledRecords;
  merchants: FilledRecords;
  /** The ids of the records that remain without an owner. */
  undecided: (number | string)[];
  /** The values of `repcode` that name no active user, with the number of undecided applications. */
  unknownRepcodes: Map<string, number>;
}

interface FillOptions {
  /** True if nothing is written. */
  isPreview?: boolean;
  /** Only records that were created before this instant (ISO 8601 with milliseconds). */
  createdBefore?: string;
  /** The id or email of the user of each `repcode`. Another `repcode` may itself be an id or an email. */
  repcodes?: Readonly<Record<string, string>>;
}

/**
 * Sets the owner and the team of the applications and merchants of an account that have no owner; see `ownerOfApplication` and
 * `ownerOfMerchant`. Each record is changed in its own transaction, with its event. A record that has a team keeps it. A
 * repetition finds only the records that still have no owner. Calls `onRead` after each record. Throws if `repcodes` names a
 * user who is not active.
 */
export async function fillOwners(
  account: AccountId,
  { isPreview = false, createdBefore, repcodes = {} }: FillOptions,
  onRead = () => {},
): Promise<FilledOwners> {
  const users = await readActiveUsers(account);
  requireUsers(users, repcodes);
  const choiceFor = async (origins: readonly ApplicationOrigin[]): Promise<OwnerChoice> => ({
    users,
    repcodes: new Map(Object.entries(repcodes)),
    leads: await readLeads(account, origins),
  });
  const fill = async <R extends Listed>(
    records: readonly R[],
    filled: FilledRecords,
    chosenFor: (record: R) => ChosenOwner | undefined,
    setOwner: (id: R['id'], owner: ChosenOwner) => Promise<boolean>,
  ): Promise<R[]> => {
    const older = records.filter(({ createdAt }) => !createdBefore || createdAt < createdBefore);
    const undecided = await inBatches(parallelism, older, async (record) => {
      const owner = record.ownerId === undefined ? chosenFor(record) : undefined;
      const isFilled = owner && (isPreview || (await setOwner(record.id, owner)));
      filled[isFilled ? owner.source : record.ownerId !== undefined || owner ? 'owned' : 'undecided'] += 1;
      onRead();
      return record.ownerId === undefined && !owner ? [record] : [];
    });
    return undecided.flat();
  };

  const result: FilledOwners = {
    applications: none(),
    merchants: none(),
    undecided: [],
    unknownRepcodes: new Map(),
  };
  for await (const page of pagesOf(account, applications)) {
    const choice = await choiceFor(page);
    const undecided = await fill(
      page,
      result.applications,
      (one) => ownerOfApplication(one, choice),
      setOwnerOf(account, applications, applicationUpdated),
    );
    result.undecided.push(...undecided.map(({ id }) => id));
    for (const { repcode } of undecided)
      if (repcode) result.unknownRepcodes.set(repcode, (result.unknownRepcodes.get(repcode) ?? 0) + 1);
  }
  for await (const page of pagesOf(account, merchants)) {
    const origins = await readApplications(account, page);
    const choice = await choiceFor([...origins.values()]);
    const undecided = await fill(
      page,
      result.merchants,
      (one) => ownerOfMerchant(one, origins.get(one.applicationId ?? ''), choice),
      setOwnerOf(account, merchants, merchantUpdated),
    );
    result.undecided.push(...undecided.map(({ id }) => id));
  }
  return result;
}

const none = (): FilledRecords => ({
  owned: 0,
  application: 0,
  lead: 0,
  creator: 0,
  repcode: 0,
  undecided: 0,
});

interface Listed {
  id: number | string;
  createdAt: string;
  ownerId?: string;
}

/** Yields the records of an account as lists show them, newest first. */
async function* pagesOf<M>(
  account: AccountId,
  store: { newestWithin(account: AccountId, bounds: Bounds): Promise<QueryResult<M>> },
): AsyncGenerator<M[]> {
  for (let before: string | undefined = ''; before !== undefined; ) {
    const { items, next }: QueryResult<M> = await store.newestWithin(account, { limit: pageSize, before });
    yield items;
    before = next;
  }
}

/** Reads the active users. A user whose team is not active has no team. */
async function readActiveUsers(account: AccountId): Promise<OwnerChoice['users']> {
  const [members, all] = await Promise.all([readAllMembers(account), teams.newestWithin(account, {})]);
  const active = new Set(all.items.filter((team) => team.active).map(({ id }) => id));
  return usersByName(
    members.filter(isActiveMember).map(({ id, email, teamId }) => ({
      ...{ id, email },
      ...(teamId !== undefined && active.has(teamId) && { teamId }),
    })),
  );
}

function requireUsers(users: OwnerChoice['users'], repcodes: Readonly<Record<string, string>>): void {
  const unknown = Object.entries(repcodes).filter(([, name]) => !userNamed({ users }, name));
  if (unknown.length > 0)
    throw new Error(
      `Not an active user of this account: ${unknown.map(([repcode, name]) => `${name} of ${repcode}`).join(', ')}.`,
    );
}

async function readLeads(
  account: AccountId,
  origins: readonly ApplicationOrigin[],
): Promise<OwnerChoice['leads']> {
  const ids = origins.flatMap(({ leadId }) => leadId ?? []);
  const found = await leads.findMany(account, [...new Set(ids)]);
  return new Map(found.map((lead) => [lead.id, lead]));
}

/** Reads the applications of merchants, as lists show them. */
async function readApplications(
  account: AccountId,
  records: readonly { applicationId?: string }[],
): Promise<Map<string, ApplicationOrigin>> {
  const ids = [...new Set(records.flatMap(({ applicationId }) => applicationId ?? []))];
  const found = (await applications.listOf(account).index?.load(ids)) ?? [];
  return new Map(found.flatMap((one) => (one ? [[one.record.id, one.record] as const] : [])));
}

/**
 * Returns a function that sets the owner of a record, unless it has one by now. It returns whether it changed the record, and
 * decides again after a version conflict.
 */
const setOwnerOf =
  <R extends Versioned & Ownership>(
    account: AccountId,
    store: {
      find(account: AccountId, id: R['id']): Promise<R | undefined>;
      replace(before: R, after: R): Write[];
    },
    updated: (before: R, after: R) => EventDraft[],
  ) =>
  async (id: R['id'], { ownerId, teamId }: ChosenOwner): Promise<boolean> => {
    for (let attempts = 1; ; attempts += 1) {
      const before = await store.find(account, id);
      if (!before || before.ownerId !== undefined) return false;
      const revision: Revision<Ownership> = { ownerId, teamId: before.teamId ?? teamId };
      const after = revise(before, revision as Revision<R>, authoredBy('operator', new Date()));
      const events = updated(before, after).map((draft) => byOperator(draft, account, 'owners fill'));
      try {
        await commit({ writes: store.replace(before, after), events, deadline: writeDeadline() });
        return true;
      } catch (error) {
        if (!(error instanceof VersionConflict)) throw error;
        await backoff(attempts);
      }
    }
  };
