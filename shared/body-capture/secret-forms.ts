import type { Span } from '../security/spans.ts';

/**
 * The beginnings of credentials, by issuer, with the fewest characters that follow. A longer beginning comes before a
 * shorter one. Public ids, such as Stripe's publishable keys, are not listed.
 */
const issued: Readonly<Record<string, readonly [beginnings: string, fewest: number]>> = {
  'this service': ['mo_(?!key_)[a-z]{1,12}_ whsec_', 8],
  '1Password': ['ops_ey A3-[A-Z0-9]{6}-', 20],
  Airtable: ['pat[A-Za-z0-9]{14}\\.', 32],
  Alibaba: ['LTAI', 16],
  Anthropic: ['sk-ant-', 16],
  Atlassian: ['ATATT3 ATCTT3 ATBB', 20],
  AWS: ['(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])(?=[A-Z2-7]{16})', 16],
  'AWS Bedrock': ['ABSK bedrock-api-key-', 24],
  age: ['AGE-SECRET-KEY-1', 16],
  Azure: ['[\\w~.]{3}\\dQ~', 31],
  Braintree: ['access_token\\$(?:production|sandbox)\\$', 16],
  Cloudflare: ['v1\\.0-[a-f0-9]{24}- cfk_ cfut_ cfat_', 32],
  Databricks: ['dapi', 32],
  DigitalOcean: ['doo_v1_ dop_v1_ dor_v1_', 32],
  Discord: ['[MNO][A-Za-z\\d]{23,25}\\.[\\w-]{6}\\.', 27],
  Docker: ['dckr_pat_ dckr_oat_', 16],
  Doppler: ['dp\\.(?:pt|st|ct|sa|scim|audit)\\.', 20],
  Dropbox: ['sl\\.', 60],
  Duffel: ['duffel_(?:test|live)_', 20],
  Dynatrace: ['dt0[a-z]\\d{2}\\.', 24],
  EasyPost: ['EZAK EZTK', 40],
  Facebook: ['EAA[A-Za-z]', 60],
  Figma: ['figd_ figu_', 20],
  Flutterwave: ['FLWSECK_TEST- FLWSECK-', 12],
  'Fly.io': ['fo1_ fm1a_ fm1r_ fm2_', 32],
  GitHub: ['github_pat_ gh[pousr]_', 20],
  GitLab: ['glpat- gldt- glrt- glptt- glcbt- glft- glimt- glagent- gloas- glsoat- glffct- GR1348941', 16],
  Google: ['AIza', 30],
  'Google OAuth': ['GOCSPX- ya29\\. 1//0', 16],
  Grafana: ['glc_ glsa_', 20],
  Groq: ['gsk_', 32],
  Heroku: ['HRKU-', 32],
  'Hugging Face': ['hf_ api_org_', 30],
  Linear: ['lin_api_ lin_oauth_', 20],
  Mailchimp: ['[a-f0-9]{32}-us', 1],
  Mailgun: ['key-(?=[a-f0-9]{32})', 32],
  'New Relic': ['NRAK- NRII- NRJS- NRRA-', 16],
  Notion: ['ntn_ secret_(?=[A-Za-z0-9]{43})', 30],
  npm: ['npm_', 30],
  OpenAI: ['sk-(?:proj|svcacct|admin)- sk-', 32],
  Perplexity: ['pplx-', 32],
  Plaid: ['access-(?:sandbox|development|production)-', 24],
  PlanetScale: ['pscale_(?:tkn|oauth|pw)_', 24],
  Postman: ['PMAK-', 32],
  Pulumi: ['pul-', 32],
  PyPI: ['pypi-', 50],
  Razorpay: ['rzp_(?:live|test)_', 12],
  Replicate: ['r8_', 30],
  RubyGems: ['rubygems_', 40],
  SendGrid: ['SG\\.', 40],
  Sendinblue: ['xkeysib- xsmtpsib-', 32],
  Sentry: ['sntrys_ sntryu_', 32],
  Shippo: ['shippo_(?:live|test)_', 20],
  Shopify: ['shp(?:at|ca|pa|ss)_', 24],
  Slack: ['xox[a-z]- xoxe\\.xox[bp]- xapp-', 10],
  Square: ['sq0(?:atp|csp|idp)- EAAA', 20],
  Stripe: ['[sr]k_(?:live|test|prod)_', 10],
  Tailscale: ['tskey-[a-z]{2,20}-', 16],
  Telegram: ['\\d{8,10}:AA', 30],
  Terraform: ['[a-z0-9]{14}\\.atlasv1\\.', 40],
  Twilio: ['SK(?=[0-9a-f]{32})', 32],
  Vault: ['hv[sbr]\\.', 24],
  Vercel: ['vc[piark]_', 20],
};

/** The rest of a credential. No form has a part after it, so the time is linear in the length of the text. */
const rest = (fewest: number): string => `[\\w.~+/=$:-]{${fewest},}`;

const credential = new RegExp(
  `(?<![A-Za-z0-9])(?:${Object.values(issued)
    .map(([beginnings, fewest]) => `(?:${beginnings.split(' ').join('|')})${rest(fewest)}`)
    .join('|')})`,
  'g',
);

/** Session tokens and other JSON Web Tokens, and encrypted values: the beginning is a JSON object in Base64. */
const jsonToken = /(?<![A-Za-z0-9])eyJ[\w-]{8,}(?:\.[\w-]*){0,4}/g;
const authorization = /\b(?:Bearer|Basic|Token|ApiKey|Digest) +[\w+/=.~-]{8,}/gi;
/** Addresses whose path is a credential. */
const secretPath =
  /\b(?:hooks\.slack\.com\/(?:services|workflows|triggers)|discord(?:app)?\.com\/api\/webhooks|webhook\.office\.com\/webhookb2|api\.telegram\.org)\/[^\s"'<>]+/gi;

/** A text without a word of this length contains none of these forms; the second number is that of `credential`. */
const [shortestWord, shortestCredential] = [8, 14];

/**
 * Returns the credentials in a text that are recognized by their form, if the text has such a long word. The time is linear
 * in the length of the text.
 */
export function credentialsIn(text: string, longestWord: number): Span[] {
  if (longestWord < shortestWord) return [];
  const forms = [
    jsonToken,
    authorization,
    secretPath,
    ...(longestWord < shortestCredential ? [] : [credential]),
  ];
  return forms.flatMap((form) =>
    [...text.matchAll(form)].map(({ 0: found, index }) => ({ from: index, to: index + found.length })),
  );
}

const [blockStart, blockEnd] = ['-----BEGIN ', '-----END '];

/** Returns the PEM blocks in a text, such as private keys. A block without an end reaches to the end of the text. */
export function pemBlocksIn(text: string): Span[] {
  const found: Span[] = [];
  for (let from = text.indexOf(blockStart); from >= 0; ) {
    const end = text.indexOf(blockEnd, from);
    const close = end < 0 ? -1 : text.indexOf('-----', end + blockEnd.length);
    const to = close < 0 ? text.length : close + 5;
    found.push({ from, to });
    from = text.indexOf(blockStart, to);
  }
  return found;
}
