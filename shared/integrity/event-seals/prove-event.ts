import { ApiError, notFound } from '../../errors.ts';
import { eventKey } from '../../events/keys.ts';
import type { AccountId } from '../../id/account-id.ts';
import { mintedAt } from '../../id/mint.ts';
import { inParallel } from '../../table/in-parallel.ts';
import { isExpired } from '../../table/item.ts';
import { getItem } from '../../table/read.ts';
import { showSeal } from './list-seals.ts';
import { pathTo, rootFromPath } from './merkle.ts';
import type { EventProof } from './schema.ts';
import { eventText, leafIn } from './seal.ts';
import { readLeaves, sealAt } from './store.ts';

/**
 * Returns the proof that a seal contains the event. Throws `not_found` for an unknown event, `event_not_sealed` if the
 * event is not sealed yet, and `event_altered` if the event differs from its sealed version.
 */
export async function proveEvent(account: AccountId, id: number, now: Date): Promise<EventProof> {
  const [item, seal] = await inParallel([getItem(eventKey(account, id)), sealAt(account, mintedAt(id))]);
  if (!item || isExpired(item, now)) throw notFound('event', id);
  if (!seal) throw new ApiError('event_not_sealed');
  const [leaves = []] = await readLeaves(account, [seal]);
  const index = leaves.findIndex((leaf) => leaf.id === id);
  const hashes = leaves.map(({ hash }) => hash);
  const path = pathTo(index, hashes);
  if (index < 0 || rootFromPath(leafIn(item).hash, path).toString('hex') !== seal.root)
    throw new ApiError('event_altered');
  return { sealedText: eventText(item), index, path, seal: showSeal(seal) };
}
