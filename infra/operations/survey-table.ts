import { createHash } from 'node:crypto';
import { type AttributeValue, paginateScan } from '@aws-sdk/client-dynamodb';
import { accountKey, accountsAcrossAccountsPartition } from '../../shared/accounts/keys.ts';
import { canonicalJson } from '../../shared/events/canonical.ts';
import { eventPartition } from '../../shared/events/keys.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { firstIdAt } from '../../shared/id/mint.ts';
import { table } from '../../shared/table/client.ts';
import { type Key, readTenantPartition } from '../../shared/table/keys.ts';
import { rateLimiter } from './rate-limiter.ts';

export interface KindCount {
  items: number;
  /** The sum of the items' hashes, modulo 2^64. The order of the items does not change the sum. */
  digest: bigint;
  /** The number of items with a `createdAt` before `SurveyOptions.before`. */
  earlier: number;
}

export interface AccountSurvey {
  /** Counts by kind. Events created at or after `SurveyOptions.before` are not counted. */
  kinds: Map<string, KindCount>;
  /** The highest event id, or 0. */
  lastEvent: number;
  /** True if the account record is a tombstone. */
  gone: boolean;
}

/** Statistics of a table. */
export interface Survey {
  accounts: Map<AccountId, AccountSurvey>;
  /** Item counts by kind, for the whole table. */
  kinds: Map<string, number>;
  items: number;
  units: number;
}

interface SurveyOptions {
  tableName: string;
  /**
   * Events that were created at or after this instant are not counted. `earlier` counts the items created
   * before this instant.
   */
  before: Date;
  /** Items that expire before this time are skipped, because DynamoDB may have deleted them in one table only. */
  keptUntil: Date;
  /** Read units per second. */
  rate: number;
  /** Called with the number of items of each page. */
  advance: (items: number) => void;
  signal: AbortSignal;
}

type RawItem = Record<string, AttributeValue>;

/** The number of parallel scans. */
const segments = 4;

/** Reads a table once with strong consistency. Keeps only the statistics in memory. */
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
    // Reads items in DynamoDB's attribute format, in which numbers are strings, so that no digit is lost
    // before hashing.
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
 * Derives the kind of an item, such as `LEAD RECORD` or `LEAD NOTE`, and its account from the item's key. A
 * directory item belongs to the account that it lists.
 */
export function kindOfKey({ pk, sk }: Key): { account?: AccountId; kind: string } {
  const { account, parts } = readTenantPartition(pk) ?? { parts: pk.split('#').slice(0, 1) };
  const [noun = '', , child = ''] = parts;
  const words = [noun, child, sk.split('#').find(isWord) ?? ''].filter(isWord);
  const kind = [...new Set(words)].join(' ');
  if (pk === accountsAcrossAccountsPartition()) return { account: sk as AccountId, kind };
  return { ...(account && { account }), kind };
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

/** Returns the value of a key. If the map does not contain the key, first adds the value that `make` returns. */
export function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}

const hashOf = (item: RawItem): bigint =>
  createHash('sha256').update(canonicalJson(item)).digest().readBigUInt64BE();
