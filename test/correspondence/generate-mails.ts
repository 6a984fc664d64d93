import fc from 'fast-check';

/** Texts with which senders attack headers, in plain form, as encoded words, and in other charsets. */
const attacks = [
  'Ada\r\nBcc: mallory@evil.test',
  'a\nX-Injected: yes',
  '=?utf-8?q?Ada=0D=0ABcc:_mallory@evil.test?=',
  '=?utf-8?b?QWRhDQpCY2M6IG1hbGxvcnlAZXZpbC50ZXN0?=',
  '=?iso-2022-jp?b?GyRCJCIbKEI=?=',
  '=?unknown-charset?q?=FF=FE?=',
  '=?utf-8?q?unfinished',
  'a\u0000b\u202Egpj.exe',
  '../../etc/passwd',
  '"quoted \\" name"',
];
const text = fc.oneof(
  fc.constantFrom(...attacks),
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 20 }).map((word) => word.repeat(300)),
);
const charset = fc.constantFrom(
  'utf-8',
  'iso-8859-1',
  'windows-1252',
  'utf-7',
  'utf-16',
  'gb18030',
  'koi8-r',
  'x-none',
);
const encoding = fc.constantFrom('7bit', '8bit', 'base64', 'quoted-printable', 'x-uuencode', '');
const body = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.base64String({ maxLength: 200 }),
  fc.constantFrom(
    '=C3=BC=\r\n=',
    '<p>Hello<script>x</script>',
    'begin 644 a\r\n#0V%T\r\nend',
    '> '.repeat(2_000),
  ),
);
const type = fc.constantFrom(
  'text/plain',
  'text/html',
  'text/calendar; method=REQUEST',
  'application/ms-tnef; name="winmail.dat"',
  'application/pkcs7-mime; smime-type=enveloped-data; name="smime.p7m"',
  'application/pkcs7-signature; name="smime.p7s"',
  'application/pgp-encrypted',
  'application/pdf',
  'message/rfc822',
  'message/delivery-status',
  'image/png',
  '',
);
const leaf = fc
  .record({ type, charset, encoding, fileName: text, body })
  .map(({ type: of, charset: named, encoding: coded, fileName, body: content }) =>
    [
      `Content-Type: ${of}; charset=${named}`,
      `Content-Transfer-Encoding: ${coded}`,
      `Content-Disposition: attachment; filename="${fileName}"`,
      ...['', content],
    ].join('\r\n'),
  );
let boundaries = 0;
const whole = (parts: readonly string[], kind: string): string => {
  const boundary = `b${boundaries++}`;
  return [
    `Content-Type: multipart/${kind}; boundary=${boundary}`,
    '',
    ...parts.flatMap((part) => [`--${boundary}`, part]),
    `--${boundary}--`,
  ].join('\r\n');
};
const kinds = fc.constantFrom('mixed', 'alternative', 'related', 'signed', 'encrypted', 'report', 'x-other');
const { tree } = fc.letrec<{ tree: string }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, depthSize: 'medium' },
    leaf,
    fc.tuple(fc.array(tie('tree'), { maxLength: 5 }), kinds).map(([parts, kind]) => whole(parts, kind)),
  ),
}));
const mail = fc
  .record({
    name: text,
    subject: text,
    to: fc.array(text, { maxLength: 3 }),
    tree,
    cut: fc.double({ min: 0, max: 1.5, noNaN: true }),
  })
  .map(({ name, subject, to, tree: content, cut }) => {
    const header = `From: ${name} <ada@example.com>\r\nTo: ${to.join(', ')}\r\nSubject: ${subject}\r\n`;
    const raw = Buffer.from(header + content);
    return cut < 1 ? raw.subarray(0, Math.floor(raw.length * cut)) : raw;
  });

/** Returns random mails. */
export const randomMails = (numRuns: number, seed: number): Buffer[] => fc.sample(mail, { numRuns, seed });

/** Mails at the limits: their structure or size would need much memory. */
export function largeMails(): Record<string, () => Buffer> {
  const [header, attachment] = [
    'From: ada@example.com\r\nSubject: Large\r\n',
    'Content-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n',
  ];
  const base64 = `${'QUJD'.repeat(19)}\r\n`;
  const fill = (line: string, bytes: number) => line.repeat(Math.floor(bytes / line.length));
  const nested = (levels: number): string => {
    const open = Array.from(
      { length: levels },
      (_, n) => `Content-Type: multipart/mixed; boundary=n${n}\r\n\r\n--n${n}\r\n`,
    );
    return `${open.join('')}Content-Type: text/plain\r\n\r\nHello`;
  };
  const megabytes = 29 * 1024 * 1024;
  return {
    'an attachment of 29 MB': () =>
      Buffer.from(
        header +
          whole([`Content-Type: text/plain\r\n\r\nHello`, attachment + fill(base64, megabytes)], 'mixed'),
      ),
    'a text of 29 MB': () =>
      Buffer.from(`${header}\r\n${fill('All work and no play makes Jack a dull boy.\r\n', megabytes)}`),
    'one line of 29 MB': () => Buffer.from(`${header}\r\n${fill('a', megabytes)}`),
    'HTML of 29 MB': () =>
      Buffer.from(`${header}Content-Type: text/html\r\n\r\n${fill('<div><b>x</b>\r\n', megabytes)}`),
    'one million empty lines': () => Buffer.from(`${header}\r\n${'\r\n'.repeat(1_000_000)}`),
    '20,000 parts': () =>
      Buffer.from(
        header +
          whole(
            Array.from({ length: 20_000 }, () => 'Content-Type: text/plain\r\n\r\nx'),
            'mixed',
          ),
      ),
    '2,000 attachments': () =>
      Buffer.from(
        header +
          whole(
            Array.from({ length: 2_000 }, () => `${attachment}QUJD`),
            'mixed',
          ),
      ),
    '500 levels': () => Buffer.from(header + nested(500)),
    'a header of 20 MB': () =>
      Buffer.from(`${fill('X-Filler: 0123456789\r\n', 20 * 1024 * 1024)}${header}\r\nHello`),
    '100,000 recipients': () => Buffer.from(`${header}To: ${'a@b.example, '.repeat(100_000)}\r\n\r\nHello`),
  };
}

/** Texts of 1 MB, in which each line can begin or end a quotation or a signature. */
export const longTexts = [
  '--\n>\n',
  '--\n\n',
  'On 1 May 2026 Ada\n',
  'Am 1. Mai schrieb Ada:\n--\n',
  'schrieb ',
  'From: a\n\n',
  '-',
  '\n',
  '> ',
].map((piece) => piece.repeat((1024 * 1024) / piece.length));
