import type { AccountId } from '../id/account-id.ts';
import { increment } from '../table/counters.ts';
import type { Key, ListedNoun } from '../table/keys.ts';
import { getItem, getItems } from '../table/read.ts';
import { slotKey } from './keys.ts';
import { type MembersNow, readMembersNow } from './read-members.ts';
import type { RotationMember, Turn } from './schema.ts';
import { memberOf } from './turn.ts';
import { positionOf } from './weighted-sequence.ts';

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

/** The members of a rotation as they are now. */
export async function membersNow({ accountId, userRotationArray }: RotationState): Promise<MembersNow> {
  const [members] = await readMembersNow(accountId, [userRotationArray]);
  return members ?? { members: [], eligible: [], skipped: [] };
}

/** Counts a slot of a rotation, by the key of its counter: how many were given out by then, with this one. */
export type CountSlot = (counter: Key) => Promise<number>;

/** For a request that takes nothing: the slots that it would get one after another, on from where each rotation stands. */
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

/** A turn that was taken, and whose it is: nobody's where nobody is eligible. */
interface TakenTurn {
  assignee?: RotationMember;
  turn: Turn;
}

/**
 * Takes the next turn. One atomic increment on an item that no transaction touches: a crowd never fights over a
 * rotation, and no two get the same slot. The members are read beside it unless they are given; a slot that is taken
 * although nobody is eligible is a gap, and does no harm.
 */
export async function takeTurn(
  noun: ListedNoun,
  rotation: RotationState,
  members: MembersNow | Promise<MembersNow> = membersNow(rotation),
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

/** Who in a rotation is eligible now, its next slot, and the index of that in their weighted sequence. */
export interface RotationProgress extends MembersNow {
  slot: number;
  currentPosition: number;
}

/** Where each of an account's rotations stands. */
export async function progressOf(
  noun: ListedNoun,
  rotations: readonly RotationState[],
): Promise<RotationProgress[]> {
  const [first] = rotations;
  if (!first) return [];
  const [counters, members] = await Promise.all([
    getItems(rotations.map((rotation) => keyOf(noun, rotation))),
    readMembersNow(
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
