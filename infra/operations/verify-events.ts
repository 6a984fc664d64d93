import { eventPartition } from '../../shared/events/keys.ts';
import { eventExpiry, monthOf } from '../../shared/events/log.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { firstIdAt, mintedAt } from '../../shared/id/mint.ts';
import { rootOf } from '../../shared/integrity/event-seals/merkle.ts';
import {
  isSignedBy,
  type Leaf,
  leafIn,
  type StoredSeal,
  sealHashOf,
} from '../../shared/integrity/event-seals/seal.ts';
import {
  allSeals,
  beginning,
  leavesExpire,
  readLeaves,
  readSealHead,
  type SealHead,
} from '../../shared/integrity/event-seals/store.ts';
import { asSeconds, type Item } from '../../shared/table/item.ts';
import { type Reading, readPage } from '../../shared/table/read.ts';

/** A fault in a log or its seals. */
export interface Fault {
  fault:
    | 'signature'
    | 'previous'
    | 'gap'
    | 'root'
    | 'leaves'
    | 'altered'
    | 'removed'
    | 'inserted'
    | 'back_dated'
    | 'unexpired'
    | 'cut_off'
    | 'unsealed';
  seal?: number;
  event?: number;
  sentence: string;
}

export interface Verified {
  accountId: AccountId;
  seals: number;
  events: number;
  /** The number of events after the newest seal. */
  unsealed: number;
  head: { number: number; to: string; hash: string } | null;
  faults: Fault[];
}

interface VerifyOptions {
  /** The public key of the stage: base64 of its DER (SPKI). */
  verifyingKey: string;
  /** The hash of a seal that the operator stored outside of the table. */
  knownHash?: string;
  now: Date;
  /** Called with the number of events of each page. */
  advance?: (events: number) => void;
}

const minute = 60_000;
/** The longest time until an event is sealed, in milliseconds. */
const sealedWithin = 30 * minute;
/**
 * The largest accepted difference between an event's `occurredAt` and the time in its id, in milliseconds.
 */
const maxTimeDifference = 5 * minute;
/** The number of seals and the number of events that are read per page. */
const [sealPage, eventPage] = [50, 1000];

/** Verifies all seals of an account and all events of its log. Returns all faults and changes nothing. */
export async function verifyEvents(account: AccountId, options: VerifyOptions): Promise<Verified> {
  const { verifyingKey, knownHash, now, advance } = options;
  const { head, seals } = await readChain(account);
  const faults = [
    ...seals.flatMap((seal, n) => faultsOfSeal(account, seal, seals[n - 1], verifyingKey)),
    ...faultsAtEnd(seals, head, knownHash),
  ];
  const log = new Log(account, advance);
  for (let start = 0; start < seals.length; start += sealPage) {
    const page = seals.slice(start, start + sealPage);
    const leaves = await readLeaves(account, page);
    for (const [n, seal] of page.entries()) {
      faults.push(...(await log.until(seal.from)).flatMap((item) => faultOfUnsealed(item, now)));
      faults.push(...faultsOfEvents(seal, await log.until(seal.to), leaves[n], now));
    }
  }
  const rest = await log.until();
  faults.push(...rest.flatMap((item) => faultOfUnsealed(item, now)));
  const last = seals.at(-1);
  return {
    accountId: account,
    seals: seals.length,
    events: log.read,
    unsealed: rest.length,
    head: last ? { number: last.number, to: last.to, hash: sealHashOf(last) } : null,
    faults,
  };
}

/**
 * Reads the head, and then the seals. If a seal is added between the two reads, the seals still include the seal that
 * the head refers to.
 */
async function readChain(account: AccountId): Promise<{ head: SealHead | undefined; seals: StoredSeal[] }> {
  const head = await readSealHead(account);
  const seals = await allSeals(account);
  // If the first seal was written between the two reads, there was no head yet. Reads both again.
  if (!head && seals.length > 0 && (await readSealHead(account))) return readChain(account);
  return { head, seals };
}

