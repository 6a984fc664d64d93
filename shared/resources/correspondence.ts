import { array, boolean, integer, object, oneOf, optional, recordId, string } from '../schema.ts';
import { happening, happeningsOf, resource } from './declare.ts';
import { because, changedText, did, noticeOf } from './text.ts';

/** The values of a mail in its events. The subject is absent while only some readers of the record may read the mail. */
const mail = {
  direction: oneOf(['incoming', 'outgoing']),
  state: string({ examples: ['received'] }),
  from: string({ description: 'The address of the sender.', examples: ['ada@example.com'] }),
  subject: optional(string({ examples: ['The terminal does not print'] })),
  recordType: optional(oneOf(['ticket', 'lead', 'application'])),
  recordId: optional(string({ examples: ['214563398120449'] })),
};
const why = optional(
  string({ description: 'The reason of the decision, as in `why.code`.', examples: ['reply_address'] }),
);
const record = oneOf(['ticket', 'lead', 'application']);
const bounced = object({
  ...mail,
  addresses: array(string({ examples: ['ada@example.com'] }), {
    description: 'The recipients that the report names.',
  }),
  kind: oneOf(['permanent', 'transient', 'complaint']),
  reason: optional(string({ examples: ['smtp; 550 5.1.1 User unknown'] })),
});

export const mailResource = resource({
  name: 'mail',
  readers: 'own',
  portal: 'record',
  searched: true,
  exported: { without: ['rawKey', 'addressId'] },
  items: {
    'mail-summary': 'derived',
    'mail-thread': { as: 'mail_thread' },
    'mail-thread-id': 'derived',
    'mail-message': 'derived',
    'mail-limit': 'temporary',
    'mail-blocked-address': 'derived',
  },
  unlogged: {
    MAILLIMIT: 'without an event',
    MAILTHREAD: 'without an event',
    MAILTHREADID: 'without an event',
    MAILMESSAGE: 'without an event',
  },
  reference: {
    place: 9.5,
    description: 'Mails to and from customers, in the threads of tickets, leads and applications.',
  },
  events: {},
  happenings: happeningsOf('mail', {
    mail_received: happening(
      'created',
      object({ ...mail, why }),
      'A mail of a customer was received and added to the thread of a record.',
      noticeOf('received', 'A mail from {from} was received.'),
      { label: 'subject' },
    ),
    mail_quarantined: happening(
      'created',
      object({ ...mail, why }),
      'A mail was received and quarantined, or a user quarantined it.',
      noticeOf('quarantined', 'A mail from {from} was quarantined.'),
    ),
    mail_queued: happening(
      'created',
      object(mail),
      'A mail to customers was written and waits to be sent.',
      noticeOf('written', '{actor} wrote the mail {subject}.'),
      { label: 'subject' },
    ),
    mail_sent: happening(
      'updated',
      object(mail),
      'SES accepted a mail to customers.',
      noticeOf('sent', 'The mail {subject} was sent.'),
      { label: 'subject' },
    ),
    mail_bounced: happening(
      'updated',
      bounced,
      'A recipient’s mail server rejected a mail, or a recipient reported it as spam.',
      noticeOf('bounced', `The mail {subject} was not delivered[ to {addresses}].${because}`, {
        error: true,
        variants: [
          {
            if: { kind: 'complaint' },
            title: '{Name} reported as spam',
            body: `The mail {subject} was reported as spam[ by {addresses}].${because}`,
          },
        ],
      }),
      { label: 'subject' },
    ),
    mail_failed: happening(
      'updated',
      object({ ...mail, reason: optional(string({ examples: ['The account of SES is paused.'] })) }),
      'A mail to customers could not be sent, SES rejected it after it had accepted it, or the answer of SES was lost.',
      noticeOf('not sent', `The mail {subject} was not sent.${because}`, { error: true }),
      { label: 'subject' },
    ),
    mail_attachments_stored: happening(
      'updated',
      object({ ...mail, documents: integer({ description: 'The number of new documents.', examples: [1] }) }),
      'The attachments of a released or moved mail became documents of its ticket, or the mail lists why they did not.',
      noticeOf('attachments stored', 'The attachments of a mail from {from} were stored.'),
      { label: 'subject' },
    ),
    mail_moved: happening(
      'updated',
      object({ ...mail, fromType: optional(record), fromId: optional(string({ examples: ['17'] })) }),
      'A user moved a mail to another record.',
      noticeOf('moved', '{actor} moved a mail from {from}.'),
      { label: 'subject' },
    ),
    mail_raw_requested: happening(
      'updated',
      object(mail),
      'A download link of a raw mail was requested. The mail did not change.',
      noticeOf('downloaded', '{actor} requested the raw mail from {from}.'),
      { label: 'subject' },
    ),
    mail_released: happening(
      'updated',
      object({
        ...mail,
        admitted: optional(
          boolean({
            description: 'True if the sender now takes part. False if the thread already has 50 people.',
          }),
        ),
      }),
      'A user released a held or quarantined mail.',
      noticeOf('released', '{actor} released a mail from {from}.'),
      { label: 'subject' },
    ),
  }),
});

const domain = object({
  domain: string({ description: 'The domain in Punycode.', examples: ['example.com'] }),
  status: oneOf(['requested', 'proved', 'verified', 'failed', 'taken_over']),
});

/** Domains from which an account sends mail. Their changes emit `no_event_name`. */
export const mailDomainResource = resource({
  name: 'mail_domain',
  readers: 'administrators',
  portal: { path: '/mail-domains', opens: 'mail domains' },
  exported: true,
  items: { 'mail-domain-name': 'derived', 'mail-domain-holder': 'derived' },
  unlogged: { MAILDOMAIN: 'without an event' },
  reference: {
    place: 16.55,
    name: 'Mail domains',
    description: 'The account’s own domains and addresses for mail with customers.',
    segments: ['mail-domains', 'mail-addresses'],
  },
  events: {},
  happenings: happeningsOf('mail_domain', {
    mail_domain_created: happening('created', domain, 'A mail domain was added.', did('added'), {
      label: 'domain',
    }),
    mail_domain_updated: happening(
      'updated',
      domain,
      'A mail domain was proved or verified, or lost its proof or verification.',
      noticeOf('changed', '{actor} changed {record}. Its status is {status}.'),
      { label: 'domain' },
    ),
    mail_domain_deleted: happening('deleted', domain, 'A mail domain was deleted.', did('deleted'), {
      label: 'domain',
    }),
  }),
});

const address = object({
  address: string({ examples: ['support@example.com'] }),
  purpose: oneOf(['tickets', 'leads']),
  ticketTypeId: optional(string({ examples: ['tty_0634kqj0x01'] })),
  teamId: optional(recordId()),
  automaticReply: boolean({ description: 'True if the address replies automatically.' }),
});

/** The addresses to which customers write. Their changes emit `no_event_name`. */
export const mailAddressResource = resource({
  name: 'mail_address',
  readers: 'administrators',
  portal: { path: '/mail-addresses', opens: 'mail addresses' },
  exported: { without: ['inboundSecret'] },
  items: { 'mail-address-name': 'derived' },
  unlogged: { MAILADDRESS: 'without an event' },
  events: {},
  happenings: happeningsOf('mail_address', {
    mail_address_created: happening('created', address, 'A mail address was added.', did('added'), {
      label: 'address',
    }),
    mail_address_updated: happening('updated', address, 'A mail address changed.', changedText, {
      label: 'address',
    }),
    mail_address_deleted: happening('deleted', address, 'A mail address was deleted.', did('deleted'), {
      label: 'address',
    }),
  }),
});
