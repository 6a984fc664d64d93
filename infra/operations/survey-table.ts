import { createHash } from 'node:crypto';
import { type AttributeValue, paginateScan } from '@aws-sdk/client-dynamodb';
import { accountKey, accountsAcrossAccountsPartition } from '../../shared/accounts/keys.ts';
import { canonicalJson } from '../../shared/events/canonical.ts';
import { eventPartition } from '../../shared/events/keys.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { firstIdAt } from '../../shared/id/mint.ts';
import { table } from '../../shared/table/client.ts';
import type { Key } from '../../shared/table/keys.ts';
import { rateLimiter } from './rate-limiter.ts';

/** What there is of a kind. */
export interface KindCount {
  items: number;
  /** The sum of the items' hashes, modulo 2^64: of the same items it is the same, in whatever order they were read. */
  digest: bigint;
  /** How many say that they were created before the instant. */
  earlier: number;
}

/** What an account has in a table. */
export interface AccountSurvey {
  /** By kind; of events, those from before the instant. */
  kinds: Map<string, KindCount>;
  /** The highest id of an event, 0 where there is none. */
  lastEvent: number;
  /** Its record says that it was deleted. */
  gone: boolean;
}

/** What is in a table. */
export interface Survey {
  accounts: Map<AccountId, AccountSurvey>;
  /** How many items there are of each kind, whosever they are. */
  kinds: Map<string, number>;
  items: number;
  /** Read units that it took. */
  units: number;
}

interface SurveyOptions {
  tableName: string;
  /** Events minted before it are compared, items created before it are `earlier`. */
  before: Date;
  /** What expires earlier is left out: DynamoDB may remove it from the one table and not yet from the other. */
  keptUntil: Date;
  /** Read units in a second. */
  rate: number;
  /** Hears of each page how many items it had. */
  advance: (items: number) => void;
  signal: AbortSignal;
}

type RawItem = Record<string, AttributeValue>;

/** So many parts of the table are read side by side. */
const segments = 4;

/** Reads a whole table once, strongly consistent, and keeps of it no more than numbers for each account and kind. */
export async function surveyTable({
  tableName,
  before,
  keptUntil,
  rate,
  advance,
  signal,
}: SurveyOptions): Promise<Survey> {
  const survey: Survey = { accounts: new Map(), kinds: new Map(), items: 0, units: 0 };
  const turn = rateLimiter(rate);
  const [firstLater, created] = [firstIdAt(before), before.toISOString()];
  const kept = Math.floor(keptUntil.getTime() / 1000);
  const readSegment = async (Segment: number) => {
    const input = {
      TableName: tableName,
      ConsistentRead: true,
      ReturnConsumedCapacity: 'TOTAL',
      Segment,
      TotalSegments: segments,
    } as const;
    signal.throwIfAborted();
    // Attributes as they are on the wire are compared digit by digit.
    for await (const { Items: items = [], ConsumedCapacity } of paginateScan({ client: table }, input)) {
      for (const item of items)
        if (Number(item.expiresAtSeconds?.N ?? Number.POSITIVE_INFINITY) > kept)
          add(survey, item, firstLater, created);
      advance(items.length);
      const units = ConsumedCapacity?.CapacityUnits ?? 0;
      survey.units += units;
      await turn(units);
      signal.throwIfAborted();
    }
  };
  await Promise.all(Array.from({ length: segments }, (_, segment) => readSegment(segment)));
  return survey;
}

/**
 * The kind of an item, by its key alone, such as `LEAD RECORD` or `LEAD NOTE`, and its account. An item of the directory
 * belongs to the account that it names.
 */
export function kindOfKey({ pk, sk }: Key): { account?: AccountId; kind: string } {
  const [space = '', account = '', noun = space, , child = ''] = pk.split('#');
  const words = [noun, child, sk.split('#').find(isWord) ?? ''].filter(isWord);
  const kind = [...new Set(words)].join(' ');
  if (pk === accountsAcrossAccountsPartition()) return { account: sk as AccountId, kind };
  return space === 'ACCOUNT' ? { account: account as AccountId, kind } : { kind };
}

const isWord = (part: string): boolean => /^[A-Z]{2,}$/.test(part);

function add(survey: Survey, item: RawItem, firstLater: number, created: string): void {
  const [pk = '', sk = ''] = [item.pk?.S, item.sk?.S];
  const { account, kind } = kindOfKey({ pk, sk });
  survey.items += 1;
  survey.kinds.set(kind, (survey.kinds.get(kind) ?? 0) + 1);
  if (account === undefined) return;
  const of = getOrAdd(survey.accounts, account, newAccountSurvey);
  if (pk === eventPartition(account)) {
    const id = Number(sk);
    of.lastEvent = Math.max(of.lastEvent, id);
    if (id >= firstLater) return;
  }
  if (pk === accountKey(account).pk && item.deletedAt) of.gone = true;
  const count = getOrAdd(of.kinds, kind, () => ({ items: 0, digest: 0n, earlier: 0 }));
  count.items += 1;
  count.digest = BigInt.asUintN(64, count.digest + hashOf(item));
  if (item.createdAt?.S !== undefined && item.createdAt.S < created) count.earlier += 1;
}

const newAccountSurvey = (): AccountSurvey => ({ kinds: new Map(), lastEvent: 0, gone: false });

/** The value of a key, made if there is none. */
export function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}

const hashOf = (item: RawItem): bigint =>
  createHash('sha256').update(canonicalJson(item)).digest().readBigUInt64BE();
