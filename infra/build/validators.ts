import Ajv from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { type Contract, takesDryRun } from '../../shared/endpoints/contract.ts';
import type { Validate, Validators } from '../../shared/endpoints/validation.ts';
import { type TSchema, unsafe } from '../../shared/schema.ts';
import { dryRunSchema, querySchema } from '../contract-schemas.ts';
import { coercionOf, sentBackOf, shapeOf } from './derived.ts';
import { addKnownFormats } from './formats.ts';
import { addKeywords } from './keywords.ts';
import { shareRules } from './share-rules.ts';

const parts = ['params', 'query', 'body'] as const;
type Part = (typeof parts)[number];

/** Knows what a schema of JSON Schema is: once, where every compiler of its own would learn it again. */
const draft = new Ajv.default({ strict: false });

function compile(part: Part | 'response', schema: TSchema) {
  const ajv = new Ajv.default({
    meta: false,
    validateSchema: false,
    allErrors: true,
    useDefaults: part !== 'response',
    strict: true,
    allowUnionTypes: true,
    // Shared rules are functions of their own, called where they are needed.
    inlineRefs: false,
    code: { source: true, esm: true },
  });
  addKnownFormats(ajv);
  addKeywords(ajv);
  const rules = shareRules(schema);
  if (!draft.validateSchema(rules)) throw new Error(`No JSON Schema: ${draft.errorsText()}`);
  return { ajv, validate: ajv.compile(rules) };
}

/** For a contract without a query: every query parameter is an error. */
const closed = unsafe({ type: 'object', additionalProperties: false });

const schemasOf = (contract: Contract): [Part, TSchema][] =>
  parts.flatMap((part): [Part, TSchema][] => {
    const schema = part === 'query' ? (querySchema(contract) ?? closed) : contract[part];
    return schema ? [[part, schema]] : [];
  });

/** A path and a query are text, which spells its values; a body is JSON, and taken at its word but for instants. */
const coercionIn = (part: Part, schema: TSchema) => coercionOf(schema, part !== 'body');

/** The fields of its responses, in order. */
export const responseShapes = (contract: Contract): Pick<Validators, 'response' | 'dryRun'> => ({
  response: shapeOf(contract.response),
  ...(takesDryRun(contract) && { dryRun: shapeOf(dryRunSchema(contract)) }),
});

/** The validators of a contract, compiled in this process: what tests use. */
export const compileValidators = (contract: Contract): Validators => ({
  ...Object.fromEntries(
    schemasOf(contract).map(([part, schema]) => [
      part,
      Object.assign(compile(part, schema).validate as Validate, { coercion: coercionIn(part, schema) }),
    ]),
  ),
  ...responseShapes(contract),
  sentBack: sentBackOf(contract),
});

/** Validates a response against the contract. */
export const compileResponse = (contract: Contract): Validate =>
  compile('response', contract.response).validate as Validate;

/**
 * A validator's code without the object around a value, which is handed from function to function for coercion and `$data`.
 * Neither is used here, and it makes a fifth of a large validator. Throws where something does look at it.
 */
function withoutParents(code: string): string {
  const short = code.replaceAll(/,parentData:[^{}]*?,rootData(?=\}\))/g, '');
  const parameters = '{instancePath="", parentData, parentDataProperty, rootData=data}={}';
  if (/parentData|rootData/.test(short.replaceAll(parameters, '')))
    throw new Error('A validator looks at the object around a value: it cannot be left out.');
  return short;
}

/** A validator's code without the places in the schema that its faults name: what a client hears is where in the value. */
const withoutSchemaPaths = (code: string): string => code.replaceAll(/schemaPath:"[^"]*",/g, '');

/**
 * A validator's code with no more of the schema than it looks at: the names of an object's fields, and what a fault says
 * was allowed.
 */
const withoutRules = (code: string): string =>
  code.replaceAll(/(?<=const schema\d+ = )\{.*?\}(?=;(?:const|function|export) )/g, (schema) =>
    JSON.stringify(JSON.parse(schema), lookedAt),
  );

const lookedAt = (name: string, value: unknown): unknown =>
  ['maxLength', 'minLength', 'minimum', 'maximum', 'pattern', 'patternProperties', '$ref'].includes(name)
    ? undefined
    : value;

/** The source of one validator as a module of its own: what is bundled, so that no function carries a compiler. */
export function validatorSource(contract: Contract, part: Part): string {
  const found = schemasOf(contract).find(([name]) => name === part);
  if (!found) throw new Error(`${contract.method} ${contract.path} has no ${part}`);
  const { ajv, validate } = compile(part, found[1]);
  const coercion = JSON.stringify(coercionIn(part, found[1]));
  const code = withoutRules(withoutSchemaPaths(withoutParents(standaloneCode.default(ajv, validate))));
  return `${code}\n${coercion ? `validate.coercion = ${coercion};` : ''}`;
}

/** The parts of a request that the contract has a schema for. */
export const validatedParts = (contract: Contract): Part[] => schemasOf(contract).map(([part]) => part);
