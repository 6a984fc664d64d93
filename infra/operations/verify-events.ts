import { eventPartition } from '../../shared/events/keys.ts';
import { expiryOf, monthOf } from '../../shared/events/log.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { firstIdAt, mintedAt } from '../../shared/id/mint.ts';
import { rootOf } from '../../shared/integrity/event-seals/merkle.ts';
import {
  hashOf,
  isSignedBy,
  type Leaf,
  leafIn,
  type StoredSeal,
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
  /** The number of the affected seal. */
  seal?: number;
  /** The id of the affected event. */
  event?: number;
  sentence: string;
}

export interface Verified {
  accountId: AccountId;
  seals: number;
  events: number;
  /** Events after the newest seal. */
  unsealed: number;
  /** The newest seal. */
  head: { number: number; to: string; hash: string } | null;
  faults: Fault[];
}

interface VerifyOptions {
  /** The public key of the stage: base64 of its DER (SPKI). */
  verifyingKey: string;
  /** The hash of a seal, stored outside of the table. */
  knownHash?: string;
  now: Date;
  /** Called with the number of events of each page. */
  advance?: (events: number) => void;
}

const minute = 60_000;
/** The longest time until an event is sealed, in milliseconds. */
const sealedWithin = 30 * minute;
/** The largest accepted difference between an event's time and the time in its id, in milliseconds. */
const maxTimeDifference = 5 * minute;
/** How many seals, and how many events, are read per page. */
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
    head: last ? { number: last.number, to: last.to, hash: hashOf(last) } : null,
    faults,
  };
}

