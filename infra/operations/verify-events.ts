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

/** What is wrong with a log or its seals. */
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
  /** The number of the seal that it is about. */
  seal?: number;
  /** The id of the event that it is about. */
  event?: number;
  sentence: string;
}

/** What was verified, and what is wrong with it. */
export interface Verified {
  accountId: AccountId;
  seals: number;
  /** How many events the log has, and how many of them are younger than the newest seal. */
  events: number;
  unsealed: number;
  /** The newest seal. */
  head: { number: number; to: string; hash: string } | null;
  faults: Fault[];
}

interface Against {
  /** The public key of the stage, in base64 of its DER (SPKI). */
  verifyingKey: string;
  /** The hash of a seal that somebody noted elsewhere. */
  noted?: string;
  now: Date;
  /** Hears of each page of events how many it had. */
  advance?: (events: number) => void;
}

const minute = 60_000;
/** An event waits for its seal for so long at most, in milliseconds. */
const sealedWithin = 30 * minute;
/** What an event says of its time and what its id says differ by less, in milliseconds. */
const clocksDiffer = 5 * minute;
/** So many seals' leaves, and so many events, are read at once. */
const [leavesAtOnce, eventsAtOnce] = [50, 1000];

/** Verifies all seals of an account and all events of its log, and names all that is wrong. It reads, and changes nothing. */
export async function verifyEvents(account: AccountId, against: Against): Promise<Verified> {
  const { head, seals } = await readChain(account);
  const faults = [
    ...seals.flatMap((seal, n) => faultsOfSeal(account, seal, seals[n - 1], against.verifyingKey)),
    ...faultsAtEnd(seals, head, against.noted),
  ];
  const log = new Log(account, against.advance);
  for (let start = 0; start < seals.length; start += leavesAtOnce) {
    const page = seals.slice(start, start + leavesAtOnce);
    const leaves = await readLeaves(account, page);
    for (const [n, seal] of page.entries()) {
      faults.push(...(await log.until(seal.from)).flatMap((item) => faultOfUnsealed(item, against.now)));
      const items = await log.until(seal.to);
      faults.push(...faultsOfEvents(seal, items, leaves[n], against.now));
    }
  }
  const rest = await log.until();
  faults.push(...rest.flatMap((item) => faultOfUnsealed(item, against.now)));
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

/** The newest seal first, and then all: what is sealed meanwhile comes behind the one that was the newest. */
async function readChain(account: AccountId): Promise<{ head: SealHead | undefined; seals: StoredSeal[] }> {
  const head = await readSealHead(account);
  const seals = await allSeals(account);
  // The first seal may have been written in between.
  if (!head && seals.length > 0 && (await readSealHead(account))) return readChain(account);
  return { head, seals };
}

/** The items of an account's log in the order of their ids, read once and as far as they are asked for. */
class Log {
  /** How many were given so far. */
  read = 0;
  readonly #reading: Reading;
  readonly #advance: (events: number) => void;
  #waiting: Item[] = [];

  constructor(account: AccountId, advance: (events: number) => void = () => {}) {
    this.#advance = advance;
    this.#reading = { partition: eventPartition(account), items: [], more: true };
  }

  /** All that were not given before whose ids were minted before an instant; left out: all the rest. */
  async until(instant?: string): Promise<Item[]> {
    const end = instant === undefined ? Number.POSITIVE_INFINITY : firstIdAt(new Date(instant));
    const found: Item[] = [];
    // A seal that says nothing of its time has no signature to go by either.
    if (Number.isNaN(end)) return found;
    for (;;) {
      const at = this.#waiting.findIndex(({ sk }) => Number(sk) >= end);
      found.push(...this.#waiting.splice(0, at < 0 ? this.#waiting.length : at));
      if (at >= 0 || !this.#reading.more) break;
      await readPage(this.#reading, {}, eventsAtOnce);
      this.#waiting = this.#reading.items.splice(0);
      this.#advance(this.#waiting.length);
    }
    this.read += found.length;
    return found;
  }
}

/** What is wrong with a seal by itself, and behind the one before. */
function faultsOfSeal(
  account: AccountId,
  seal: StoredSeal,
  before: StoredSeal | undefined,
  verifyingKey: string,
): Fault[] {
  const { number, from, previous, accountId } = seal;
  const fault = (kind: Fault['fault'], sentence: string): Fault => ({ fault: kind, seal: number, sentence });
  const [begin, at] = before ? [before.to, `where seal ${before.number} ends`] : [beginning, 'with the log'];
  const expected = before ? hashOf(before) : null;
  return [
    ...(isSigned(seal, verifyingKey) && accountId === account
      ? []
      : [
          fault(
            'signature',
            `Seal ${number}: its signature is not that of the service’s key over what it says.`,
          ),
        ]),
    ...(previous === expected
      ? []
      : [
          fault(
            'previous',
            `Seal ${number}: previous is ${previous}, and the seal before it has ${expected}.`,
          ),
        ]),
    ...(from === begin
      ? []
      : [fault('gap', `Seal ${number}: it begins at ${from} and not ${at}, at ${begin}.`)]),
  ];
}

/** What was stored may be anything by now. */
function isSigned(seal: StoredSeal, verifyingKey: string): boolean {
  try {
    return isSignedBy(seal, verifyingKey);
  } catch {
    return false;
  }
}

/** Whether the seal that was the newest is among them, and the one that was noted. */
function faultsAtEnd(
  seals: readonly StoredSeal[],
  head: SealHead | undefined,
  noted: string | undefined,
): Fault[] {
  const last = seals.at(-1);
  const faults: Fault[] = [];
  if (last && !head)
    faults.push({ fault: 'cut_off', sentence: 'What says which seal is the newest is gone.' });
  else if (head && !seals.some((seal) => seal.number === head.version && hashOf(seal) === head.hash))
    faults.push({
      fault: 'cut_off',
      seal: head.version,
      sentence: `Seal ${head.version}, with the hash ${head.hash}, was the newest, and the last one is ${last ? `seal ${last.number}, with ${hashOf(last)}` : 'none'}: seals were cut off or exchanged.`,
    });
  if (noted !== undefined && !seals.some((seal) => hashOf(seal) === noted.toLowerCase()))
    faults.push({
      fault: 'cut_off',
      sentence: `No seal has the hash ${noted} that was noted: seals were cut off or exchanged.`,
    });
  return faults;
}

/** What differs between the events of a seal's span and the leaves that it was made of. */
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
    const sentence = `Seal ${seal.number}: the leaves that it was made of are gone, and the events of its span do not make its root.`;
    return [{ fault: 'leaves', seal: seal.number, sentence }];
  }
  const sealed = new Map(leaves.map(({ id, hash }) => [id, hash]));
  const there = new Set(found.map(({ id }) => id));
  const sentence = `Seal ${seal.number}: its leaves do not make its root.`;
  return [
    ...(makes(seal, leaves) ? [] : [{ fault: 'root', seal: seal.number, sentence } as const]),
    ...items.flatMap((item, n) => {
      const leaf = found[n];
      const hash = leaf && sealed.get(leaf.id);
      if (leaf && hash?.equals(leaf.hash)) return [];
      return [hash ? faultOfAltered(item, seal) : faultOfInserted(item, seal)];
    }),
    ...leaves
      .filter(({ id }) => !there.has(id) && !mayHaveExpired(id, now))
      .map(({ id }) => ({
        fault: 'removed' as const,
        seal: seal.number,
        event: id,
        sentence: `Event ${id} of ${timeOf(id)} was removed: it is in seal ${seal.number}, and no longer in the log.`,
      })),
  ];
}

const makes = ({ root, count }: StoredSeal, leaves: readonly Leaf[]): boolean =>
  leaves.length === count && rootOf(leaves.map(({ hash }) => hash)).toString('hex') === root;

function faultOfAltered(item: Item, { number }: StoredSeal): Fault {
  const id = Number(item.sk);
  const about = { seal: number, event: id };
  return isBackDated(item)
    ? {
        ...about,
        fault: 'back_dated',
        sentence: `${backDated(item)} It was sealed otherwise, in seal ${number}.`,
      }
    : {
        ...about,
        fault: 'altered',
        sentence: `Event ${id} of ${timeOf(id)} was altered after seal ${number}.`,
      };
}

function faultOfInserted({ sk }: Item, { number, to }: StoredSeal): Fault {
  const id = Number(sk);
  return {
    fault: 'inserted',
    seal: number,
    event: id,
    sentence: `Event ${sk.replace(/^0+/, '')} was inserted: by its id it is of ${timeOf(id)}, and it was not there when seal ${number} was made up to ${to}.`,
  };
}

/** Where leaves have expired, so has every event: one that stays for longer is named. */
function faultOfUnexpired({ sk, expiresAtSeconds }: Item, { number }: StoredSeal): Fault[] {
  const id = Number(sk);
  if (Number(expiresAtSeconds) <= lastSecondOf(id)) return [];
  const sentence = `Event ${id} of ${timeOf(id)} should have expired: it was inserted into the span of seal ${number}, or made to stay.`;
  return [{ fault: 'unexpired', seal: number, event: id, sentence }];
}

/** By when an event of this id has expired, in seconds since 1970; an item under another key should never have been. */
const lastSecondOf = (id: number): number =>
  Number.isNaN(id)
    ? Number.NEGATIVE_INFINITY
    : asSeconds(expiryOf(monthOf(new Date(mintedAt(id).getTime() + clocksDiffer).toISOString())));

/** What no seal holds is named once it is too old for that. */
function faultOfUnsealed(item: Item, now: Date): Fault[] {
  const id = Number(item.sk);
  if (isBackDated(item)) return [{ fault: 'back_dated', event: id, sentence: backDated(item) }];
  if (now.getTime() - mintedAt(id).getTime() <= sealedWithin) return [];
  return [{ fault: 'unsealed', event: id, sentence: `Event ${id} of ${timeOf(id)} is in no seal.` }];
}

const isBackDated = ({ sk, occurredAt }: Item): boolean =>
  Math.abs(Date.parse(String(occurredAt)) - mintedAt(Number(sk)).getTime()) > clocksDiffer;

const backDated = ({ sk, occurredAt }: Item): string =>
  `Event ${Number(sk)} was back-dated: it says ${occurredAt}, and its id was minted at ${timeOf(Number(sk))}.`;

/** When an id was minted; an item under another key has none. */
const timeOf = (id: number): string => (Number.isNaN(id) ? 'no time' : mintedAt(id).toISOString());

/** An event expires with the month in which it occurred, a request's time before its id was minted at most. */
const mayHaveExpired = (id: number, now: Date): boolean =>
  expiryOf(monthOf(new Date(mintedAt(id).getTime() - minute).toISOString())) <= now;
