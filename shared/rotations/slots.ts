import type { AccountId } from '../id/account-id.ts';
import { increment } from '../table/counters.ts';
import type { Key, ListedNoun } from '../table/keys.ts';
import { getItem, getItems } from '../table/read.ts';
import { slotKey } from './keys.ts';
import { type CurrentMembers, readCurrentMembersOf } from './read-members.ts';
import type { RotationMember, Turn } from './schema.ts';
import { memberOf } from './turn.ts';
import { positionOf } from './weighted-sequence.ts';

export interface RotationState {
  id: number;
  accountId: AccountId;
  userRotationArray: RotationMember[];
  /** Incremented by every reset, which starts a new slot counter. */
  slotEpoch: number;
  slotStart: number;
}

const keyOf = (noun: ListedNoun, { id, accountId, slotEpoch }: RotationState) =>
  slotKey(accountId, noun, id, slotEpoch);

export async function readCurrentMembers({
  accountId,
  userRotationArray,
}: RotationState): Promise<CurrentMembers> {
  const [members] = await readCurrentMembersOf(accountId, [userRotationArray]);
  return members ?? { members: [], eligible: [], skipped: [] };
}

/** Reserves a slot by incrementing the counter with this key. Returns the new count. */
export type CountSlot = (counter: Key) => Promise<number>;

/** Counts slots for a dry run: in memory only, starting from the stored count. */
export function previewSlots(): CountSlot {
  const counts = new Map<string, Promise<number>>();
  return (counter) => {
    const name = `${counter.pk} ${counter.sk}`;
    const previous = counts.get(name) ?? getItem(counter).then((item) => Number(item?.count ?? 0));
    const count = previous.then((before) => before + 1);
    counts.set(name, count);
    return count;
  };
}

interface TakenTurn {
  assignee?: RotationMember;
  turn: Turn;
}

/**
 * Reserves the next slot by an atomic increment of a counter. No transaction writes the counter, so
 * concurrent requests never conflict and never get the same slot. If `members` is omitted, reads the members
 * in parallel with the increment. If no member is eligible, the slot is used up and there is no assignee.
 */
export async function takeTurn(
  noun: ListedNoun,
  rotation: RotationState,
  members: CurrentMembers | Promise<CurrentMembers> = readCurrentMembers(rotation),
  countSlot: CountSlot = increment,
): Promise<TakenTurn> {
  const [taken, { eligible, skipped }] = await Promise.all([countSlot(keyOf(noun, rotation)), members]);
  const turn: Turn = {
    rotationId: rotation.id,
    epoch: rotation.slotEpoch,
    slot: taken - 1,
    start: rotation.slotStart,
    members: eligible.map(({ userId, weight }) => ({ userId, weight })),
    skipped: [...skipped],
  };
  const member = memberOf(turn);
  return { assignee: eligible.find(({ userId }) => userId === member?.userId), turn };
}

/** The eligible members of a rotation, its next slot, and the position of this slot in their weighted sequence. */
export interface RotationProgress extends CurrentMembers {
  slot: number;
  currentPosition: number;
}

export async function progressOf(
  noun: ListedNoun,
  rotations: readonly RotationState[],
): Promise<RotationProgress[]> {
  const [first] = rotations;
  if (!first) return [];
  const [counters, members] = await Promise.all([
    getItems(rotations.map((rotation) => keyOf(noun, rotation))),
    readCurrentMembersOf(
      first.accountId,
      rotations.map(({ userRotationArray }) => userRotationArray),
    ),
  ]);
  return members.map((now, index) => {
    const slot = Number(counters[index]?.count ?? 0);
    const position = (rotations[index]?.slotStart ?? 0) + slot;
    return { ...now, slot, currentPosition: positionOf(position, now.eligible) };
  });
}
