import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startMailbox } from '../../infra/local/mailbox.ts';
import { gsmText } from '../../shared/mail/gsm-text.ts';
import { phoneNumberOf } from '../../shared/users/phone-number.ts';

const folder = mkdtempSync(join(tmpdir(), 'merchant-ops-mail-'));
const mailbox = await startMailbox({ mail: join(folder, 'mail'), sms: join(folder, 'sms') });
process.env.AWS_ENDPOINT_URL_SESV2 = mailbox.endpoint;
process.env.AWS_ENDPOINT_URL_SNS = mailbox.endpoint;
/** Only now: the clients take their addresses when they are first used. */
const { sendMail } = await import('../../shared/mail/send-mail.ts');
const { sendText } = await import('../../shared/mail/send-text.ts');
afterAll(async () => {
  await mailbox.stop();
  rmSync(folder, { recursive: true });
});

const mail = {
  to: 'grace@example.com',
  subject: 'Lead Ada Byron was assigned to you · 東京',
  text: 'Ada Byron is yours now.',
  html: '<p>Ada Byron is yours now.</p>',
};
const written = (kind: string) =>
  readdirSync(join(folder, kind)).map((name) => readFileSync(join(folder, kind, name), 'utf8'));

beforeEach(() => {
  process.env.MAIL_FROM = 'merchant-ops <notifications@example.com>';
});
afterEach(() => {
  for (const kind of ['mail', 'sms'])
    for (const name of readdirSync(join(folder, kind))) rmSync(join(folder, kind, name));
});

describe('mail', () => {
  test('a mail is a file, with text and HTML, and says that no person wrote it', async () => {
    expect(await sendMail(mail)).toEqual({ outcome: 'sent', messageId: expect.any(String) });
    const [eml = ''] = written('mail');
    expect(eml).toMatch(/^Auto-Submitted: auto-generated\r?$/m);
    expect(eml).toMatch(/^From: "merchant-ops" <notifications@example\.com>\r?$/m);
    expect(eml).toMatch(/^To: grace@example\.com\r?$/m);
    expect(eml).toMatch(/^Content-Type: multipart\/alternative;/m);
    expect(eml).toContain('Ada Byron is yours now.');
    expect(eml).toContain('<p>Ada Byron is yours now.</p>');
    expect(readdirSync(join(folder, 'mail'))[0]).toMatch(/^\d{4}-\d\d-\d\dT[\d-]+\.\d{3}Z-[\w-]+\.eml$/);
  });

  test('without a sender nothing is sent, and it is said', async () => {
    delete process.env.MAIL_FROM;
    expect(await sendMail(mail)).toEqual({ outcome: 'refused', reason: 'no_sender' });
    expect(written('mail')).toEqual([]);
  });
});

describe('text messages', () => {
  test('a text message is a file', async () => {
    expect(await sendText('+14155550134', 'Ada Byron is yours now.')).toMatchObject({ outcome: 'sent' });
    expect(written('sms')).toEqual(['To: +14155550134\n\nAda Byron is yours now.\n']);
  });

  test('a number is one by E.164, but for what people write between its digits', () => {
    expect(phoneNumberOf('+1 (415) 555-0134')).toBe('+14155550134');
    expect(phoneNumberOf('+49 30/123456')).toBe('+4930123456');
    for (const none of [
      undefined,
      '',
      '415 555 0134',
      '+0 415 555 0134',
      '+1234',
      '+1415555013412345',
      '+1415x5550134',
    ])
      expect(phoneNumberOf(none)).toBeUndefined();
  });

  test('whatever the text, it is one segment in characters that phones have', () => {
    const allowed =
      /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà^{}\\[~\]|€]*$/;
    const septets = (text: string) =>
      [...text].reduce((sum, one) => sum + ('^{}\\[~]|€'.includes(one) ? 2 : 1), 0);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        const short = gsmText(text);
        expect(short).toMatch(allowed);
        expect(septets(short)).toBeLessThanOrEqual(160);
        expect(gsmText(short)).toBe(short);
      }),
    );
    expect(gsmText('Zoë’s “Café” – 東京 {5 €}')).toBe('Zoe\'s "Café" - ?? {5 €}');
    expect(gsmText('x'.repeat(200))).toBe('x'.repeat(160));
  });
});

describe('what became of it', () => {
  const answering = async (status: number, type: string, delay?: true) => {
    const server = createServer((_, response) => {
      if (delay) return response.destroy();
      response.writeHead(status, { 'content-type': 'application/json', 'x-amzn-errortype': type });
      return response.end(JSON.stringify({ message: 'no' }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const { SESv2Client, SendEmailCommand } = await import('@aws-sdk/client-sesv2');
    const { outcomeOf } = await import('../../shared/mail/send-outcome.ts');
    const port = typeof address === 'object' && address ? address.port : 0;
    const client = new SESv2Client({ endpoint: `http://127.0.0.1:${port}`, maxAttempts: 1 });
    try {
      return await outcomeOf(client.send(new SendEmailCommand({ Content: { Simple: undefined } })));
    } finally {
      client.destroy();
      server.closeAllConnections();
      server.close();
    }
  };

  test.each([
    [429, 'TooManyRequestsException', 'later'],
    [400, 'SendingPausedException', 'later'],
    [400, 'LimitExceededException', 'later'],
    [400, 'MessageRejected', 'refused'],
    [400, 'MailFromDomainNotVerifiedException', 'refused'],
    [404, 'NotFoundException', 'refused'],
    [500, 'Unexpected', 'unknown'],
  ])('%d %s is %s', async (status, type, outcome) => {
    expect(await answering(status, type)).toMatchObject({ outcome });
  });

  test('a connection that ends without an answer is an unknown outcome: it may have been sent', async () => {
    expect(await answering(0, '', true)).toMatchObject({ outcome: 'unknown' });
  });
});
