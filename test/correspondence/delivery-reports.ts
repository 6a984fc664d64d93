import type { TestMail } from './incoming-mail.ts';

const report = [
  ...['--r', 'Content-Type: text/plain', '', 'Your mail could not be delivered.'],
  ...['--r', 'Content-Type: message/delivery-status', '', 'Reporting-MTA: dns; mx.example.com', ''],
  ...['Final-Recipient: rfc822; ada@example.com', 'Action: failed', 'Status: 5.1.1', '--r--'],
].join('\r\n');

/** A delivery report in the form of the standard, or as a plain text of a mail system. */
export const bounce = (to: string, n: number): TestMail => ({
  to,
  from: `MAILER-DAEMON@mx${n}.example.com`,
  envelopeSender: '',
  ...(n % 2 === 0
    ? {
        headers: { 'Content-Type': 'multipart/report; report-type=delivery-status; boundary=r' },
        body: report,
      }
    : { headers: { Subject: 'failure notice' }, body: 'Sorry, no mailbox here by that name.' }),
});

/** A delivery report that returns the header of a mail. */
export const reportAbout = (
  to: string,
  {
    returned,
    recipient = 'ada@example.com',
    action = 'failed',
  }: {
    returned: Readonly<Record<string, string>>;
    recipient?: string;
    action?: string;
  },
): TestMail => ({
  ...bounce(to, 0),
  body: report
    .replace('ada@example.com', recipient)
    .replace('Action: failed', `Action: ${action}`)
    .replace(
      '--r--',
      [
        ...['--r', 'Content-Type: text/rfc822-headers', ''],
        ...[...Object.entries(returned).map(([name, value]) => `${name}: ${value}`), '', '--r--'],
      ].join('\r\n'),
    ),
});
