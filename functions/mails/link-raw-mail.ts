import { mailHappened } from '../../shared/correspondence/mails/events.ts';
import { MailParams } from '../../shared/correspondence/mails/schema.ts';
import { mails } from '../../shared/correspondence/mails/store.ts';
import {
  mailReaders,
  mailRecordTypes,
  requireRaw,
  requireReadableMail,
} from '../../shared/correspondence/threads/mail-access.ts';
import { presignDownload } from '../../shared/documents/bucket.ts';
import { linkSeconds } from '../../shared/documents/rules.ts';
import { DocumentLink } from '../../shared/documents/schema.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';

export default endpoint({
  method: 'GET',
  path: '/mails/{mailId}/raw',
  anyPermission: mailReaders,
  reach: mailRecordTypes,
  params: MailParams,
  response: DocumentLink,
  errors: ['raw_mail_missing'],
  happenings: ['mail_raw_requested'],
  files: 'mail',
  summary: 'Get a download link for a raw mail',
  description:
    'The raw mail contains everything that was received, also parts that the record leaves out. It is kept for 30 days. The link is valid for five minutes and needs no authentication. The raw mail may contain harmful files.',
  read: ({ account, params }) => mails.get(account, params.mailId),
  decide: async ({ principal, now }, mail) => {
    await requireReadableMail(principal, mail);
    const file = { fileName: `mail-${mail.id}.eml`, contentType: 'message/rfc822' };
    return {
      response: await presignDownload(requireRaw(mail, now), file, { now, seconds: linkSeconds }),
      writes: [],
      events: mailHappened('mail_raw_requested', mail, {}),
    };
  },
});