/** Reads the items of a log once, in the order of their ids, page by page. */
class Log {
  /** The number of items returned so far. */
  read = 0;
  readonly #reading: Reading;
  readonly #advance: (events: number) => void;
  #waiting: Item[] = [];

  constructor(account: AccountId, advance: (events: number) => void = () => {}) {
    this.#advance = advance;
    this.#reading = { partition: eventPartition(account), items: [], more: true };
  }

  /** Returns the next items whose ids were created before `instant`. Without `instant`, returns all remaining items. */
  async until(instant?: string): Promise<Item[]> {
    const end = instant === undefined ? Number.POSITIVE_INFINITY : firstIdAt(new Date(instant));
    const found: Item[] = [];
    // The time is invalid only if the seal was altered. In that case, `faultsOfSeal` reports an invalid
    // signature.
    if (Number.isNaN(end)) return found;
    for (;;) {
      const at = this.#waiting.findIndex(({ sk }) => Number(sk) >= end);
      found.push(...this.#waiting.splice(0, at < 0 ? this.#waiting.length : at));
      if (at >= 0 || !this.#reading.more) break;
      await readPage(this.#reading, {}, eventPage);
      this.#waiting = this.#reading.items.splice(0);
      this.#advance(this.#waiting.length);
    }
    this.read += found.length;
    return found;
  }
}

const sealFault = (fault: Fault['fault'], seal: number, problem: string): Fault => ({
  fault,
  seal,
  sentence: `Seal ${seal}: ${problem}.`,
});

/** `id` is the id of an event, or the sort key of an item, which may have been altered to an invalid id. */
function eventFault(fault: Fault['fault'], id: string | number, problem: string, seal?: number): Fault {
  const event = Number(id);
  const sentence = `Event ${String(id).replace(/^0+/, '')} of ${timeOf(event)} ${problem}.`;
  return { fault, seal, event, sentence };
}

/** Checks the signature of a seal, and that the seal continues the previous seal without a gap. */
function faultsOfSeal(
  account: AccountId,
  seal: StoredSeal,
  before: StoredSeal | undefined,
  verifyingKey: string,
): Fault[] {
  const { number, from, previous, accountId } = seal;
  const [start, hash] = before ? [before.to, sealHashOf(before)] : [beginning, null];
  const checks: [Fault['fault'], boolean, string][] = [
    ['signature', isSigned(seal, verifyingKey) && accountId === account, 'its signature is invalid'],
    ['previous', previous === hash, `previous is ${previous}, but the hash of the seal before it is ${hash}`],
    ['gap', from === start, `it begins at ${from}, expected ${start}`],
  ];
  return checks.flatMap(([fault, isRight, problem]) => (isRight ? [] : [sealFault(fault, number, problem)]));
}

/** Returns false if the verification throws, as for a tampered seal with invalid content. */
function isSigned(seal: StoredSeal, verifyingKey: string): boolean {
  try {
    return isSignedBy(seal, verifyingKey);
  } catch {
    return false;
  }
}

/**
 * Detects removed or replaced seals at the end of the chain: one seal must be the seal that the head points
 * to, and one seal must have the known hash.
 */
function faultsAtEnd(
  seals: readonly StoredSeal[],
  head: SealHead | undefined,
  knownHash: string | undefined,
): Fault[] {
  const last = seals.at(-1);
  const faults: Fault[] = [];
  if (last && !head)
    faults.push({ fault: 'cut_off', sentence: 'The pointer to the newest seal is missing.' });
  else if (head && !seals.some((seal) => seal.number === head.version && sealHashOf(seal) === head.hash)) {
    const found = last ? `seal ${last.number} with the hash ${sealHashOf(last)}` : 'none';
    const problem = `its hash was ${head.hash}, and it was removed or replaced. The last seal is ${found}`;
    faults.push(sealFault('cut_off', head.version, problem));
  }
  if (knownHash !== undefined && !seals.some((seal) => sealHashOf(seal) === knownHash.toLowerCase())) {
    const sentence = `No seal has the hash ${knownHash}: seals were removed or replaced.`;
    faults.push({ fault: 'cut_off', sentence });
  }
  return faults;
}

/** Compares the events in a seal's time span with the seal's leaves. */
function faultsOfEvents(
  seal: StoredSeal,
  items: readonly Item[],
  leaves: readonly Leaf[] | undefined,
  now: Date,
): Fault[] {
  const { number } = seal;
  const found = items.map(leafIn);
  if (!leaves) {
    if (leavesExpire(seal.to) <= now) return items.flatMap((item) => faultOfUnexpired(item, number));
    const problem = 'its leaves are missing, and the events of its span do not match its root';
    return matchesRoot(seal, found) ? [] : [sealFault('leaves', number, problem)];
  }
  const sealed = new Map(leaves.map(({ id, hash }) => [id, hash]));
  const existing = new Set(found.map(({ id }) => id));
  return [
    ...(matchesRoot(seal, leaves) ? [] : [sealFault('root', number, 'its leaves do not match its root')]),
    ...items.flatMap((item, n) => {
      const leaf = found[n];
      const hash = leaf && sealed.get(leaf.id);
      if (leaf && hash?.equals(leaf.hash)) return [];
      const inserted = `was inserted: seal ${number} up to ${seal.to} does not contain it`;
      if (!hash) return [eventFault('inserted', item.sk, inserted, number)];
      return isBackDated(item)
        ? [faultOfBackDated(item, number)]
        : [eventFault('altered', item.sk, `was altered after seal ${number}`, number)];
    }),
    ...leaves
      .filter(({ id }) => !existing.has(id) && !mayHaveExpired(id, now))
      .map(({ id }) =>
        eventFault('removed', id, `was removed: it is in seal ${number} but not in the log`, number),
      ),
  ];
}

const matchesRoot = ({ root, count }: StoredSeal, leaves: readonly Leaf[]): boolean =>
  leaves.length === count && rootOf(leaves.map(({ hash }) => hash)).toString('hex') === root;

/** Reports an event whose expiry is later than the latest possible expiry of an event with this id. */
function faultOfUnexpired({ sk, expiresAtSeconds }: Item, seal: number): Fault[] {
  if (Number(expiresAtSeconds) <= lastSecondOf(Number(sk))) return [];
  const problem = 'should have expired: it was inserted, or its expiry was changed';
  return [eventFault('unexpired', sk, problem, seal)];
}

/**
 * The latest possible expiry of an event, in seconds since 1970. For an invalid id, the result is lower than
 * every expiry, so that the item is reported.
 */
const lastSecondOf = (id: number): number =>
  Number.isNaN(id)
    ? Number.NEGATIVE_INFINITY
    : asSeconds(eventExpiry(monthOf(new Date(mintedAt(id).getTime() + maxTimeDifference).toISOString())));

/** Reports an event that is backdated or should have been sealed by now. */
function faultOfUnsealed(item: Item, now: Date): Fault[] {
  if (isBackDated(item)) return [faultOfBackDated(item)];
  const isDue = now.getTime() - mintedAt(Number(item.sk)).getTime() > sealedWithin;
  return isDue ? [eventFault('unsealed', item.sk, 'is in no seal')] : [];
}

const isBackDated = ({ sk, occurredAt }: Item): boolean =>
  Math.abs(Date.parse(String(occurredAt)) - mintedAt(Number(sk)).getTime()) > maxTimeDifference;

const faultOfBackDated = ({ sk, occurredAt }: Item, seal?: number): Fault =>
  eventFault('back_dated', sk, `was backdated: its recorded time is ${occurredAt}`, seal);

const timeOf = (id: number): string => (Number.isNaN(id) ? 'an unknown time' : mintedAt(id).toISOString());

/**
 * The expiry of an event depends on the month of its `occurredAt`, which is at most a minute before the time
 * in the id.
 */
const mayHaveExpired = (id: number, now: Date): boolean =>
  eventExpiry(monthOf(new Date(mintedAt(id).getTime() - minute).toISOString())) <= now;
