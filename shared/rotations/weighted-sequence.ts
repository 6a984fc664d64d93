/** Returns each member `weight` times, evenly distributed. For example, weights 5, 1, 1 give A A B A C A A. */
export function weightedSequence<M extends { weight: number }>(members: readonly M[]): M[] {
  const total = sequenceLength(members);
  const credits = members.map((member) => ({ member, credit: 0 }));
  return Array.from({ length: total }, () => {
    for (const entry of credits) entry.credit += entry.member.weight;
    const next = credits.reduce((best, entry) => (entry.credit > best.credit ? entry : best));
    next.credit -= total;
    return next.member;
  });
}

/** Returns the index of a slot in the weighted sequence, or 0 if there are no members. */
export const positionOf = (slot: number, members: readonly { weight: number }[]): number =>
  members.length === 0 ? 0 : slot % sequenceLength(members);

export const sequenceLength = (members: readonly { weight: number }[]): number =>
  members.reduce((sum, { weight }) => sum + weight, 0);
