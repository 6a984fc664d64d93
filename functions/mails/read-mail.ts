import { Mail, MailParams } from '../../shared/correspondence/mails/schema.ts';
import { mails } from '../../shared/correspondence/mails/store.ts';
import {
  mailReaders,
  mailRecordTypes,
  requireReadableMail,
} from '../../shared/correspondence/threads/mail-access.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';

export default endpoint({
  method: 'GET',
  path: '/mails/{mailId}',
  anyPermission: mailReaders,
  reach: mailRecordTypes,
  params: MailParams,
  response: Mail,
  summary: 'Read a mail',
  description:
    'With readMails, callers read every mail, except those of records that are hidden from them. Other callers read the mails of the records that they may read. Without readInternalComments, they do not read held mails.',
  read: ({ account, params }) => mails.get(account, params.mailId),
  decide: async ({ principal }, mail) => {
    await requireReadableMail(principal, mail);
    return { response: mails.show(mail) };
  },
});
