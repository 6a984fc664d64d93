import { evaluate, type KnownMethod } from './condition.ts';
import type { FilledForm } from './form-fields.ts';
import { methodRules } from './rules.ts';
import type { ProcessingMethod } from './schema.ts';

/** How cards are taken: as given, else as the shares of the form have it. With the facts that it follows from. */
export function processingMethod(form: FilledForm, given?: ProcessingMethod): KnownMethod {
  if (given) return { method: given, facts: [] };
  const tried = methodRules.map(({ method, when }) => ({ method, ...evaluate(when, { form }) }));
  const found = tried.find(({ holds }) => holds);
  return found
    ? { method: found.method, facts: found.facts }
    : { method: 'mixed', facts: tried.flatMap(({ facts }) => facts) };
}
