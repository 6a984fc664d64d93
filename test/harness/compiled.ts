import { compileResponse, compileValidators } from '../../infra/build/validators.ts';
import type { Contract } from '../../shared/endpoints/contract.ts';
import type { Validate, Validators } from '../../shared/endpoints/validation.ts';

declare global {
  /** Shared by all test files of this process, because validators depend only on the contract. */
  var compiledInThisProcess: { requests: Map<string, Validators>; responses: Map<string, Validate> };
}
globalThis.compiledInThisProcess ??= { requests: new Map(), responses: new Map() };
const { requests, responses } = globalThis.compiledInThisProcess;

/** The validators of a contract, compiled once for each process. */
export const validatorsOf = (contract: Contract): Validators => kept(requests, contract, compileValidators);

/** The validator of a contract's response, compiled once for each process. */
export const responseValidatorOf = (contract: Contract): Validate =>
  kept(responses, contract, compileResponse);

/** The cache key is the content of the contract, because each test file loads its own contract objects. */
function kept<T>(known: Map<string, T>, contract: Contract, compile: (contract: Contract) => T): T {
  const text = JSON.stringify(contract);
  const compiled = known.get(text) ?? compile(contract);
  known.set(text, compiled);
  return compiled;
}
