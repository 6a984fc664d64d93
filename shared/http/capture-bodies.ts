import { referencesTo } from '../body-capture/bodies-of-record.ts';
import { cleanBody, sensitiveValuesIn } from '../body-capture/clean-body.ts';
import { newCleaning } from '../body-capture/clean-text.ts';
import { isDeletionKind } from '../body-capture/deletions.ts';
import { bodiesKey } from '../body-capture/keys.ts';
import {
  type BodyPart,
  bodyExpiry,
  bodyPlace,
  firstBytes,
  type StoredBodies,
  type StoredBody,
} from '../body-capture/stored-bodies.ts';
import type { Contract } from '../endpoints/contract.ts';
import type { HttpResponse } from '../endpoints/response.ts';
import type { Shape } from '../endpoints/shape.ts';
import type { Validators } from '../endpoints/validation.ts';
import type { Event } from '../events/envelope.ts';
import { mintId } from '../id/mint.ts';
import { encryptForKey } from '../security/encrypt-for-key.ts';
import { asSeconds, type Item } from '../table/item.ts';
import { putIfEquals, putItem, type Write } from '../table/operations.ts';
import { transact, VersionConflict } from '../table/transact.ts';
import { readBody } from './body.ts';
import { redactAt } from './idempotency.ts';
import type { Authorized, BodyCapture } from './steps.ts';

/** Returns the capture of a request, or undefined if capture is off for the account. */
export type CaptureBodies = (
  contract: Contract,
  shapes: Pick<Validators, 'sent' | 'response'>,
  authorized: Authorized,
) => BodyCapture | undefined;

/**
 * Captures the bodies of a request that changes records, while the account has capture on. Sensitive values are removed
 * first. The bodies are encrypted with the public key in the account's record, so this function cannot decrypt them.
 */
export const captureBodies: CaptureBodies = (contract, shapes, authorized) => {
  const { account, accountRecord, event, now, dryRun, deadline } = authorized;
  const { bodyCaptureUntil, bodyCaptureKey } = accountRecord ?? {};
  if (!account || !bodyCaptureKey || !bodyCaptureUntil || dryRun) return undefined;
  if (Date.parse(bodyCaptureUntil) <= now.getTime()) return undefined;
  const id = mintId(now);
  const sent = shapes.sent && event.body ? readBody(event) : undefined;
  const cleaning = newCleaning(
    sent === undefined || !shapes.sent ? [] : sensitiveValuesIn(sent, shapes.sent),
    now,
  );

  const stored = async (part: BodyPart, body: unknown, shape: Shape): Promise<StoredBody> => {
    const clean = JSON.stringify(cleanBody(body, shape, cleaning) ?? null);
    const { text, truncated } = firstBytes(clean);
    return {
      jwe: await encryptForKey(bodyCaptureKey.publicKey, bodyPlace(account, id, part), text),
      truncated,
    };
  };
  const request = async () =>
    sent === undefined || !shapes.sent ? {} : { request: await stored('request', sent, shapes.sent) };
  const itemOf = (bodies: Partial<Record<BodyPart, StoredBody>>): Item => {
    const item: StoredBodies = { id, keyId: bodyCaptureKey.id, capturedAt: now.toISOString(), ...bodies };
    const expiresAtSeconds = asSeconds(bodyExpiry(now));
    return { ...bodiesKey(account, id), type: 'bodies', ...item, expiresAtSeconds };
  };
  const replaceIfKept = async (bodies: Partial<Record<BodyPart, StoredBody>>): Promise<void> => {
    try {
      await transact([putIfEquals(itemOf(bodies), 'id', id)], deadline);
    } catch (error) {
      if (!(error instanceof VersionConflict)) throw error;
    }
  };

  let storing: Promise<void> | undefined;
  const isOwn = ({ accountId }: Event): boolean => accountId === account;
  /** The response to a deletion is the deleted record, so its bodies are not stored. */
  const deletes = (events: readonly Event[]): boolean => events.some(({ kind }) => isDeletionKind(kind));
  const references = (events: readonly Event[]): Write[] =>
    deletes(events) ? [] : referencesTo(account, id, events.filter(isOwn), now);
  const reference = { id, ...(sent !== undefined && { request: true as const }), response: true as const };
  return {
    referTo: (events) =>
      deletes(events)
        ? events
        : events.map((one): Event => (isOwn(one) ? { ...one, bodies: reference } : one)),
    references,
    storeRequest() {
      storing ??= request().then((bodies) => transact([putItem(itemOf(bodies))], deadline));
      return storing;
    },
    async write(httpResponse: HttpResponse, events: readonly Event[]) {
      if (deletes(events)) return [];
      const response = JSON.parse(httpResponse.body);
      for (const path of contract.oneTime ?? []) redactAt(response, path.split('.'));
      const bodies = {
        ...(await request()),
        response: await stored('response', response, shapes.response),
      };
      if (!storing) return [putItem(itemOf(bodies)), ...references(events)];
      // The bodies were erased meanwhile if one of the changed records was deleted.
      await replaceIfKept(bodies);
      return references(events);
    },
  };
};
