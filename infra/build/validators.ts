import Ajv from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';
import addFormats from 'ajv-formats';
import type { Contract } from '../../shared/http/contract.ts';
import type { Validate, Validators } from '../../shared/http/validation.ts';
import type { TSchema } from '../../shared/schema.ts';

const parts = ['params', 'query', 'body'] as const;
type Part = (typeof parts)[number];

/** A path and a query are text, so their values are coerced; a body is JSON, and taken at its word. */
function judge(part: Part | 'response', schema: TSchema) {
  const ajv = new Ajv.default({
    allErrors: true,
    useDefaults: part !== 'response',
    coerceTypes: part === 'params' || part === 'query' ? 'array' : false,
    strict: true,
    allowUnionTypes: true,
    code: { source: true, esm: true },
  });
  addFormats.default(ajv);
  return { ajv, validate: ajv.compile(schema) };
}

/** A contract without a query takes none, rather than anything. */
const closed = { type: 'object', additionalProperties: false } as unknown as TSchema;

const schemasOf = (contract: Contract): [Part, TSchema][] =>
  parts.flatMap((part): [Part, TSchema][] => {
    const schema = contract[part] ?? (part === 'query' ? closed : undefined);
    return schema ? [[part, schema]] : [];
  });

/** The validators of a contract, compiled in this process: what tests use. */
export const compileValidators = (contract: Contract): Validators =>
  Object.fromEntries(
    schemasOf(contract).map(([part, schema]) => [part, judge(part, schema).validate as Validate]),
  );

/** Judges an answer against the contract's response. */
export const compileResponse = (contract: Contract): Validate =>
  judge('response', contract.response).validate as Validate;

/** The source of one validator as a module of its own: what is bundled, so that no function carries a compiler. */
export function validatorSource(contract: Contract, part: Part): string {
  const found = schemasOf(contract).find(([name]) => name === part);
  if (!found) throw new Error(`${contract.method} ${contract.path} has no ${part}`);
  const { ajv, validate } = judge(part, found[1]);
  return standaloneCode.default(ajv, validate);
}

/** The parts of a request that the contract has a schema for. */
export const validatedParts = (contract: Contract): Part[] => schemasOf(contract).map(([part]) => part);