/** Reads the head first, so that the chain contains it even if a seal is added in between. */
async function readChain(account: AccountId): Promise<{ head: SealHead | undefined; seals: StoredSeal[] }> {
  const head = await readSealHead(account);
  const seals = await allSeals(account);
  // Another process may just have written the first seal.
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

  /** Returns the next items whose ids were minted before an instant; without one, all remaining items. */
  async until(instant?: string): Promise<Item[]> {
    const end = instant === undefined ? Number.POSITIVE_INFINITY : firstIdAt(new Date(instant));
    const found: Item[] = [];
    // The seal was altered, and its signature is reported as invalid.
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

/** Faults of a seal: its signature, and its link to the previous seal. */
function faultsOfSeal(
  account: AccountId,
  seal: StoredSeal,
  before: StoredSeal | undefined,
  verifyingKey: string,
): Fault[] {
  const { number, from, previous, accountId } = seal;
  const [start, hash] = before ? [before.to, hashOf(before)] : [beginning, null];
  const checks: [Fault['fault'], boolean, string][] = [
    ['signature', isSigned(seal, verifyingKey) && accountId === account, 'its signature is invalid'],
    ['previous', previous === hash, `previous is ${previous}, but the hash of the seal before it is ${hash}`],
    ['gap', from === start, `it begins at ${from}, expected ${start}`],
  ];
  return checks
    .filter(([, isRight]) => !isRight)
    .map(([fault, , problem]) => ({ fault, seal: number, sentence: `Seal ${number}: ${problem}.` }));
}

/** A tampered seal may have any content. */
function isSigned(seal: StoredSeal, verifyingKey: string): boolean {
  try {
    return isSignedBy(seal, verifyingKey);
  } catch {
    return false;
  }
}

/** Reports newest seals that were removed or replaced, by the head and by the known hash. */
function faultsAtEnd(
  seals: readonly StoredSeal[],
  head: SealHead | undefined,
  knownHash: string | undefined,
): Fault[] {
  const last = seals.at(-1);
  const faults: Fault[] = [];
  if (last && !head)
    faults.push({ fault: 'cut_off', sentence: 'The pointer to the newest seal is missing.' });
  else if (head && !seals.some((seal) => seal.number === head.version && hashOf(seal) === head.hash))
    faults.push({
      fault: 'cut_off',
      seal: head.version,
      sentence: `Seal ${head.version} with the hash ${head.hash} was removed or replaced. The last seal is ${last ? `${last.number} with the hash ${hashOf(last)}` : 'missing'}.`,
    });
  if (knownHash !== undefined && !seals.some((seal) => hashOf(seal) === knownHash.toLowerCase()))
    faults.push({
      fault: 'cut_off',
      sentence: `No seal has the hash ${knownHash}: seals were removed or replaced.`,
    });
  return faults;
}

/** Compares the events of a seal's span with the leaves of the seal. */
function faultsOfEvents(
  seal: StoredSeal,
  items: readonly Item[],
  leaves: readonly Leaf[] | undefined,
  now: Date,
): Fault[] {
  const found = items.map(leafIn);
  if (!leaves) {
    if (leavesExpire(seal.to) <= now) return items.flatMap((item) => faultOfUnexpired(item, seal));
    if (makes(seal, found)) return [];
    const sentence = `Seal ${seal.number}: its leaves are missing, and the events of its span do not match its root.`;
    return [{ fault: 'leaves', seal: seal.number, sentence }];
  }
  const sealed = new Map(leaves.map(({ id, hash }) => [id, hash]));
  const existing = new Set(found.map(({ id }) => id));
  const sentence = `Seal ${seal.number}: its leaves do not match its root.`;
  return [
    ...(makes(seal, leaves) ? [] : [{ fault: 'root', seal: seal.number, sentence } as const]),
    ...items.flatMap((item, n) => {
      const leaf = found[n];
      const hash = leaf && sealed.get(leaf.id);
      if (leaf && hash?.equals(leaf.hash)) return [];
      return [hash ? faultOfAltered(item, seal) : faultOfInserted(item, seal)];
    }),
    ...leaves
      .filter(({ id }) => !existing.has(id) && !mayHaveExpired(id, now))
      .map(({ id }) => ({
        fault: 'removed' as const,
        seal: seal.number,
        event: id,
        sentence: `Event ${id} of ${timeOf(id)} was removed: it is in seal ${seal.number} but not in the log.`,
      })),
  ];
}

const makes = ({ root, count }: StoredSeal, leaves: readonly Leaf[]): boolean =>
  leaves.length === count && rootOf(leaves.map(({ hash }) => hash)).toString('hex') === root;

function faultOfAltered(item: Item, { number }: StoredSeal): Fault {
  const id = Number(item.sk);
  const [fault, sentence] = isBackDated(item)
    ? (['back_dated', `${backDated(item)} It differs from seal ${number}.`] as const)
    : (['altered', `Event ${id} of ${timeOf(id)} was altered after seal ${number}.`] as const);
  return { fault, seal: number, event: id, sentence };
}

function faultOfInserted({ sk }: Item, { number, to }: StoredSeal): Fault {
  const id = Number(sk);
  return {
    fault: 'inserted',
    seal: number,
    event: id,
    sentence: `Event ${sk.replace(/^0+/, '')} was inserted: its id is from ${timeOf(id)}, but seal ${number} up to ${to} does not contain it.`,
  };
}

/** Reports an event that outlives the leaves of its seal. */
function faultOfUnexpired({ sk, expiresAtSeconds }: Item, { number }: StoredSeal): Fault[] {
  const id = Number(sk);
  if (Number(expiresAtSeconds) <= lastSecondOf(id)) return [];
  const sentence = `Event ${id} of ${timeOf(id)} should have expired: it was inserted into the span of seal ${number}, or its expiry was changed.`;
  return [{ fault: 'unexpired', seal: number, event: id, sentence }];
}

/** The latest expiry of an event, in seconds since 1970. An item whose key has no id should never have existed. */
const lastSecondOf = (id: number): number =>
  Number.isNaN(id)
    ? Number.NEGATIVE_INFINITY
    : asSeconds(expiryOf(monthOf(new Date(mintedAt(id).getTime() + maxTimeDifference).toISOString())));

/** Reports a backdated event, or one that should have been sealed by now. */
function faultOfUnsealed(item: Item, now: Date): Fault[] {
  const id = Number(item.sk);
  if (isBackDated(item)) return [{ fault: 'back_dated', event: id, sentence: backDated(item) }];
  if (now.getTime() - mintedAt(id).getTime() <= sealedWithin) return [];
  return [{ fault: 'unsealed', event: id, sentence: `Event ${id} of ${timeOf(id)} is in no seal.` }];
}

const isBackDated = ({ sk, occurredAt }: Item): boolean =>
  Math.abs(Date.parse(String(occurredAt)) - mintedAt(Number(sk)).getTime()) > maxTimeDifference;

const backDated = ({ sk, occurredAt }: Item): string =>
  `Event ${Number(sk)} was backdated: it occurred at ${occurredAt}, but its id is from ${timeOf(Number(sk))}.`;

const timeOf = (id: number): string => (Number.isNaN(id) ? 'an unknown time' : mintedAt(id).toISOString());

/** An event expires with the month in which it occurred, at most a minute before its id was minted. */
const mayHaveExpired = (id: number, now: Date): boolean =>
  expiryOf(monthOf(new Date(mintedAt(id).getTime() - minute).toISOString())) <= now;
