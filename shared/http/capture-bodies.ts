import { cleanBody, sensitiveValuesIn } from '../body-capture/clean-body.ts';
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
import { asSeconds } from '../table/item.ts';
import { putItem, type Write } from '../table/operations.ts';
import { transact } from '../table/transact.ts';
import { readBody } from './body.ts';
import { redactAt } from './idempotency.ts';
import type { Authorized, BodyCapture } from './stages.ts';

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
  const known = sent === undefined || !shapes.sent ? [] : sensitiveValuesIn(sent, shapes.sent);

  const stored = async (part: BodyPart, body: unknown, shape: Shape): Promise<StoredBody> => {
    const clean = JSON.stringify(cleanBody(body, shape, known) ?? null);
    const { text, truncated } = firstBytes(clean);
    return {
      jwe: await encryptForKey(bodyCaptureKey.publicKey, bodyPlace(account, id, part), text),
      truncated,
    };
  };
  const request = async () =>
    sent === undefined || !shapes.sent ? {} : { request: await stored('request', sent, shapes.sent) };
  const write = (bodies: Partial<Record<BodyPart, StoredBody>>): Write => {
    const item: StoredBodies = { id, keyId: bodyCaptureKey.id, capturedAt: now.toISOString(), ...bodies };
    const expiresAtSeconds = asSeconds(bodyExpiry(now));
    return putItem({ ...bodiesKey(account, id), type: 'bodies', ...item, expiresAtSeconds });
  };

  let storing: Promise<void> | undefined;
  const reference = { id, ...(sent !== undefined && { request: true as const }), response: true as const };
  return {
    referTo: (events) =>
      events.map((one): Event => (one.accountId === account ? { ...one, bodies: reference } : one)),
    storeRequest() {
      storing ??= request().then((bodies) => transact([write(bodies)], deadline));
      return storing;
    },
    async write(httpResponse: HttpResponse) {
      const response = JSON.parse(httpResponse.body);
      for (const path of contract.oneTime ?? []) redactAt(response, path.split('.'));
      return write({ ...(await request()), response: await stored('response', response, shapes.response) });
    },
  };
};
