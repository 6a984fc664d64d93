import { createHash } from 'node:crypto';

/** A text that a person or a program may write, and the parts that no captured body may contain. */
export interface Secret {
  text: string;
  hidden: readonly string[];
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Returns characters that depend only on the name. So this file contains no text that looks like a credential. */
function characters(name: string, length: number, from = alphabet): string {
  let text = '';
  for (let round = 0; text.length < length; round++)
    for (const byte of createHash('sha256').update(`${name} ${round}`).digest())
      text += from[byte % from.length];
  return text.slice(0, length);
}
const lower = (name: string, length: number) => characters(name, length, 'abcdefghijkmnpqrstuvwxyz23456789');
const upper = (name: string, length: number) => characters(name, length, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567');
const hex = (name: string, length: number) => characters(name, length, '0123456789abcdef');
const digits = (name: string, length: number) => characters(name, length, '0123456789');

/** Appends the check digit (Luhn) to the first digits of a card number. */
export function withCheckDigit(first: string): string {
  const sum = [...first].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `${first}${(10 - (sum % 10)) % 10}`;
}

/** The first digits of card numbers, and their lengths. */
export const networks: readonly [network: string, first: string, length: number][] = [
  ['Visa', '4', 16],
  ['Visa, 13 digits', '4', 13],
  ['Visa, 19 digits', '4', 19],
  ['Mastercard', '51', 16],
  ['Mastercard, second range', '2223', 16],
  ['American Express', '34', 15],
  ['American Express, second range', '37', 15],
  ['Discover', '6011', 16],
  ['JCB', '3530', 16],
  ['Diners Club', '300', 14],
  ['Diners Club, end of the range', '305', 14],
  ['Diners Club, 36', '36', 14],
  ['Maestro, 50', '5018', 16],
  ['Maestro, 56', '5612', 19],
  ['Maestro, 57', '5701', 13],
  ['Maestro, 58', '5893', 16],
  ['UnionPay', '62', 16],
  ['UnionPay, 81', '8171', 16],
  ['UnionPay, 19 digits', '8100', 19],
  ['Troy', '9792', 16],
];

const numberOf = ([network, first, length]: (typeof networks)[number]): string =>
  withCheckDigit(first + digits(network, length - 1 - first.length));

export const separators = [
  '',
  ' ',
  '-',
  '.',
  '\u00a0',
  '  ',
  '\u2013',
  '\n',
  ' - ',
  '\u202f',
  '\u2011',
  '\r\n',
];

const groupsOf = (number: string): string[] =>
  number.length === 15
    ? [number.slice(0, 4), number.slice(4, 10), number.slice(10)]
    : (number.match(/.{1,4}/g) ?? []);

const cards: readonly Secret[] = networks.flatMap((network, place) => {
  const groups = groupsOf(numberOf(network));
  return [0, 4, 8].map((step) => {
    const text = groups.join(separators[(place + step) % separators.length]);
    return { text, hidden: [text, ...groups.filter(({ length }) => length >= 4)] };
  });
});

const whole = (text: string): Secret => ({ text, hidden: [text] });
const after = (before: string, hidden: string, end = ''): Secret => ({
  text: `${before}${hidden}${end}`,
  hidden: [hidden],
});

const nationalNumbers: readonly Secret[] = [
  ...['-', ' ', '.', '\u2013', '\u2011', '\u00a0', ' \u2013 ', '  ', '\u2212', ''].map((separator) =>
    whole(['321', '54', '9876'].join(separator)),
  ),
  ...['-', '\u2013', '\u2011', ' - '].map((separator) => whole(['12', '3456789'].join(separator))),
  after('EIN 12 ', '3456789'),
  whole('３２１-５４-９８７６'),
  ...['DE89 3704 0044 0532 0130 00', 'GB82WEST12345698765432', 'FR1420041010050500013M02606'].flatMap(
    (iban) => [
      whole(iban),
      whole(iban.toLowerCase()),
      whole(iban.replaceAll(' ', '').replaceAll(/(.{4})(?=.)/g, '$1\u00a0')),
    ],
  ),
  after('account number: ', '000123456'),
  after('my account number is ', '00012345'),
  after('Routing no. ', '110000000'),
  after('CVV ', '739'),
];

const tokens: readonly Secret[] = [
  ...['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'].map((start) => whole(start + characters(start, 24))),
  whole(`whsec_${characters('webhook', 32)}`),
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((start) => whole(start + characters(start, 36))),
  whole(`github_pat_${characters('fine', 22)}_${characters('grained', 59)}`),
  ...['glpat-', 'gldt-', 'glrt-'].map((start) => whole(start + characters(start, 20))),
  ...['AKIA', 'ASIA'].map((start) => whole(start + upper(start, 16))),
  after('aws_secret_access_key = ', characters('aws', 40)),
  after('AWS_SECRET_ACCESS_KEY=', characters('aws env', 40)),
  whole(`xoxb-${digits('slack', 12)}-${digits('team', 12)}-${characters('slack', 24)}`),
  whole(`xoxp-${digits('slack user', 12)}-${characters('slack user', 24)}`),
  whole(`xapp-1-${upper('slack app', 11)}-${digits('slack app', 13)}-${hex('slack app', 40)}`),
  after('https://hooks.slack.com/services/T0/', `B0/${characters('hook', 24)}`),
  after('https://discord.com/api/webhooks/', `${digits('hook', 18)}/${characters('discord', 40)}`),
  whole(`eyJ${characters('header', 20)}.eyJ${characters('payload', 40)}.${characters('signature', 43)}`),
  whole(`eyJ${characters('one part', 60)}`),
  after('Bearer ', characters('bearer', 30)),
  after('Basic ', characters('basic', 20)),
  after('Authorization: Digest ', `response="${hex('digest', 32)}"`),
  whole(`AIza${characters('google', 35)}`),
  whole(`ya29.${characters('google oauth', 60)}`),
  whole(`GOCSPX-${characters('google secret', 28)}`),
  whole(`sk-proj-${characters('openai', 60)}`),
  whole(`sk-${characters('openai old', 48)}`),
  whole(`sk-ant-api03-${characters('anthropic', 80)}`),
  whole(`SG.${characters('sendgrid', 22)}.${characters('sendgrid 2', 43)}`),
  whole(`SK${hex('twilio', 32)}`),
  whole(`key-${hex('mailgun', 32)}`),
  whole(`${hex('mailchimp', 32)}-us12`),
  whole(`xkeysib-${hex('brevo', 64)}-${lower('brevo', 16)}`),
  ...['shpat_', 'shpca_', 'shppa_', 'shpss_'].map((start) => whole(start + hex(start, 32))),
  whole(`sq0atp-${characters('square', 22)}`),
  whole(`EAAA${characters('square 2', 60)}`),
  whole(
    `access-production-${hex('plaid', 8)}-${hex('plaid 2', 4)}-4${hex('plaid 3', 3)}-a${hex('p', 3)}-${hex('p2', 12)}`,
  ),
  whole(`rzp_live_${characters('razorpay', 14)}`),
  whole(`FLWSECK_TEST-${hex('flutterwave', 32)}-X`),
  whole(`npm_${characters('npm', 36)}`),
  whole(`pypi-AgEIcHlwaS5vcmc${characters('pypi', 60)}`),
  whole(`rubygems_${hex('rubygems', 48)}`),
  whole(`dckr_pat_${characters('docker', 27)}`),
  whole(`dop_v1_${hex('digitalocean', 64)}`),
  whole(`hf_${characters('hugging', 34, alphabet.slice(0, 52))}`),
  whole(`gsk_${characters('groq', 52)}`),
  whole(`figd_${characters('figma', 44)}`),
  whole(`lin_api_${characters('linear', 40)}`),
  whole(`ntn_${digits('notion', 11)}${characters('notion', 35)}`),
  whole(`PMAK-${hex('postman', 24)}-${hex('postman 2', 34)}`),
  whole(`NRAK-${upper('relic', 27)}`),
  whole(`glsa_${characters('grafana', 32)}_${hex('grafana', 8)}`),
  whole(`hvs.${characters('vault', 90)}`),
  whole(`dapi${hex('databricks', 32)}`),
  whole(`tskey-auth-${characters('tailscale', 12)}-${characters('tailscale 2', 32)}`),
  whole(`LTAI${characters('alibaba', 20)}`),
  whole(`${digits('telegram', 9)}:AA${characters('telegram', 33)}`),
  whole(`AGE-SECRET-KEY-1${upper('age', 58)}`),
  whole(`mo_sk_${characters('our secret', 49)}`),
  after('-----BEGIN RSA PRIVATE KEY-----\n', characters('pem', 64), '\n-----END RSA PRIVATE KEY-----'),
  after('-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n', characters('pgp', 64)),
];

/** Names of fields as they are written in texts, forms and settings of other programs. */
const names = [
  'password Password PASSWORD user_password passwd passwort passphrase passcode pwd PWD userPwd db_pwd pass',
  'secret client_secret clientSecret secretKey token access_token refreshToken id_token csrf-token apikey api_key',
  'apiKey X-Api-Key app_key accessKey private_key privateKey PRIVATE-KEY signing_key encryptionKey auth_key',
  'otp OTP otp_code totp pin PIN pinCode pin_number cvv CVV2 cvc security_code card_no cardNo CARD-NUMBER cardnum',
  'cc_number creditCard pan panNumber ssn SSN social_security_number tax_id taxId tax_number ein itin dob DOB',
  'date_of_birth birthDate birthday account_no accountNumber acct_number routing_number sort_code iban passport_no',
  'driversLicense drivers_license_number license_no national_id securityAnswer maiden_name session_id connectionString',
  'recovery_code backupCode seed_phrase authorization cookie credentials hmac_key kennwort motDePasse contraseña',
].flatMap((line) => line.split(' '));

const forms: readonly ((name: string, value: string) => string)[] = [
  (name, value) => `{"${name}":"${value}"}`,
  (name, value) => `{\\"${name}\\": \\"${value}\\"}`,
  (name, value) => `${name}: ${value}`,
  (name, value) => `a=1&${name}=${value}`,
  (name, value) => `<${name}>${value}</${name}>`,
  (name, value) => `the ${name} is ${value}`,
  (name, value) => `'${name}' => '${value}'`,
];

const labelled: readonly Secret[] = names.map((name, place) => {
  const value = lower(name, 12);
  return { text: forms[place % forms.length]?.(name, value) ?? '', hidden: [value] };
});

const commandsAndForms: readonly Secret[] = [
  after('curl -u ada:', lower('curl', 10), ' https://example.com'),
  after('curl --user "ada:', lower('curl user', 10), '" https://example.com'),
  after('login --password ', lower('option', 10)),
  after('login --api-key=', lower('option 2', 10)),
  after('<field name="password">', lower('xml', 10), '</field>'),
  after('<add key="apiKey" value="">', lower('xml 2', 10), '</add>'),
  after('Card 4111_1111_', '1111_1111'),
  whole('4111/1111/1111/1111'),
  whole('321/54/9876'),
];

const urls: readonly Secret[] = ['https', 'ftp', 'postgres', 'mongodb+srv', 'amqp', 'smtp'].flatMap(
  (scheme) => [
    after(`${scheme}://ada:`, lower(scheme, 10), '@example.com/a'),
    after(`${scheme}://example.com/a?key=`, lower(`${scheme} query`, 10)),
  ],
);

export const fieldNames = names;

/** More than 200 secrets of all kinds. */
export const secrets: readonly Secret[] = [
  ...cards,
  ...nationalNumbers,
  ...tokens,
  ...labelled,
  ...commandsAndForms,
  ...urls,
];
