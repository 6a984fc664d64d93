import type { Described } from '../../events/subject.ts';
import type { AccountId } from '../../id/account-id.ts';
import { recordOf } from '../../table/item.ts';
import { digits, type Key, tenantPartition } from '../../table/keys.ts';
import { putIfAbsent, putIfEquals, putItem, type Write } from '../../table/operations.ts';
import { getItem, queryItems } from '../../table/read.ts';
import type { RecordFields } from '../../table/record-fields.ts';
import { recordStore } from '../../table/record-store.ts';
import type { Beneficiary } from '../amounts/beneficiary.ts';
import type { Agreement, AgreementScope, AgreementVersion, ListedAgreement } from './schema.ts';

/** An agreement as stored. Its versions are in the order of their numbers. */
export interface StoredAgreement extends RecordFields {
  beneficiary: Beneficiary;
  scope: AgreementScope;
  names: Record<string, string>;
  versions: AgreementVersion[];
}

const latestOf = ({ versions }: StoredAgreement): AgreementVersion => {
  const latest = versions.at(-1);
  if (!latest) throw new Error('An agreement has at least one version.');
  return latest;
};

function listedOf(agreement: StoredAgreement): ListedAgreement {
  const { versions: _, ...record } = agreement;
  const { version, createdAt, createdBy, ...terms } = latestOf(agreement);
  return { ...record, ...terms };
}

const records = recordStore<StoredAgreement, 'residual_agreement', ListedAgreement>({
  resource: 'residual_agreement',
  summary: listedOf,
  largestSummary: 8 * 1024,
});

/**
 * The partition with a copy of each agreement, from which runs and checks read all agreements in one strongly consistent
 * query.
 */
const copiesPartition = (account: AccountId): string => tenantPartition(account, 'RESIDUALSCOPES');
const copyKey = (account: AccountId, id: number): Key => ({
  pk: copiesPartition(account),
  sk: `AGREEMENT#${digits(id)}`,
});
const copies = { from: 'AGREEMENT#', to: 'AGREEMENT#~' } as const;

/** The item whose version increases with every change of an agreement, so that no two changes are checked separately. */
const turnKey = (account: AccountId): Key => ({ pk: copiesPartition(account), sk: 'TURN' });

/** All agreements of an account, and the number of changes so far. */
export interface AllAgreements {
  agreements: StoredAgreement[];
  turn: number;
}

/** The agreements of an account, with all their versions. */
export const residualAgreements = {
  ...records,

  describe: ({ names, beneficiary }: StoredAgreement): Described => ({
    label: names[`${beneficiary.type}:${beneficiary.id}`] ?? beneficiary.id,
  }),

  show: (agreement: StoredAgreement): Agreement => ({ ...listedOf(agreement), versions: agreement.versions }),

  /** Returns all agreements with all versions, oldest first. */
  async all(account: AccountId): Promise<AllAgreements> {
    const [turn, items] = await Promise.all([
      getItem(turnKey(account)),
      queryItems({ partition: copiesPartition(account), sortKey: copies }),
    ]);
    return {
      agreements: items.map((item) => recordOf<{ agreement: StoredAgreement }>(item).agreement),
      turn: Number(turn?.version ?? 0),
    };
  },

  /** Returns the writes of a new or changed agreement. They conflict if another agreement changed since `turn`. */
  save(before: StoredAgreement | undefined, after: StoredAgreement, turn: number): Write[] {
    if (before === after) return [];
    const { accountId: account, id } = after;
    const next = { ...turnKey(account), type: 'residual-turn', version: turn + 1 };
    return [
      ...(before ? records.replace(before, after) : records.insert(after)),
      putItem({ ...copyKey(account, id), type: 'residual-scope', agreement: after }),
      turn === 0 ? putIfAbsent(next) : putIfEquals(next, 'version', turn),
    ];
  },
};
