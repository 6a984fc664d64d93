import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { describe, expect, test } from 'vitest';
import {
  composeMessage,
  headerText,
  type MessageParts,
} from '../../shared/correspondence/outgoing/compose-message.ts';
import { messageHtml } from '../../shared/correspondence/outgoing/message-html.ts';
import {
  replySubject,
  sesMessageId,
  threadHeaders,
} from '../../shared/correspondence/outgoing/references.ts';

const parts: MessageParts = {
  from: { address: 'help@acme.example', name: 'Zoë from Acme, Inc.' },
  to: [{ address: 'ada@example.com', name: 'Ada "The Countess" Lovelace' }],
  cc: [],
  replyTo: 're-abc@mail.localhost',
  subject: 'Ihre Frage: Gerät läuft nicht 🙂',
  text: 'Guten Tag,\n\nder Link ist https://acme.example/a?b=1&c=2.\nGrüße',
  messageId: '<abc.1@mail.localhost>',
  references: ['<root@mail.localhost>', '<one@example.com>'],
  inReplyTo: '<one@example.com>',
  automatic: false,
  date: new Date('2026-03-01T09:30:00Z'),
};

const read = async (changes: Partial<MessageParts> = {}) =>
  PostalMime.parse(await composeMessage({ ...parts, ...changes }));

describe('a composed message', () => {
  test('is read with all its parts, also with names and texts outside ASCII', async () => {
    const document = {
      fileName: 'Beleg März.pdf',
      contentType: 'application/pdf',
      content: Buffer.from('%PDF-'),
    };
    const mail = await read({ cc: [{ address: 'bob@example.com' }], attachments: [document] });
    expect(mail.from).toEqual({ address: 'help@acme.example', name: 'Zoë from Acme, Inc.' });
    expect(mail.to).toEqual([{ address: 'ada@example.com', name: 'Ada "The Countess" Lovelace' }]);
    expect(mail.cc).toEqual([{ address: 'bob@example.com', name: '' }]);
    expect(mail.replyTo).toEqual([{ address: 're-abc@mail.localhost', name: '' }]);
    expect(mail.subject).toBe(parts.subject);
    expect(mail.text?.trim()).toBe(parts.text);
    expect(mail.html).toContain(
      '<a href="https://acme.example/a?b=1&amp;c=2">https://acme.example/a?b=1&amp;c=2</a>.',
    );
    expect(mail.references).toBe('<root@mail.localhost> <one@example.com>');
    expect(mail.inReplyTo).toBe('<one@example.com>');
    expect(mail.messageId).toBe('<abc.1@mail.localhost>');
    expect(mail.date).toBe('2026-03-01T09:30:00.000Z');
    expect(mail.attachments).toMatchObject([{ filename: 'Beleg März.pdf', mimeType: 'application/pdf' }]);
  });

  test('is marked as automatic only if no person wrote it', async () => {
    const marks = async (automatic: boolean) =>
      (await read({ automatic })).headers
        .filter(({ key }) => /^(?:auto-submitted|x-auto-response-suppress|precedence)$/.test(key))
        .map(({ key, value }) => [key, value]);
    expect(await marks(false)).toEqual([]);
    expect(await marks(true)).toEqual([
      ['auto-submitted', 'auto-replied'],
      ['x-auto-response-suppress', 'All'],
    ]);
  });

  /** Texts with line breaks, encoded words, addresses and header names. */
  const hostile = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          '\r\n',
          '\n',
          '\r',
          '\u2028',
          '\u0000',
          '\u0085',
          ':',
          ',',
          ';',
          '<',
          '>',
          '"',
          '\\',
          '(',
          '@',
        ),
        fc.constantFrom(
          'Bcc: eve@evil.example',
          '\r\nBcc: eve@evil.example\r\n',
          '=?utf-8?B?DQpCY2M6IGVAZQ==?=',
          'é',
          '🙂',
        ),
        fc.constantFrom('\r\n\r\n<script>', '\r\n.\r\n', 'eve@evil.example', ' ', '\ud800'),
        fc.string({ unit: 'grapheme', maxLength: 10 }),
      ),
      { maxLength: 12 },
    )
    .map((list) => list.join(''));

  test('has exactly its own headers and recipients, whatever names, subject and file names contain', async () => {
    const plain = await read({
      attachments: [{ fileName: 'a', contentType: 'image/png', content: Buffer.from('x') }],
    });
    const keys = plain.headers.map(({ key }) => key);
    await fc.assert(
      fc.asyncProperty(
        hostile,
        hostile,
        hostile,
        hostile,
        hostile,
        async (from, to, subject, fileName, text) => {
          const mail = await read({
            from: { ...parts.from, name: from },
            to: [{ address: 'ada@example.com', name: to }],
            subject,
            text,
            attachments: [{ fileName, contentType: 'image/png', content: Buffer.from('x') }],
          });
          expect(keys).toEqual(expect.arrayContaining(mail.headers.map(({ key }) => key)));
          expect(mail.headers).toHaveLength(new Set(mail.headers.map(({ key }) => key)).size);
          expect(mail.from?.address).toBe('help@acme.example');
          expect(mail.to?.map(({ address }) => address)).toEqual(['ada@example.com']);
          expect([mail.cc, mail.bcc]).toEqual([undefined, undefined]);
          expect(mail.attachments).toHaveLength(1);
        },
      ),
    );
  });
});

test('the HTML alternative shows the text, and the text cannot add elements to it', () => {
  expect(messageHtml('One\nTwo\n\n<b onclick="x">  &')).toContain(
    '<p>One<br>\nTwo</p>\n<p>&lt;b onclick=&quot;x&quot;&gt;&nbsp; &amp;</p>',
  );
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const tags = messageHtml(text).match(/<[^>]*>/g) ?? [];
      for (const tag of tags)
        expect(tag).toMatch(
          /^<(?:!doctype html|\/?(?:html|head|body|p)|meta charset="utf-8"|br|a href="https?:[^"<>]+"|\/a)>$/,
        );
    }),
  );
});

test('References begin with the signed id of the thread, and contain no invalid ids', () => {
  expect(threadHeaders('<root@m>', [])).toEqual({ references: ['<root@m>'] });
  expect(threadHeaders('<root@m>', ['<a@b>', '<c d@e>', '<x@y>\r\nBcc: <e@f>', 'g@h', '<i@j>'])).toEqual({
    references: ['<root@m>', '<a@b>', '<i@j>'],
    inReplyTo: '<i@j>',
  });
});

test('a reply has one prefix', () => {
  expect(replySubject(' No receipt ')).toBe('Re: No receipt');
  expect(replySubject('RE: No receipt')).toBe('RE: No receipt');
});

test('the Message-ID of SES contains the region', () => {
  expect(sesMessageId('0100-1')).toBe('<0100-1@email.amazonses.com>');
});

test('a header text is one line without control characters', () => {
  expect(headerText(' a\r\n\tb\u0000c\u2028d\u200be ')).toBe('a b c d e');
});
