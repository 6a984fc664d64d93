import type { AccountId } from '../accounts/account-id.ts';
import { increment } from '../table/counter.ts';
import { type ListedNoun, slotKey } from '../table/keys.ts';
import { getItems } from '../table/read.ts';
import type { RotationMember } from './rotation-member.ts';
import { eligibleMembers } from './rotation-members.ts';
import { sequenceLength, weightedSequence } from './weighted-sequence.ts';

/** A rotation as far as its turns go. */
export interface Turning {
  id: number;
  accountId: string;
  userRotationArray: RotationMember[];
  /** Moves on with every reset, so that a reset begins a new counter instead of fighting over the old one. */
  slotEpoch: number;
  /** The position that this epoch began at. */
  slotStart: number;
}

const keyOf = (noun: ListedNoun, { id, accountId, slotEpoch }: Turning) =>
  slotKey(accountId as AccountId, noun, id, slotEpoch);

/**
 * Takes the next slot and says whose it is, or undefined where nobody is eligible. One atomic increment on an item
 * that no transaction touches: a crowd never fights over a rotation, and no two get the same slot.
 */
export async function takeSlot(
  noun: ListedNoun,
  rotation: Turning,
  eligible: readonly RotationMember[],
): Promise<RotationMember | undefined> {
  if (eligible.length === 0) return undefined;
  const taken = await increment(keyOf(noun, rotation));
  const sequence = weightedSequence(eligible);
  return sequence[(rotation.slotStart + taken - 1) % sequence.length];
}

/** The index of each rotation's next slot in the weighted sequence of its members who are eligible now. */
export async function currentPositions(noun: ListedNoun, rotations: readonly Turning[]): Promise<number[]> {
  const [counters, eligible] = await Promise.all([
    getItems(rotations.map((rotation) => keyOf(noun, rotation))),
    eligibleIn(rotations),
  ]);
  return rotations.map(({ slotStart }, index) => {
    const length = sequenceLength(eligible[index] ?? []);
    return length === 0 ? 0 : (slotStart + Number(counters[index]?.count ?? 0)) % length;
  });
}

async function eligibleIn(rotations: readonly Turning[]): Promise<RotationMember[][]> {
  const [first] = rotations;
  if (!first) return [];
  const all = rotations.flatMap(({ userRotationArray }) => userRotationArray);
  const eligible = new Set(
    (await eligibleMembers(first.accountId as AccountId, all)).map(({ userId }) => userId),
  );
  return rotations.map(({ userRotationArray }) =>
    userRotationArray.filter(({ userId }) => eligible.has(userId)),
  );
}
