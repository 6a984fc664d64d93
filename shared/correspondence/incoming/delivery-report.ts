import { mailAddressIn } from './mail-texts.ts';

/** What a report says about one recipient of a mail. */
export interface ReportedRecipient {
  address: string;
  /** `permanent`: the mail was not delivered. `complaint`: the recipient marked it as spam. */
  kind: 'permanent' | 'complaint';
  diagnostic?: string;
}

const mostRecipients = 50;
const longestDiagnostic = 500;

/**
 * Reads a `message/delivery-status` (RFC 3464). Only recipients with the action `failed` are returned: `delayed` mails
 * are still being delivered, and the others were delivered. The action decides, not the status: `failed` with a status of
 * class 4, such as 4.4.7 (expired), is permanent.
 */
export function readDeliveryStatus(text: string): ReportedRecipient[] {
  return groupsIn(text)
    .flatMap((fields): ReportedRecipient[] => {
      // The original recipient is the address that was used. The final recipient may be an alias or a mailbox.
      const address = addressIn(fields.get('original-recipient')) ?? addressIn(fields.get('final-recipient'));
      // A comment may follow the action (RFC 3464, 2.1.2).
      if (!/^failed\b/i.test(fields.get('action') ?? '') || !address) return [];
      const diagnostic = [fields.get('status'), valueIn(fields.get('diagnostic-code'))]
        .filter(Boolean)
        .join(' ');
      return [
        {
          address,
          kind: 'permanent',
          ...(diagnostic && { diagnostic: diagnostic.slice(0, longestDiagnostic) }),
        },
      ];
    })
    .slice(0, mostRecipients);
}

/** Reads a `message/feedback-report` (RFC 5965), which a mail provider sends when a recipient marks a mail as spam. */
export function readFeedbackReport(text: string): ReportedRecipient[] {
  const fields = groupsIn(text)[0];
  const address = addressIn(fields?.get('original-rcpt-to'));
  const feedbackType = fields?.get('feedback-type')?.toLowerCase();
  if (!address || feedbackType === undefined || feedbackType === 'not-spam') return [];
  return [{ address, kind: 'complaint', diagnostic: feedbackType.slice(0, longestDiagnostic) }];
}

/** The groups of fields, which blank lines separate. A field that continues on the next line is joined. */
const groupsIn = (text: string): ReadonlyMap<string, string>[] =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .split(/\n[ \t]*\n+/)
    .slice(0, mostRecipients + 1)
    .map(
      (group) =>
        new Map(
          group
            .replaceAll(/\n[ \t]+/g, ' ')
            .split('\n')
            .flatMap((line): [string, string][] => {
              const colon = line.indexOf(':');
              return colon > 0
                ? [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]]
                : [];
            }),
        ),
    );

/** Returns the text after the type, as in `smtp; 550 5.1.1 unknown user`. */
const valueIn = (field: string | undefined): string | undefined => field?.replace(/^[^;]*;/, '').trim();

const addressIn = (field: string | undefined): string | undefined =>
  mailAddressIn(valueIn(field)?.replace(/^<(.*)>$/, '$1'));
