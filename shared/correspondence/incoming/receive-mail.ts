import { logFailure } from '../../log.ts';
import type { Run } from '../../work-queue/work-handler.ts';
import { applyMail } from './apply-mail.ts';
import type { OpenedMail } from './mail-facts.ts';
import type { ReceivedMail } from './read-notification.ts';
import { parseRawMail, withRawMail } from './read-raw-mail.ts';
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

/** Applies a mail to each account, also after a failure for another account. Throws the first failure at the end. */
async function applyToEach(mail: OpenedMail, routes: readonly MailRoute[], run: Run): Promise<void> {
  const failures: unknown[] = [];
  for (const route of routes) await applyMail(mail, route, run).catch((error) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
