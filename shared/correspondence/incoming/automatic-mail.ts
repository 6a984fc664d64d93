import type { ParsedMail } from './parse-mail.ts';

type Headers = Pick<ParsedMail, 'header'>;

/**
 * Reports whether a program sent a mail, for example as an automatic reply. Such a mail never causes an automatic mail.
 * Sources: RFC 3834 (Auto-Submitted, null return path), Microsoft's X-Auto-Response-Suppress, and the unregistered headers
 * of common programs.
 */
export const isAutomatic = (mail: Headers, envelopeSender: string): boolean =>
  envelopeSender === '' ||
  /^mailer-daemon@/i.test(envelopeSender) ||
  isSubmittedAutomatically(mail) ||
  isReportType(mail);

/** Reports whether the whole mail is declared as a report (RFC 6522). */
export const isReportType = (mail: Headers): boolean =>
  /^multipart\/report\b/i.test(first(mail, 'content-type'));

/**
 * Reports whether an address is that of a mail system, which sends bounces. People also write as `postmaster`, so the address
 * alone decides nothing.
 */
export const isSystemSender = (address: string): boolean => /^(mailer-daemon|postmaster)@/i.test(address);

function isSubmittedAutomatically(mail: Headers): boolean {
  const submitted = first(mail, 'auto-submitted').toLowerCase();
  if (submitted !== '' && !/^no\b/.test(submitted)) return true;
  const suppressed = first(mail, 'x-auto-response-suppress').toLowerCase();
  if (suppressed !== '' && suppressed !== 'none') return true;
  return ['x-autoreply', 'x-autorespond', 'x-autoresponse', 'x-auto-reply-from', 'x-loop'].some(
    (name) => first(mail, name) !== '',
  );
}

const listHeaders = ['list-id', 'list-unsubscribe', 'list-post', 'list-help', 'list-subscribe', 'list-owner'];

/**
 * Reports whether a list or a bulk mailing sent the mail (RFC 2919 and 2369, Precedence). A company may forward its address
 * through a group, which adds the headers of a list with the company's own address. Such a mail is not from a list.
 */
export function isBulk(mail: Headers, ownAddress?: string): boolean {
  const precedence = first(mail, 'precedence').toLowerCase();
  if (['bulk', 'junk', 'auto_reply', 'auto-reply'].includes(precedence)) return true;
  const isList = precedence === 'list' || listHeaders.some((name) => first(mail, name) !== '');
  return isList && !isOwnGroup(mail, ownAddress);
}

function isOwnGroup(mail: Headers, ownAddress: string | undefined): boolean {
  if (ownAddress === undefined) return false;
  const listId = /<([^<>]+)>/.exec(first(mail, 'list-id'))?.[1]?.toLowerCase();
  return listId === ownAddress.replace('@', '.');
}

const first = ({ header }: Headers, name: string): string => header(name)[0]?.trim() ?? '';
