import { portalOf } from '../accounts/portal.ts';
import { escapeHtml } from '../formats.ts';
import type { NotificationText, Sender, SentReason } from './channel.ts';

export interface NotificationMail {
  /** One line. */
  subject: string;
  text: string;
  html: string;
}

/** A link of the service. */
interface Link {
  link: string;
  address: string;
}

/** An entry of a digest: the time and text of a notification, and the link to its record. */
interface Entry {
  time: string;
  body: string;
  link?: Link;
}

/** A line of a mail: text, which may contain user input, a link, or a list. */
type Line = string | Link | { entries: readonly Entry[] };

/**
 * Escapes plain text so that clients do not turn it into links: puts the dots of host names and the colons of URLs in
 * brackets, as in `https[:]//evil[.]example`. The brackets are visible, so that copied text contains nothing unseen.
 * Email addresses do not change, because a link to an email address opens no page.
 */
export const withoutLinks = (text: string): string =>
  text
    .replace(/:(?=[/\\]{2})/g, '[:]')
    .replace(/(?<=[\p{L}\p{N}-])(?<!@[\p{L}\p{N}.-]*)[.\u3002\uff0e\uff61](?=\p{L}{2})/gu, '[$&]');

/**
 * Escapes text for HTML so that clients do not turn it into links: encloses the separators of addresses in elements.
 * Clients look for addresses in single texts of the document. A copy of the displayed text equals the original.
 */
const htmlText = (text: string): string =>
  escapeHtml(text).replace(/(?<=\S)[.:@/\\\u3002\uff0e\uff61](?=\S)/gu, '<span>$&</span>');

/** Returns the address if it is an HTTP or HTTPS URL. Mails contain no other links. */
const webLink = (address: string | undefined): string | undefined =>
  address && /^https?:\/\//i.test(address) ? address : undefined;

const pageOf = (sender: Sender, path: string): string | undefined => portalOf(sender)?.concat(path);

const linkIn = ({ portalLink, portalLinkDescription = 'Open' }: NotificationText): Link | undefined => {
  const address = webLink(portalLink);
  return address === undefined ? undefined : { link: portalLinkDescription, address };
};

const because: Readonly<Record<SentReason, string>> = {
  own_rule: 'You get this because you subscribed to these events',
  assignee: 'You get this because the record is assigned to you',
  administrator: 'You get this because you are an administrator',
  user_concerned:
    'You get this mail because it is about the security of your access. You cannot turn off this mail',
};

/** The lines that explain why the recipient gets the mail, and where the recipient can change this. */
function footer(sender: Sender, why: string): Line[] {
  const account = sender.name ? ` in ${sender.name}` : '';
  const settings = pageOf(sender, '/notification-preferences');
  return [
    `${why}${account}. Choose your notifications in your notification preferences.`,
    ...(settings ? [{ link: 'Change your notification preferences', address: settings }] : []),
  ];
}

export function notificationMail(
  text: NotificationText,
  reason: SentReason,
  sender: Sender,
): NotificationMail {
  const link = linkIn(text);
  return compose(
    text.subject,
    [text.body, ...(link ? [link] : [])],
    reason === 'user_concerned' ? [`${because[reason]}.`] : footer(sender, because[reason]),
  );
}

/**
 * The mail for a password reset. The code is plain text, not part of a link: a link would send the code to the portal
 * address, which the account can choose freely.
 */
export function resetMail(token: string, sender: Sender): NotificationMail {
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
): NotificationMail {
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

interface DigestNotification {
  text: NotificationText;
  /** When the event occurred: an ISO 8601 date-time. */
  occurredAt: string;
}

/**
 * A digest mail. `notifications` are the newest notifications, and `more` is the number of further notifications. Times
 * are in the account's time zone.
 */
export function digestMail(
  cadence: keyof typeof digests,
  notifications: readonly DigestNotification[],
  more: number,
  sender: Sender & { timezone: string },
): NotificationMail {
  const { period, why } = digests[cadence];
  const count = notifications.length + more;
  const counted = `${count}${cadence === 'hourly' ? ' more' : ''} notification${count === 1 ? '' : 's'}`;
  const account = sender.name ? ` in ${sender.name}` : '';
  const format = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: sender.timezone,
  });
  const entries = notifications.map(({ text, occurredAt }) => ({
    time: format.format(new Date(occurredAt)),
    body: text.body,
    link: linkIn(text),
  }));
  return compose(
    `${counted} from the last ${period}${account}`,
    [
      `Notifications from the last ${period}${account}. Times are in the time zone ${sender.timezone}.`,
      { entries },
      ...(more > 0 ? [`and ${more} more.`] : []),
    ],
    footer(sender, why),
  );
}

/**
 * Escapes the subject like the body. Also breaks up encoded words (RFC 2047, section 2), which mail clients would
 * decode.
 */
const subjectLine = (text: string): string => withoutLinks(text).replaceAll('=?', '= ?');

const compose = (subject: string, body: readonly Line[], end: readonly Line[]): NotificationMail => ({
  subject: subjectLine(subject),
  text: `${body.map(asText).join('\n\n')}\n\n--\n${end.map(asText).join('\n')}\n`,
  html: [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="format-detection" content="telephone=no,address=no,date=no,email=no,url=no"></head><body>',
    ...body.map(asHtml),
    '<hr>',
    ...end.map(asHtml),
    '</body></html>',
  ].join('\n'),
});

function asText(line: Line): string {
  if (typeof line === 'string') return withoutLinks(line);
  if ('link' in line) return `${line.link}: ${line.address}`;
  return line.entries
    .map(({ time, body, link }) => `- ${time}: ${withoutLinks(body)}${link ? `\n  ${asText(link)}` : ''}`)
    .join('\n');
}

function asHtml(line: Line): string {
  if (typeof line === 'string') return `<p>${htmlText(line)}</p>`;
  if ('link' in line) return `<p>${anchor(line)}</p>`;
  const items = line.entries.map(
    ({ time, body, link }) => `<li>${time}: ${htmlText(body)}${link ? `<br>${anchor(link)}` : ''}</li>`,
  );
  return `<ul>${items.join('\n')}</ul>`;
}

const anchor = ({ link, address }: Link): string =>
  `<a href="${escapeHtml(address)}">${escapeHtml(link)}</a>`;
