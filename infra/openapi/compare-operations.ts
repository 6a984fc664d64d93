import type { NeededFor } from '../../shared/endpoints/contract.ts';
import type { Side } from './compare-keywords.ts';
import { type Change, changeAt, schemaComparison } from './compare-schemas.ts';
import type { DocumentVersions } from './document-versions.ts';
import { asList, type Rules, type Schema } from './schema-variants.ts';

/** Returns the changes of an operation that may break a client. */
type CompareOperations = (before: Rules, after: Rules) => Change[];

/** Returns a comparison of the operations of two documents. Also compares the components to which they refer. */
export function operationComparison({ earlier, later, isSame }: DocumentVersions): CompareOperations {
  const compareSchemas = schemaComparison(earlier, later, isSame);

  const isSameScheme = (name: string): boolean => {
    const scheme = { $ref: `#/components/securitySchemes/${name}` };
    return isSame(scheme, scheme);
  };

  function compareOperation(before: Rules, after: Rules): Change[] {
    if (isSame(before, after) && schemesOf(before).every(isSameScheme)) return [];
    return [
      ...compareOthers(before, after, '', comparedInOperations),
      ...compareRights(before, after),
      ...compareSecurity(asList(before.security), asList(after.security)),
      ...compareParameters(asList(before.parameters), asList(after.parameters)),
      ...compareBody(before.requestBody as Rules | undefined, after.requestBody as Rules | undefined),
      ...compareResponses(namedIn(before.responses), namedIn(after.responses)),
    ];
  }

  /** Returns a change for each keyword that has changed and has no comparison of its own. */
  function compareOthers(before: Rules, after: Rules, place: string, compared: readonly string[]): Change[] {
    return [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .filter((keyword) => !compared.includes(keyword) && !annotations.includes(keyword))
      .filter((keyword) => !isSame(before[keyword], after[keyword]))
      .map((keyword) => changeAt(place, `${keyword} changes`));
  }

  /** Each alternative of the credentials must remain sufficient. */
  function compareSecurity(before: readonly Requirement[], after: readonly Requirement[]): Change[] {
    const suffices = (sent: Requirement) => (needed: Requirement) =>
      Object.entries(needed).every(
        ([name, scopes]) => name in sent && lost(scopes, sent[name]).length === 0 && isSameScheme(name),
      );
    return alternatives(before)
      .filter((sent) => !alternatives(after).some(suffices(sent)))
      .map((sent) => changeAt('', `the credentials ${shownCredentials(sent)} are no longer sufficient`));
  }

  function compareParameters(before: readonly Rules[], after: readonly Rules[]): Change[] {
    const was = new Map(before.map((parameter) => [keyOf(earlier(parameter)), parameter]));
    const is = new Map(after.map((parameter) => [keyOf(later(parameter)), later(parameter)]));
    return [
      ...[...was].flatMap(([key, reference]) => {
        const parameter = earlier(reference);
        const place = placeOf(parameter);
        const same = is.get(key);
        if (!same) return [changeAt(place, 'the parameter is removed')];
        const isShared = reference !== parameter;
        return compareParameter(parameter, same, place).map((change) => ({ ...change, isShared }));
      }),
      ...[...is]
        .filter(([key, { required }]) => required === true && !was.has(key))
        .map(([, parameter]) => changeAt(placeOf(parameter), 'the new parameter is required')),
    ];
  }

  function compareParameter(before: Rules, after: Rules, place: string): Change[] {
    return [
      ...compareOthers(before, after, place, comparedInParameters),
      ...nowRequired(before, after, place, 'parameter'),
      ...compareSchemas(schemaIn(before), schemaIn(after), 'request', place),
      // The parameter `dryRun` has the schema of the preview that it requests.
      ...compareSchemas(previewIn(before), previewIn(after), 'response', `${place} preview`),
    ];
  }

  function compareBody(before: Rules | undefined, after: Rules | undefined): Change[] {
    const place = 'request';
    if (!before)
      return after && later(after).required === true ? [changeAt(place, 'a body is required')] : [];
    if (!after) return [changeAt(place, 'the body is removed')];
    const [was, is] = [earlier(before), later(after)];
    return [
      ...compareOthers(was, is, place, ['required', 'content']),
      ...nowRequired(was, is, place, 'body'),
      ...compareContent(was, is, 'request', place),
    ];
  }

  function compareResponses(before: Named, after: Named): Change[] {
    const added = Object.keys(after).filter((status) => !(status in before) && !mayBeNew.test(status));
    return [
      ...Object.entries(before).flatMap(([status, response]) => {
        const place = `response ${status}`;
        const same = after[status];
        return same
          ? compareResponse(earlier(response), later(same), place)
          : [changeAt(place, 'the status is removed')];
      }),
      ...added.map((status) => changeAt(`response ${status}`, 'the status is new')),
    ];
  }

  function compareResponse(before: Rules, after: Rules, place: string): Change[] {
    const [was, is] = [before, after].map(({ headers }) => byLowerCase(namedIn(headers)));
    return [
      ...compareOthers(before, after, place, ['headers', 'content']),
      ...Object.entries(was ?? {}).flatMap(([name, header]) =>
        compareHeader(earlier(header), is?.[name], `${place} header ${name}`),
      ),
      ...compareContent(before, after, 'response', place),
    ];
  }

  function compareHeader(before: Rules, after: Rules | undefined, place: string): Change[] {
    if (!after) return [changeAt(place, 'the header is removed')];
    const header = later(after);
    return [
      ...compareOthers(before, header, place, ['required', 'schema']),
      ...(before.required === true && header.required !== true
        ? [changeAt(place, 'the header may now be missing')]
        : []),
      ...compareSchemas(schemaIn(before), schemaIn(header), 'response', place),
    ];
  }

  /** Compares the content types of a request or response. A new content type is only used if a client asks for it. */
  function compareContent(before: Rules, after: Rules, side: Side, place: string): Change[] {
    const [was, is] = [namedIn(before.content), namedIn(after.content)];
    return Object.entries(was).flatMap(([type, content]) => {
      const same = is[type];
      if (!same) return [changeAt(place, `the content type ${type} is removed`)];
      return [
        ...compareOthers(content, same, `${place} ${type}`, ['schema']),
        ...compareSchemas(schemaIn(content), schemaIn(same), side, `${place} body`),
      ];
    });
  }

  return compareOperation;
}

type Named = Record<string, Rules>;

const comparedInOperations = [
  'security',
  'parameters',
  'requestBody',
  'responses',
  'x-required-permissions',
  'x-any-permission',
  'x-reach',
  'x-administrator-only',
  'x-proof',
  'x-emits',
  'x-happenings',
];
const comparedInParameters = ['name', 'in', 'required', 'schema'];
/** These keywords do not change the messages. */
const annotations = [
  ...['tags', 'summary', 'description', 'externalDocs', 'deprecated', 'example', 'examples'],
  ...['x-record', 'x-upload', 'x-destructive'],
];
/** Clients must handle unknown errors. A 304 is only returned to a client that sends If-None-Match. */
const mayBeNew = /^(304|[45]..)$/;

/** The caller must not need more permissions than before, and no event may be lost. */
function compareRights(before: Rules, after: Rules): Change[] {
  const [any, anyLater] = [before, after].map((operation) => operation['x-any-permission']);
  const texts = [
    ...lost(after['x-required-permissions'], before['x-required-permissions']).map(
      (name) => `the permission ${name} is now required`,
    ),
    ...(any === undefined && anyLater !== undefined
      ? [`one of ${asList(anyLater).join(', ')} is now required`]
      : []),
    ...(anyLater === undefined ? [] : lost(any, anyLater)).map(
      (name) => `the permission ${name} is no longer sufficient`,
    ),
    ...lost(before['x-reach'], after['x-reach']).map(
      (type) => `permissions that are limited to some records of the type ${type} are no longer sufficient`,
    ),
    ...(after['x-administrator-only'] === true && before['x-administrator-only'] !== true
      ? ['only administrators may call the operation']
      : []),
    ...newProofs(before['x-proof'], after['x-proof']).map(
      (proof) => `a fresh proof with the purpose ${proof} is now required`,
    ),
    ...lost(before['x-emits'], after['x-emits']).map((kind) => `the event ${kind} is no longer emitted`),
    ...lost(before['x-happenings'], after['x-happenings']).map(
      (happening) => `the happening ${happening} is no longer emitted`,
    ),
  ];
  return texts.map((text) => changeAt('', text));
}

/** Returns the new conditions under which a fresh proof is needed. Without a condition, all requests need it. */
function newProofs(before: unknown, after: unknown): string[] {
  const known = asList<NeededFor>(before);
  return asList<NeededFor>(after)
    .filter(({ purpose }) => !known.some((one) => one.purpose === purpose && conditionsOf(one).length === 0))
    .flatMap((one) => {
      const ofPurpose = known.filter(({ purpose }) => purpose === one.purpose).flatMap(conditionsOf);
      const added = lost(conditionsOf(one), ofPurpose).map((condition) => `${one.purpose} if ${condition}`);
      return conditionsOf(one).length === 0 ? [one.purpose] : added;
    });
}

const conditionsOf = ({ ifQuery, ifBody = [] }: NeededFor): string[] => [
  ...(ifQuery ? [`the query has ${ifQuery}`] : []),
  ...ifBody.map((name) => `the body has ${name}`),
];

const lost = (before: unknown, after: unknown): string[] =>
  asList<string>(before).filter((value) => !asList(after).includes(value));

/** Credentials that a client sends together: the scopes of each security scheme. */
type Requirement = Record<string, string[]>;

const alternatives = (security: readonly Requirement[]): readonly Requirement[] =>
  security.length === 0 ? [{}] : security;
const schemesOf = ({ security }: Rules): string[] =>
  asList<Requirement>(security).flatMap((requirement) => Object.keys(requirement));
const shownCredentials = (sent: Requirement): string => Object.keys(sent).join(' and ') || '(none)';

const placeOf = ({ in: where, name }: Rules): string => `${where} parameter ${name}`;
/** The names of headers are case-insensitive. */
const keyOf = (parameter: Rules): string =>
  parameter.in === 'header' ? placeOf(parameter).toLowerCase() : placeOf(parameter);

const nowRequired = (before: Rules, after: Rules, place: string, what: string): Change[] =>
  after.required === true && before.required !== true ? [changeAt(place, `the ${what} is now required`)] : [];

const namedIn = (value: unknown): Named => Object.assign(Object.create(null), value);
const byLowerCase = (named: Named): Named =>
  Object.fromEntries(Object.entries(named).map(([name, value]) => [name.toLowerCase(), value]));
const schemaIn = ({ schema }: Rules): Schema => (schema ?? true) as Schema;
const previewIn = ({ schema }: Rules): Schema =>
  ((schema as Rules | undefined)?.contentSchema ?? true) as Schema;
