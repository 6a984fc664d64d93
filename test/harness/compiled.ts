import { compileResponse, compileValidators } from '../../infra/build/validators.ts';
import type { Contract } from '../../shared/endpoints/contract.ts';
import type { Validate, Validators } from '../../shared/endpoints/validation.ts';

declare global {
  /** Outlives a test file, as our modules do not: what is compiled depends on the contract alone. */
  var compiledInThisProcess: { requests: Map<string, Validators>; responses: Map<string, Validate> };
}
globalThis.compiledInThisProcess ??= { requests: new Map(), responses: new Map() };
const { requests, responses } = globalThis.compiledInThisProcess;

/** The validators of a contract. A second file of this process that calls an endpoint of the same contract compiles nothing. */
export const validatorsOf = (contract: Contract): Validators => kept(requests, contract, compileValidators);

/** The same of a response. */
export const responseValidatorOf = (contract: Contract): Validate =>
  kept(responses, contract, compileResponse);

/** By what the contract says, and not by which object says it: each file has objects of its own. */
function kept<T>(known: Map<string, T>, contract: Contract, compile: (contract: Contract) => T): T {
  const text = JSON.stringify(contract);
  const compiled = known.get(text) ?? compile(contract);
  known.set(text, compiled);
  return compiled;
}
