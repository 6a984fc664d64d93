import type { NotificationText } from '../notifications/stored-notification.ts';
import type { SentReason } from '../recipients/decide-recipients.ts';
import type { Mail } from './send-mail.ts';

export interface Sender {
  /** The name of the account; undefined for events that belong to no account. */
  name?: string;
  portalUrl?: string | null;
}

type ComposedMail = Omit<Mail, 'to'>;

/** A line of a mail: plain text, a link of the service, or a list. */
type Line = string | { link: string; address: string } | { items: readonly string[] };

/**
 * Escapes text so that mail clients do not turn it into links: inserts `gap` into everything that looks like an
 * address. The default, a word joiner, is invisible and prevents line breaks.
 */
export const withoutLinks = (text: string, gap = '\u2060'): string =>
  text.replace(/(?<=\S)([.:@/\\])(?=\S)/gu, `$1${gap}`);

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (one) => escapes[one] ?? '');

/** Returns the address if it is an HTTP or HTTPS URL. Mails contain no other links. */
const webLink = (address: string | undefined): string | undefined =>
  address && /^https?:\/\//i.test(address) ? address : undefined;

const pageOf = ({ portalUrl }: Sender, path: string): string | undefined =>
  webLink(portalUrl ?? undefined)
    ?.replace(/\/+$/, '')
    .concat(path);

const because: Readonly<Record<SentReason, string>> = {
  own_rule: 'You get this because you subscribed to these events',
  assignee: 'You get this because the record is assigned to you',
  administrator: 'You get this because you are an administrator',
  user_concerned: 'You get this mail because it is about your password. You cannot turn off this mail',
};

/** The lines that explain why the recipient gets the mail, and where the recipient can change this. */
function footer(sender: Sender, why: string): Line[] {
  const account = sender.name ? ` in ${withoutLinks(sender.name)}` : '';
  const settings = pageOf(sender, '/notification-preferences');
  return [
    `${why}${account}. Choose your notifications in your notification preferences.`,
    ...(settings ? [{ link: 'Change your notification preferences', address: settings }] : []),
  ];
}

export function notificationMail(text: NotificationText, reason: SentReason, sender: Sender): ComposedMail {
  const address = webLink(text.portalLink);
  return compose(
    text.subject,
    [withoutLinks(text.body), ...(address ? [{ link: text.portalLinkDescription ?? 'Open', address }] : [])],
    reason === 'user_concerned' ? [`${because[reason]}.`] : footer(sender, because[reason]),
  );
}

/**
 * The mail for a password reset. The code is plain text, not part of a link: a link would send the code to the portal
 * address, which the account can choose freely.
 */
export function resetMail(token: string, sender: Sender): ComposedMail {
  const page = pageOf(sender, '/password-reset');
  return compose(
    'Reset your password',
    [
      'We received a request to reset your password. This code works once, within an hour:',
      token,
      ...(page ? [{ link: 'Enter the code', address: page }] : []),
      'If you did not request this, ignore this mail. Your password does not change.',
    ],
    [`${because.user_concerned}.`],
  );
}

/**
 * The mail that invites a user. `isNew`: the account created the user, who sets a password with the code. Otherwise, the
 * user accepts an invitation to a further account.
 */
export function invitationMail(
  token: string,
  { account, isNew }: { account: string; isNew: boolean },
  sender: Sender,
): ComposedMail {
  const name = sender.name ? withoutLinks(sender.name) : account;
  const page = isNew ? pageOf(sender, '/password-reset') : undefined;
  return compose(
    `Invitation to ${name}`,
    [
      isNew
        ? `${name} created a user for you. To accept the invitation, set a password with this code:`
        : `${name} (account ${account}) invites you. To accept the invitation, enter this code:`,
      token,
      ...(page ? [{ link: 'Enter the code', address: page }] : []),
      'The code works once, within 72 hours. If you do not want to accept the invitation, ignore this mail.',
    ],
    ['You get this mail because somebody entered your address. Never pass on the code.'],
  );
}

const digests = {
  hourly: {
    period: 'hour',
    why: 'You get this because there were more notifications in an hour than we send one by one',
  },
  weekly: { period: 'week', why: 'You get this because you subscribed to a weekly digest' },
  monthly: { period: 'month', why: 'You get this because you subscribed to a monthly digest' },
} as const;

/** A digest mail. `texts` are the newest notifications, and `more` is the number of further notifications. */
export function digestMail(
  cadence: keyof typeof digests,
  texts: readonly NotificationText[],
  more: number,
  sender: Sender,
): ComposedMail {
  const { period, why } = digests[cadence];
  const count = texts.length + more;
  return compose(
    `${count}${cadence === 'hourly' ? ' more' : ''} notification${count === 1 ? '' : 's'} from the last ${period}`,
    [{ items: texts.map(({ body }) => withoutLinks(body)) }, ...(more > 0 ? [`and ${more} more.`] : [])],
    footer(sender, why),
  );
}

/**
 * Escapes the subject like the body. Also breaks up encoded words (RFC 2047, section 2), which mail clients would
 * decode.
 */
const subjectLine = (text: string): string => withoutLinks(text).replaceAll('=?', '=\u2060?');

const compose = (subject: string, body: readonly Line[], end: readonly Line[]): ComposedMail => ({
  subject: subjectLine(subject),
  text: `${body.map(asText).join('\n\n')}\n\n--\n${end.map(asText).join('\n')}\n`,
  html: [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="format-detection" content="telephone=no,address=no,date=no,email=no"></head><body>',
    ...body.map(asHtml),
    '<hr>',
    ...end.map(asHtml),
    '</body></html>',
  ].join('\n'),
});

function asText(line: Line): string {
  if (typeof line === 'string') return line;
  return 'items' in line ? line.items.map((item) => `- ${item}`).join('\n') : `${line.link}: ${line.address}`;
}

function asHtml(line: Line): string {
  if (typeof line === 'string') return `<p>${escaped(line)}</p>`;
  if ('items' in line) return `<ul>${line.items.map((item) => `<li>${escaped(item)}</li>`).join('\n')}</ul>`;
  return `<p><a href="${escaped(line.address)}">${escaped(line.link)}</a></p>`;
}
