import { mailHappened } from '../../shared/correspondence/mails/events.ts';
import type { StoredMail } from '../../shared/correspondence/mails/schema.ts';
import { mails } from '../../shared/correspondence/mails/store.ts';
import { commit } from '../../shared/events/outbox.ts';
import { systemEvent } from '../../shared/events/system-event.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { newRecord } from '../../shared/table/record-fields.ts';
import { authoredBy } from '../../shared/table/revise.ts';
import { clock } from '../harness/clock.ts';
import type { Tenant } from '../harness/tenant.ts';

/** Returns an incoming mail as a consumer stores it. */
export const incomingMail = (
  { accountId }: Pick<Tenant, 'accountId'>,
  fields: Partial<StoredMail> = {},
): StoredMail => {
  const account = accountId as AccountId;
  const record = newRecord({ account, ...authoredBy('system', clock.now()) });
  return {
    ...record,
    direction: 'incoming',
    state: 'received',
    automatic: false,
    from: { address: 'Ada@Example.com', name: 'Ada Byron' },
    to: [{ address: 'support@example.org' }],
    cc: [],
    subject: 'The terminal does not print',
    text: 'Since this morning no receipt comes out.',
    messageId: `<${record.id}@example.com>`,
    references: [],
    attachments: [],
    leftOut: [],
    bounces: [],
    why: { code: 'new_record' },
    receivedAt: clock.now().toISOString(),
    ...fields,
  };
};

/** Stores an incoming mail with its event. */
export async function plantMail(
  of: Pick<Tenant, 'accountId'>,
  fields: Partial<StoredMail> = {},
): Promise<StoredMail> {
  const mail = incomingMail(of, fields);
  const happening = mail.state === 'quarantined' ? 'mail_quarantined' : 'mail_received';
  const scheduled = { account: mail.accountId, now: clock.now(), schedule: 'incoming' };
  const events = mailHappened(happening, mail, { why: 'new_record' }).map((draft) =>
    systemEvent(draft, scheduled),
  );
  await commit({ writes: mails.insert(mail), events, deadline: Date.now() + 10_000 });
  return mail;
}
