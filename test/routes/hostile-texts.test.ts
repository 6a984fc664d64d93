import { describe, expect, test } from 'vitest';
import savePaymentProvider from '../../functions/billing/save-payment-provider.ts';
import savePartnerConnection from '../../functions/integrations/save-partner-connection.ts';
import savePayoutSettings from '../../functions/residual-payouts/save-payout-settings.ts';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { querySchema } from '../../infra/contract-schemas.ts';
import { headerText } from '../../shared/correspondence/outgoing/compose-message.ts';
import { coerced } from '../../shared/endpoints/coercion.ts';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import { parsedUrl } from '../../shared/formats.ts';
import { type CallResponse, call } from '../harness/call.ts';
import { validatorsOf } from '../harness/compiled.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';
import { settings } from '../residuals/payouts/world.ts';
import { type HappyPath, happyPath } from './happy-paths.ts';
import { corpus, harmless } from './hostile-texts.ts';
import { nameOf } from './records.ts';
import { fieldOf, filling, type Rules, setAt, textFieldsOf, valueAt, variantsOf } from './text-fields.ts';

const all = await loadEndpoints();

interface Part {
  name: string;
  part: 'body' | 'query';
  endpoint: Endpoint;
  rules: Rules;
}

const parts = all.flatMap(({ endpoint }): Part[] => {
  const { contract } = endpoint;
  const query = querySchema(contract);
  const of = (part: Part['part'], rules: Rules) => ({
    name: `${part} of ${nameOf(contract)}`,
    part,
    endpoint,
    rules,
  });
  return [
    ...(contract.body ? variantsOf(contract.body).map((rules) => of('body', rules)) : []),
    ...(query ? [of('query', query as Rules)] : []),
  ];
});

const control = /\p{Cc}|\p{Zl}|\p{Zp}/u;
const overrides = /[\u202a-\u202e\u2066-\u2069]/u;
/** White space, controls, formats, marks, and letters and symbols without a glyph. */
const invisible = /[\s\p{C}\p{M}\u115f\u1160\u3164\uffa0\u2800]/gu;

/** The documented stored form of a text that a field accepts. */
function storedForm({ format, 'x-text': form }: Rules, sent: string): string | undefined {
  const trimmed = sent.trim();
  if (form === 'verbatim') return sent;
  if (format === 'uri') return /^[\x21-\x7e]*$/.test(trimmed) ? trimmed : parsedUrl(trimmed)?.href;
  if (format === 'email') {
    const [name, domain] = trimmed.split('@');
    return `${name}@${parsedUrl(`https://${domain}`)?.host}`;
  }
  return form === 'multiline' ? sent.replaceAll(/\r\n|[\r\u0085\u2028\u2029]/g, '\n') : sent;
}

