import type { AccountId } from '../id/account-id.ts';
import { increment } from '../table/counters.ts';
import { type ListedNoun, slotKey } from '../table/keys.ts';
import { getItems } from '../table/read.ts';
import { eligibleMembers } from './read-members.ts';
import type { RotationMember } from './schema.ts';
import { positionOf, weightedSequence } from './weighted-sequence.ts';

/** A rotation as far as its turns go. */
export interface RotationState {
  id: number;
  accountId: AccountId;
  userRotationArray: RotationMember[];
  /** Moves on with every reset, so that a reset begins a new counter instead of fighting over the old one. */
  slotEpoch: number;
  /** The position that this epoch began at. */
  slotStart: number;
}

const keyOf = (noun: ListedNoun, { id, accountId, slotEpoch }: RotationState) =>
  slotKey(accountId, noun, id, slotEpoch);

/**
 * Takes the next slot and says whose it is, or undefined where nobody is eligible. One atomic increment on an item
 * that no transaction touches: a crowd never fights over a rotation, and no two get the same slot.
 */
export async function takeSlot(
  noun: ListedNoun,
  rotation: RotationState,
  eligible: readonly RotationMember[],
): Promise<RotationMember | undefined> {
  if (eligible.length === 0) return undefined;
  const taken = await increment(keyOf(noun, rotation));
  const sequence = weightedSequence(eligible);
  return sequence[(rotation.slotStart + taken - 1) % sequence.length];
}

/** Who in a rotation is eligible now, and the index of its next slot in their weighted sequence. */
export interface Standing {
  eligible: readonly RotationMember[];
  currentPosition: number;
}

/** Where each of an account's rotations stands. */
export async function standingsOf(
  noun: ListedNoun,
  rotations: readonly RotationState[],
): Promise<Standing[]> {
  const [counters, eligible] = await Promise.all([
    getItems(rotations.map((rotation) => keyOf(noun, rotation))),
    eligibleIn(rotations),
  ]);
  return eligible.map((members, index) => {
    const slot = (rotations[index]?.slotStart ?? 0) + Number(counters[index]?.count ?? 0);
    return { eligible: members, currentPosition: positionOf(slot, members) };
  });
}

async function eligibleIn(rotations: readonly RotationState[]): Promise<RotationMember[][]> {
  const [first] = rotations;
  if (!first) return [];
  const all = rotations.flatMap(({ userRotationArray }) => userRotationArray);
  const eligible = new Set((await eligibleMembers(first.accountId, all)).map(({ userId }) => userId));
  return rotations.map(({ userRotationArray }) =>
    userRotationArray.filter(({ userId }) => eligible.has(userId)),
  );
}
