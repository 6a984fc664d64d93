import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { mailboxVariables, startMailbox } from '../../infra/local/mailbox.ts';
import { mail } from '../../shared/channels/mail.ts';
import { outcomeByError, outcomeOf } from '../../shared/channels/send-outcome.ts';
import { gsmText, sms } from '../../shared/channels/sms.ts';
import { failCalls } from '../harness/call-faults.ts';
import { codePoint } from '../harness/code-point.ts';
import { runAs, type WireFault } from '../harness/wire.ts';

const folder = mkdtempSync(join(tmpdir(), 'merchant-ops-mail-'));
const mailbox = await startMailbox({ folder: (name) => join(folder, name) });
Object.assign(process.env, mailboxVariables(mailbox.endpoint));
/** Imported after the endpoints are set, because each client reads its endpoint only once. */
const { messageServices } = await import('../../shared/messaging/messages/message-services.ts');
afterAll(async () => {
  await mailbox.stop();
  rmSync(folder, { recursive: true });
});

const content = {
  subject: 'Lead Ada Byron was assigned to you · 東京',
  text: 'Ada Byron is yours now.',
  html: '<p>Ada Byron is yours now.</p>',
};
const sendMail = () => mail.send(content, 'grace@example.com', messageServices);
const sendText = () => sms.send('Ada Byron is yours now.', '+14155550134', messageServices);
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
  test('is written to a file with text and HTML, and is marked as auto-generated', async () => {
    expect(await sendMail()).toEqual({ outcome: 'sent', messageId: expect.any(String) });
    const [eml = ''] = written('mail');
    expect(eml).toMatch(/^Auto-Submitted: auto-generated\r?$/m);
    expect(eml).toMatch(/^From: "merchant-ops" <notifications@example\.com>\r?$/m);
    expect(eml).toMatch(/^To: grace@example\.com\r?$/m);
    expect(eml).toMatch(/^Content-Type: multipart\/alternative;/m);
    expect(eml).toContain('Ada Byron is yours now.');
    expect(eml).toContain('<p>Ada Byron is yours now.</p>');
    expect(readdirSync(join(folder, 'mail'))[0]).toMatch(/^\d{4}-\d\d-\d\dT[\d-]+\.\d{3}Z-[\w-]+\.eml$/);
  });

  test('is not sent without a sender address, and the outcome is sender_refused', async () => {
    delete process.env.MAIL_FROM;
    expect(await sendMail()).toEqual({ outcome: 'sender_refused', reason: 'no_sender' });
    expect(written('mail')).toEqual([]);
  });
});