/** Returns the reason why a field must reject a text, or undefined if there is none. */
function faultOf(rules: Rules, text: string): string | undefined {
  const { format, 'x-text': form, minLength = 0, maxLength = 65_536 } = rules;
  if (form === 'verbatim') return undefined;
  if (text.length > 2 * maxLength || [...text].length > maxLength) return 'is too long';
  if (control.test(form === 'multiline' ? text.replaceAll(/[\n\t]/g, '') : text)) return 'has controls';
  if (form !== 'multiline' && overrides.test(text)) return 'overrides the direction';
  const needsGlyph = minLength > 0 || (form === 'name' && text !== '');
  if (needsGlyph && text.replaceAll(invisible, '') === '') return 'is invisible';
  const url = parsedUrl(text);
  if (format === 'uri' && !/^https?:$/.test(url?.protocol ?? '')) return 'is not a web address';
  if (format === 'uri' && (url?.username || url?.password)) return 'has a user name';
  if (format === 'email' && !/^[\x21-\x7e]+@[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(text))
    return 'is not an address';
  return undefined;
}

interface Result {
  kind: string;
  text: string;
  /** The converted input, which contains the text in every text field. */
  value: unknown;
  rejected: ReadonlySet<string>;
}

/** Validates an input with the same text in every text field, for each text of the corpus. */
function resultsOf({ part, endpoint, rules }: Part): Result[] {
  const validate = validatorsOf(endpoint.contract)[part];
  const filled = filling(rules);
  return Object.entries(corpus).map(([kind, text]) => {
    const value = coerced(filled(text), validate?.coercion);
    validate?.(value);
    return {
      kind,
      text,
      value,
      rejected: new Set(validate?.errors?.map(({ instancePath }) => instancePath)),
    };
  });
}

const withTexts = parts.filter(({ rules }) => textFieldsOf(rules).length > 0);
const results = new Map(withTexts.map((part) => [part, resultsOf(part)]));

/** The fields with entered secrets, which accept every character. */
const verbatim = [
  'POST /auth/login: apiSecret',
  'POST /auth/login: password',
  'POST /auth/password: currentPassword',
  'POST /auth/step-up: password',
];

/** The queries of the lists and reports that require one. */
const requiredQueries: Readonly<Record<string, object>> = {
  '/search': { q: 'ada' },
  '/billing/statement': { customerId: '1', from: '2026-01-01', to: '2026-03-31' },
  '/residual-anomalies': { month: '2026-10' },
  '/received-invoices': { from: '2026-01-01', to: '2026-03-31' },
};

describe('every text field of every body and query', () => {
  test('the texts of all bodies and queries are found in the contracts', () => {
    const bodies = parts.filter(({ part }) => part === 'body').map(({ endpoint }) => endpoint);
    expect(new Set(bodies).size).toBe(all.filter(({ endpoint }) => endpoint.contract.body).length);
    const fields = parts.flatMap(({ endpoint, rules }) =>
      textFieldsOf(rules).map(({ pointer, rules: { 'x-text': form } }) => ({
        name: `${nameOf(endpoint.contract)}: ${fieldOf(pointer)}`,
        form,
      })),
    );
    expect(fields.length).toBeGreaterThan(500);
    expect(
      fields
        .filter(({ form }) => form === 'verbatim')
        .map(({ name }) => name)
        .sort(),
    ).toEqual(verbatim);
  });

  test('a hostile text is either rejected with its field, or has the documented stored form', () => {
    const failures: string[] = [];
    const counts = { accepted: 0, rejected: 0 };
    for (const part of withTexts) {
      const fields = textFieldsOf(part.rules);
      for (const { kind, text, value, rejected } of results.get(part) ?? [])
        for (const { pointer, rules } of fields) {
          const where = `${part.name}: ${kind} in ${fieldOf(pointer)}`;
          if (rejected.has(pointer)) {
            counts.rejected += 1;
            const isFree = !rules.pattern && !rules.format && [...text].length >= (rules.minLength ?? 0);
            if (isFree && harmless.includes(kind) && !faultOf(rules, text))
              failures.push(`${where} is rejected`);
            continue;
          }
          counts.accepted += 1;
          const stored = valueAt(value, pointer);
          if (stored !== storedForm(rules, text)) failures.push(`${where} is stored as ${String(stored)}`);
          const fault = faultOf(rules, String(stored));
          if (fault) failures.push(`${where} is accepted, but ${fault}`);
        }
    }
    expect(failures).toEqual([]);
    expect(counts.accepted).toBeGreaterThan(5000);
    expect(counts.rejected).toBeGreaterThan(10_000);
  });
});

/** Resources whose calls change logins. Each of them is tested in a separate account. */
const apart = ['auth', 'users', 'webhooks', 'apikeys', 'accounts'];
const owners = new Map<string, Tenant>();
async function ownerOf({ contract: { path } }: Endpoint): Promise<Tenant> {
  const [, resource = ''] = path.split('/');
  const name = apart.includes(resource) ? resource : '';
  const owner = owners.get(name) ?? (await tenant());
  owners.set(name, owner);
  return owner;
}

/** How often each route is called with hostile texts. */
const rounds = 2;

/** Errors about a value that is not unique. They name no field. The test tries other texts. */
const taken = ['mid_taken', 'role_name_taken'];
const mostAttempts = 6;

/** Errors about a credential or about the state of the record. They name no field. */
const allowedErrors = [
  ...taken,
  'application_not_submitted',
  'mapping_exists',
  'mail_address_exists',
  'login_failed',
  'challenge_invalid',
  'sign_on_state_invalid',
  'sign_on_rejected',
  'code_wrong',
  'password_wrong',
  'already_member',
  'token_invalid',
  'preferences_invalid',
];
/**
 * Fields that this test does not send. The members of rotations are shown with the user's own email and name. An error
 * about the account of a preference or the new parent of an account names no field. An email address belongs to one user.
 * The mapping of a bank statement names headers of the file. A credential is the complete result of a passkey. Happenings are
 * names from a list, which may not become empty. A mail address needs a proved domain, and its error names no field. The
 * record of a mail and the new beneficiary of a MID need a type. A scope names either a MID or a processor.
 */
const unsent =
  /^\/userRotationArray\/\d+\/(?:email|name)$|^\/columns\/|^\/defaultRoles\/|\/roles\/\d+$|^\/credential\/|^\/happenings\/|^\/(?:address|recordId)$|^\/to\/id$|\/scope\/processor$|\/(?:accountId|parentAccountId|adminEmail)$/;

/**
 * The bodies whose texts are only ids, names of permissions, months, credentials or the file of a bank, so that no text of the
 * corpus is accepted.
 */
const withoutFreeText = [
  'PATCH /apikeys/{id}/permissions',
  'PATCH /applications/{applicationId}/underwriting',
  'PATCH /residual-agreements/{id}',
  'POST /accounts/{id}/move',
  'POST /auth/factors/{factorId}/confirm',
  'POST /auth/login',
  'POST /auth/login/verify',
  'POST /auth/password',
  'POST /auth/password-reset',
  'POST /auth/sso/exchange',
  'POST /auth/sso/logout/{accountId}/{connectionId}',
  'POST /auth/step-up',
  'POST /domains',
  'POST /leads/{leadId}/assign',
  'POST /mail-domains',
  'POST /mails/{mailId}/move',
  'POST /reassignments',
  'POST /residual-payouts',
  'POST /residual-payouts/returns',
  'POST /residual-runs',
  'POST /ticket-rotations/{id}/simulate',
  'POST /users/{email}/accounts',
  'POST /users/{email}/accounts/{accountId}/membership',
  'PUT /accounts/{id}/permissions',
  'PUT /applications/{applicationId}/owner',
  'PUT /applications/{applicationId}/participants',
  'PUT /leads/{leadId}/participants',
  'PUT /merchants/{merchantId}/owner',
  'PUT /merchants/{merchantId}/participants',
  'PUT /roles/{id}/permissions',
  'PUT /tickets/{ticketId}/participants',
  'PUT /users/{email}/notification-preferences',
  'PUT /users/{email}/permissions',
  'PUT /users/{email}/roles',
  'PUT /webhooks/{id}/events',
];

/** The body of a request with hostile texts. `replaced` contains the usual value of each changed field. */
function hostileBody(usual: unknown, accepted: ReadonlyMap<string, readonly string[]>, start: number) {
  const body = structuredClone(usual ?? {});
  const replaced = new Map<string, unknown>();
  for (const [index, [pointer, texts]] of [...accepted].entries()) {
    const kept = valueAt(body, pointer);
    const text = texts[(start + index * 7) % texts.length];
    if (text !== undefined && setAt(body, pointer, text)) replaced.set(pointer, kept);
  }
  return { body, replaced };
}

describe('through the real endpoints', () => {
  test('accepted texts are shown in their stored form, errors name the field, and later reads succeed', async () => {
    const failures: string[] = [];
    const attacked = new Set<string>();
    const reads: { endpoint: Endpoint; sent: HappyPath }[] = [];
    const bodies = withTexts.filter(({ part }) => part === 'body');
    for (const [n, part] of bodies.entries()) {
      const { endpoint, name } = part;
      const owner = await ownerOf(endpoint);
      const sent = await happyPath(endpoint, owner);
      const accepted = new Map(
        textFieldsOf(part.rules)
          .filter(({ pointer }) => !unsent.test(pointer))
          .map(({ pointer }) => [
            pointer,
            (results.get(part) ?? []).flatMap(({ text, rejected }) => (rejected.has(pointer) ? [] : [text])),
          ]),
      );
      for (let round = 0, attempt = 0; round < rounds && attempt < mostAttempts; round++, attempt++) {
        const { body, replaced } = hostileBody(sent.body, accepted, n * 5 + attempt * 23);
        let response = await call(endpoint, { ...sent, body } as object);
        // Repeats the request with the usual values in the fields that the error names, such as ids.
        for (let wrong = namedIn(response, replaced); wrong.length > 0; wrong = namedIn(response, replaced)) {
          for (const pointer of wrong) {
            setAt(body, pointer, replaced.get(pointer));
            replaced.delete(pointer);
          }
          response = await call(endpoint, { ...sent, body } as object);
        }
        const { error } = response.body as { error?: string };
        if (taken.includes(error ?? '')) {
          round--;
          continue;
        }
        if (response.status >= 300) {
          if (response.status >= 500 || (replaced.size > 0 && !allowedErrors.includes(error ?? '')))
            failures.push(`${name}: ${response.status} ${JSON.stringify(response.body).slice(0, 300)}`);
          break;
        }
        if (replaced.size > 0) attacked.add(nameOf(endpoint.contract));
        const stored = coerced(structuredClone(body), validatorsOf(endpoint.contract).body?.coercion);
        for (const pointer of replaced.keys()) {
          const shown = valueAt(response.body, pointer);
          const sentForm = String(valueAt(stored, pointer));
          // The email of a user is stored in lower case.
          const isSubject = name.endsWith('/mails') && pointer === '/subject';
          const ofUser = name.includes('/users') && pointer === '/email' ? sentForm.toLowerCase() : sentForm;
          // The subject of a mail is stored as its header contains it.
          const wanted = isSubject ? headerText(sentForm) : ofUser;
          if (typeof shown === 'string' && shown !== 'REDACTED' && shown !== wanted)
            failures.push(`${name}: ${fieldOf(pointer)} is shown as ${shown}, not as ${wanted}`);
        }
      }
      const read = all.find(
        ({ endpoint: { contract } }) => nameOf(contract) === `GET ${endpoint.contract.path}`,
      );
      if (read && !endpoint.contract.path.endsWith('s')) reads.push({ endpoint: read.endpoint, sent });
    }
    for (const owner of owners.values()) {
      await owner.admin.ok(savePaymentProvider, { body: { name: 'Northwind Payments', active: true } });
      await owner.admin.ok(savePayoutSettings, { body: settings });
      await owner.admin.ok(savePartnerConnection, { body: { url: 'http://127.0.0.1:9/', active: true } });
    }
    // A sign-in needs an identity provider, and changes no text of the account.
    for (const owner of owners.values())
      for (const { endpoint } of all)
        if (endpoint.contract.method === 'GET' && !/[{$]|^\/auth\/sso\//.test(endpoint.contract.path))
          reads.push({ endpoint, sent: { headers: owner.admin.headers } });
    for (const { endpoint, sent } of reads) {
      const { headers, params } = sent;
      const query = requiredQueries[endpoint.contract.path] ?? {};
      const { status } = await call(endpoint, { headers, params, query } as object);
      if (status >= 400) failures.push(`${nameOf(endpoint.contract)}: ${status}`);
    }
    expect(failures).toEqual([]);
    const others = bodies
      .map(({ endpoint }) => nameOf(endpoint.contract))
      .filter((name) => !attacked.has(name));
    expect(others.sort()).toEqual(withoutFreeText);
  }, 240_000);
});

/** The replaced fields that a 400 names. */
const namedIn = (
  { status, body }: CallResponse<unknown>,
  replaced: ReadonlyMap<string, unknown>,
): string[] => {
  const { details = [] } = body as { details?: { field: string }[] };
  return status === 400
    ? [...replaced.keys()].filter((pointer) =>
        details.some(({ field }) => fieldOf(pointer).startsWith(field)),
      )
    : [];
};
