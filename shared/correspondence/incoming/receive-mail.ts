import { copyObject } from '../../documents/bucket.ts';
import { logFailure } from '../../log.ts';
import type { Run } from '../../work-queue/work-handler.ts';
import { applyMail } from './apply-mail.ts';
import type { OpenedMail } from './mail-facts.ts';
import type { ReceivedMail } from './read-notification.ts';
import { parseRawMail, rawMailMissing, withRawMail } from './read-raw-mail.ts';
import { type MailRoute, routesOf } from './route-mail.ts';

/**
 * Handles a mail that SES received: reads it once, and applies it to each account that it was sent to. A repeated call changes
 * nothing. A mail that belongs to no account is only logged, without its content; its raw mail stays in the bucket.
 */
export async function receiveMail(received: ReceivedMail, run: Run): Promise<void> {
  const routes = await routesOf(received.recipients);
  if (routes.length === 0)
    return logFailure({ failed: 'mail', code: 'no_recipient', providerId: received.providerId });
  await withRawMail(received.objectKey, run, async (raw) => {
    const mail: OpenedMail = { received, parsed: await parseRawMail(raw), isWhole: raw.isWhole };
    await applyToEach(mail, routes, run);
  });
}

/**
 * Returns the mail with the key of the account's own raw mail, which is deleted with the account. The first account keeps the
 * object that SES stored. Each further account has a copy, whose key contains the account.
 */
async function withOwnRawMail(
  mail: OpenedMail,
  { account }: MailRoute,
  number: number,
  run: Run,
): Promise<OpenedMail> {
  if (number === 0) return mail;
  const { objectKey: original, providerId } = mail.received;
  const objectKey = `mail/${account}/${providerId}`;
  if (!(await copyObject(original, objectKey, undefined, run))) throw rawMailMissing(original);
  return { ...mail, received: { ...mail.received, objectKey } };
}

/** Applies a mail to each account, also after a failure for another account. Throws the first failure at the end. */
async function applyToEach(mail: OpenedMail, routes: readonly MailRoute[], run: Run): Promise<void> {
  const failures: unknown[] = [];
  for (const [number, route] of routes.entries())
    await withOwnRawMail(mail, route, number, run)
      .then((own) => applyMail(own, route, run))
      .catch((error) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
