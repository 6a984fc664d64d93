import Ajv from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { type Contract, capturesBodies, takesDryRun } from '../../shared/endpoints/contract.ts';
import { keywordMessages, type Validate, type Validators } from '../../shared/endpoints/validation.ts';
import { type TSchema, unsafe } from '../../shared/schema.ts';
import { dryRunSchema, querySchema } from '../contract-schemas.ts';
import { coercionOf, sentBackOf, shapeOf } from './derived.ts';
import { addKnownFormats } from './formats.ts';
import { addKeywords } from './keywords.ts';
import { shareRules } from './share-rules.ts';
import { withTextRules } from './text-rules.ts';

const parts = ['params', 'query', 'body'] as const;
type Part = (typeof parts)[number];

/** Validates schemas. All calls share this instance, because a new instance would compile the meta-schema again. */
const draft = new Ajv.default({ strict: false });

function compile(part: Part | 'response', schema: TSchema, { optimize = true } = {}) {
  const ajv = new Ajv.default({
    meta: false,
    validateSchema: false,
    allErrors: true,
    useDefaults: part !== 'response',
    strict: true,
    allowUnionTypes: true,
    discriminator: true,
    // Keeps shared rules as separate functions.
    inlineRefs: false,
    code: { source: true, esm: true, optimize },
  });
  addKnownFormats(ajv);
  addKeywords(ajv);
  const rules = shareRules(part === 'response' ? schema : withTextRules(schema));
  if (!draft.validateSchema(rules)) throw new Error(`Invalid JSON Schema: ${draft.errorsText()}`);
  return { ajv, validate: ajv.compile(rules) };
}

/** The schema for a contract without query parameters. It rejects every query parameter. */
const closed = unsafe({ type: 'object', additionalProperties: false });

const schemasOf = (contract: Contract): [Part, TSchema][] =>
  parts.flatMap((part): [Part, TSchema][] => {
    const schema = part === 'query' ? (querySchema(contract) ?? closed) : contract[part];
    return schema ? [[part, schema]] : [];
  });

/** Paths and queries are text. A body is JSON, in which only texts are coerced. */
const coercionIn = (part: Part, schema: TSchema) => coercionOf(schema, part !== 'body');

export const shapesFor = (contract: Contract): Pick<Validators, 'sent' | 'response' | 'dryRun'> => ({
  response: shapeOf(contract.response),
  ...(capturesBodies(contract) && contract.body && { sent: shapeOf(contract.body) }),
  ...(takesDryRun(contract) && { dryRun: shapeOf(dryRunSchema(contract)) }),
});

/** Without optimization of the code, Ajv compiles a schema in half of the time. */
const forTests = { optimize: false };

/** Compiles the validators of a contract in this process, for tests. */
export const compileValidators = (contract: Contract): Validators => ({
  ...Object.fromEntries(
    schemasOf(contract).map(([part, schema]) => [
      part,
      Object.assign(compile(part, schema, forTests).validate as Validate, {
        coercion: coercionIn(part, schema),
      }),
    ]),
  ),
  ...shapesFor(contract),
  sentBack: sentBackOf(contract),
});

/** Compiles the validator of a contract's response, for tests. */
export const compileResponse = (contract: Contract): Validate =>
  compile('response', contract.response, forTests).validate as Validate;

/**
 * Removes the arguments `parentData` and `rootData`, which are a fifth of the code of a large validator. Only
 * Ajv's coercion and `$data` use them, and both features are turned off. Throws if the code uses them.
 */
function withoutParents(code: string): string {
  const short = code.replaceAll(/,parentData:[^{}]*?,rootData(?=\}\))/g, '');
  const parameters = '{instancePath="", parentData, parentDataProperty, rootData=data}={}';
  if (/parentData|rootData/.test(short.replaceAll(parameters, '')))
    throw new Error('A validator uses parentData or rootData, so they cannot be removed.');
  return short;
}

/** Removes `schemaPath` from validation errors, because responses contain only the path of the invalid value. */
const withoutSchemaPaths = (code: string): string => code.replaceAll(/schemaPath:"[^"]*",/g, '');

/** Removes keywords from the embedded schemas if the validator does not read these keywords at run time. */
const withoutRules = (code: string): string =>
  code.replaceAll(/(?<=const schema\d+ = )\{.*?\}(?=;(?:const|function|export) )/g, (schema) =>
    JSON.stringify(JSON.parse(schema), withoutUnusedKeywords),
  );

const unusedKeywords = [
  'maxLength',
  'minLength',
  'minimum',
  'maximum',
  'pattern',
  'patternProperties',
  '$ref',
  'x-text',
  'textForm',
  'visibleText',
  'webAddress',
];
const withoutUnusedKeywords = (name: string, value: unknown): unknown =>
  unusedKeywords.includes(name) ? undefined : value;

const quoted = String.raw`"(?:[^"\\]|\\.)*"`;
const replacedMessages = new RegExp(
  `(keyword:"(?:${Object.keys(keywordMessages).join('|')})",params:\\{(?:[^{}"]|${quoted})*\\}),message:${quoted}(?:\\+${quoted})*(?=\\})`,
  'g',
);

/** Removes Ajv's messages of the keywords for which shared/endpoints/validation.ts has messages. */
const withoutMessages = (code: string): string => code.replaceAll(replacedMessages, '$1');

/** The source of one validator as a module, so that bundles do not contain the compiler. */
export function validatorSource(contract: Contract, part: Part): string {
  const found = schemasOf(contract).find(([name]) => name === part);
  if (!found) throw new Error(`${contract.method} ${contract.path} has no ${part}`);
  const { ajv, validate } = compile(part, found[1]);
  const coercion = JSON.stringify(coercionIn(part, found[1]));
  const code = withoutMessages(withoutSchemaPaths(withoutParents(standaloneCode.default(ajv, validate))));
  return `${withoutRules(code)}\n${coercion ? `validate.coercion = ${coercion};` : ''}`;
}

/** The parts of a request that have a schema. */
export const validatedParts = (contract: Contract): Part[] => schemasOf(contract).map(([part]) => part);
