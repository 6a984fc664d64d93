import type { NotificationText } from '../notifications/stored-notification.ts';
import type { SentReason } from '../recipients/decide-recipients.ts';
import type { Mail } from './send-mail.ts';

/** What a mail says of the account that it comes from. */
export interface Sender {
  /** Undefined of what belongs to no account. */
  name?: string;
  portalUrl?: string | null;
}

type Written = Omit<Mail, 'to'>;

/** A line of a mail: plain text, or a link of ours. */
type Line = string | { link: string; address: string } | { items: readonly string[] };

/**
 * A text in which nothing becomes a link, whatever somebody typed: mail programs make one of what looks like an address, so
 * that something stands within each. A word joiner does not show and parts no line.
 */
export const unlinked = (text: string, gap = '\u2060'): string =>
  text.replace(/(?<=\S)([.:@/\\])(?=\S)/gu, `$1${gap}`);

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (one) => escapes[one] ?? '');

/** The address of a page of the portal. A mail links to the web and to nothing else. */
const webLink = (address: string | undefined): string | undefined =>
  address && /^https?:\/\//i.test(address) ? address : undefined;

const pageOf = ({ portalUrl }: Sender, path: string): string | undefined =>
  webLink(portalUrl ?? undefined)
    ?.replace(/\/+$/, '')
    .concat(path);

const because: Readonly<Record<SentReason, string>> = {
  own_rule: 'You get this because you asked to hear of such events',
  assignee: 'You get this because it is yours',
  administrator: 'You get this because you are an administrator',
  user_concerned: 'You get this because it is about your own sign-in; such mail cannot be switched off',
};

/** Why one gets it, and where that is changed. */
function footer(sender: Sender, reason: SentReason): Line[] {
  const within = sender.name ? ` in ${unlinked(sender.name)}` : '';
  if (reason === 'user_concerned') return [`${because[reason]}.`];
  const settings = pageOf(sender, '/notification-preferences');
  return [
    `${because[reason]}${within}. What you hear of is set in your notification preferences.`,
    ...(settings ? [{ link: 'Change your notification preferences', address: settings }] : []),
  ];
}

/** The mail about one event. */
export function notificationMail(text: NotificationText, reason: SentReason, sender: Sender): Written {
  const address = webLink(text.portalLink);
  return written(
    text.subject,
    [unlinked(text.body), ...(address ? [{ link: text.portalLinkDescription ?? 'Open', address }] : [])],
    footer(sender, reason),
  );
}

/**
 * The mail that lets a user set a new password. The token is text: in a link it would reach whatever address an account calls
 * its portal. `portal`: where it may be entered, if that may be said.
 */
export function resetMail(token: string, sender: Sender): Written {
  const page = pageOf(sender, '/password-reset');
  return written(
    'Set a new password',
    [
      'Somebody, you we hope, asked to set a new password for your user. This token does so once, within an hour:',
      token,
      ...(page ? [{ link: 'Enter it here', address: page }] : []),
      'If it was not you, there is nothing to do: without the token nothing changes.',
    ],
    footer(sender, 'user_concerned'),
  );
}

/** How a digest is called, and why one gets it. */
const digests = {
  hourly: {
    of: 'more of the last hour',
    why: 'You get this because there were more notifications within an hour than are sent one by one',
  },
  weekly: { of: 'of the week', why: 'You get this because you asked for a weekly digest' },
  monthly: { of: 'of the month', why: 'You get this because you asked for a monthly digest' },
} as const;

/** A digest: the newest first, and how many are left out. */
export function digestMail(
  cadence: keyof typeof digests,
  texts: readonly NotificationText[],
  more: number,
  sender: Sender,
): Written {
  const { of, why } = digests[cadence];
  const count = texts.length + more;
  const within = sender.name ? ` in ${unlinked(sender.name)}` : '';
  const settings = pageOf(sender, '/notification-preferences');
  return written(
    `${count} ${count === 1 ? 'notification' : 'notifications'} ${of}`,
    [{ items: texts.map(({ body }) => unlinked(body)) }, ...(more > 0 ? [`and ${more} more.`] : [])],
    [
      `${why}${within}. What you hear of is set in your notification preferences.`,
      ...(settings ? [{ link: 'Change your notification preferences', address: settings }] : []),
    ],
  );
}

/**
 * Escapes the subject like the body. Also breaks up what would be an encoded word (RFC 2047, section 2), which mail clients
 * decode.
 */
const subjectLine = (text: string): string => unlinked(text).replaceAll('=?', '=\u2060?');

const written = (subject: string, body: readonly Line[], end: readonly Line[]): Written => ({
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