describe('text messages', () => {
  test('are written to files', async () => {
    expect(await sendText()).toMatchObject({ outcome: 'sent' });
    expect(written('sms')).toEqual(['To: +14155550134\n\nAda Byron is yours now.\n']);
  });

  test('fit into one segment of GSM characters for any text', () => {
    const allowed =
      /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà^{}\\[~\]|€]*$/;
    const septets = (text: string) =>
      [...text].reduce((sum, one) => sum + ('^{}\\[~]|€'.includes(one) ? 2 : 1), 0);
    fc.assert(
      fc.property(fc.string({ unit: codePoint, maxLength: 400 }), (text) => {
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

describe('the outcome of an error', () => {
  const failing = (fault: WireFault) => {
    const { stop } = failCalls(() => fault);
    const run = <T>(send: () => Promise<T>) => runAs({ functionName: 'test' }, send).finally(stop);
    return {
      mail: () => run(sendMail),
      text: () => run(sendText),
    };
  };

  test.each([
    ['TooManyRequestsException', 429, 'later'],
    ['InternalServiceErrorException', 500, 'later'],
    ['AccessDeniedException', 403, 'sender_refused'],
    ['ExpiredTokenException', 403, 'sender_refused'],
    ['SignatureDoesNotMatch', 403, 'sender_refused'],
    ['AccountSuspendedException', 400, 'sender_refused'],
    ['SendingPausedException', 400, 'sender_refused'],
    ['LimitExceededException', 400, 'sender_refused'],
    ['MailFromDomainNotVerifiedException', 400, 'sender_refused'],
    ['NotFoundException', 404, 'sender_refused'],
    ['MessageRejected', 400, 'refused'],
    ['BadRequestException', 400, 'refused'],
  ])('of SES: %s (%d) is %s', async (error, status, outcome) => {
    expect(await failing({ error, status }).mail()).toEqual({ outcome, reason: error });
  });

  test.each([
    ['Throttled', 429, 'later'],
    ['InternalError', 500, 'later'],
    ['AuthorizationError', 403, 'sender_refused'],
    ['InvalidClientTokenId', 403, 'sender_refused'],
    ['KMSNotFound', 400, 'sender_refused'],
    ['InvalidParameter', 400, 'refused'],
    ['OptedOut', 400, 'refused'],
  ])('of SNS: %s (%d) is %s', async (error, status, outcome) => {
    expect(await failing({ error, status }).text()).toMatchObject({ outcome });
  });

  test('about an unverified identity is sender_refused, regardless of the error name', async () => {
    const message = 'Email address is not verified. The following identities failed the check in region';
    expect(await failing({ error: 'MessageRejected', message }).mail()).toEqual({
      outcome: 'sender_refused',
      reason: 'MessageRejected',
    });
  });

  test('that is not listed is never refused', async () => {
    expect(await failing({ error: 'Unlisted', status: 418 }).mail()).toEqual({
      outcome: 'sender_refused',
      reason: 'Unlisted',
    });
    expect(await failing({ error: 'Unlisted', status: 500 }).text()).toEqual({
      outcome: 'later',
      reason: 'Unlisted',
    });
    expect(await failing('reset').mail()).toEqual({ outcome: 'unknown', reason: 'TimeoutError' });
  });

  test('about the sender is counted for the alarm and logged with its reason', async () => {
    const lines: string[] = [];
    const spy = vi.spyOn(process.stdout, 'write').mockImplementation((line) => {
      lines.push(String(line));
      return true;
    });
    await failing({ error: 'AccessDeniedException', status: 403 }).mail();
    await failing({ error: 'AuthorizationError', status: 403 }).text();
    await failing({ error: 'MessageRejected' }).mail();
    await failing({ error: 'Throttled', status: 429 }).text();
    spy.mockRestore();
    const logged = lines.map((line) => JSON.parse(line));
    expect(logged.map(({ senderRefused, SenderRefusals }) => senderRefused ?? SenderRefusals)).toEqual([
      'AccessDeniedException',
      1,
      'AuthorizationErrorException',
      1,
    ]);
  });

  test('is listed for each declared error of SES SendEmail and SNS Publish', () => {
    const declared = (file: string) => {
      const text = readFileSync(createRequire(import.meta.url).resolve(file), 'utf8');
      return [...text.matchAll(/@throws \{@link (\w+)\} \(/g)].map(([, name = '']) => name);
    };
    const names = [
      ...declared('@aws-sdk/client-sesv2/dist-types/commands/SendEmailCommand.d.ts'),
      ...declared('@aws-sdk/client-sns/dist-types/commands/PublishCommand.d.ts'),
    ];
    expect(names.length).toBeGreaterThan(20);
    for (const name of names) expect(outcomeByError).toHaveProperty(name);
  });

  test('of a refused connection leads to a retry, because nothing was sent', async () => {
    const client = new SESv2Client({ endpoint: 'http://127.0.0.1:1', maxAttempts: 1 });
    const sent = client.send(new SendEmailCommand({ Content: { Simple: undefined } }));
    expect(await outcomeOf(sent)).toEqual({ outcome: 'later', reason: 'ECONNREFUSED' });
    client.destroy();
  });
});
