import {
  byteLengthOf,
  characters,
  type DeclaredResource,
  inEach,
  inEachPart,
  itemsOf,
  type Limit,
  lengthOf,
  limitsOf,
  numberOf,
  objectOf,
  perRegion,
} from '../limit.ts';
import type { Properties } from '../stack-template.ts';

const service = 'WAF';
const guide = 'https://docs.aws.amazon.com/waf/latest/developerguide';
const source = `${guide}/limits.html`;
const reference = 'https://docs.aws.amazon.com/waf/latest/APIReference';

const webAcl = 'AWS::WAFv2::WebACL';

const rulesOf = ({ properties, resolve }: DeclaredResource): Properties[] =>
  itemsOf(resolve(properties.Rules)).map(objectOf);

/** A rate-based rule costs 2 and its scope-down statement ("Using rate-based rule statements in AWS WAF"). */
const rateBasedUnits = 2;
/** The units of a text transformation ("String match rule statement"). */
const transformationUnits = 10;
const unitsOfMatch = new Map<unknown, number>([
  ['EXACTLY', 2],
  ['STARTS_WITH', 2],
  ['ENDS_WITH', 2],
  ['CONTAINS', 10],
  ['CONTAINS_WORD', 10],
]);

/** Returns the web ACL capacity units (WCUs) of a statement. Throws for a type of statement that this project does not use. */
function unitsOf(statement: unknown): number {
  const [[type, content] = ['no type', undefined]] = Object.entries(objectOf(statement));
  const details = objectOf(content);
  if (type === 'RateBasedStatement' && details.CustomKeys === undefined)
    return (
      rateBasedUnits + (details.ScopeDownStatement === undefined ? 0 : unitsOf(details.ScopeDownStatement))
    );
  const units = type === 'ByteMatchStatement' ? unitsOfMatch.get(details.PositionalConstraint) : undefined;
  const component = Object.keys(objectOf(details.FieldToMatch))[0] ?? '';
  if (units === undefined || !['UriPath', 'QueryString', 'SingleHeader', 'Method'].includes(component))
    throw new Error(
      `The WCUs of ${type} on ${component} are unknown. Add them to infra/quotas/limits/waf.ts.`,
    );
  return units + transformationUnits * itemsOf(details.TextTransformations).length;
}

/** Returns the match statement of a rule, if any. */
const matchOf = (rule: Properties): Properties => {
  const statement = objectOf(rule.Statement);
  const scope = objectOf(objectOf(statement.RateBasedStatement).ScopeDownStatement);
  return objectOf(statement.ByteMatchStatement ?? scope.ByteMatchStatement);
};

/** A number for each rule of each web ACL. */
const inEachRule = (count: (rule: Properties) => number | undefined) =>
  inEachPart(webAcl, (resource) =>
    rulesOf(resource).flatMap((rule) => {
      const used = count(rule);
      return used === undefined ? [] : [[String(rule.Name), used] as const];
    }),
  );

const bodiesOf = ({ properties, resolve }: DeclaredResource): number[] =>
  Object.values(objectOf(resolve(objectOf(properties.CustomResponseBodies)))).map((body) =>
    byteLengthOf(objectOf(body).Content),
  );

export const wafLimits: readonly Limit[] = limitsOf(service, source, [
  {
    // More than 1,500 units cost an additional fee for each request.
    counted: 'capacity of a web ACL, WCUs',
    allowed: 5000,
    usages: inEach(webAcl, (one) => rulesOf(one).reduce((sum, { Statement }) => sum + unitsOf(Statement), 0)),
  },
  {
    counted: 'rate-based rules of a web ACL',
    allowed: 10,
    usages: inEach(
      webAcl,
      (one) => rulesOf(one).filter(({ Statement }) => 'RateBasedStatement' in objectOf(Statement)).length,
    ),
  },
  {
    counted: 'limit of a rate-based rule, requests',
    allowed: 10,
    minimum: true,
    setting: true,
    usages: inEachRule(({ Statement }) => numberOf(objectOf(objectOf(Statement).RateBasedStatement).Limit)),
  },
  {
    counted: 'text transformations of a statement',
    allowed: 10,
    usages: inEachRule((rule) => itemsOf(matchOf(rule).TextTransformations).length),
  },
  {
    counted: 'text of a string match statement, characters',
    allowed: 200,
    usages: inEachRule((rule) => lengthOf(matchOf(rule).SearchString)),
  },
  {
    counted: 'custom response body, bytes',
    allowed: 4096,
    usages: inEach(webAcl, (one) => Math.max(0, ...bodiesOf(one))),
  },
  {
    counted: 'custom response bodies of a web ACL together, bytes',
    allowed: 51_200,
    usages: inEach(webAcl, (one) => bodiesOf(one).reduce((sum, bytes) => sum + bytes, 0)),
  },
  {
    counted: 'custom response headers of a rule',
    allowed: 10,
    usages: inEachRule(({ Action }) => {
      const response = objectOf(objectOf(objectOf(Action).Block).CustomResponse);
      return itemsOf(response.ResponseHeaders).length;
    }),
  },
  {
    counted: 'web ACLs in a region',
    allowed: 100,
    kind: 'increasable',
    usages: perRegion([webAcl]),
  },
  {
    counted: 'name of a web ACL, characters',
    allowed: 128,
    source: `${reference}/API_CreateWebACL.html`,
    ...characters(webAcl, 'Name'),
  },
  {
    counted: 'description of a web ACL, characters',
    allowed: 256,
    source: `${reference}/API_CreateWebACL.html`,
    ...characters(webAcl, 'Description'),
  },
]);
