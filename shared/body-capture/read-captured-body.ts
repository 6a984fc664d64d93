import type { JsonWebKey } from 'node:crypto';
import { notFound } from '../errors.ts';
import type { Event } from '../events/envelope.ts';
import { getEvent } from '../events/find-event.ts';
import type { AccountId } from '../id/account-id.ts';
import type { DataKeys } from '../security/data-keys.ts';
import { decryptWithKey } from '../security/decrypt-with-key.ts';
import { type Item, isExpired, recordOf } from '../table/item.ts';
import { getItem } from '../table/read.ts';
import { openCaptureKey, type StoredCaptureKey } from './capture-key.ts';
import { bodiesKey, captureKeyKey } from './keys.ts';
import type { RevealedBody } from './schema.ts';
import { type BodyPart, bodyExpiry, bodyPlace, type StoredBodies, type StoredBody } from './stored-bodies.ts';

/** A captured body that is still encrypted, with its event. */
interface CapturedBody {
  event: Event;
  bodies: StoredBodies;
  body: StoredBody;
  part: BodyPart;
  key: StoredCaptureKey;
}

/** Reads the captured body of an event. Throws `not_found` if the event is unknown, or if it has no body or it expired. */
export async function readCapturedBody(
  account: AccountId,
  { id, part, now }: { id: number; part: BodyPart; now: Date },
): Promise<CapturedBody> {
  const event = await getEvent(account, id, now);
  const missing = () => notFound(`${part} body of the event`, id);
  const live = (item: Item | undefined): Item => {
    if (!item || isExpired(item, now)) throw missing();
    return item;
  };
  if (!event.bodies?.[part]) throw missing();
  const bodies = recordOf<StoredBodies>(live(await getItem(bodiesKey(account, event.bodies.id))));
  const body = bodies[part];
  if (!body) throw missing();
  const key = recordOf<StoredCaptureKey>(live(await getItem(captureKeyKey(account, bodies.keyId))));
  return { event, bodies, body, part, key };
}

/** Decrypts a captured body. */
export async function decryptCapturedBody(
  account: AccountId,
  keys: DataKeys,
  { event, bodies, body, part, key }: CapturedBody,
): Promise<RevealedBody> {
  const privateKey: JsonWebKey = await openCaptureKey(account, keys, key);
  return {
    eventId: event.id,
    body: await decryptWithKey(privateKey, bodyPlace(account, bodies.id, part), body.jwe),
    truncated: body.truncated,
    capturedAt: bodies.capturedAt,
    expiresAt: bodyExpiry(bodies.capturedAt).toISOString(),
  };
}
