import type { MessageChannel } from './channel.ts';
import { withoutLinks } from './compose-mail.ts';

/** The basic characters of GSM 03.38 take one septet. Extension characters take two septets (3GPP TS 23.038, 6.2.1). */
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const extension = new Set('^{}\\[~]|€');
/** Replacements for common characters that GSM does not have. */
const replacements = new Map([
  ['’', "'"],
  ['‘', "'"],
  ['“', '"'],
  ['”', '"'],
  ['–', '-'],
  ['—', '-'],
  ['…', '...'],
  ['\t', ' '],
  ['`', "'"],
]);
/** The number of septets in one segment. */
const segment = 160;

/** Converts a text to GSM characters and cuts it to one segment, because each segment is charged. */
export function gsmText(text: string): string {
  let [kept, taken] = ['', 0];
  for (const character of text.normalize('NFC'))
    for (const one of gsmCharacters(character)) {
      taken += extension.has(one) ? 2 : 1;
      if (taken > segment) return kept;
      kept += one;
    }
  return kept;
}

/** Removes the accent of a letter that GSM does not have. Any other unknown character becomes a question mark. */
function gsmCharacters(character: string): string {
  if (basic.has(character) || extension.has(character)) return character;
  const plain = replacements.get(character) ?? character.normalize('NFD').replace(/\p{M}/gu, '');
  return [...plain].every((one) => basic.has(one)) ? plain : '?';
}

/** Transactional text messages of one segment, by SNS. The address is a number in E.164 format. */
export const sms = {
  name: 'sms',
  queue: 'SMS',
  address: { field: 'phone', missing: 'no_phone' },
  messages: { words: 'text message', counted: 'textMessages', stats: 'texts' },
  perHour: 5,
  render: ({ subject }) => withoutLinks(subject),

  send: (text, to, { sns }) =>
    sns({
      PhoneNumber: to,
      Message: gsmText(text),
      MessageAttributes: { 'AWS.SNS.SMS.SMSType': { DataType: 'String', StringValue: 'Transactional' } },
    }),

  right: { sid: 'SendText', actions: ['sns:Publish'], resources: ['phone-numbers'] },

  standIn: {
    variable: 'AWS_ENDPOINT_URL_SNS',
    folder: 'sms',
    read({ body }) {
      const form = new URLSearchParams(body);
      const to = form.get('PhoneNumber');
      if (form.get('Action') !== 'Publish' || !to) return undefined;
      return { to: [to], text: form.get('Message') ?? '' };
    },
    response: (id) => ({
      type: 'text/xml',
      body: `<PublishResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><PublishResult><MessageId>${id}</MessageId></PublishResult></PublishResponse>`,
    }),
  },
} as const satisfies MessageChannel<string>;
